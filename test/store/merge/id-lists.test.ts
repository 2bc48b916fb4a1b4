import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeFile } from '../../../src/store/merge/merge-file.ts';

type Item = { id: string | number; [key: string]: unknown };
const merge = (base: unknown, ours: unknown, theirs: unknown, winner: 'ours' | 'theirs' = 'ours') => {
  const [a, b, c] = [base, ours, theirs].map((value) => JSON.stringify(value));
  const { merged, conflicts } = mergeFile('notes/plan.json', [a!, b!, c!], winner);
  return { merged: JSON.parse(merged!) as unknown, conflicts };
};
const items = (text: string): Item[] => [...text].map((id) => ({ id }));
const idsOf = (list: unknown): string => (list as Item[]).map(({ id }) => id).join('');

describe('lists of objects with ids', () => {
  test('take what both sides added to, changed in and removed from different objects', () => {
    const base = { tasks: [{ id: 'a', title: 'A' }, { id: 'b', title: 'B' }, { id: 'c' }] };
    const ours = { tasks: [{ id: 'a', title: 'A2' }, { id: 'x' }, { id: 'b', title: 'B' }, { id: 'c' }] };
    const theirs = { tasks: [{ id: 'a', title: 'A' }, { id: 'b', title: 'B', done: true }, { id: 'y' }] };
    const tasks = [{ id: 'a', title: 'A2' }, { id: 'x' }, { id: 'b', title: 'B', done: true }, { id: 'y' }];
    expect(merge(base, ours, theirs)).toEqual({ merged: { tasks }, conflicts: [] });
    expect(merge(base, theirs, ours)).toEqual({ merged: { tasks }, conflicts: [] });
  });

  test('merge one object that both changed key by key, and name the key that they dispute', () => {
    const base = [{ id: 7, title: 'A', n: 1 }];
    const ours = [{ id: 7, title: 'B', n: 2 }];
    const theirs = [{ id: 7, title: 'C', n: 1, by: 'ada' }];
    expect(merge(base, ours, theirs)).toEqual({
      merged: [{ id: 7, title: 'B', n: 2, by: 'ada' }],
      conflicts: ['7.title'],
    });
    expect(merge(base, ours, theirs, 'theirs').merged).toEqual([{ id: 7, title: 'C', n: 2, by: 'ada' }]);
  });

  test.each(['ours', 'theirs'] as const)(
    'keep what one side removed and the other changed, whoever wins: %s',
    (winner) => {
      const base = { list: [{ id: 'a', n: 1 }, { id: 'b' }] };
      const changed = { list: [{ id: 'a', n: 2 }, { id: 'b' }] };
      for (const sides of [
        [changed, { list: items('b') }],
        [{ list: items('b') }, changed],
      ]) {
        expect(merge(base, sides[0], sides[1], winner)).toEqual({ merged: changed, conflicts: ['list.a'] });
      }
    },
  );

  test.each([
    ['abc', 'cab', 'abcd', 'cdab', 0],
    ['abc', 'abxc', 'abyc', 'abxyc', 0],
    ['ab', 'xab', 'aby', 'xaby', 0],
    ['', 'ba', 'ca', 'bac', 0],
    ['abc', 'bac', 'acb', 'bac', 1],
    ['abc', 'cba', 'cba', 'cba', 0],
    ['abc', 'c', 'abcx', 'cx', 0],
  ])('keep an order: %s became %s and %s', (base, ours, theirs, expected, conflicts) => {
    const there = merge(items(base), items(ours), items(theirs));
    expect(idsOf(there.merged)).toBe(expected);
    expect(there.conflicts).toHaveLength(conflicts);
    const back = merge(items(base), items(theirs), items(ours), 'theirs');
    expect(idsOf(back.merged)).toBe(expected);
  });

  test('are the same on both machines, and lose nothing that a side added or changed alone', () => {
    const item = fc.record({ id: fc.constantFrom(...'abcdef'), n: fc.nat(3) });
    const list = fc.uniqueArray(item, { selector: ({ id }) => id, maxLength: 6 });
    fc.assert(
      fc.property(list, list, list, (base, ours, theirs) => {
        const there = merge({ base }, { base: ours }, { base: theirs });
        const back = merge({ base }, { base: theirs }, { base: ours }, 'theirs');
        expect(back.merged).toEqual(there.merged);
        const merged = new Map((there.merged as { base: Item[] }).base.map((one) => [one.id, one]));
        const before = new Map(base.map((one) => [one.id, one]));
        for (const [side, other] of [
          [ours, theirs],
          [theirs, ours],
        ] as const) {
          for (const { id, n } of side) {
            const twin = other.find((one) => one.id === id);
            if (before.get(id)?.n === n) continue;
            expect(merged.has(id)).toBe(true);
            if (twin === undefined || twin.n === before.get(id)?.n) expect(merged.get(id)!.n).toBe(n);
          }
        }
      }),
    );
  });

  test.each([[[{ id: 'a' }, { id: 'a', n: 1 }]], [[{ id: 'a' }, { n: 1 }]], [[{ id: 'a' }, 'b']], [[{ id: null }]]])(
    'are disputed as a whole where an id is missing or there twice: %j',
    (odd) => {
      expect(merge({ list: items('a') }, { list: odd }, { list: items('ab') }).conflicts).toEqual(['list']);
    },
  );
});

