// Lists what a commit brings that none of some others has: the ground on which whatever comes in is judged.

import { orElse } from '../base/errors.ts';
import { type Codec, readableOr } from './codec.ts';
import type { ObjectReader } from './git/object-overlay.ts';
import { diffTrees, type TreeDifference } from './git/tree.ts';
import { isLookedThrough, isUnfinished } from './records/unfinished-merge.ts';
import type { Snapshot } from './snapshot.ts';

type Objects = Pick<ObjectReader, 'readBlob' | 'readCommit' | 'readTreeBytes'>;

/**
 * Lists the files that a commit has otherwise than each of some others, or lacks where each of them has one. `before`
 * is that of the first. Without others it brings all that it has.
 */
export function broughtBy(objects: Objects, commit: string, others: readonly (string | null)[]): TreeDifference[] {
  const treeOf = (oid: string | null) => (oid === null ? null : objects.readCommit(oid).tree);
  const [first = null, ...rest] = others;
  let brought = diffTrees(treeOf(first), treeOf(commit), objects.readTreeBytes);
  for (const other of rest) {
    if (brought.length === 0) break;
    const differs = new Set(diffTrees(treeOf(other), treeOf(commit), objects.readTreeBytes).map(({ path }) => path));
    brought = brought.filter(({ path }) => differs.has(path));
  }
  return brought;
}

/** A file that came with a merge that nobody had finished. */
interface UnfinishedFile {
  readonly path: string;
  readonly fault: 'unfinished';
}

/** Finds the unfinished merges that a commit brings; what is locked here nobody can judge. */
export function unfinishedIn(
  objects: Objects,
  codec: Codec,
  commit: string,
  others: readonly (string | null)[],
): UnfinishedFile[] {
  return broughtBy(objects, commit, others).flatMap(({ path, after }) => {
    if (!after?.mode.startsWith('100') || !isLookedThrough(path)) return [];
    const text = orElse(() => readableOr(codec, path, objects.readBlob(after.oid)), null, 'PRIVATE_DAMAGED');
    return text !== null && isUnfinished(path, text.toString('utf8')) ? [{ path, fault: 'unfinished' as const }] : [];
  });
}

/** Lists the unfinished merges of a state. */
export function unfinishedAt(snapshot: Snapshot): string[] {
  return [...snapshot.list().keys()]
    .filter(isLookedThrough)
    .filter((path) => isUnfinished(path, orElse(() => snapshot.textIfWhole(path), null, 'PRIVATE_DAMAGED') ?? ''))
    .sort();
}
