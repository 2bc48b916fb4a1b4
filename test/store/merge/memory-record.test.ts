import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MemoryRecord, RelationRecord } from '../../../src/base/types/stored-types.ts';
import { closed, reopened } from '../../../src/store/claims/claim.ts';
import { mergeRecord } from '../../../src/store/merge/memory-record.ts';
import { formatMemory, newMemory, parseMemory } from '../../../src/store/records/memory-record.ts';
import { formatRelation, newRelation } from '../../../src/store/records/relation-record.ts';
import { anyMemory } from '../records/arbitraries.ts';

const path = 'memories/62/m.json';
const base = newMemory({ id: 'm', content: 'old', now: 1_000_000, tags: ['a', 'b'], useCount: 3 });
const merge = (
  from: MemoryRecord | null,
  ours: MemoryRecord | null,
  theirs: MemoryRecord | null,
  winner: 'ours' | 'theirs' = 'ours',
) => {
  const texts = [from, ours, theirs].map((record) => (record === null ? null : formatMemory(record)));
  const { merged, conflicts } = mergeRecord('memory', path, [texts[0]!, texts[1]!, texts[2]!], winner);
  return { record: merged === null ? null : parseMemory(merged, path), merged, conflicts };
};
const touched = (record: MemoryRecord, times: number, lastUsed: number): MemoryRecord => ({
  ...record,
  useCount: record.useCount + times,
  reviewCount: record.reviewCount + times,
  lastUsed,
});

describe('two versions of a memory', () => {
  test('add up what both counted, and take the later time and the greater strength', () => {
    const ours = { ...touched(base, 2, 2_000), strength: 1.3, crossDomainCount: 1 };
    const theirs = { ...touched(base, 5, 3_000), strength: 1.1, lastReviewAt: 2_500 };
    expect(merge(base, ours, theirs)).toMatchObject({
      record: {
        useCount: 10,
        reviewCount: 7,
        crossDomainCount: 1,
        lastUsed: 3_000,
        lastReviewAt: 2_500,
        strength: 1.3,
      },
      conflicts: [],
    });
  });

  test('that both began with the same record do not count the beginnings twice', () => {
    const theirs = { ...touched(base, 1, 2_000), meta: { ...base.meta, tags: ['b', 'c'] } };
    expect(merge(null, base, theirs)).toMatchObject({
      record: { useCount: 4, meta: { tags: ['a', 'b', 'c'] } },
      conflicts: [],
    });
  });

  test('let one touch be taken back after another', () => {
    // Undo: from what the touch made, to what was there before, on top of what is there now.
    const once = touched(base, 1, 2_000);
    expect(merge(once, touched(once, 1, 3_000), base)).toMatchObject({
      record: { useCount: base.useCount + 1, lastUsed: 3_000 },
      conflicts: [],
    });
  });

  test('merge lists as sets', () => {
    const source = (name: string) => ({ path: `raw/${name}.md`, turn: 1 });
    const ours = { ...base, entities: ['X'], sources: [source('a')], meta: { ...base.meta, tags: ['a', 'b', 'd'] } };
    const theirs = { ...base, entities: ['Y'], sources: [source('b')], meta: { ...base.meta, tags: ['b', 'c'] } };
    const { record, conflicts } = merge(base, ours, theirs);
    expect(record?.meta.tags).toEqual(['b', 'c', 'd']);
    expect(record?.entities).toEqual(['X', 'Y']);
    expect(record?.sources).toEqual([source('a'), source('b')]);
    expect(conflicts).toEqual([]);
  });

  test('with different words conflict by name, and the one used later wins', () => {
    const ours = { ...base, content: 'ours', lastUsed: 2_000 };
    const theirs = { ...base, content: 'theirs', lastUsed: 3_000, status: 'archived' as const };
    expect(merge(base, ours, theirs)).toMatchObject({
      record: { content: 'theirs', status: 'archived', lastUsed: 3_000 },
      conflicts: ['content'],
    });
    expect(merge(base, theirs, ours)).toMatchObject({ record: { content: 'theirs' }, conflicts: ['content'] });
    expect(merge(base, { ...base, gist: 'a' }, { ...base, gist: 'b' })).toMatchObject({
      record: { gist: 'a' },
      conflicts: ['gist'],
    });
  });

  test('that say different things keep both in the record', () => {
    const said = (content: string, lastUsed: number): MemoryRecord => ({ ...base, content, lastUsed });
    const first = merge(base, said('ours', 2_000), said('theirs', 3_000)).record!;
    expect(first).toMatchObject({ content: 'theirs', alternatives: [{ field: 'content', value: 'ours' }] });
    const second = merge(base, first, said('a third', 1_000)).record!;
    expect(second.content).toBe('theirs');
    expect(second.alternatives?.map(({ value }) => value).sort()).toEqual(['a third', 'ours']);
    // Whoever settles it takes the alternatives away, and no merge brings them back.
    const settled = { ...second, content: 'settled', alternatives: [] };
    expect(merge(second, settled, touched(second, 1, 9_000)).record).toMatchObject({
      content: 'settled',
      alternatives: [],
      useCount: base.useCount + 1,
    });
  });

  test('merge what they do not know by key', () => {
    const ours = { ...base, unknown: { x: { a: 1 } }, meta: { ...base.meta, extra: { k: 1 } } };
    const theirs = { ...base, unknown: { x: { b: 2 } }, meta: { ...base.meta, extra: { k: 2 } } };
    const { record, conflicts } = merge(base, ours, theirs);
    expect(record?.unknown).toEqual({ x: { a: 1, b: 2 } });
    expect(conflicts).toEqual(['meta.extra.k']);
  });
});

