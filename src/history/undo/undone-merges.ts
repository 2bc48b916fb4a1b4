// Merges that were taken back. What they brought is in the history and not in the tree, so that merging the same branch would bring
// nothing.
//
//     theirs ─── a ─── b            M merged b, U took M back: merging b again takes U back, and brings what is newer with it
//      └── o ─── M ─── U ─── tip    what theirs knows of already (M, or U) is theirs to say

import type { UndoneMerge } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { formatCommit } from '../../store/git/commit-object.ts';
import { newObject } from '../../store/git/object-codec.ts';
import { ObjectOverlay, type ObjectReader } from '../../store/git/object-overlay.ts';
import { plannedChanges } from '../../store/planned-change.ts';
import { mergeTrees } from '../../store/tree-merge.ts';
import { commitsBeyond, isBehind } from '../merge-base.ts';
import { takenBackBy } from '../undo-targets.ts';
import { keepEvents, type UndoTime } from './undo-events.ts';

/** Lists the merges of `theirs`, or of what leads to it, whose undo is in a history that `theirs` does not know; newest first. */
export function undoneMergesOf(objects: ObjectReader, tip: string, theirs: string): UndoneMerge[] {
  const undoneBy = new Map<string, string>();
  const found: UndoneMerge[] = [];
  for (const oid of commitsBeyond(objects, tip, [theirs])) {
    const commit = objects.readCommit(oid);
    const undo = undoneBy.get(oid);
    if (undo === undefined) {
      for (const taken of takenBackBy(commit)) if (!undoneBy.has(taken)) undoneBy.set(taken, oid);
    } else if (commit.parents.slice(1).some((parent) => isBehind(objects, parent, [theirs]))) {
      // An undo of several operations took back more than is asked for.
      const isBroughtBack = takenBackBy(objects.readCommit(undo)).length === 1;
      found.push({ merge: oid, undoneBy: undo, isBroughtBack });
    }
  }
  return found;
}

/** A commit that is only thought of: the tip with what was undone. */
interface BroughtBack {
  readonly commit: string;
  /** Holds it. */
  readonly objects: ObjectOverlay;
  readonly conflicts: readonly string[];
  /** Blobs that no commit has. */
  readonly made: ReadonlySet<string>;
}

/** Takes undos back on top of a tip, three ways against what happened since, which stands where both contradict. */
export function planBringBack(
  store: BranchStore,
  tip: string,
  undone: readonly UndoneMerge[],
  when: UndoTime,
): BroughtBack {
  const objects = new ObjectOverlay(store.repository.objects);
  const commit = objects.readCommit(tip);
  const conflicts = new Set<string>();
  const made = new Set<string>();
  let { tree } = commit;
  for (const { merge, undoneBy } of undone) {
    const undo = objects.readCommit(undoneBy);
    const theirs = objects.readCommit(undo.parents[0]!).tree;
    const merged = mergeTrees(
      objects,
      { base: undo.tree, ours: tree, theirs },
      { by: 'kind', codec: store.codec, newer: 'ours', names: { ours: tip, theirs: merge } },
    );
    for (const path of merged.conflicts) conflicts.add(path);
    for (const { after, isMade } of merged.changes) if (after !== null && isMade) made.add(after.oid);
    tree = merged.tree;
  }
  const changes = plannedChanges(objects, commit.tree, tree, made);
  const kept = keepEvents({ changes, tree, conflicts: [...conflicts], objects }, store.at(tip), store.codec, when);
  const thought = newObject('commit', formatCommit({ ...commit, tree: kept.tree, parents: [tip] }));
  objects.add(thought);
  return { commit: thought.oid, objects, conflicts: kept.conflicts, made };
}
