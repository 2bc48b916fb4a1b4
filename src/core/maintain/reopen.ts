// Endings by rules: versions before 0.2 let hand-written rules decide that a later sentence ends an earlier one. Such an ending stays, as what
// was stored, until somebody asks for this pass. It lists them, and opens the claims again.

import { dayOf } from '../../base/time.ts';
import { logOf } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { isOpen, reopened } from '../../store/claims/claim.ts';
import type { Pass, PassView } from '../lifecycle/pass.ts';
import { changedMemory } from '../lifecycle/record-changes.ts';

/** The rules that ended claims, alone or beside other extractors. */
const endingRules = /^rules(?:[/+][^@]*)?@[1-4](?:\D|$)/;

/** An ending that no act made. */
interface EndingByRules {
  /** Milliseconds since the Unix epoch. */
  readonly time: number;
  /** Memories of the commit that ended it: what took its place is among them, unless it was known to be over from the start. */
  readonly by: ReadonlySet<string>;
}

function endingsByRules(store: BranchStore, commit: string | null): Map<string, EndingByRules> {
  const endings = new Map<string, EndingByRules>();
  for (const [operation, text] of [
    ['extract', 'Closes: '],
    ['reconcile', 'Memory: '],
  ] as const) {
    const { commits } = logOf(store.repository, commit, { text, limit: Number.POSITIVE_INFINITY });
    for (const { trailers, time } of commits) {
      const valuesOf = (wanted: string) => trailers.flatMap(({ key, value }) => (key === wanted ? [value] : []));
      const isByRules =
        operation === 'extract'
          ? valuesOf('Extractor').some((name) => endingRules.test(name))
          : valuesOf('Operation').includes(operation);
      if (!isByRules) continue;
      const memories = valuesOf('Memory');
      for (const id of operation === 'extract' ? valuesOf('Closes') : memories)
        if (!endings.has(id)) endings.set(id, { time: Date.parse(time), by: new Set(memories) });
    }
  }
  return endings;
}

/** Makes the pass that opens what rules of earlier versions ended, one commit each; what somebody ended since stays ended. */
export function reopening(store: BranchStore): Pass<void> {
  return {
    name: 'reopen',
    commits: 'each',
    plan({ snapshot, memories, configuration: { timezone } }: PassView) {
      const endings = endingsByRules(store, snapshot.commit);
      const items = memories.flatMap((stored) => {
        const { id, replacedBy } = stored.record;
        const ending = endings.get(id);
        if (ending === undefined || replacedBy === undefined || isOpen(stored.record)) return [];
        if (!ending.by.has(replacedBy) && !ending.by.has(id)) return [];
        const why = `ended by rules on ${dayOf(ending.time, timezone)}, in favour of ${replacedBy}`;
        const changes = [changedMemory(stored, reopened(stored.record))];
        return [{ action: 'reopen', ids: [id, replacedBy], why, changes }];
      });
      return { items, left: [] };
    },
    describe: ([item]) => ({ subject: `${item!.ids[0]!.slice(0, 8)}, which rules had ended` }),
  };
}
