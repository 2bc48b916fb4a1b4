import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NewObject, newObject } from '../../src/store/git/object-codec.ts';
import { editTree, entriesOf, type TreeChange } from '../../src/store/git/tree.ts';
import { cutTree } from '../../src/store/git/tree-bytes.ts';
import { FoldedNames, findClash } from '../../src/store/name-clash.ts';

const { oid } = newObject('blob', Buffer.from('x'));

/** Trees in memory; what is in the way of a file is whatever makes `editTree` refuse it. */
function newStore() {
  const objects = new Map<string, NewObject>();
  const readTree = (tree: string) => entriesOf(cutTree(objects.get(tree)!.data, tree));
  const edit = (root: string | null, changes: Iterable<[string, TreeChange]>) => {
    const edited = editTree(root, new Map(changes), readTree);
    for (const tree of edited.trees) objects.set(tree.oid, tree);
    return edited.root;
  };
  return { readTree, edit };
}

const names = fc.constantFrom('a', 'A', 'b', 'straße', 'STRASSE', 'é', 'e\u0301', 'É');
const paths = fc.array(names, { minLength: 1, maxLength: 3 }).map((segments) => segments.join('/'));
const edits = fc.array(fc.tuple(paths, fc.boolean()), { maxLength: 8 });

describe('a new file', () => {
  it('has a place exactly where the tree of tip and batch takes it', () => {
    fc.assert(
      fc.property(edits, edits, paths, (committed, waiting, path) => {
        const { readTree, edit } = newStore();
        const change = (isThere: boolean): TreeChange => (isThere ? { mode: '100644', oid } : null);
        const apply = (root: string | null, [file, isThere]: [string, boolean]) => {
          try {
            return { root: edit(root, [[file, change(isThere)]]), isTaken: true };
          } catch {
            return { root, isTaken: false };
          }
        };
        let tree: string | null = null;
        for (const one of committed) tree = apply(tree, one).root;
        const pending = new Map<string, { oid: string | null }>();
        const pendingNames = new FoldedNames();
        let present = tree;
        for (const one of waiting) {
          const next = apply(present, one);
          if (!next.isTaken) continue;
          present = next.root;
          pending.set(one[0], { oid: one[1] ? oid : null });
          pendingNames.add(one[0]);
        }
        const { isTaken } = apply(present, [path, true]);
        expect(findClash({ tree, readTree, pending, pendingNames }, path) === null).toBe(isTaken);
      }),
      { numRuns: 5000 },
    );
  });

  it('is told what is in its way', () => {
    const { readTree, edit } = newStore();
    const tree = edit(null, [
      ['knowledge/people/ada.md', { mode: '100644', oid }],
      ['knowledge/Straße/x.md', { mode: '100644', oid }],
    ]);
    const present = { tree, readTree, pending: new Map(), pendingNames: new FoldedNames() };
    expect(findClash(present, 'knowledge/people/Ada.md')).toBe('knowledge/people/ada.md');
    expect(findClash(present, 'knowledge/STRASSE/y.md')).toBe('knowledge/Straße');
    expect(findClash(present, 'knowledge/people')).toBe('knowledge/people');
    expect(findClash(present, 'knowledge/people/ada.md/x')).toBe('knowledge/people/ada.md');
    expect(findClash(present, 'knowledge/people/ada.md')).toBeNull();
    expect(findClash(present, 'knowledge/people/ben.md')).toBeNull();
  });
});
