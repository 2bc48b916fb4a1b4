import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { miniSearchIndex } from '../../src/adapters/mini-search-index.ts';
import type { LexicalEntry, LexicalIndex } from '../../src/search/lexical-index.ts';
import { contextIn, titleIn } from '../../src/search/postings.ts';
import { arraysOverSegments } from '../helpers/array-index.ts';

const entry = (id: number, text: string, title = '', context = ''): LexicalEntry => {
  const terms = (words: string) => words.split(' ').filter((word) => word !== '');
  const words = terms(text);
  const places = [...words.keys()];
  return {
    id,
    terms: { text: words, places, title: terms(title), speaker: [], context: terms(context), letters: [] },
  };
};

/** What each entry holds of a term, by id. */
function matchesOf(index: LexicalIndex, term: string): Record<number, readonly number[]> {
  const { ids, counts, marks, firsts, lasts } = index.matchesOf(term);
  return Object.fromEntries(
    Array.from(ids, (id, at) => [id, [counts, marks, firsts, lasts].map((column) => column[at]!)]),
  );
}

describe.each([
  ['MiniSearch', miniSearchIndex],
  ['typed arrays', arraysOverSegments],
])('an index on %s', (_, make) => {
  it('tells how often and where a term stands', () => {
    const index = make();
    index.add([entry(1, 'valve stuck'), entry(2, 'stuck valve x valve', 'valve'), entry(3, 'pump', '', 'valve valve')]);
    const { 1: once, 2: twice, 3: beside } = matchesOf(index, 'valve');
    expect(once).toEqual([1, 0, 0, 0]);
    expect(twice).toEqual([2, 1, 1, 3]);
    expect(titleIn(twice![1]!)).toBe(1);
    expect([beside![0], contextIn(beside![1]!)]).toEqual([0, 2]);
    expect(matchesOf(index, 'moon')).toEqual({});
  });

  it('lists terms that begin with a word, or differ in a letter or two', () => {
    const index = make();
    index.add([entry(1, 'postgres database data'), entry(2, 'base', 'telescope')]);
    expect(index.termsLike('postgrse')).toEqual(['postgres']);
    expect(index.termsLike('databse')).toEqual(['database']);
    expect(index.termsLike('teles')).toEqual(['telescope']);
    expect(index.termsLike('dat')).toEqual([]);
    index.remove([entry(2, 'base', 'telescope')]);
    expect(index.termsLike('teles')).toEqual([]);
  });

  it('lists the terms that a sign of a script without spaces is in', () => {
    const index = make();
    index.add([entry(1, '帆船 船长 船 上海'), entry(2, '船厂 ship', '船厂')]);
    expect(index.termsLike('船')).toEqual(['帆船', '船', '船厂', '船长'].sort());
    index.remove([entry(2, '船厂 ship', '船厂')]);
    expect(index.termsLike('船')).toEqual(['帆船', '船', '船长'].sort());
    expect(index.termsLike('山')).toEqual([]);
  });

  it('is empty again when all is removed', () => {
    const index = make();
    const entries = [entry(1, 'a b', 'c', 'd'), entry(2, 'a', 'c c')];
    index.add(entries);
    index.remove(entries);
    expect(index.size).toBe(0);
    expect(matchesOf(index, 'a')).toEqual({});
    index.add([entry(3, 'a')]);
    expect(Object.keys(matchesOf(index, 'a'))).toEqual(['3']);
  });

  it('takes words that objects inherit for words', () => {
    const index = make();
    index.add([entry(1, '__proto__ constructor')]);
    for (const term of ['__proto__', 'constructor']) expect(Object.keys(matchesOf(index, term))).toEqual(['1']);
    expect(matchesOf(index, 'toString')).toEqual({});
  });
});

it('both kinds of index give the same matches and like terms after any additions and removals', () => {
  const words = [
    'valve',
    'valves',
    'tank',
    'tanks',
    'oxygen',
    'oxygne',
    'moon',
    'b',
    'power',
    'powerful',
    '帆船',
    '船',
  ];
  const text = fc.array(fc.constantFrom(...words), { maxLength: 6 }).map((list) => list.join(' '));
  const step = fc.record({ text, title: text, tags: text, removes: fc.option(fc.nat({ max: 20 }), { freq: 2 }) });
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const [one, other] = [miniSearchIndex(), arraysOverSegments()];
      const present: LexicalEntry[] = [];
      for (const [id, { text: body, title, tags, removes }] of steps.entries()) {
        const added = entry(id, body, title, tags);
        present.push(added);
        for (const index of [one, other]) index.add([added]);
        if (removes !== null && removes < present.length) {
          const [gone] = present.splice(removes, 1);
          for (const index of [one, other]) index.remove([gone!]);
        }
      }
      expect(other.size).toBe(one.size);
      for (const word of words) {
        expect(matchesOf(other, word)).toEqual(matchesOf(one, word));
        expect(other.termsLike(word)).toEqual(one.termsLike(word));
      }
    }),
    { numRuns: 200 },
  );
});
