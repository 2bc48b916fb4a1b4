import { describe, expect, it } from 'vitest';
import type { WordVectors } from '../../../src/base/ports.ts';
import { WordLikeness } from '../../../src/search/vectors/word-likeness.ts';

const vectors: Record<string, readonly number[]> = {
  the: [0.2, 0, 0],
  car: [0, 3, 0],
  van: [0, 2.4, 0.7],
  lamp: [0, 0, 2],
};

/** What the formula gives for these vectors, without a table of integers. */
function expected(one: string, other: string): number {
  const wordsIn = (text: string) => [...new Set(text.split(' '))].flatMap((word) => vectors[word] ?? []).length;
  if (wordsIn(one) === 0 || wordsIn(other) === 0) return 0;
  const known = (text: string) =>
    [...new Set(text.split(' '))].flatMap((word) => (vectors[word] ? [vectors[word]] : []));
  const dot = (a: readonly number[], b: readonly number[]) => a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  const side = (from: string, to: string) => {
    const weighed = known(from).map((vector) => {
      const cosines = known(to).map(
        (facing) => dot(vector, facing) / Math.sqrt(dot(vector, vector) * dot(facing, facing)),
      );
      return [dot(vector, vector), Math.max(...cosines)] as const;
    });
    return (
      weighed.reduce((sum, [weight, most]) => sum + weight * most, 0) /
      weighed.reduce((sum, [weight]) => sum + weight, 0)
    );
  };
  return Math.max(0, (side(one, other) + side(other, one)) / 2);
}

describe('likeness by words', () => {
  let asked = 0;
  const words: WordVectors = {
    dimensions: 3,
    wordsIn: (text) => text.split(' '),
    vectorOf: (word) => {
      asked += 1;
      return Float32Array.from(vectors[word] ?? [0, 0, 0]);
    },
  };
  const likeness = new WordLikeness(words);

  it.each([
    ['the car', ['the car', 'the van', 'the lamp', 'car lamp', 'unheard of', '']],
    ['lamp lamp', ['the lamp', 'van']],
    ['nothing known', ['the car']],
  ])('of "%s" is that of the nearest word on the other side', (text, others) => {
    for (const [at, value] of likeness.nearTo(text, others).entries())
      expect(value).toBeCloseTo(expected(text, others[at]!), 1);
  });

  it('asks for a word once, and starts anew after many', () => {
    expect(asked).toBeLessThanOrEqual(9);
    const before = likeness.nearTo('the car', ['the van']);
    const many: WordVectors = { ...words, vectorOf: (word) => Float32Array.of(1, word.length, word.charCodeAt(0)) };
    const large = new WordLikeness(many);
    const crowd = Array.from({ length: 9000 }, (_, number) =>
      String.fromCharCode(97 + (number % 26)).repeat(1 + number / 26),
    ).join(' ');
    const first = large.nearTo('abc', ['abd']);
    large.nearTo('abc', [crowd]);
    expect(large.nearTo('abc', ['abd'])).toEqual(first);
    expect(likeness.nearTo('the car', ['the van'])).toEqual(before);
  });
});
