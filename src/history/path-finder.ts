// One path in many trees: what stands there, and whether two trees differ there. Reads only the folders on the way, each once.

import type { FileMode } from '../git/tree.ts';
import { findName, modeAt, oidAt, type TreeBytesReader } from '../git/tree-bytes.ts';

/** What stands at a path: a file, a link, a submodule or a folder. */
export interface PathEntry {
  readonly mode: FileMode;
  readonly oid: string;
}

/** Entries remembered for each folder on the way. */
const maxRemembered = 4096;

export class PathFinder {
  private readonly segments: readonly string[];
  private readonly readTree: TreeBytesReader;
  /** For each depth: tree id → what it holds under the segment of that depth. */
  private readonly known: readonly Map<string, PathEntry | null>[];

  constructor(path: string, readTree: TreeBytesReader) {
    this.segments = path.split('/');
    this.readTree = readTree;
    this.known = this.segments.map(() => new Map());
  }

  /** Finds what stands at the path in two trees; `null` when it is the same, by mode and id. */
  difference(
    before: string | null,
    after: string | null,
  ): { before: PathEntry | null; after: PathEntry | null } | null {
    let [left, right] = [before, after];
    for (let depth = 0; ; depth++) {
      if (left === right) return null;
      const [from, to] = [this.step(left, depth), this.step(right, depth)];
      if (depth === this.segments.length - 1) {
        return from?.oid === to?.oid && from?.mode === to?.mode ? null : { before: from, after: to };
      }
      left = from?.mode === '40000' ? from.oid : null;
      right = to?.mode === '40000' ? to.oid : null;
    }
  }

  private step(tree: string | null, depth: number): PathEntry | null {
    if (tree === null) return null;
    const known = this.known[depth]!;
    let entry = known.get(tree);
    if (entry === undefined) {
      const bytes = this.readTree(tree);
      const index = findName(bytes, this.segments[depth]!);
      entry = index < 0 ? null : { mode: modeAt(bytes, index), oid: oidAt(bytes, index) };
      if (known.size >= maxRemembered) known.clear();
      known.set(tree, entry);
    }
    return entry;
  }
}
