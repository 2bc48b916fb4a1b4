// Doctor looks at what was left behind: locks, temporary files, what waits in journals or was put aside, and caches that take too much room.

import { grouped, lengthOf } from '../../base/count.ts';
import type { Processes, ProcessIdentity } from '../../base/ports.ts';
import { parentOf } from '../../store/git/discovery.ts';
import { filesBelow } from '../../store/git/files-below.ts';
import { nativeLock } from '../../store/git/native-lock.ts';
import { decodeRef } from '../../store/git/refs.ts';
import type { Repository } from '../../store/git/repository.ts';
import { Journal } from '../../store/journal.ts';
import { journalOf } from '../../store/recovery.ts';
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

/**
 * Tells about lock files of git: it makes and removes them within one command, but for an open commit editor.
 *
 * Two things prove that a lock was left. It is {@link restsAfterMs} old, and no process of this machine has it open or is a git program at
 * work in the repository. Where that cannot be seen, a person has to know it.
 */
export function examineGitLocks(examination: Examination, repository: Repository): void {
  for (const path of gitLocks(repository)) {
    const lock = nativeLock(repository, path);
    if (lock === null) continue;
    const { ageMs, users, text } = lock;
    if (users === null && ageMs >= restsAfterMs) {
      examination.find(
        'LOCK_LEFT',
        path,
        text,
        `Once you know that no git command runs here, \`rm ${path}\` removes it`,
      );
    } else if (users?.length !== 0 || ageMs < restsAfterMs) {
      const hint =
        users?.length === 0
          ? `Let it finish, if a command is at work elsewhere; from ${lengthOf(restsAfterMs)} on, --fix puts the file aside`
          : 'Let the git command finish, or close its commit editor';
      examination.find('LOCK_HELD', path, text, hint);
    } else examination.find('LOCK_LEFT', path, text, examination.moving(path, 'a lock file of git that was left'));
  }
}

/** A git command that holds a lock for so long and cannot be seen is none. */
const restsAfterMs = 600_000;

function gitLocks({ disk, commonDirectory, gitDirectory, objects }: Repository): string[] {
  const trees = disk.list(`${commonDirectory}/worktrees`).map((name) => `${commonDirectory}/worktrees/${name}`);
  const store = parentOf(objects.packDirectory);
  const places = new Set([gitDirectory, commonDirectory, ...trees, `${store}/info`, `${store}/info/commit-graphs`]);
  const flat = [...places].flatMap((folder) => disk.list(folder).map((name) => `${folder}/${name}`));
  const below = [...filesBelow(disk, `${commonDirectory}/refs`)].map(({ path }) => path);
  return [...flat, ...below].filter((path) => path.endsWith('.lock')).sort();
}

/** Tells about temporary files of git and of ours that nobody has written to for an hour. */
export function examineTemporaries(examination: Examination, repository: Repository): void {
  const { disk, commonDirectory, gitDirectory, ownDirectory, temporaryDirectory, objects } = repository;
  const temporary = /^(?:tmp_|\.tmp-|incoming-|tmp_objdir-)|\.tmp$/;
  const own = /^(?:HEAD|config|keep)_\d+_[0-9a-z]+_\d+$/;
  const objectFolder = `${commonDirectory}/objects`;
  const loose = disk.list(objectFolder).filter((name) => /^[0-9a-f]{2}$/.test(name));
  const places: [string, RegExp][] = [
    [objectFolder, temporary],
    [objects.packDirectory, temporary],
    ...loose.map((name): [string, RegExp] => [`${objectFolder}/${name}`, temporary]),
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
      const mend = examination.moving(path, 'a temporary file that was left');
      examination.find('TEMPORARY_LEFT', path, `a temporary file is ${lengthOf(age)} old`, mend);
    }
  }
}

/** Tells about what came of a sync that was stopped. */
export function examineFetches(examination: Examination, { disk, ownDirectory }: Repository): void {
  for (const name of disk.list(`${ownDirectory}/fetch`)) {
    const path = `${ownDirectory}/fetch/${name}`;
    if ((ageOf(examination, path) ?? 0) < leftAfterMs) continue;
    const does = 'move it into quarantine; the next sync fetches it again';
    const mend = examination.moving(path, 'a sync that was stopped', does);
    examination.find('FETCH_LEFT', path, 'what came of a sync that was stopped', mend);
  }
}