describe('a deletion', () => {
  test('wins over counting', () => {
    expect(merge(base, null, touched(base, 4, 9_000))).toMatchObject({ merged: null, conflicts: [] });
    expect(merge(base, touched(base, 4, 9_000), null)).toMatchObject({ merged: null, conflicts: [] });
  });

  test('conflicts with a change of words, which stays', () => {
    const ours = { ...touched(base, 1, 2_000), content: 'new' };
    expect(merge(base, ours, null)).toMatchObject({ record: { content: 'new' }, conflicts: ['content'] });
    expect(merge(base, null, ours)).toMatchObject({ record: { content: 'new' }, conflicts: ['content'] });
  });
});

test('records with different ids are not versions of one another', () => {
  const other = { ...base, id: 'other', content: 'x' };
  expect(merge(base, touched(base, 1, 5), other)).toMatchObject({ record: { id: 'm' }, conflicts: ['id'] });
});

test('a side that cannot be read does not win', () => {
  const ours = formatMemory({ ...base, content: 'ours' });
  expect(mergeRecord('memory', path, [formatMemory(base), '{"broken', ours], 'ours')).toEqual({
    merged: ours,
    conflicts: ['the record cannot be read'],
  });
  expect(mergeRecord('memory', path, [formatMemory(base), ours, '<<<<<<<'], 'ours').merged).toBe(ours);
});