describe('lists of objects with ids in YAML', () => {
  const page = (block: string): string => `---\ntype: page\n${block}---\n# Page\n`;
  const base = 'tasks:\n  - id: a\n    title: A\n  - id: b\n    title: B\n';
  const ours = 'tasks:\n  - id: a\n    title: A2\n  - id: b\n    title: B\n  - id: x\n';
  const theirs = 'tasks:\n  - id: a\n    title: A\n    done: true\n  - id: b\n    title: B\n  - id: y\n';
  const merged = 'tasks:\n  - id: a\n    title: A2\n    done: true\n  - id: b\n    title: B\n  - id: x\n  - id: y\n';

  test('merge in the front matter of a page and in a file of YAML', () => {
    expect(mergeFile('knowledge/p.md', [page(base), page(ours), page(theirs)])).toEqual({
      merged: page(merged),
      conflicts: [],
    });
    expect(mergeFile('notes/p.yaml', [base, ours, theirs])).toEqual({ merged, conflicts: [] });
    const disputed = mergeFile('notes/p.yml', [base, ours.replace('B\n', 'B2\n'), theirs.replace('B\n', 'B3\n')]);
    expect(disputed).toEqual({ merged: merged.replace('B\n', 'B2\n'), conflicts: ['tasks.b.title'] });
  });

  test('leave files of YAML that are more than one mapping to the merge of texts', () => {
    for (const text of ['a: 1\n---\na: 2\n', '- id: a\n', 'a: &x 1\nb: *x\n']) {
      const { conflicts } = mergeFile('notes/p.yaml', [text, text.replace(/1|a$/m, 'c'), text.replace(/1|a$/m, 'd')]);
      expect(conflicts).toEqual(['lines']);
    }
  });
});

describe('numbers that no double holds', () => {
  const big = '12345678901234567891';
  const fraction = '0.12345678901234567891';

  test('keep their digits, and texts of digits stay texts', () => {
    const text = (more: string): string => `{"id": ${big}, "text": "${big}", "f": ${fraction}, "n": [-${big}]${more}}`;
    const { merged, conflicts } = mergeFile('notes/a.json', [text(''), text(', "a": 1'), text(`, "b": ${big}`)]);
    expect(conflicts).toEqual([]);
    expect(merged!.replace(/\s+/g, ' ')).toBe(
      `{ "id": ${big}, "text": "${big}", "f": ${fraction}, "n": [ -${big} ], "a": 1, "b": ${big} } `,
    );
  });

  test('keep their digits in the fields of a record', () => {
    const record = (more: string, uses: number): string =>
      `{"id":"m","content":"c","use_count":${uses},"chat":${big}${more}}`;
    const { merged } = mergeFile('memories/m.json', [record('', 1), record('', 2), record(`,"later":${big}`, 1)]);
    expect(merged).toContain(`"chat": ${big}`);
    expect(merged).toContain(`"later": ${big}`);
  });

  test('in a field that must be a number do not keep a record from merging', () => {
    const record = (uses: number, tags: string): string =>
      `{"id":"m","content":"c","use_count":${uses},"strength":${fraction},"meta":{"tags":[${tags}]}}`;
    const { merged } = mergeFile('memories/m.json', [record(1, ''), record(2, ''), record(1, '"q"')]);
    expect(JSON.parse(merged!)).toMatchObject({ use_count: 2, meta: { tags: ['q'] } });
  });

  test('keep their digits in lists of front matter, in quotes where somebody quoted them', () => {
    const page = (list: string): string => `---\nchats: [${list}]\nnames: ["${big}9"]\n---\n# Page\n`;
    const { merged } = mergeFile('knowledge/p.md', [page('1'), page(`1, ${big}`), page(`2, ${big}8`)]);
    expect(merged).toContain(big);
    expect(merged).not.toContain(`"${big}"`);
    expect(merged).toContain(`"${big}9"`);
  });

  test('are any digits', () => {
    fc.assert(
      fc.property(fc.bigInt(), fc.bigInt(), fc.double({ noNaN: true, noDefaultInfinity: true }), (a, b, c) => {
        const { merged } = mergeFile('a.json', ['{}', `{"a":${a},"c":${JSON.stringify(c)}}`, `{"b":${b}}`]);
        expect(merged!.match(/-?\d+(?=,?\n)/g)).toEqual(expect.arrayContaining([`${a}`, `${b}`]));
        expect(merged).toContain(`"c": ${JSON.stringify(c)}`);
      }),
    );
  });
});