function ageOf(examination: Examination, path: string): number | null {
  const stat = examination.disk.stat(path);
  return stat === null ? null : examination.now - Number(stat.mtimeNs / 1_000_000n);
}

const leastBytes = 256 << 20;
/** So many times the size of all packs a cache may have: a word index and vectors are larger than what they are of. */
const shareOfPacks = 8;

/** Tells when the caches are much larger than the memory, as after many models or versions, and removes them. */
export function examineCaches(examination: Examination, { disk, ownDirectory, objects }: Repository): void {
  const sizeOf = (path: string) => [...filesBelow(disk, path)].reduce((sum, { stat }) => sum + Number(stat.size), 0);
  const folder = `${ownDirectory}/cache`;
  const bytes = sizeOf(folder);
  if (bytes < leastBytes || bytes < sizeOf(objects.packDirectory) * shareOfPacks) return;
  examination.find('CACHE_LARGE', folder, `it takes ${grouped(Math.round(bytes / (1 << 20)))} MiB`, {
    does: 'empty it; what is needed is made anew when it is asked for',
    run: () => {
      for (const { path } of filesBelow(disk, folder)) disk.remove(path);
      return 'it is empty';
    },
  });
}

/** Reads every journal of the repository; under the lock (`examination.mayRepair`) damaged ones are put aside as a copy. */
export function examineJournals(examination: Examination, repository: Repository): void {
  const { disk, ownDirectory } = repository;
  const folder = `${ownDirectory}/journal`;
  for (const name of disk.list(folder).sort()) {
    const path = `${folder}/${name}`;
    if (/\.journal\.damaged-[0-9a-f]+$/.test(name)) examination.part(() => examineCopy(examination, repository, path));
    else if (!name.endsWith('.journal')) continue;
    else if (branchOf(name) === null) {
      const mend = examination.moving(path, 'a journal of no branch');
      examination.find('JOURNAL_UNKNOWN', path, 'its name is not that of a branch', mend);
    } else examination.part(() => examineJournal(examination, repository, branchOf(name)!));
  }
}

const branchOf = (name: string) => decodeRef(name.slice(0, -'.journal'.length));

function examineJournal(examination: Examination, repository: Repository, branch: string): void {
  const journal = journalOf(repository, branch);
  const { path } = journal;
  journal.refresh();
  if (journal.isDamaged) {
    examination.find('JOURNAL_CORRUPT', path, `a part cannot be read; ${journal.pending().length} pending writes can`, {
      does: 'keep a copy of the whole file and go on with what can be read',
      run: () => {
        const copy = journal.keepCopy();
        // With a commit begun and not ended, whoever opens that branch settles both.
        if (journal.openMark === null) journal.compact();
        return `a copy is ${copy}; what can be read was written anew`;
      },
    });
  }
  const mark = journal.openMark;
  if (mark) {
    const what = `the commit ${mark.to.slice(0, 12)} was begun and not ended`;
    const hint = 'The next write finishes it or takes it back, and so does --fix';
    examination.find('OPERATION_UNFINISHED', path, what, hint);
  }
  if (journal.pending().length > 0) {
    const oldest = new Date(journal.pending()[0]!.time).toISOString();
    const what = `${journal.pending().length} writes wait for a commit, the oldest of ${oldest}`;
    examination.find('PENDING', path, what, '`git memory commit` commits them now');
  }
}

function examineCopy(examination: Examination, { disk }: Repository, path: string): void {
  const journal = new Journal(disk, path);
  journal.refresh();
  const count = journal.pending().length;
  const does = 'move it into quarantine, once you have compared it with what the memory holds';
  const mend = examination.moving(path, 'a copy of a damaged journal', does);
  examination.find(
    'JOURNAL_PUT_ASIDE',
    path,
    `a copy of a damaged journal, with ${count} writes that can be read`,
    mend,
  );
}
