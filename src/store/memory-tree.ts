// Tells whether a tree is that of a memory.

import { findEntry, type TreeReader } from './git/tree.ts';
import { metaPath } from './records/storage-meta.ts';

/** Tells whether a tree holds a memory: a configuration, `.meta.json` or, made by another tool, records or captures. */
export function isMemoryTree(tree: string | null, readTree: TreeReader): boolean {
  const roots = ['memory.yaml', metaPath, 'memories', 'raw', 'knowledge'];
  return roots.some((name) => findEntry(tree, name, readTree) !== null);
}
