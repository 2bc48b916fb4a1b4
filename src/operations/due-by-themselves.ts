// Tasks whose time follows from what waits: the batch, and experiments that expire.

import type { PassResult } from '../types.ts';
import type { MaintenanceTask } from './maintenance-tasks.ts';

/** Commits the batch when its oldest write has waited for `flush_minutes`; inside a project commits are made on request. */
export const batchCommit: MaintenanceTask = {
  name: 'commit',
  summary: 'commit what has waited long enough',
  everyHours: 0,
  isLocal: true,
  dueAt({ store, configurationOf, isImmediate }) {
    const oldest = isImmediate ? store.pending()[0] : undefined;
    return oldest === undefined ? null : oldest.time + configurationOf(store.snapshot()).flushMinutes * 60_000;
  },
  async run({ store, isImmediate }, { dryRun }): Promise<PassResult> {
    const waiting = store.pending().length;
    const result = { pass: 'commit', commits: [], tree: null, items: [], left: [], dropped: [] };
    if (waiting === 0 || !isImmediate) return result;
    const item = { action: 'commit', ids: [], why: `${waiting} writes wait`, paths: [] };
    if (dryRun) return { ...result, items: [item] };
    const { commits, tree, skipped } = await store.flush();
    const left = skipped.map(({ path, why }) => ({ id: path, why }));
    return { ...result, commits, tree, items: commits.length === 0 ? [] : [item], left };
  },
};

/** Ends `explore/*` branches that nobody went on with for `explore_days`, but for those that hold something of their own. */
export const exploreExpiry: MaintenanceTask = {
  name: 'explore',
  summary: 'end experiments that expired',
  everyHours: 24,
  isLocal: true,
  async run({ expireBranches }, { dryRun = false }): Promise<PassResult> {
    const { dropped, kept } = (await expireBranches?.(dryRun)) ?? { dropped: [], kept: [] };
    return {
      pass: 'explore',
      commits: [],
      tree: null,
      items: dropped.map(({ name, commit }) => ({
        action: 'drop',
        ids: [],
        why: `${name} expired at ${commit.slice(0, 7)}, and others have all of it`,
        paths: [],
      })),
      left: kept.map(({ name, unmerged }) => ({
        id: name,
        why: unmerged === 0 ? 'it has writes that wait' : `it expired, and ${unmerged} operations are on it alone`,
      })),
      dropped: [],
    };
  },
};
