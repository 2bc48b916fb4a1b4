// Doctor looks at what was left behind: locks of the repository and of git, temporary files, unfinished commits.

import type { Repository } from '../../git/repository.ts';
import type { Processes, ProcessIdentity } from '../../ports.ts';
import type { Examination } from './examination.ts';

/** After this long nobody is still at work on a file that takes a moment to write. */
const leftAfterMs = 3_600_000;

export interface LockState {
  readonly path: string;
  readonly holder: ProcessIdentity | null;
  readonly state: 'alive' | 'dead' | 'unknown';
}

/** Reads who holds the repository lock; `null` when nobody does. */
export function lockState(repository: Repository, processes: Processes): LockState | null {
  const path = `${repository.ownDirectory}/lock`;
  const text = repository.disk.readText(path, 64 << 10);
  if (text === null) return null;
  try {
    const holder = JSON.parse(text) as ProcessIdentity;
    return { path, holder, state: processes.stateOf(holder) };
  } catch {
    // No hard links here, and the process died while it wrote; or somebody else's file.
    return { path, holder: null, state: 'unknown' };
  }
}

/** Tells about the repository lock; one of the dead is taken over by the next who writes, so also by a repair. */
export function examineLock(examination: Examination, lock: LockState | null, isTaken: boolean): void {
  if (lock === null) return;
  const who =
    lock.holder === null ? 'nobody can read whose it is' : `process ${lock.holder.pid} on ${lock.holder.host}`;
  if (isTaken || lock.state === 'dead') {
    examination.find('LOCK_LEFT', lock.path, `the repository lock was left by ${who}, which is gone`, {
      does: 'take it over from the dead',
      run: () => 'it was taken over and released',
    });
    return;
  }
  const what =
    lock.state === 'alive' ? `the memory is held by ${who}, which is at work` : `the memory is locked: ${who}`;
  const hint =
    lock.state === 'alive'
      ? 'Let it finish; repairs are made when it is done'
      : 'Ask where that process runs; only when it surely has ended may the file be moved away';
  examination.find('LOCK_HELD', lock.path, what, hint);
}

/** Tells about lock files of git: it makes and removes them within one command, but for an open commit editor. */
export function examineGitLocks(examination: Examination, repository: Repository): void {
  const { disk, commonDirectory, gitDirectory } = repository;
  const paths = new Set<string>();
  for (const folder of new Set([gitDirectory, commonDirectory])) {
    for (const name of disk.list(folder)) if (name.endsWith('.lock')) paths.add(`${folder}/${name}`);
  }
  const walk = (folder: string) => {
    for (const name of disk.list(folder)) {
      const path = `${folder}/${name}`;
      if (disk.stat(path)?.isDirectory) walk(path);
      else if (name.endsWith('.lock')) paths.add(path);
    }
  };
  walk(`${commonDirectory}/refs`);
  for (const path of paths) {
    const age = ageOf(examination, path);
    if (age === null) continue;
    if (age < leftAfterMs) {
      examination.find('LOCK_HELD', path, 'git holds a lock', 'Let the git command finish, or close its commit editor');
      continue;
    }
    examination.find('LOCK_LEFT', path, `git's lock file is ${hours(age)} old`, {
      does: 'move it into quarantine; no git command may be running here',
      run: () => `moved to ${examination.quarantine(path, 'a lock file of git that was left')}`,
    });
  }
}

/** Tells about temporary files of git and of ours that nobody has written to for an hour. */
export function examineTemporaries(examination: Examination, repository: Repository): void {
  const { disk, commonDirectory, gitDirectory, ownDirectory, temporaryDirectory, objects } = repository;
  const temporary = /^(?:tmp_|\.tmp-|incoming-|tmp_objdir-)|\.tmp$/;
  const own = /^(?:HEAD|config|keep)_\d+_[0-9a-z]+_\d+$/;
  const objectFolder = `${commonDirectory}/objects`;
  const places: [string, RegExp][] = [
    [objectFolder, temporary],
    [objects.packDirectory, temporary],
    ...disk
      .list(objectFolder)
      .filter((name) => /^[0-9a-f]{2}$/.test(name))
      .map((name): [string, RegExp] => [`${objectFolder}/${name}`, temporary]),
    [gitDirectory, own],
    [ownDirectory, own],
    [temporaryDirectory, /./],
  ];
  for (const [folder, pattern] of places) {
    for (const name of disk.list(folder)) {
      if (!pattern.test(name)) continue;
      const path = `${folder}/${name}`;
      const age = ageOf(examination, path);
      if (age === null || age < leftAfterMs) continue;
      examination.find('TEMPORARY_LEFT', path, `a temporary file is ${hours(age)} old`, {
        does: 'move it into quarantine',
        run: () => `moved to ${examination.quarantine(path, 'a temporary file that was left')}`,
      });
    }
  }
}

function ageOf(examination: Examination, path: string): number | null {
  const stat = examination.disk.stat(path);
  return stat === null ? null : examination.now - Number(stat.mtimeNs / 1_000_000n);
}

function hours(milliseconds: number): string {
  const count = Math.floor(milliseconds / 3_600_000);
  return count < 48 ? `${count} h` : `${Math.floor(count / 24)} days`;
}
