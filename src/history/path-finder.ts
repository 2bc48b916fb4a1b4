// One path in two trees: whether they differ there, and in what. Reads only the folders on the way.

import type { FileMode } from '../store/git/tree.ts';
import { findName, modeAt, oidAt, type TreeBytesReader } from '../store/git/tree-bytes.ts';

/** What stands at a path: a file, a link, a submodule or a folder. */
export interface PathEntry {
  readonly mode: FileMode;
  readonly oid: string;
}

/** What stands at a path in two trees. */
export interface PathDifference {
  readonly before: PathEntry | null;
  readonly after: PathEntry | null;
}

/** Finds what stands at a path in two trees; `null` when it is the same, by mode and id. */
export function differenceAt(
  path: string,
  before: string | null,
  after: string | null,
  readTree: TreeBytesReader,
): PathDifference | null {
  const step = (tree: string | null, segment: string): PathEntry | null => {
    if (tree === null) return null;
    const bytes = readTree(tree);
    const index = findName(bytes, segment);
    return index < 0 ? null : { mode: modeAt(bytes, index), oid: oidAt(bytes, index) };
  };
  let [left, right] = [before, after];
  let difference: PathDifference = { before: null, after: null };
  for (const segment of path.split('/')) {
    if (left === right) return null;
    difference = { before: step(left, segment), after: step(right, segment) };
    left = folderOf(difference.before);
    right = folderOf(difference.after);
  }
  const [from, to] = [difference.before, difference.after];
  return from?.oid === to?.oid && from?.mode === to?.mode ? null : difference;
}

const folderOf = (entry: PathEntry | null): string | null => (entry?.mode === '40000' ? entry.oid : null);
