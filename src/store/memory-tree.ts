// Tells whether a tree is that of a memory.

import { findEntry, type TreeReader } from './git/tree.ts';

/** Tells whether a tree holds a memory: a memory.yaml or, made by another tool, records or captures. */
export function isMemoryTree(tree: string | null, readTree: TreeReader): boolean {
  return ['memory.yaml', 'memories', 'raw', 'knowledge'].some((name) => findEntry(tree, name, readTree) !== null);
}
