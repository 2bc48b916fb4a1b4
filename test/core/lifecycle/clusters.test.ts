import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { tokensOf } from '../../../src/base/tokenizer.ts';
import { vectorOfTerms } from '../../../src/core/lifecycle/hashed-words.ts';
import {
  clustersOf,
  cohesionOf,
  cosineLikeness,
  nearPairs,
  wordLikeness,
} from '../../../src/core/lifecycle/likeness.ts';

const symmetric = (table: readonly (readonly number[])[]) => (one: number, other: number) =>
  table[Math.min(one, other)]![Math.max(one, other)]!;

function pairsOf(count: number, likenessOf: (one: number, other: number) => number, threshold: number) {
  const pairs = [];
  for (let one = 0; one < count; one++) {
    for (let other = one + 1; other < count; other++) {
      const likeness = likenessOf(one, other);
      if (likeness >= threshold) pairs.push({ one, other, likeness });
    }
  }
  return pairs;
}

describe('clustersOf', () => {
  it('follows chains, and tells how alike the members are on average', () => {
    const likenessOf = symmetric([
      [1, 0.9, 0.5, 0],
      [1, 1, 0.85, 0],
      [1, 1, 1, 0],
      [1, 1, 1, 1],
    ]);
    const clusters = clustersOf(pairsOf(4, likenessOf, 0.83), likenessOf, 12);
    expect(clusters).toEqual([{ members: [0, 1, 2], cohesion: (0.9 + 0.5 + 0.85) / 3 }]);
    expect(cohesionOf([3], likenessOf)).toBe(1);
  });

  it('keeps the most alike together where all would be too many', () => {
    const likenessOf = symmetric([
      [1, 0.84, 0, 0],
      [1, 1, 0.86, 0],
      [1, 1, 1, 0.85],
      [1, 1, 1, 1],
    ]);
    expect(clustersOf(pairsOf(4, likenessOf, 0.83), likenessOf, 2).map(({ members }) => members)).toEqual([[1, 2]]);
    expect(clustersOf(pairsOf(4, likenessOf, 0.83), likenessOf, 3).map(({ members }) => members)).toEqual([[1, 2, 3]]);
  });

  it('is single linkage without a limit, in whatever order the pairs come', () => {
    const edge = fc.tuple(fc.nat(11), fc.nat(11), fc.integer({ min: 83, max: 100 }));
    fc.assert(
      fc.property(fc.array(edge, { maxLength: 20 }), (edges) => {
        const known = new Map<string, number>();
        for (const [a, b, likeness] of edges) {
          if (a !== b) known.set(`${Math.min(a, b)} ${Math.max(a, b)}`, likeness / 100);
        }
        const pairs = [...known].map(([key, likeness]) => {
          const [one, other] = key.split(' ').map(Number) as [number, number];
          return { one, other, likeness };
        });
        const likenessOf = (one: number, other: number) =>
          known.get(`${Math.min(one, other)} ${Math.max(one, other)}`) ?? 0;
        const clusters = clustersOf(pairs, likenessOf, 100);
        // The model: spread the smallest number along all edges until nothing changes.
        const label = Array.from({ length: 12 }, (_, at) => at);
        for (let round = 0; round < 12; round++) {
          for (const { one, other } of pairs) label[one] = label[other] = Math.min(label[one]!, label[other]!);
        }
        const groups = new Map<number, number[]>();
        label.forEach((root, at) => {
          groups.set(root, [...(groups.get(root) ?? []), at]);
        });
        const expected = [...groups.values()].filter((members) => members.length > 1);
        expect(clusters.map(({ members }) => members)).toEqual(expected);
        expect(clustersOf([...pairs].reverse(), likenessOf, 100)).toEqual(clusters);
        for (const { members } of clustersOf(pairs, likenessOf, 3)) expect(members.length).toBeLessThanOrEqual(3);
      }),
    );
  });
});

const word = fc.constantFrom(
  ...'the crew checked fuel cell seven again and again with great care today'.split(' '),
  'x',
);
const anyTexts = fc.array(
  fc.array(word, { maxLength: 8 }).map((words) => words.join(' ')),
  { maxLength: 30 },
);

