// Moves events from the ledger to its archive, word for word, and says what stands for them then (spec 3, compaction and pruning). It is the one
// exception to "append only", planned as a value.

import { defined } from '../../base/defined.ts';
import { dayOf } from '../../base/time.ts';
import type { EventDraft } from '../../store/records/new-event.ts';
import type { StoredEvent } from './ledger.ts';
import { openLoopsOf } from './open-loops.ts';
import { namedBy, supersessionOf } from './supersession.ts';

interface CompactionRules {
  readonly now: number;
  readonly timeZone: string;
  readonly p2Days: number;
  readonly p3Days: number;
}

/** Events that leave together, why, and the one event that stands for them. */
export interface Archival {
  readonly events: readonly StoredEvent[];
  readonly why: string;
  readonly summary?: EventDraft;
}

const dayMs = 86_400_000;

/** Plans pruning: events of P2 and P3 whose time is over, but for open commitments. */
export function planPruning(events: readonly StoredEvent[], rules: CompactionRules): Archival[] {
  const open = new Set(openLoopsOf(events).map(({ event }) => event.id));
  return earlier(events, rules).flatMap((event) => {
    const { priority } = event.value;
    const most = priority === 'P2' ? rules.p2Days : priority === 'P3' ? rules.p3Days : Number.POSITIVE_INFINITY;
    if (open.has(event.id) || rules.now - event.time <= most * dayMs) return [];
    return [{ events: [event], why: `${priority}, older than ${most} days` }];
  });
}

/**
 * Plans compaction. Commitments that were kept are folded into one event, with what they replaced and what closed them. What was superseded
 * goes, and so does what pruning takes. Constraints and all else of P0 and P1 that holds stays. Nothing of the present day goes.
 */
export function planCompaction(events: readonly StoredEvent[], rules: CompactionRules): Archival[] {
  const settled = new Set(earlier(events, rules));
  const successors = supersessionOf(events);
  const byId = new Map(events.map((event) => [event.id, event]));
  const gone = new Set<string>();
  const folded = resolvedChains(events, byId, successors)
    .filter((chain) => chain.every((event) => settled.has(event)))
    .map((chain): Archival => {
      for (const { id } of chain) gone.add(id);
      return { events: chain, why: 'a commitment that was kept', summary: summaryOf(chain) };
    });
  const corrected = [...settled]
    .filter(({ id }) => successors.has(id) && !gone.has(id))
    .map((event): Archival => {
      gone.add(event.id);
      return { events: [event], why: `superseded by ${successors.get(event.id)!.id}` };
    });
  const expired = planPruning(events, rules).filter(({ events: [event] }) => !gone.has(event!.id));
  return [...folded, ...corrected, ...expired];
}

function earlier(events: readonly StoredEvent[], { now, timeZone }: CompactionRules): StoredEvent[] {
  const today = dayOf(now, timeZone);
  return events.filter(({ time }) => dayOf(time, timeZone) < today);
}

/** Closed commitments with what they had replaced and what closed them; those that share an event are one. */
function resolvedChains(
  events: readonly StoredEvent[],
  byId: ReadonlyMap<string, StoredEvent>,
  successors: ReadonlyMap<string, StoredEvent>,
): StoredEvent[][] {
  const chainOf = new Map<string, Set<StoredEvent>>();
  const join = (a: StoredEvent, b: StoredEvent): void => {
    const all = new Set([...(chainOf.get(a.id) ?? [a]), ...(chainOf.get(b.id) ?? [b])]);
    for (const event of all) chainOf.set(event.id, all);
  };
  for (const closing of events) {
    if (closing.value.status !== 'closed' || successors.has(closing.id)) continue;
    for (const id of namedBy(closing.value)) {
      let opener = byId.get(id);
      if (opener?.value.type !== 'commitment') continue;
      join(opener, closing);
      const seen = new Set<string>();
      for (let old = opener; old.value.supersedes !== undefined && !seen.has(old.id); old = opener) {
        seen.add(old.id);
        opener = byId.get(old.value.supersedes);
        if (opener === undefined) break;
        join(opener, old);
      }
    }
  }
  return [...new Set(chainOf.values())].map((chain) =>
    [...chain].sort((a, b) => a.time - b.time || (a.id < b.id ? -1 : 1)),
  );
}

function summaryOf(chain: readonly StoredEvent[]): EventDraft {
  const opener = chain.findLast(({ value }) => value.status !== 'closed') ?? chain[0]!;
  const closing = chain.filter(({ value }) => value.status === 'closed');
  const priority = chain.map(({ value }) => value.priority).sort()[0]!;
  const { entity } = opener.value;
  return {
    type: 'commitment',
    priority,
    content: `${opener.value.content} — ${closing.map(({ value }) => value.content).join('; ')}`,
    ...defined({ entity }),
    tags: [...new Set([...chain.flatMap(({ value }) => value.tags ?? []), 'summary'])],
    source: 'compaction',
    related: [opener.id],
    status: 'closed',
    compacts: chain.map(({ id }) => id),
  };
}
