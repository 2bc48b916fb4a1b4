// Moves a branch to a commit that is there already, with its files, as if that commit had just been built.

import { MemoryError } from '../base/errors.ts';
import type { BranchParts } from './branch-parts.ts';
import type { Build, TouchedFile } from './build.ts';
import { openToAll } from './codec.ts';
import type { Repository } from './git/repository.ts';
import { diffTrees } from './git/tree.ts';
import { isUnedited } from './hand-edits.ts';
import { publish } from './publish.ts';
import { Snapshot } from './snapshot.ts';

/** Plans a move from one commit to another. Throws INVALID_PATH for links and submodules, which no work tree of ours holds. */
export function planAdvance({ objects }: Repository, from: string | null, to: string): Build {
  const treeOf = (commit: string | null) => (commit === null ? null : objects.readCommit(commit).tree);
  const tree = treeOf(to);
  const touched = new Map<string, TouchedFile>();
  for (const { path, before, after } of diffTrees(treeOf(from), tree, objects.readTreeBytes)) {
    if (after !== null && after.mode !== '100644' && after.mode !== '100755')
      throw new MemoryError('INVALID_PATH', 'a symbolic link or submodule is in the place of a file', { where: path });
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
    repaired: [],
    refused: [],
    conflicts: [],
    skipped: [],
  };
}

/**
 * Tries, under the lock, to move the branch and bring its files in step. `busy`: native git holds its index. False: the branch is
 * elsewhere, something waits for a commit, or people changed a file by hand; nothing happened then.
 */
export function attemptAdvance(branch: BranchParts, tip: string | null, from: string, to: string): boolean | 'busy' {
  const { repository, ref, journal, section, checkout, codec } = branch;
  if (tip !== from || !journal.isEmpty) return false;
  const standing = checkout.renewed(from, section);
  const { workTree, since } = standing;
  if (checkout.unfinished(standing) !== null || workTree?.isSettling(from, since!)) return 'busy';
  const build = planAdvance(repository, from, to);
  if (workTree !== null) branch.privates.bring(new Snapshot(repository, codec, to).privacy.patterns);
  const edits = checkout.handEditsOf(standing, branch.snapshotAt(from), [...build.touched.keys()]);
  if (!isUnedited(edits)) return false;
  // A remote may have begun a history of its own. The log tells of the move, but a power cut may take its end back.
  repository.refs.notes.forget(ref);
  const published = publish(
    { repository, ref, journal, section },
    {
      build,
      from,
      covers: [],
      workTree,
      since,
      // A rule keeps them out of history; they stay as a person left them.
      blocked: new Set(edits.skipped.map(({ path }) => path)),
    },
  );
  if (published === 'done' && workTree === null) checkout.follow(from, to, section);
  return published === 'busy' ? 'busy' : published === 'done';
}
