// The beginning of an open branch: what a dead process left, and the first commit of a new memory.

import { mergeDriverCommand } from '../adapters/merge-driver-command.ts';
import { checkStorageVersion } from '../core/lifecycle/layout.ts';
import type { Batch } from '../core/write/batch.ts';
import { configureMergeDriver, installMergeAttributes, planInit } from '../features/repository/index.ts';
import type { InitialConfiguration } from '../store/records/configuration-text.ts';
import type { Branch } from './branch.ts';

/** Finishes what a dead process left, makes the first commit of a new memory, and flushes what is overdue. */
export async function beginBranch(
  branch: Pick<Branch, 'dependencies' | 'isImmediate' | 'machine' | 'now' | 'placement' | 'repository' | 'store'>,
  batch: Batch,
  initial: InitialConfiguration | null,
): Promise<void> {
  const { store, placement, repository } = branch;
  const { logger } = branch.dependencies;
  await store.recover();
  checkStorageVersion(store.snapshot());
  // Elsewhere the first commit holds the attributes; those of a project are its own, and it may have a log of events since.
  if (placement === 'project') installMergeAttributes(repository, store.snapshot(true), true, initial === null);
  if (initial !== null) {
    configureMergeDriver(repository, mergeDriverCommand(), placement);
    const options = { now: branch.now(), machine: branch.machine, configuration: initial };
    await store.commit(
      (snapshot) => {
        const tree = store.workTree?.isCheckedOut() ? store.workTree : null;
        const read = (path: string) => tree?.files.readFile(path)?.toString('utf8') ?? null;
        const operation = planInit(snapshot, placement, { ...options, read });
        // A file that a person has put there stays as it is.
        const isFree = (path: string) => (tree?.inspect(path) ?? null) === null;
        return [{ ...operation, changes: operation.changes.filter(({ path }) => isFree(path)) }];
      },
      { onBusy: 'fail' },
    );
    // Files of the layout that were here before are part of the memory from now on.
    if (placement === 'repository') {
      const { skipped } = await store.flush();
      for (const { path, why } of skipped) logger.warn(`${path} was left out: ${why}`);
    }
  }
  const { lost } = store;
  if (branch.isImmediate && lost === null) {
    // An edit of the configuration holds from now on.
    const why = await store.adopt('memory.yaml');
    if (why !== null) logger.warn(`memory.yaml stays as it was committed: ${why}`);
  }
  await store.followPrivacy();
  if (lost === null) await batch.resume();
}
