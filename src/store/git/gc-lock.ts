// Keeps two from tidying objects up at once: native git, which would write again an object that a purge takes out, and a purge.

import type { Processes } from '../../base/ports.ts';
import { maxLineFileBytes } from '../guard/limits.ts';
import { ProcessLock } from './process-lock.ts';
import type { Repository } from './repository.ts';

/** From then on native git takes its own mark for left over; see lock_repo_for_gc in builtin/gc.c. */
const maxMarkAgeMs = 12 * 3_600_000;

/** Makes the lock that is held by whoever lets native git tidy up, and by a purge. No commit waits for it. */
export const gcLock = ({ disk, ownDirectory }: Repository, processes: Processes, nonce: string): ProcessLock =>
  new ProcessLock(disk, `${ownDirectory}/gc`, processes, nonce);

/** Tells whether something of that lock stands there: it is held, or its holder died. */
export const hasGcLock = ({ disk, ownDirectory }: Repository): boolean =>
  disk.exists(`${ownDirectory}/gc/lock`) || disk.list(`${ownDirectory}/gc/locks`).length > 0;

/** Removes what a dead holder of that lock left. `lock`: any of this process. */
export function sweepGcLock(repository: Repository, lock: ProcessLock): void {
  if (!hasGcLock(repository)) return;
  const own = lock.beside(`${repository.ownDirectory}/gc`);
  try {
    if (own.tryAcquire() !== null) own.sweep();
  } finally {
    own.dispose();
  }
}

/**
 * Names the file by which a `git gc` says that it runs, whoever started it; null when none does.
 *
 *     gc.pid   `<pid> <host>`, removed at the end; one that is twelve hours old, or of a process of `machine` that is gone, means nothing
 */
export function markOfGc({ disk, commonDirectory }: Repository, processes: Processes, machine: string): string | null {
  const path = `${commonDirectory}/gc.pid`;
  const stat = disk.stat(path);
  // By the clock that git takes for it.
  if (stat === null || Date.now() - Number(stat.mtimeNs / 1_000_000n) > maxMarkAgeMs) return null;
  const [, pid, host] = /^(\d{1,10}) (\S+)/.exec(disk.readText(path, maxLineFileBytes) ?? '') ?? [];
  if (host !== machine || pid === undefined) return path;
  return processes.stateOf({ ...processes.self, pid: Number(pid), start: '' }) === 'dead' ? null : path;
}
