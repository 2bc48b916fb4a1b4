import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeKnowledge } from '../../../src/store/merge/merge-knowledge.ts';

const list = (...items: string[]): string =>
  `# Ada\n\n## Likes\n${items.map((item) => `- ${item}\n`).join('')}\n## Context\nProse.\n`;
const merge = (base: string | null, ours: string, theirs: string) => mergeKnowledge([base, ours, theirs], 'ours');
const clean = (merged: string) => ({ merged, conflicts: [] });

describe('list items', () => {
  test('appended on both sides both stay, ours first', () => {
    expect(merge(list('tea'), list('tea', 'jazz'), list('tea', 'rain'))).toEqual(clean(list('tea', 'jazz', 'rain')));
    expect(merge(list(), list('jazz'), list('rain'))).toEqual(clean(list('jazz', 'rain')));
  });

  test('appended on both sides in the same words stand once', () => {
    expect(merge(list('tea'), list('tea', 'jazz', 'rain'), list('tea', 'rain', 'snow'))).toEqual(
      clean(list('tea', 'jazz', 'rain', 'snow')),
    );
  });

  test('changed next to each other do not collide', () => {
    expect(
      merge(
        list('drinks green tea', 'hears slow jazz'),
        list('drinks black tea', 'hears slow jazz'),
        list('drinks green tea', 'hears fast jazz'),
      ),
    ).toEqual(clean(list('drinks black tea', 'hears fast jazz')));
  });

  test('removed next to an append do not collide', () => {
    expect(merge(list('tea', 'jazz'), list('tea', 'jazz', 'rain'), list('tea'))).toEqual(clean(list('tea', 'rain')));
    expect(merge(list('tea', 'jazz'), list('jazz'), list('tea'))).toEqual(clean(list()));
  });

  test('let an old append be taken back though its neighbours changed', () => {
    const before = list('drinks green tea', 'hears jazz');
    const after = list('drinks green tea', 'hears jazz', 'walks in rain');
    const now = list('drinks black tea', 'hears slow jazz', 'walks in rain', 'owns a cat');
    expect(merge(after, now, before)).toEqual(clean(list('drinks black tea', 'hears slow jazz', 'owns a cat')));
  });

  test('changed in two ways are a conflict that names the item and keeps both wordings', () => {
    const { merged, conflicts } = merge(
      list('drinks green tea daily'),
      list('drinks black tea daily'),
      list('drinks white tea daily'),
    );
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

  test('that both sides have at different places of a section stand there once', () => {
    const [base, ours, theirs] = [list('x'), list('new', 'x'), list('x', 'new')];
    expect(merge(base, ours, theirs)).toMatchObject({ merged: ours, conflicts: [] });
    // In another section it is another item.
    const apart = { ours: list('none', 'x'), theirs: `${list('x')}\n## Dislikes\n- none\n` };
    expect(merge(base, apart.ours, apart.theirs).merged?.match(/- none/g)).toHaveLength(2);
  });

  test('changed here and removed there are a conflict, and stay', () => {
    const [base, ours, theirs] = [list('a b c', 'x'), list('a b d', 'x'), list('x')];
    expect(merge(base, ours, theirs)).toMatchObject({ merged: list('a b d', 'x'), conflicts: ['- a b c'] });
    expect(merge(base, theirs, ours)).toMatchObject({ merged: list('a b d', 'x'), conflicts: ['- a b c'] });
  });

  test('keep their continuation lines, and nested items their place', () => {
    const base = '- one\n  more\n- two\n';
    expect(merge(base, '- one\n  more\n  - nested a\n- two\n', '- one\n  more\n  - nested b\n- two\n')).toEqual(
      clean('- one\n  more\n  - nested a\n  - nested b\n- two\n'),
    );
    expect(merge(base, '- one\n  changed\n- two\n', '- one\n  more\n- two\n- three\n')).toEqual(
      clean('- one\n  changed\n- two\n- three\n'),
    );
  });

  test('with equal children are not torn apart', () => {
    expect(merge('- a\n', '- a\n- b\n  - yes\n', '- a\n- c\n  - yes\n')).toEqual(
      clean('- a\n- b\n  - yes\n- c\n  - yes\n'),
    );
  });

  test('at the end of a file without a line feed do not collide', () => {
    expect(merge('- a', '- a\n- b', '- a\n- c')).toEqual(clean('- a\n- b\n- c'));
    expect(merge('- a', '- a\n- b\n', '- a\n- c')).toEqual(clean('- a\n- b\n- c\n'));
  });

  test('keep CRLF', () => {
    expect(merge('- a\r\n', '- a\r\n- b\r\n', '- a\r\n- c\r\n')).toEqual(clean('- a\r\n- b\r\n- c\r\n'));
  });
});

describe('sections', () => {
  test('added on both sides both stay', () => {
    const base = '# Journal\n\n## 2026-02-15\n- a\n';
    expect(merge(base, `${base}\n## 2026-02-16\n- b\n`, `${base}\n## 2026-02-17\nProse.\n`)).toEqual(
      clean(`${base}\n## 2026-02-16\n- b\n\n## 2026-02-17\nProse.\n`),
    );
  });

  test('with the same heading share it', () => {
    expect(merge('', '# J\n\n- a\n', '# J\n\n- b\n')).toEqual(clean('# J\n\n- a\n- b\n'));
    expect(merge(null, '# J\n- a\n', '# J\n- b\n')).toEqual(clean('# J\n- a\n- b\n'));
  });

  test('added here and an item appended there both stay in their places', () => {
    const base = '# J\n- a\n';
    expect(merge(base, `${base}\n## New\n- x\n`, `${base}- b\n`)).toEqual(clean('# J\n- a\n- b\n\n## New\n- x\n'));
    expect(merge(base, `${base}- b\n`, `${base}\n## New\n- x\n`)).toEqual(clean('# J\n- a\n- b\n\n## New\n- x\n'));
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
