import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { miniSearchIndex } from '../../src/adapters/mini-search-index.ts';
import type { LexicalEntry, LexicalIndex } from '../../src/search/lexical-index.ts';
import { arraysOverSegments } from '../helpers/array-index.ts';

const entry = (id: number, text: string, title = '', tags = ''): LexicalEntry => {
  const terms = (words: string) => words.split(' ').filter((word) => word !== '');
  return { id, terms: { text: terms(text), title: terms(title), tags: terms(tags) } };
};

/** Scores by id, to six digits: MiniSearch keeps running averages. */
function scoresOf(index: LexicalIndex, term: string): Record<number, number> {
  const { ids, scores } = index.matchesOf(term);
  return Object.fromEntries(Array.from(ids, (id, at) => [id, Number(scores[at]!.toPrecision(6))]));
}

describe.each([
  ['MiniSearch', miniSearchIndex],
  ['typed arrays', arraysOverSegments],
])('an index on %s', (_, make) => {
  it('scores what holds the term: more where it is frequent, rare, or in a short text', () => {
    const index = make();
    index.add([
      entry(1, 'valve stuck'),
      entry(2, 'valve valve stuck'),
      entry(3, 'the valve of the tank in the bay of the ship'),
      entry(4, 'pump'),
    ]);
    const valve = scoresOf(index, 'valve');
    expect(Object.keys(valve)).toEqual(['1', '2', '3']);
    expect(valve[2]).toBeGreaterThan(valve[1]!);
    expect(valve[1]).toBeGreaterThan(valve[3]!);
    expect(scoresOf(index, 'pump')[4]).toBeGreaterThan(valve[1]!);
    expect(scoresOf(index, 'moon')).toEqual({});
  });

  it('weighs the text above tags above titles', () => {
    const index = make();
    index.add([entry(1, 'moon'), entry(2, '', 'moon'), entry(3, '', '', 'moon'), entry(4, 'other', 'other', 'other')]);
    const { 1: text, 2: title, 3: tags } = scoresOf(index, 'moon');
    expect(text).toBeGreaterThan(tags!);
    expect(tags).toBeGreaterThan(title!);
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

  it('is empty again when all is removed', () => {
    const index = make();
    const entries = [entry(1, 'a b', 'c', 'd'), entry(2, 'a', 'c c')];
    index.add(entries);
    index.remove(entries);
    expect(index.size).toBe(0);
    expect(scoresOf(index, 'a')).toEqual({});
    index.add([entry(3, 'a')]);
    expect(Object.keys(scoresOf(index, 'a'))).toEqual(['3']);
  });

  it('takes words that objects inherit for words', () => {
    const index = make();
    index.add([entry(1, '__proto__ constructor')]);
    for (const term of ['__proto__', 'constructor']) expect(Object.keys(scoresOf(index, term))).toEqual(['1']);
    expect(scoresOf(index, 'toString')).toEqual({});
  });
});

it('both kinds of index give the same scores and like terms after any additions and removals', () => {
  const words = ['valve', 'valves', 'tank', 'tanks', 'oxygen', 'oxygne', 'moon', 'b', 'power', 'powerful'];
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
        expect(scoresOf(other, word)).toEqual(scoresOf(one, word));
        expect(other.termsLike(word)).toEqual(one.termsLike(word));
      }
    }),
    { numRuns: 200 },
  );
});
