// The passes of the changelog: the archival that keeps it short, and its graph brought up to date where somebody left it behind.

import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import { ChangelogCatalog, changelogOf, materialise, planArchival, planChanges, withBatch } from '../../logs/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { staleFiles } from '../../store/derive.ts';
import { changelogArchivePath } from '../../store/records/changelog.ts';
import { graphPath } from '../../store/records/graph-file.ts';
import { compareSequenceIds } from '../../store/records/sequence-id.ts';
import { parseTodo, todoPath } from '../../store/records/todo-file.ts';
import type { Pass, PassItem } from '../lifecycle/pass.ts';
import { changedFile } from '../lifecycle/record-changes.ts';

/** With more events than this the older ones move to CHANGELOG-archive.md (spec 2), but so many of the last. */
const most = 50;
const keep = 20;

/** Archives what a changelog of more than {@link most} events needs no more: all but the last ones and what is under way. */
export const changelogArchival: Pass<void> = {
  name: 'changelog-archive',
  mayRemoveLines: true,
  plan({ snapshot, configuration, now }) {
    const path = changelogOf(snapshot);
    const text = snapshot.readText(path);
    if (text === null) return { items: [], left: [] };
    const when = { now, timeZone: configuration.timezone };
    const todo = parseTodo(snapshot.textIfWhole(todoPath) ?? '').items;
    const named = todo.filter(({ section }) => section !== 'Completed').flatMap(({ events }) => events);
    const held = [...stillNeeded(new ChangelogCatalog().of(snapshot)), ...named];
    const plan = planArchival(text, path, { above: most, keep, held, ...when });
    if (plan === null) return { items: [], left: [] };
    const archive = withBatch(snapshot.readText(changelogArchivePath), plan.batch);
    const { change } = planChanges(snapshot, path, [{ draft: plan.draft }], when, plan.text);
    const archived = changedFile(snapshot, changelogArchivePath, archive);
    const why = plan.draft.summary;
    const item: PassItem = { action: 'archive', ids: [], why, changes: [change, archived] };
    return { items: [item], left: [] };
  },
  describe: ([item]) => ({ subject: `changelog: ${item?.why.toLowerCase() ?? ''}` }),
};

/**
 * Lists the events that something under way came from: what blocks, then tasks that are not done, the newest first. A component or a decision
 * holds nothing back: it is active for good, and its node has all that it says.
 */
function stillNeeded(events: readonly ChangelogEvent[]): string[] {
  const { nodes, edges } = materialise(events);
  const tasks = nodes.filter(({ type, status }) => type === 'task' && (status === 'active' || status === 'blocked'));
  const blocks = edges.filter(({ relation }) => relation === 'blocks').map(({ created }) => created);
  const open = tasks.map(({ last }) => last).sort(compareSequenceIds);
  return [...blocks.reverse(), ...open.reverse()];
}

/** Makes graph and narrative anew where they are not what the log says: after native git merged, or somebody edited them. */
export function graphUpkeep(store: Pick<BranchStore, 'derivations' | 'codec'>): Pass<void> {
  return {
    name: 'graph',
    plan({ snapshot }) {
      const changes = staleFiles(store, snapshot, [graphPath]);
      if (changes.length === 0) return { items: [], left: [] };
      const why = 'they were not what the log says';
      return { items: [{ action: 'derive', ids: [], why, changes }], left: [] };
    },
    describe: ([item]) => ({ subject: `graph: ${item?.changes.length ?? 0} files made anew` }),
  };
}
