// The work trees of a repository: the main one and those that `git worktree add` linked to it. A branch is checked out in one at most.

import { MemoryError, orElse } from '../../base/errors.ts';
import { maxLineFileBytes } from '../guard/limits.ts';
import { isSamePlace, parentOf, resolvePath } from './discovery.ts';
import { RefStore } from './refs.ts';
import type { Repository } from './repository.ts';
import { readSettings } from './settings.ts';

/**
 * Gives the repository as seen from each of its work trees but the one it was opened from.
 *
 * A linked one counts if its `.git` file names the folder in `worktrees/` that names it. What a repository says of folders outside is
 * believed only if they say so too. One that is not there (moved, unmounted) is passed over, as by git.
 */
export function otherWorkTrees(repository: Repository): Repository[] {
  const { disk, commonDirectory, gitDirectory } = repository;
  const found: Repository[] = [];
  if (gitDirectory !== commonDirectory && hasMainWorkTree(repository))
    found.push(viewFrom(repository, commonDirectory, parentOf(commonDirectory)));
  for (const name of disk.list(`${commonDirectory}/worktrees`)) {
    const folder = `${commonDirectory}/worktrees/${name}`;
    if (folder === gitDirectory) continue;
    try {
      const dotGit = resolvePath(folder, disk.readText(`${folder}/gitdir`, maxLineFileBytes)?.trim() ?? '');
      const target = /^gitdir: (.+?)\s*$/.exec(disk.readText(dotGit, maxLineFileBytes) ?? '')?.[1];
      const root = parentOf(dotGit);
      if (target === undefined || !isSamePlace(disk, resolvePath(root, target), folder)) continue;
      found.push(viewFrom(repository, folder, root));
    } catch (error) {
      // A folder or a link where the files should be: no work tree of git.
      if (error instanceof MemoryError || (error as NodeJS.ErrnoException).code === 'EISDIR') continue;
      throw error;
    }
  }
  return found;
}

/**
 * Finds the work tree, other than our own, in which a branch is checked out; `null` when there is none.
 *
 * Throws UNSUPPORTED_REPOSITORY for one on another file system: files land by rename, which does not lead there.
 */
export function findWorkTreeOf(repository: Repository, ref: string): Repository | null {
  const { disk, commonDirectory } = repository;
  const found = otherWorkTrees(repository).find((view) => isOn(view, ref)) ?? null;
  if (found === null || disk.stat(found.workTree!)?.dev === disk.stat(commonDirectory)?.dev) return found;
  throw new MemoryError(
    'UNSUPPORTED_REPOSITORY',
    'the branch is checked out on another file system than the repository',
    { where: found.workTree!, hint: 'Check another branch out there, or move that work tree with `git worktree move`' },
  );
}

function isOn(view: Repository, ref: string): boolean {
  // A damaged HEAD names no branch; a command there reports it.
  return orElse(() => {
    const head = view.refs.readHead();
    return 'ref' in head && head.ref === ref;
  }, false);
}

function hasMainWorkTree({ disk, commonDirectory }: Repository): boolean {
  if (!commonDirectory.endsWith('/.git')) return false;
  const layout = { gitDirectory: commonDirectory, commonDirectory, workTree: parentOf(commonDirectory) };
  // The files lie elsewhere, where we do not go.
  return orElse(() => !readSettings(disk, layout).isBare, false);
}

function viewFrom(repository: Repository, gitDirectory: string, workTree: string): Repository {
  const { disk, commonDirectory, temporaryDirectory } = repository;
  const refs = new RefStore(disk, gitDirectory, commonDirectory, temporaryDirectory, repository.refs.notes);
  return { ...repository, gitDirectory, workTree, refs };
}
