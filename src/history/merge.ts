// The merge of two histories: finds their bases, makes one base of several, and merges the trees. Plans only.

import { ObjectOverlay, type ObjectReader } from '../store/git/object-overlay.ts';
import { diffTrees } from '../store/git/tree.ts';
import { type IdChoice, idRuleAt, type ReconciledSides, reconcileLogs } from '../store/merge-logs.ts';
import {
  type MergedPath,
  type MergeSides,
  mergeTrees,
  type TreeMerge,
  type TreeMergeSettings,
} from '../store/tree-merge.ts';
import { mergeBases } from './merge-base.ts';

/** What a merge of two commits would make. */
export interface MergePlan extends TreeMerge {
  /** Best common ancestors, newest first; none for histories that have nothing in common. */
  readonly bases: readonly string[];
  /** Holds the objects of the result. */
  readonly objects: ObjectOverlay;
  /** Entries of logs that are called otherwise now, and on which side they were. */
  readonly renamed: ReconciledSides['renamed'];
}

export interface MergeSettings extends IdChoice, Pick<TreeMergeSettings, 'by' | 'followsLineage'> {
  /** Which side wins a dispute. Default: the newer one, by the times of the commits. */
  readonly newer?: TreeMergeSettings['newer'];
  /** Where both parted, if that is not what the histories say: the parent of a commit that is picked. */
  readonly bases?: readonly string[];
  /** Default: their commits. */
  readonly names?: TreeMergeSettings['names'];
}

type PlanSettings = MergeSettings & Pick<TreeMergeSettings, 'asDriver'>;

/**
 * Merges two commits.
 *
 * With several bases (criss-cross) these are merged first, oldest first, and the outcome is the base, as in `git merge`. So what is counted
 * is counted once however often branches were merged into each other. Merging the other way round gives the same tree, but for disputes
 * under `by: 'line'` and for ids that both sides gave.
 *
 * `asDriver`: what native git makes of it, where it merges each file with our driver, which knows no times and no other file.
 */
export function planMerge(below: ObjectReader, ours: string, theirs: string, settings: PlanSettings): MergePlan {
  const objects = new ObjectOverlay(below);
  const bases = settings.bases ?? mergeBases(objects, [ours], [theirs]);
  const base = treeOfBases(objects, bases, settings, 1);
  const [mine, other] = [objects.readCommit(ours), objects.readCommit(theirs)];
  const reconciled = reconciledSides(objects, { base, ours: mine.tree, theirs: other.tree }, settings);
  const merged = mergeTrees(objects, reconciled.sides, {
    names: { ours, theirs },
    ...settings,
    ...(settings.asDriver
      ? { newer: 'ours', ids: (path) => idRuleAt(objects, settings, [path]) }
      : { newer: newerOf(objects, ours, theirs), followsLineage: 'added', ...settings }),
  });
  const seen = new Set(merged.changes.map(({ path }) => path));
  const renamed = diffTrees(mine.tree, reconciled.sides.ours, objects.readTreeBytes)
    .filter(({ path }) => !seen.has(path))
    .map(({ path, before, after }) => ({ path, before, after, isMade: true }) as MergedPath);
  return { ...merged, changes: [...merged.changes, ...renamed], renamed: reconciled.renamed, bases, objects };
}

/** By line, and for native git, which merges file by file, ids are nobody's matter. */
const reconciledSides = (objects: ObjectOverlay, sides: MergeSides, settings: PlanSettings): ReconciledSides =>
  settings.by === 'line' || settings.asDriver ? { sides, renamed: [] } : reconcileLogs(objects, sides, settings);

/** The later of two commits, the same one whichever is ours; of two batches that one flush committed, the one with the later writes. */
function newerOf(objects: ObjectReader, ours: string, theirs: string): 'ours' | 'theirs' {
  const [mine, other] = [objects.readCommit(ours), objects.readCommit(theirs)];
  const difference = mine.committer.time - other.committer.time || mine.author.time - other.author.time;
  return (difference || (ours > theirs ? 1 : -1)) > 0 ? 'ours' : 'theirs';
}

/** The tree of one base, or of all bases merged; `depth` tells how far below the merge that was asked for this is. */
function treeOfBases(
  objects: ObjectOverlay,
  bases: readonly string[],
  settings: PlanSettings,
  depth: number,
): string | null {
  // By kind, disputes between bases are settled, so that their order must not depend on which side asks.
  const timeOf = (oid: string): number => objects.readCommit(oid).committer.time;
  const oldestFirst =
    settings.by === 'line'
      ? [...bases].reverse()
      : [...bases].sort((a, b) => timeOf(a) - timeOf(b) || (a < b ? -1 : 1));
  const first = oldestFirst.shift();
  if (first === undefined) return null;
  let tree = objects.readCommit(first).tree;
  const merged = [first];
  for (const next of oldestFirst) {
    const base = treeOfBases(objects, mergeBases(objects, merged, [next]), settings, depth + 1);
    const names = { ours: 'Temporary merge branch 1', theirs: 'Temporary merge branch 2' };
    const { sides } = reconciledSides(objects, { base, ours: tree, theirs: objects.readCommit(next).tree }, settings);
    tree = mergeTrees(objects, sides, { ...settings, followsLineage: 'added', newer: 'theirs', names, depth }).tree;
    merged.push(next);
  }
  return tree;
}
