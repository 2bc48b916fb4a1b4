import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Evidence, type Fusion, fuse, recencyOf } from '../../src/search/fusion.ts';

const numbers = (values: readonly number[]) => Float64Array.from(values);
const none = (count: number) => numbers(Array.from({ length: count }, () => Number.NaN));

function evidenceOf(words: readonly number[], more: Partial<Record<keyof Evidence, readonly number[]>> = {}): Evidence {
  const given = (name: keyof Evidence) => (more[name] === undefined ? none(words.length) : numbers(more[name]));
  return {
    words: numbers(words),
    vector: more.vector && numbers(more.vector),
    ageDays: given('ageDays'),
    strength: given('strength'),
    uses: given('uses'),
  };
}

const plain: Fusion = {
  strategy: 'sum',
  vectorWeight: 0,
  weights: { bm25Weight: 0.4, vectorWeight: 0.6 },
  recency: 0,
  use: 0,
};
const scores = (evidence: Evidence, fusion: Partial<Fusion>) => [...fuse(evidence, { ...plain, ...fusion }).score];

describe('fuse', () => {
  it('sums shares of words and vectors', () => {
    const evidence = evidenceOf([4, 2, 0], { vector: [-0.1, 0.5, 1] });
    expect(scores(evidence, { vectorWeight: 0.6 })).toEqual(
      [0.4, 0.2 + 0.3, 0.6].map((value) => expect.closeTo(value)),
    );
    expect(scores(evidence, { vectorWeight: 1 })).toEqual([0, 0.5, 1].map((value) => expect.closeTo(value)));
  });

  it('moves by date and use at most as much as asked, and takes what is unknown for the middle', () => {
    const evidence = evidenceOf([1, 1, 1], { ageDays: [0, 1e9, Number.NaN], strength: [1, 0, Number.NaN] });
    expect(scores(evidence, {})).toEqual([1, 1, 1]);
    const moved = scores(evidence, { recency: 0.2, use: 0.1 });
    expect(moved).toEqual([1, 0.7, 0.85].map((value) => expect.closeTo(value)));
  });

  it('follows spec 5 where asked: 0.4 and 0.6, a half-life of a week, a tenth for every use', () => {
    const evidence = evidenceOf([2, 1, 1], { vector: [0, 1, 1], ageDays: [0, 10, 10], uses: [0, 0, 3] });
    const recency = recencyOf(10);
    expect(recency).toBeCloseTo(Math.exp(-1));
    expect(scores(evidence, { strategy: 'spec' })).toEqual(
      [0.4, 0.8 * recency, 0.8 * recency * 1.3].map((value) => expect.closeTo(value)),
    );
    const weights = { bm25Weight: 0.8, vectorWeight: 0.1 };
    expect(scores(evidence, { strategy: 'spec', weights })[0]).toBeCloseTo(0.8);
  });

  it('adds reciprocal ranks, equal values sharing the better one', () => {
    const evidence = evidenceOf([9, 5, 5], { vector: [0, 0.5, 1] });
    const score = scores(evidence, { strategy: 'rrf', vectorWeight: 0.5 });
    expect(score[0]).toBeCloseTo(0.5);
    expect(score[1]).toBeCloseTo(0.5 * (61 / 62) + 0.5 * (61 / 62));
    expect(score[2]).toBeCloseTo(0.5 * (61 / 62) + 0.5);
  });

  it('gives shares, for any evidence and strategy', () => {
    const amount = fc.double({ min: 0, max: 1e6, noNaN: true });
    const candidate = fc.record({
      words: amount,
      vector: fc.double({ min: -1, max: 1, noNaN: true }),
      age: amount,
    });
    fc.assert(
      fc.property(
        fc.array(candidate, { minLength: 1, maxLength: 8 }),
        fc.constantFrom('sum' as const, 'rrf' as const, 'spec' as const),
        fc.boolean(),
        (candidates, strategy, hasVectors) => {
          const evidence = evidenceOf(
            candidates.map(({ words }) => words),
            {
              ageDays: candidates.map(({ age }) => age),
              uses: candidates.map(({ age }) => Math.floor(age)),
              ...(hasVectors ? { vector: candidates.map(({ vector }) => vector) } : {}),
            },
          );
          for (const value of scores(evidence, { strategy, vectorWeight: 0.3, recency: 0.1 })) {
            expect(value).toBeGreaterThanOrEqual(0);
            expect(value).toBeLessThanOrEqual(1 + 1e-9);
          }
        },
      ),
    );
  });
});
