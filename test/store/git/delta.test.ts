import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toEnd } from '../../../src/base/steps.ts';
import { applyDelta, formatDelta, formatTreeDelta } from '../../../src/store/git/delta.ts';
import { newObject } from '../../../src/store/git/object-codec.ts';
import { findDeltas } from '../../../src/store/git/pack-deltas.ts';
import { compareEntries, formatTree, type TreeEntry } from '../../../src/store/git/tree.ts';

const oid = '0'.repeat(40);
const apply = (base: Buffer, delta: Buffer) => applyDelta(base, delta, oid, 1 << 26);

/** Two byte strings that share a beginning and an end. */
const versions = fc
  .tuple(fc.uint8Array({ maxLength: 400 }), fc.uint8Array(), fc.uint8Array(), fc.uint8Array({ maxLength: 400 }))
  .map(
    ([head, before, after, tail]) => [Buffer.concat([head, before, tail]), Buffer.concat([head, after, tail])] as const,
  );

const tree = fc
  .uniqueArray(fc.tuple(fc.stringMatching(/^[a-z]{1,8}$/), fc.nat(3)), { selector: ([name]) => name, maxLength: 60 })
  .map((names) =>
    formatTree(
      names
        .map(([name, version]): TreeEntry => ({ mode: '100644', name, oid: `${version}`.repeat(40) }))
        .sort(compareEntries),
    ),
  );

describe('deltas', () => {
  it('make the target from the base', () => {
    fc.assert(
      fc.property(versions, ([base, target]) => {
        expect(apply(base, formatDelta(base, target)).equals(target)).toBe(true);
      }),
    );
  });

  it('make one tree from another', () => {
    fc.assert(
      fc.property(tree, tree, (base, target) => {
        expect(apply(base, formatTreeDelta(base, target)).equals(target)).toBe(true);
      }),
    );
  });

  it('copy runs longer than one instruction can name', () => {
    const base = Buffer.alloc(300_000, 'abcdefg');
    const target = Buffer.concat([base, Buffer.from('more')]);
    const delta = formatDelta(base, target);
    expect(delta.length).toBeLessThan(60);
    expect(apply(base, delta).equals(target)).toBe(true);
  });

  it('of a tree cost what changed, wherever it stands', () => {
    const entries = (changed: number[]): TreeEntry[] =>
      Array.from({ length: 500 }, (_, i) => ({
        mode: '100644',
        name: `note-${String(i).padStart(4, '0')}.md`,
        oid: (changed.includes(i) ? 'b' : 'a').repeat(40),
      }));
    const [base, target] = [formatTree(entries([])), formatTree(entries([3, 250, 499]))];
    const delta = formatTreeDelta(base, target);
    expect(delta.length).toBeLessThan(200);
    expect(apply(base, delta).equals(target)).toBe(true);
  });

  it('are taken between versions of one file, the longest stored whole', () => {
    const version = (turns: number) =>
      newObject('blob', Buffer.from(`---\nsession: one\n---\n${'A turn of this session.\n'.repeat(turns)}`));
    const other = newObject('blob', Buffer.from(`---\nsession: two\n---\n${'Something else.\n'.repeat(60)}`));
    const objects = [...[40, 60, 50].map(version), other];
    const deltas = toEnd(
      findDeltas({
        rows: objects.keys(),
        typeOf: (row) => objects[row]!.type,
        sizeOf: (row) => objects[row]!.data.length,
        oidOf: (row) => objects[row]!.oid,
        heightOf: () => 0,
        read: (row) => objects[row]!.data,
      }),
    );
    const types = objects.map((_, row) => ((deltas.get(row)?.[0] ?? 0) >> 4) & 7);
    expect(types).toEqual([7, 0, 7, 0]);
  });
});
