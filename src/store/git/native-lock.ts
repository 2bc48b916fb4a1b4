// Lock files of native git, `<file>.lock`. They carry no pid; what the machine tells of its processes shows which of them holds one.

import { lengthOf } from '../../base/count.ts';
import { attempt, isSystemError, MemoryError } from '../../base/errors.ts';
import { parentOf } from './discovery.ts';
import type { Disk } from './disk.ts';

interface Place {
  readonly disk: Disk;
  readonly commonDirectory: string;
}

/** What can be found out about a lock file. */
interface NativeLock {
  readonly ageMs: number;
  /** Processes that have it open or are git programs at work in the repository, in words; null where that cannot be seen. */
  readonly users: readonly string[] | null;
  /** All of it in a sentence without a full stop. */
  readonly text: string;
}

/** Looks at a lock file; null when there is none. */
export function nativeLock(place: Place, path: string): NativeLock | null {
  const { disk } = place;
  const stat = disk.stat(path);
  if (stat === null) return null;
  // By the clock that wrote the file.
  const ageMs = Date.now() - Number(stat.mtimeNs / 1_000_000n);
  const users = usersOf(place, path);
  const held =
    users === null
      ? 'what uses it cannot be seen here'
      : `${users.length === 0 ? 'no process of this machine' : users.join(', ')} uses it`;
  const name = path.slice(path.lastIndexOf('/') + 1);
  return {
    ageMs,
    users,
    text: `${name} is ${lengthOf(ageMs)} old and of ${ownerName(disk, Number(stat.uid))}; ${held}`,
  };
}

/** The failure to go on where git, or what died of it, holds a lock. `what` says so. */
export function nativelyLocked(place: Place, path: string, what: string): MemoryError {
  const lock = nativeLock(place, path);
  return new MemoryError('LOCKED', `${what}${lock === null ? '' : `: ${lock.text}`}`, {
    where: path,
    hint: 'Finish the running git command (an open commit editor?) and repeat the call; `git memory doctor` shows whether the file was left behind',
  });
}

/**
 * Finds the processes that may hold a lock file: those that have it open, and git programs in the repository. These count because
 * `git commit` closes the file while its editor is open. A git program that may not be looked at is one. Null where not all processes can
 * be seen.
 */
function usersOf(place: Place, path: string): string[] | null {
  const { disk } = place;
  const pids = disk.list('/proc').filter((name) => /^\d+$/.test(name));
  // Without the first one, those of other users are hidden, or this is no Linux.
  if (!pids.includes('1')) return null;
  const file = realPath(disk, path);
  const roots = rootsOf(place);
  return pids.flatMap((pid) => {
    if (pid === String(process.pid)) return [];
    const name = textOf(disk, `/proc/${pid}/comm`)?.trim() ?? '';
    const isGit = name.startsWith('git');
    const open = linksOf(disk, `/proc/${pid}/fd`);
    const isUser = open === null ? isGit : open.includes(file) || (isGit && isWithin(disk, pid, roots));
    return isUser ? [`${name} (process ${pid})`] : [];
  });
}

/** Tells whether a process works in one of some folders, or was given one as an argument or in its environment. */
function isWithin(disk: Disk, pid: string, roots: readonly string[]): boolean {
  try {
    const folder = disk.fs.readlinkSync(`/proc/${pid}/cwd`) as string;
    if (roots.some((root) => folder === root || folder.startsWith(`${root}/`))) return true;
  } catch (error) {
    // It ended meanwhile.
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return false;
    return true;
  }
  const said = ['cmdline', 'environ'].map((name) => textOf(disk, `/proc/${pid}/${name}`) ?? '').join('\0');
  return roots.some((root) => said.includes(root));
}

/** What the open files of a process are; null when nobody lets us look, empty when it ended. */
function linksOf(disk: Disk, folder: string): string[] | null {
  try {
    return (disk.fs.readdirSync(folder) as string[]).flatMap((name) => {
      // Closed meanwhile.
      return attempt(() => [disk.fs.readlinkSync(`${folder}/${name}`) as string], []);
    });
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ESRCH')) return [];
    return null;
  }
}

/** The folders in which git works on a repository: the git directory, and each work tree. */
function rootsOf({ disk, commonDirectory }: Place): string[] {
  const linked = disk
    .list(`${commonDirectory}/worktrees`)
    .map((name) => textOf(disk, `${commonDirectory}/worktrees/${name}/gitdir`)?.trim() ?? '')
    .filter((dotGit) => dotGit.startsWith('/'))
    .map(parentOf);
  const own = commonDirectory.endsWith('/.git') ? parentOf(commonDirectory) : commonDirectory;
  return [...new Set([own, commonDirectory, ...linked].flatMap((root) => [root, realPath(disk, root)]))];
}

function realPath({ fs }: Disk, path: string): string {
  // Gone meanwhile.
  return attempt(() => fs.realpathSync(path) as string, path);
}

/** Reads a file of the system, which tells no size before. */
function textOf({ fs }: Disk, path: string): string | null {
  // It ended, is of another user, or this is another system.
  return attempt(() => fs.readFileSync(path, 'utf8') as string, null);
}

function ownerName(disk: Disk, user: number): string {
  const entry = textOf(disk, '/etc/passwd')
    ?.split('\n')
    .find((line) => line.split(':')[2] === String(user));
  return entry?.split(':')[0] ?? `user ${user}`;
}
