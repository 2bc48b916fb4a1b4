import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeKnowledge } from '../../../src/store/merge/merge-knowledge.ts';

const list = (...items: string[]): string =>
  `# Ada\n\n## Likes\n${items.map((item) => `- ${item}\n`).join('')}\n## Context\nProse.\n`;
const merge = (base: string | null, ours: string, theirs: string) => mergeKnowledge([base, ours, theirs], 'ours');
const clean = (merged: string) => ({ merged, conflicts: [] });

/** What a merge without a conflict makes of a base and two sides. */
const rows: readonly (readonly [what: string, base: string | null, ours: string, theirs: string, merged: string])[] = [
  // Items
  ['both appends', list('tea'), list('tea', 'jazz'), list('tea', 'rain'), list('tea', 'jazz', 'rain')],
  ['both first items', list(), list('jazz'), list('rain'), list('jazz', 'rain')],
  [
    'once what both append',
    list('tea'),
    list('tea', 'jazz', 'rain'),
    list('tea', 'rain', 'snow'),
    list('tea', 'jazz', 'rain', 'snow'),
  ],
  [
    'changes of neighbours',
    list('drinks green tea', 'hears slow jazz'),
    list('drinks black tea', 'hears slow jazz'),
    list('drinks green tea', 'hears fast jazz'),
    list('drinks black tea', 'hears fast jazz'),
  ],
  ['an append beside a removal', list('tea', 'jazz'), list('tea', 'jazz', 'rain'), list('tea'), list('tea', 'rain')],
  ['two removals', list('tea', 'jazz'), list('jazz'), list('tea'), list()],
  [
    'an old append taken back though its neighbours changed',
    list('drinks green tea', 'hears jazz', 'walks in rain'),
    list('drinks black tea', 'hears slow jazz', 'walks in rain', 'owns a cat'),
    list('drinks green tea', 'hears jazz'),
    list('drinks black tea', 'hears slow jazz', 'owns a cat'),
  ],
  ['one item at two places of a section', list('x'), list('new', 'x'), list('x', 'new'), list('new', 'x')],
  [
    'nested items with their continuation lines',
    '- one\n  more\n- two\n',
    '- one\n  more\n  - nested a\n- two\n',
    '- one\n  more\n  - nested b\n- two\n',
    '- one\n  more\n  - nested a\n  - nested b\n- two\n',
  ],
  [
    'a continuation line that changed',
    '- one\n  more\n- two\n',
    '- one\n  changed\n- two\n',
    '- one\n  more\n- two\n- three\n',
    '- one\n  changed\n- two\n- three\n',
  ],
  ['equal children', '- a\n', '- a\n- b\n  - yes\n', '- a\n- c\n  - yes\n', '- a\n- b\n  - yes\n- c\n  - yes\n'],
  ['ends without a line feed', '- a', '- a\n- b', '- a\n- c', '- a\n- b\n- c'],
  ['one end with a line feed', '- a', '- a\n- b\n', '- a\n- c', '- a\n- b\n- c\n'],
  ['CRLF', '- a\r\n', '- a\r\n- b\r\n', '- a\r\n- c\r\n', '- a\r\n- b\r\n- c\r\n'],
  // Sections
  [
    'two new sections',
    '# Journal\n\n## 2026-02-15\n- a\n',
    '# Journal\n\n## 2026-02-15\n- a\n\n## 2026-02-16\n- b\n',
    '# Journal\n\n## 2026-02-15\n- a\n\n## 2026-02-17\nProse.\n',
    '# Journal\n\n## 2026-02-15\n- a\n\n## 2026-02-16\n- b\n\n## 2026-02-17\nProse.\n',
  ],
  ['one heading of both', '', '# J\n\n- a\n', '# J\n\n- b\n', '# J\n\n- a\n- b\n'],
  ['one heading of two new files', null, '# J\n- a\n', '# J\n- b\n', '# J\n- a\n- b\n'],
  [
    'a section and an item',
    '# J\n- a\n',
    '# J\n- a\n\n## New\n- x\n',
    '# J\n- a\n- b\n',
    '# J\n- a\n- b\n\n## New\n- x\n',
  ],
  [
    'an item and a section',
    '# J\n- a\n',
    '# J\n- a\n- b\n',
    '# J\n- a\n\n## New\n- x\n',
    '# J\n- a\n- b\n\n## New\n- x\n',
  ],
];

test.each(rows)('a merge keeps %s', (_, base, ours, theirs, merged) => {
  expect(merge(base, ours, theirs)).toEqual(clean(merged));
});

describe('list items', () => {
  test('changed in two ways are a conflict that names the item and keeps both wordings', () => {
    const [base, ours, theirs] = ['green', 'black', 'white'].map((kind) => list(`drinks ${kind} tea daily`));
    const { merged, conflicts } = merge(base!, ours!, theirs!);
    expect(merged).toBe(list('drinks black tea daily', 'drinks white tea daily'));
    expect(conflicts).toEqual(['- drinks green tea daily']);
  });

  test('said to be true again on two days have the later one, whichever side says it; other words are a conflict as ever', () => {
    const ada = (day: string, words = 'Works at the mill') =>
      `- ${words} [source: raw/a.md#1]${day === '' ? '' : ` [verified: ${day}]`}\n`;
    const [first, second, third] = ['2026-01-01', '2026-02-16', '2026-02-18'] as const;
    for (const base of [first, '']) {
      for (const [ours, theirs] of [
        [second, third],
        [third, second],
      ] as const) {
        const file = (day: string) =>
          `# Ada\n*Type: person*\n*Last updated: ${day || first}*\n\n## Key Facts\n${ada(day)}- Has a dog\n`;
        expect(merge(file(base), file(ours), file(theirs))).toEqual({ merged: file(third), conflicts: [] });
      }
    }
    // An undo of the first renewal meets a later one: that is no renewal.
    expect(merge(ada(second), ada(third), ada(first)).conflicts).toHaveLength(1);
    expect(merge(ada(first), ada(second, 'Works at the port'), ada(third)).conflicts).toHaveLength(1);
  });

  test('changed here and removed there are a conflict, and stay', () => {
    const [base, ours, theirs] = [list('a b c', 'x'), list('a b d', 'x'), list('x')];
    expect(merge(base, ours, theirs)).toMatchObject({ merged: list('a b d', 'x'), conflicts: ['- a b c'] });
    expect(merge(base, theirs, ours)).toMatchObject({ merged: list('a b d', 'x'), conflicts: ['- a b c'] });
  });

  test('of the same words in two sections are two items', () => {
    const theirs = `${list('x')}\n## Dislikes\n- none\n`;
    expect(merge(list('x'), list('none', 'x'), theirs).merged?.match(/- none/g)).toHaveLength(2);
  });
});

