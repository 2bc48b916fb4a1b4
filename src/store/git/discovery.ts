// Finds the repository that a folder belongs to and where its parts lie, and refuses arrangements that lead elsewhere.

import { attempt, MemoryError } from '../../base/errors.ts';
import type { FileSystem } from '../../base/ports.ts';
import { withoutEndSlash } from '../../base/text.ts';
import { maxLineFileBytes } from '../guard/limits.ts';
import { readConfigFile } from './config-file.ts';
import { Disk } from './disk.ts';
import { unsafeFile } from './file-errors.ts';

/** Where the parts of a repository lie; absolute paths with forward slashes as given by the caller. */
export interface RepositoryLayout {
  /** HEAD and index of this work tree. */
  readonly gitDirectory: string;
  /** Objects, refs and configuration; differs from `gitDirectory` in linked work trees only. */
  readonly commonDirectory: string;
  /** `null` for a bare repository. */
  readonly workTree: string | null;
}

/**
 * Finds the repository that a folder belongs to; `null` when it belongs to none. A folder that is not there does not: what was meant for it would
 * be written around it.
 *
 * Throws UNSAFE_FILE, UNSUPPORTED_REPOSITORY or REF_CORRUPT where something that is nearly a repository is on the way. Going on upwards
 * would find another repository, and the memory would be written there.
 */
export function discoverRepository(fs: FileSystem, directory: string): RepositoryLayout | null {
  const disk = new Disk(fs);
  if (!disk.exists(directory)) return null;
  for (let folder = directory; ; ) {
    const layout = layoutAt(disk, folder);
    if (layout) return layout;
    const parent = parentOf(folder);
    if (parent === folder) return null;
    folder = parent;
  }
}

function layoutAt(disk: Disk, folder: string): RepositoryLayout | null {
  const dotGit = join(folder, '.git');
  const stat = disk.stat(dotGit);
  if (stat?.isDirectory && isGitDirectory(disk, dotGit))
    return { gitDirectory: dotGit, commonDirectory: commonDirectoryOf(disk, dotGit), workTree: folder };
  if (stat?.isFile) return layoutByFile(disk, folder, dotGit);
  if (stat && !stat.isDirectory) throw unsafeFile(dotGit);
  if (!isGitDirectory(disk, folder)) return null;
  const isInside = folder.endsWith('/.git');
  return {
    gitDirectory: folder,
    commonDirectory: commonDirectoryOf(disk, folder),
    workTree: isInside ? parentOf(folder) : null,
  };
}

function isGitDirectory(disk: Disk, path: string): boolean {
  const [head, objects, refs, common] = ['HEAD', 'objects', 'refs', 'commondir'].map((name) =>
    disk.stat(join(path, name)),
  );
  if (head && common) return true;
  if (head && (objects || refs) && !(objects && refs) && path.endsWith('/.git')) {
    const missing = objects ? 'refs' : 'objects';
    throw new MemoryError('REPOSITORY_CORRUPT', `the folder ${missing} of the repository is missing`, {
      where: join(path, missing),
      hint: 'Nothing was changed; restore it from a backup or another clone',
    });
  }
  if (!objects || !refs) return false;
  if (!head) {
    // What an interrupted `init` leaves has no refs either; with refs it was a repository once.
    const hasRefs = disk.exists(join(path, 'packed-refs')) || disk.list(join(path, 'refs/heads')).length > 0;
    if (!objects.isDirectory || !refs.isDirectory || !hasRefs) return false;
    const hint = 'Nothing was changed; `git memory doctor` shows which branch it may have named';
    throw new MemoryError('REF_CORRUPT', 'HEAD is missing', { where: join(path, 'HEAD'), hint });
  }
  for (const [part, name] of [
    [objects, 'objects'],
    [refs, 'refs'],
  ] as const) {
    if (!part.isDirectory) throw unsafeFile(join(path, name));
  }
  return true;
}

