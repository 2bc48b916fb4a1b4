// Trees that name more files than anybody can list are refused before a path of them is made.

import { describe, expect, it } from 'vitest';
import { diffTrees, entriesOf, formatTree, walkTree } from '../../../src/store/git/tree.ts';
import { cutTree, type FileMode } from '../../../src/store/git/tree-bytes.ts';

/** Ten folders of ten folders of …, and readers that count. */
function nested(depth: number) {
  const trees = new Map<string, Buffer>();
  let [oid, mode] = ['f'.repeat(40), '100644' as FileMode];
  for (let level = 0; level < depth; level++) {
    const entries = Array.from({ length: 10 }, (_, i) => ({ mode, name: `d${i}`, oid }));
    oid = level.toString(16).padStart(40, '0');
    mode = '40000';
    trees.set(oid, formatTree(entries));
  }
  let reads = 0;
  const readBytes = (name: string) => {
    reads += 1;
    return cutTree(trees.get(name)!, name);
  };
  return { root: oid, readBytes, readTree: (name: string) => entriesOf(readBytes(name)), reads: () => reads };
}

describe('a tree of trees of itself', () => {
  it('is refused after a handful of trees when it is listed and when it is compared', () => {
    const { root, readTree, readBytes, reads } = nested(10);
    expect(() => walkTree(root, readTree).next()).not.toThrow();
    expect(() => [...walkTree(root, readTree)]).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
    expect(() => diffTrees(null, root, readBytes)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
    expect(() => diffTrees(root, null, readBytes)).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
    expect(reads()).toBeLessThan(200);
  });

  it('is listed whole where its files can be', () => {
    const { root, readTree, readBytes } = nested(4);
    expect([...walkTree(root, readTree)]).toHaveLength(10_000);
    expect(diffTrees(null, root, readBytes)).toHaveLength(10_000);
  });
});