test('prose changed in two ways is a conflict, and ours stays', () => {
  expect(merge('One.\n', 'Two.\n', 'Three.\n')).toEqual({ merged: 'Two.\n', conflicts: ['Two.'] });
  expect(merge('# T\n', '# T\nOurs.\n', '# T\nTheirs.\n')).toEqual({ merged: '# T\nOurs.\n', conflicts: ['Ours.'] });
});

describe('front matter', () => {
  const file = (front: string, body = '- a\n'): string => `---\n${front}---\n${body}`;

  test('merges by key, takes the later time, and lists as sets', () => {
    const base = file('type: person\ntags: [a, b]\nupdated: 2026-02-16\nname: Ada\n');
    const ours = file('type: person\ntags: [a, b, c]\nupdated: 2026-02-17\nname: Ada\n', '- a\n- b\n');
    const theirs = file(
      'type: person\ntags: [b]\nupdated: 2026-02-18T10:00:00Z\nname: Ada L\nmood: calm\n',
      '- a\n- c\n',
    );
    expect(merge(base, ours, theirs)).toEqual(
      clean(
        file('type: person\ntags: [b, c]\nupdated: 2026-02-18T10:00:00Z\nname: Ada L\nmood: calm\n', '- a\n- b\n- c\n'),
      ),
    );
  });

  test('conflicts by key, and ours stays', () => {
    expect(merge(file('name: a\nx: 1\n'), file('name: b\nx: 1\n'), file('name: c\nx: 1\n'))).toEqual({
      merged: file('name: b\nx: 1\n'),
      conflicts: ['front matter: name'],
    });
  });

  test('counts lines again', () => {
    const base = file('type: memory\nline_count: 5\n');
    const ours = file('type: memory\nline_count: 6\n', '- a\n- b\n');
    const theirs = file('type: memory\nline_count: 7\n', '- a\n- c\n- d\n');
    expect(merge(base, ours, theirs)).toEqual(clean(file('type: memory\nline_count: 8\n', '- a\n- b\n- c\n- d\n')));
  });

  test('that only one side has is kept', () => {
    expect(merge('- a\n', file('type: x\n'), '- a\n- b\n')).toEqual(clean(file('type: x\n', '- a\n- b\n')));
  });

  test('keeps comments with their keys', () => {
    const base = file('# who\nname: a\n# when\nupdated: 2026-01-01\n');
    const ours = file('# who\nname: a\n# when\nupdated: 2026-01-02\n');
    const theirs = file('# who\nname: b\n# when\nupdated: 2026-01-03\n');
    expect(merge(base, ours, theirs)).toEqual(clean(file('# who\nname: b\n# when\nupdated: 2026-01-03\n')));
  });
});

describe('any merge of lists', () => {
  const items: fc.Arbitrary<string[]> = fc.uniqueArray(
    fc.constantFrom('one', 'two', 'three', 'four', 'five', 'six', 'seven'),
    { maxLength: 6 },
  );

  test('with one changed side is that side', () => {
    fc.assert(
      fc.property(items, items, (from, changed) => {
        const [base, other] = [list(...from), list(...changed)];
        expect(merge(base, base, other)).toEqual(clean(other));
        expect(merge(base, other, base)).toEqual(clean(other));
        expect(merge(base, other, other)).toEqual(clean(other));
      }),
    );
  });

  test('has exactly the items that neither side removed or either added', () => {
    // Sides that keep the order of what they keep, and append: no item moves.
    const side = (from: string[]) =>
      fc.tuple(fc.subarray(from), fc.subarray(['n1', 'n2', 'n3'])).map(([kept, added]) => [...kept, ...added]);
    const sides = items.chain((from) => fc.tuple(fc.constant(from), side(from), side(from)));
    fc.assert(
      fc.property(sides, ([from, ours, theirs]) => {
        const { merged, conflicts } = merge(list(...from), list(...ours), list(...theirs));
        const expected = new Set([
          ...from.filter((item) => ours.includes(item) && theirs.includes(item)),
          ...[...ours, ...theirs].filter((item) => !from.includes(item)),
        ]);
        expect(conflicts).toEqual([]);
        const found = [...(merged ?? '').matchAll(/^- (.*)$/gm)].map((match) => match[1]);
        expect(new Set(found)).toEqual(expected);
        expect(found).toHaveLength(expected.size);
        // From the other side it is the same set.
        const back = merge(list(...from), list(...theirs), list(...ours));
        expect([...(back.merged ?? '')].sort()).toEqual([...(merged ?? '')].sort());
      }),
      { numRuns: 500 },
    );
  });
});
