// Tasks whose time follows from what waits: the batch, and experiments that expire.

import type { ExpireResult, PassResult } from '../types.ts';
import { type MaintenanceTask, withoutCommit } from './maintenance-task.ts';
import type { RunPorts } from './run-pass.ts';

/** Commits the batch when its oldest write has waited for `flush_minutes`; inside a project commits are made on request. */
export function batchCommit({
  store,
  configurationOf,
  isImmediate,
}: Pick<RunPorts, 'store' | 'configurationOf' | 'isImmediate'>): MaintenanceTask {
  return {
    name: 'commit',
    summary: 'commit what has waited long enough',
    everyHours: 0,
    isLocal: true,
    dueAt() {
      const oldest = isImmediate ? store.pending()[0] : undefined;
      return oldest === undefined ? null : oldest.time + configurationOf(store.snapshot()).flushMinutes * 60_000;
    },
    async run({ dryRun }): Promise<PassResult> {
      const waiting = store.pending().length;
      if (waiting === 0 || !isImmediate) return withoutCommit('commit');
      const item = { action: 'commit', ids: [], why: `${waiting} writes wait`, paths: [] };
      if (dryRun) return withoutCommit('commit', { items: [item] });
      const { commits, tree, skipped } = await store.flush();
      const left = skipped.map(({ path, why }) => ({ id: path, why }));
      return { ...withoutCommit('commit', { items: commits.length === 0 ? [] : [item], left }), commits, tree };
    },
  };
}

export interface ExpiryPorts {
  /** Ends the experiments that expired, or with `dryRun` names them; where branches are not the memory's own, there are none. */
  readonly expireBranches: (dryRun: boolean) => Promise<ExpireResult>;
}

/** Ends `explore/*` branches that nobody went on with for `explore_days`, but for those that hold something of their own. */
export function exploreExpiry({ expireBranches }: ExpiryPorts): MaintenanceTask {
  return {
    name: 'explore',
    summary: 'end experiments that expired',
    everyHours: 24,
    isLocal: true,
    async run({ dryRun = false }): Promise<PassResult> {
      const { dropped, kept } = await expireBranches(dryRun);
      return withoutCommit('explore', {
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
      });
    },
  };
}