/** A linked work tree lies in `<common>/worktrees/<name>`; a `commondir` that leads anywhere else is not git's. */
function commonDirectoryOf(disk: Disk, gitDirectory: string): string {
  const target = disk.readText(join(gitDirectory, 'commondir'), maxLineFileBytes)?.trim();
  if (target === undefined) return gitDirectory;
  const common = resolvePath(gitDirectory, target);
  const above = parentOf(gitDirectory);
  if (above.endsWith('/worktrees') && isSamePlace(disk, parentOf(above), common)) return parentOf(above);
  throw new MemoryError('UNSUPPORTED_REPOSITORY', 'commondir leads out of the repository', {
    where: join(gitDirectory, 'commondir'),
    hint: 'Open the repository it names, or run `git worktree repair` there',
  });
}

/**
 * Follows a `.git` file, of a linked work tree or a submodule, if the git directory it names knows this folder as its own.
 *
 * Otherwise a folder from anywhere could direct what is written to a repository that its reader happens to have.
 */
function layoutByFile(disk: Disk, folder: string, dotGit: string): RepositoryLayout {
  const refuse = (what: string, hint: string) =>
    new MemoryError('UNSUPPORTED_REPOSITORY', what, { where: dotGit, hint });
  const target = /^gitdir: (.+?)\s*$/.exec(disk.readText(dotGit, maxLineFileBytes) ?? '')?.[1];
  if (target === undefined) throw refuse('a .git file does not name a git directory', 'Look at what wrote it');
  const gitDirectory = resolvePath(folder, target);
  if (!disk.stat(gitDirectory)?.isDirectory || !isGitDirectory(disk, gitDirectory))
    throw refuse('the git directory that a .git file names is not there', 'If it was moved, run `git worktree repair`');
  const back = disk.readText(join(gitDirectory, 'gitdir'), maxLineFileBytes)?.trim();
  const isLinked = back !== undefined && isSamePlace(disk, resolvePath(gitDirectory, back), dotGit);
  if (!isLinked && !isWorkTreeOf(disk, gitDirectory, folder)) {
    throw refuse(
      'a .git file names a repository that does not know this folder as its work tree',
      'If it is, run `git worktree repair`, or set core.worktree in that repository to this folder',
    );
  }
  return { gitDirectory, commonDirectory: commonDirectoryOf(disk, gitDirectory), workTree: folder };
}

function isWorkTreeOf(disk: Disk, gitDirectory: string, folder: string): boolean {
  const path = join(gitDirectory, 'config');
  const workTree = readConfigFile(disk, path).get('core.worktree')?.at(-1);
  return workTree !== undefined && isSamePlace(disk, resolvePath(gitDirectory, workTree), folder);
}

/** Tells whether two paths lead to the same place, links on the way resolved. */
export function isSamePlace(disk: Disk, a: string, b: string): boolean {
  if (a === b) return true;
  // One of them is not there, so they are not the same.
  return attempt(() => disk.fs.realpathSync(a) === disk.fs.realpathSync(b), false);
}

/** Resolves a path from a file of git against the folder it is relative to. */
export const resolvePath = (folder: string, path: string): string =>
  path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path) ? join(path, '.') : join(folder, path);

export function join(folder: string, name: string): string {
  const parts = `${folder.replace(/[\\/]+$/, '')}/${name}`.replaceAll('\\', '/').split('/');
  const result: string[] = [];
  for (const [position, part] of parts.entries()) {
    if (part === '.' || (part === '' && position > 0)) continue;
    if (part === '..' && result.length > 1) result.pop();
    else result.push(part);
  }
  return result.length === 1 && result[0] === '' ? '/' : result.join('/');
}

export function parentOf(path: string): string {
  const end = withoutEndSlash(path).lastIndexOf('/');
  if (end < 0) return path;
  return end === 0 ? '/' : path.slice(0, end);
}
