// What moving a branch to a commit that is there already means for its files: the same as if that commit had just been built.

import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { diffTrees } from '../git/tree.ts';
import type { Build, TouchedFile } from './build.ts';
import { openToAll } from './codec.ts';

/** Plans a move from one commit to another. Throws INVALID_PATH for links and submodules, which no work tree of ours holds. */
export function planAdvance({ objects }: Repository, from: string | null, to: string): Build {
  const treeOf = (commit: string | null) => (commit === null ? null : objects.readCommit(commit).tree);
  const tree = treeOf(to);
  const touched = new Map<string, TouchedFile>();
  for (const { path, before, after } of diffTrees(treeOf(from), tree, objects.readTreeBytes)) {
    if (after !== null && after.mode !== '100644' && after.mode !== '100755') {
      throw new MemoryError('INVALID_PATH', 'a symbolic link or submodule stands where a file should', { where: path });
    }
    touched.set(path, {
      path,
      before: before?.oid ?? null,
      oid: after?.oid ?? null,
      bytes: after === null ? null : objects.readBlob(after.oid),
      isExecutable: after?.mode === '100755',
      wasExecutable: before?.mode === '100755',
    });
  }
  return {
    privacy: openToAll,
    commits: [],
    objects: [],
    tip: to,
    tree,
    touched,
    refused: [],
    conflicts: [],
    skipped: [],
  };
}