describe('any merge of memories', () => {
  const versions = fc
    .tuple(anyMemory, anyMemory, anyMemory)
    .map(([from, a, b]): [MemoryRecord, MemoryRecord, MemoryRecord] => {
      return [from, { ...a, id: from.id }, { ...b, id: from.id }];
    });

  test('with one changed side is that side', () => {
    fc.assert(
      fc.property(versions, ([from, changed]) => {
        for (const [ours, theirs] of [
          [from, changed],
          [changed, from],
          [changed, changed],
        ] as const) {
          expect(merge(from, ours, theirs)).toMatchObject({ merged: formatMemory(changed), conflicts: [] });
        }
      }),
      { numRuns: 100 },
    );
  });

  test('is the same from both sides when nothing conflicts', () => {
    const counted = fc.record({ uses: fc.nat({ max: 9 }), at: fc.nat(), tags: fc.subarray(['a', 'b', 'c', 'd']) });
    const side = ({ uses, at, tags }: { uses: number; at: number; tags: string[] }): MemoryRecord => ({
      ...touched(base, uses, at),
      meta: { ...base.meta, tags },
    });
    fc.assert(
      fc.property(counted, counted, (a, b) => {
        // The same bytes on both sides are one change.
        fc.pre(a.at !== b.at);
        const there = merge(base, side(a), side(b));
        expect(there.conflicts).toEqual([]);
        expect(there.record?.useCount).toBe(base.useCount + a.uses + b.uses);
        expect(there.merged).toBe(merge(base, side(b), side(a)).merged);
      }),
    );
  });

  test('is a record that can be read, with the same conflicts from both sides', () => {
    fc.assert(
      fc.property(versions, ([from, ours, theirs]) => {
        const there = merge(from, ours, theirs);
        const back = merge(from, theirs, ours);
        expect([...back.conflicts].sort()).toEqual([...there.conflicts].sort());
        expect(there.record?.id).toBe(from.id);
        if (there.conflicts.length === 0) expect(back.merged).toBe(there.merged);
        // Of two that contradict each other the same one stands, whichever side it is on.
        expect(merge(from, theirs, ours, 'theirs').merged).toBe(there.merged);
      }),
      { numRuns: 200 },
    );
  });
});

test('relations merge by field', () => {
  const from = newRelation({
    id: 'r',
    fromMemoryId: 'a',
    toMemoryId: 'b',
    relationType: 'related',
    now: 0,
    strength: 0.5,
  });
  const ours = { ...from, strength: 0.7, metadata: { x: 1 } };
  const theirs = { ...from, strength: 0.9, metadata: { y: 2 } };
  const merge = (mine: RelationRecord, other: string | null) =>
    mergeRecord('relation', 'r.json', [formatRelation(from), formatRelation(mine), other], 'ours');
  const { merged, conflicts } = merge(ours, formatRelation(theirs));
  expect(merged).toBe(formatRelation({ ...from, strength: 0.9, metadata: { x: 1, y: 2 } }));
  expect(conflicts).toEqual([]);
  const changed = { ...from, relationType: 'causes' };
  expect(merge(changed, null).conflicts).toEqual(['relation_type']);
});

describe('a claim that both sides changed', () => {
  const byAda = closed(base, { by: 'ada', from: 5_000, now: 5_000 });
  const byBob = closed(base, { by: 'bob', from: 6_000, now: 6_000 });
  const put = (record: MemoryRecord) => ({ ...record, status: 'archived' as const });

  test('is closed where one of them closed it', () => {
    expect(merge(base, byAda, put(base))).toMatchObject({ record: byAda, conflicts: [] });
    expect(merge(base, put(base), byAda)).toMatchObject({ record: byAda, conflicts: [] });
  });

  test('is closed by the later of two, and names the other', () => {
    for (const [ours, theirs] of [
      [byAda, byBob],
      [byBob, byAda],
    ] as const) {
      const { record, conflicts } = merge(base, ours, theirs);
      expect(record).toEqual({ ...byBob, alternatives: [{ field: 'replaced_by', value: 'ada' }] });
      expect(conflicts).toEqual(['replaced_by']);
    }
    const atOnce = closed(base, { by: 'bob', from: 5_000, now: 5_000 });
    expect(merge(base, byAda, atOnce).record?.replacedBy).toBe('bob');
  });

  test('is open again only where an undo opened it and nobody closed it since', () => {
    expect(merge(byAda, reopened(byAda), touched(byAda, 1, 7_000)).record?.status).toBe('active');
    const again = closed(reopened(byAda), { by: 'bob', from: 8_000, now: 8_000 });
    expect(merge(byAda, reopened(byAda), again)).toMatchObject({ record: again, conflicts: [] });
  });

  test('gives way to a person who forgot it', () => {
    expect(merge(base, byAda, null)).toEqual({ record: null, merged: null, conflicts: [] });
  });
});