describe('likeness', () => {
  it('by words is the shared part of all words longer than two letters', () => {
    const likeness = wordLikeness(['The crew checked it', 'the CREW, checked!', 'fuel cell', 'it is']);
    expect(likeness.of(0, 1)).toBe(1);
    expect(likeness.of(0, 2)).toBe(0);
    expect(likeness.of(3, 3)).toBe(0);
    expect(likeness.by).toBe('words');
  });

  it('by words finds every pair that comparing all with all finds', async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, fc.constantFrom(0.5, 0.75, 0.83, 1), async (texts, threshold) => {
        const likeness = wordLikeness(texts);
        const found = await likeness.pairs(threshold);
        const order = (a: { one: number; other: number }, b: { one: number; other: number }) =>
          a.one - b.one || a.other - b.other;
        expect(found.sort(order)).toEqual(pairsOf(texts.length, likeness.of, threshold));
      }),
    );
  });

  it('calls two texts near when one has six tenths of what the shorter is about, two words at least', async () => {
    const found = await nearPairs([
      'Zeynep is allergic to walnuts',
      'Zeynep has a walnut allergy that the school knows of',
      'Zeynep sings',
      'The fees of the school were paid by Zeynep',
    ]);
    expect(found).toEqual([{ one: 0, other: 1 }]);
    await fc.assert(
      fc.asyncProperty(anyTexts, async (texts) => {
        const sets = texts.map((text) => new Set(tokensOf(text)));
        const expected = pairsOf(
          texts.length,
          (one, other) => {
            const [a, b] = [sets[one]!, sets[other]!];
            const shared = [...a].filter((term) => b.has(term)).length;
            return shared < 2 ? 0 : shared / Math.min(a.size, b.size);
          },
          0.6,
        );
        expect(await nearPairs(texts)).toEqual(expected.map(({ one, other }) => ({ one, other })));
      }),
    );
  });

  it('by vectors finds every pair that comparing all with all finds, and asks words where there is no vector', async () => {
    await fc.assert(
      fc.asyncProperty(anyTexts, fc.constantFrom(0.5, 0.83), async (texts, threshold) => {
        const vectors = texts.map((text) => vectorOfTerms(tokensOf(text)));
        const given = vectors.map((vector, at) =>
          at % 3 === 2 || vector.every((value) => value === 0) ? null : vector,
        );
        const likeness = cosineLikeness('hashed words', given, texts);
        const found = await likeness.pairs(threshold);
        const key = ({ one, other }: { one: number; other: number }) => `${one} ${other}`;
        expect(found.map(key).sort()).toEqual(pairsOf(texts.length, likeness.of, threshold).map(key).sort());
      }),
      { numRuns: 40 },
    );
  });

  it('is given up when asked', async () => {
    const texts = Array.from({ length: 600 }, (_, at) => `text number ${at}`);
    const stop = new AbortController();
    const run = wordLikeness(texts).pairs(0.8, { signal: stop.signal, onProgress: () => stop.abort() });
    await expect(run).rejects.toThrow('abort');
  });
});

it('lets others work between two texts, and hears a signal there, where each takes long', async () => {
  // A clock by which each look is a second after the last.
  let seconds = 0;
  const clock = vi.spyOn(process, 'hrtime').mockImplementation((() => [++seconds, 0]) as unknown as NodeJS.HRTime);
  try {
    const texts = Array.from({ length: 20 }, (_, at) => `The lamp of house ${at} is on`);
    for (const pairs of [
      (signal: AbortSignal) => wordLikeness(texts).pairs(0.5, { signal }),
      (signal: AbortSignal) => nearPairs(texts, { signal }),
    ]) {
      const asked = new AbortController();
      const found = pairs(asked.signal);
      setImmediate(() => asked.abort());
      await expect(found).rejects.toMatchObject({ name: 'AbortError' });
    }
  } finally {
    clock.mockRestore();
  }
});
