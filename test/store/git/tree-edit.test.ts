// Editing a tree in places gives what making it anew would: the same bytes, or the same refusal.

import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../../src/base/errors.ts';
import { newObject } from '../../../src/store/git/object-codec.ts';
import { editTree, entriesOf, findEntry, formatTree, type TreeChange } from '../../../src/store/git/tree.ts';
import { cutTree } from '../../../src/store/git/tree-bytes.ts';
import { random } from '../../helpers/random.ts';

/** Trees that were made so far, read from their bytes or as they were handed out. */
class Trees {
  private readonly data = new Map<string, Buffer>();
  readonly readTree = (oid: string) => entriesOf(cutTree(this.data.get(oid)!, oid));

  edit(root: string | null, changes: ReadonlyMap<string, TreeChange>, allowTwins = false): string | null {
    const edited = editTree(root, changes, this.readTree, { allowTwins });
    for (const { oid, data, entries } of edited.trees) {
      expect(data.equals(formatTree(entries))).toBe(true);
      this.put(data);
      expect(this.readTree(oid)).toEqual(entries);
    }
    return edited.root;
  }

  put(data: Buffer): string {
    const { oid } = newObject('tree', data);
    this.data.set(oid, data);
    return oid;
  }
}

const refusal = (make: () => string | null): string | null => {
  try {
    return make();
  } catch (error) {
    if (error instanceof MemoryError) return error.code;
    throw error;
  }
};

describe('an edited tree', () => {
  it('is the one that would be made of all its files', () => {
    const next = random(11);
    const segments = ['a', 'A', 'a.md', 'a-', 'ab', 'é', 'É', 'e\u0301', '\uff41', '\ue000', '\u{1f600}', 'z'];
    const pick = () => segments[next(segments.length)]!;
    let refused = 0;
    for (let round = 0; round < 600; round++) {
      const trees = new Trees();
      let files = new Map<string, TreeChange>();
      let root: string | null = null;
      for (let step = 0; step < 6; step++) {
        const changes = new Map<string, TreeChange>();
        for (let count = next(4); count >= 0; count--) {
          const path = Array.from({ length: 1 + next(2) }, pick).join('/');
          const mode = next(5) === 0 ? '100755' : '100644';
          changes.set(path, next(3) === 0 ? null : { mode, oid: `${next(10)}`.repeat(40) });
        }
        const wanted = new Map([...new Map([...files, ...changes])].filter(([, change]) => change !== null));
        const before = root;
        const whole = refusal(() => new Trees().edit(null, wanted));
        const edited = refusal(() => trees.edit(before, changes));
        expect(edited).toBe(whole);
        if (edited === 'INVALID_PATH') {
          refused += 1;
          continue;
        }
        [root, files] = [edited, wanted];
        for (const [path, change] of files) expect(findEntry(root, path, trees.readTree)).toMatchObject(change!);
        expect(findEntry(root, 'b', trees.readTree)).toBeNull();
      }
    }
    expect(refused).toBeGreaterThan(200);
  });

  it('is that where a folder of hundreds is edited in places, and as it grows and shrinks', () => {
    const next = random(12);
    const trees = new Trees();
    let files = new Map<string, TreeChange>();
    let root: string | null = null;
    let most = 0;
    for (let step = 0; step < 300; step++) {
      const changes = new Map<string, TreeChange>();
      for (let count = next(12); count >= 0; count--) {
        const name = `${['note', 'Note', 'x'][next(3)]}-${next(step < 250 ? 160 : 12)}`;
        const path = next(4) === 0 ? `${name}/${next(3)}.md` : `${name}.md`;
        const isGone = next(step < 250 ? 9 : 2) === 0;
        changes.set(path, isGone ? null : { mode: '100644', oid: `${next(10)}`.repeat(40) });
      }
      const wanted = new Map([...new Map([...files, ...changes])].filter(([, change]) => change !== null));
      const before = root;
      const whole = refusal(() => new Trees().edit(null, wanted));
      const edited = refusal(() => trees.edit(before, changes));
      expect(edited).toBe(whole);
      if (edited !== 'INVALID_PATH') [root, files] = [edited, wanted];
      most = Math.max(most, files.size);
    }
    expect(most).toBeGreaterThan(200);
  });

  it('writes modes as git does today, whatever the tree before had', () => {
    const trees = new Trees();
    const id = Buffer.alloc(20, 7);
    const root = trees.put(
      Buffer.concat([Buffer.from('100664 a\0'), id, Buffer.from('040000 b\0'), id, Buffer.from('100644 c\0'), id]),
    );
    const edited = trees.edit(root, new Map([['c', { mode: '100644', oid: '1'.repeat(40) }]]))!;
    expect(trees.readTree(edited).map(({ mode, name }) => `${mode} ${name}`)).toEqual([
      '100644 a',
      '40000 b',
      '100644 c',
    ]);
    expect(cutTree(formatTree(trees.readTree(edited)), edited).isPlain).toBe(true);
  });

  it('keeps names that are not UTF-8 as they are, each by itself', () => {
    const trees = new Trees();
    const id = Buffer.alloc(20, 7);
    const entry = (name: number[]) => Buffer.concat([Buffer.from('100644 '), Buffer.from(name), Buffer.from([0]), id]);
    const root = trees.put(Buffer.concat([entry([0x61]), entry([0xff]), entry([0xfe, 0x61])].toSorted(Buffer.compare)));
    const edited = trees.edit(root, new Map([['b', { mode: '100644', oid: '1'.repeat(40) }]]), true)!;
    expect(trees.readTree(edited).map(({ rawName, name }) => rawName?.toString('hex') ?? name)).toEqual([
      'a',
      'b',
      'fe61',
      'ff',
    ]);
  });
});
