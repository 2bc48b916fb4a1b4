// Follows a remote whose history is another one than ours, and takes along what only we have.

import { ObjectOverlay } from '../git/object-overlay.ts';
import { mergeBases } from '../history/merge-base.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { fileChangeOf, plannedChanges } from '../store/planned-change.ts';
import { mergeTrees } from '../store/tree-merge.ts';
import { epochOf } from '../sync/epoch.ts';
import { isPurgedFile, receiptsOf } from '../sync/purged-history.ts';

/**
 * Moves the branch to the commit of the remote and commits what changed here since `last`, the state both had in common, on top of it.
 * The commit has no parent in the old history, so that what was purged does not come back with it.
 *
 * Gives the tip; null when the branch moved on meanwhile. Without a common state nothing comes along across epochs: what was purged would.
 */
export async function adoptTheirs(
  store: BranchStore,
  ours: string,
  theirs: string,
  last: string | null,
  remote: string,
): Promise<string | null> {
  const { objects } = store.repository;
  const common = last ?? mergeBases(objects, [ours], [theirs])[0] ?? null;
  const isPurged = epochOf(objects, ours) !== epochOf(objects, theirs);
  if (!(await store.advance(ours, theirs))) return null;
  if (common === null && isPurged) return theirs;
  const overlay = new ObjectOverlay(objects);
  const treeOf = (commit: string) => objects.readCommit(commit).tree;
  const sides = { base: common === null ? null : treeOf(common), ours: treeOf(theirs), theirs: treeOf(ours) };
  const { tree, changes, conflicts } = mergeTrees(overlay, sides, {
    by: 'kind',
    codec: store.codec,
    newer: 'ours',
    names: { ours: remote, theirs: 'here' },
    followsLineage: 'added',
  });
  const made = new Set(changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])));
  // What an old clone made of purged words since, in a file of its own, is no reason to have them again.
  const receipts = receiptsOf(objects, theirs);
  const isWelcome = ({ path, after }: { readonly path: string; readonly after: Buffer | null }) =>
    !isPurged || !isPurgedFile(receipts, path, after);
  const planned = plannedChanges(overlay, sides.ours, tree, made).map(fileChangeOf).filter(isWelcome);
  if (planned.length === 0) return theirs;
  const { commits } = await store.commit(
    () => [
      {
        kind: 'merge',
        name: 'adopt-remote',
        subject: `what was only here, upon ${remote}`,
        trailers: conflicts.map((path) => ({ key: 'Conflict', value: path }) as const),
        changes: planned,
        onConflict: 'later',
        mayRemoveCaptures: true,
        mayRemoveMany: true,
        bringsBack: true,
      },
    ],
    { onBusy: 'fail' },
  );
  return commits.at(-1) ?? theirs;
}
