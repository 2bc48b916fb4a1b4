// What a memory of which only a part was opened does not do: all that looks at the whole, or at other branches.

import { MemoryError } from './errors.ts';

/** Methods of Memory that are refused within a scope. */
export const wholeOnly = [
  'acceptQuarantined',
  'adoptExperiment',
  'bisect',
  'branch',
  'branches',
  'bundle',
  'compare',
  'compareExperiments',
  'consolidate',
  'distil',
  'dropBranch',
  'dropExperiment',
  'dropQuarantined',
  'expireBranches',
  'experiment',
  'experiments',
  'extract',
  'import',
  'installHooks',
  'maintain',
  'maintainUntilStopped',
  'merge',
  'nightly',
  'probes',
  'purge',
  'quarantined',
  'reindex',
  'resolveMerge',
  'restore',
  'runSchedule',
  'schedule',
  'scheduleLines',
  'showQuarantined',
  'snapshot',
  'startSchedule',
  'sync',
  'trackWithLfs',
  'undo',
] as const;

/** Lets the methods of an object that need the whole memory refuse: READ_ONLY. */
export function refuseWholeOnly<Name extends string>(
  memory: { readonly [Method in Name]: unknown },
  names: readonly Name[],
): void {
  for (const name of names) {
    const value = () =>
      Promise.reject(
        new MemoryError('READ_ONLY', `${name} needs the whole memory, and only a part of it was opened`, {
          where: 'scope',
          hint: 'Open the memory without a scope',
        }),
      );
    Object.defineProperty(memory, name, { value });
  }
}
