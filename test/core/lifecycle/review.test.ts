import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import { blendReviews, dueForReview, triageOf, weakMemories } from '../../../src/core/lifecycle/spaced-review.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const rules = defaultConfiguration();
const stored = (id: string, given: Partial<MemoryRecord> = {}) => ({
  path: `memories/${id}.json`,
  oid: '0'.repeat(40),
  record: { ...newMemory({ id, content: 'x', now: 0 }), ...given },
});

describe('the list of what is due', () => {
  // At the time of the last use the score is the strength.
  const at = (...strengths: number[]) => strengths.map((strength, number) => stored(`m${number}`, { strength }));

  it('holds active memories of the danger zone from a priority of 0.3 on, the best first', () => {
    const due = dueForReview(at(0.1, 0.16, 0.17, 0.25, 0.3, 0.34, 1), 0, rules);
    expect(due.map(({ stored: { record } }) => record.strength)).toEqual([0.25, 0.3, 0.17]);
    expect(due[0]!.priority).toBeCloseTo(1, 12);
    const others = (['archived', 'superseded', 'promoted', 'schema'] as const).map((status) =>
      stored(status, { status, strength: 0.25 }),
    );
    expect(dueForReview(others, 0, rules)).toEqual([]);
  });

  it('ends at fifty, or at what is asked', () => {
    const many = Array.from({ length: 60 }, (_, number) => stored(`m${number}`, { strength: 0.25 }));
    expect(dueForReview(many, 0, rules)).toHaveLength(50);
    expect(dueForReview(many, 0, rules, 7)).toHaveLength(7);
  });

  it('tells of weak memories apart, weakest first', () => {
    expect(weakMemories(at(0.3, 0.01, 0.9, 0.12), 0, rules).map(({ score }) => score)).toEqual([0.01, 0.12, 0.3]);
  });
});

describe('triage', () => {
  it.each([
    [0.049, 5, 1, 'high', 'reinforce'],
    [0.049, 4, 1, 'high', 'collect'],
    [0.05, 3, 1, 'high', 'reinforce'],
    [0.099, 2, 1, 'high', 'collect'],
    [0.1, 9, 2, 'medium', 'consolidate'],
    [0.199, 0, 2, 'medium', 'consolidate'],
    [0.2, 0, 1.5, 'medium', 'promote'],
    [0.249, 0, 1.49, 'medium', 'reinforce'],
    [0.25, 0, 1, 'low', 'reinforce'],
  ])('of a score of %d, used %d times, strength %d is %s: %s', (score, useCount, strength, urgency, action) => {
    expect(triageOf({ useCount, strength }, score)).toEqual({ urgency, action });
  });
});

describe('reviews among results', () => {
  const blend = (results: string[], reviews: string[], limit: number, ratio = 0.3) =>
    blendReviews(results, reviews, { limit, ratio, keyOf: (item) => item });
  const letters = (text: string) => [...text];

  it('stand behind every two results, as many as the ratio says', () => {
    expect(blend(letters('abcdefghij'), letters('VWXYZ'), 10).join('')).toBe('abVcdWefXg');
    expect(blend(letters('abcdefghij'), letters('VWXYZ'), 3).join('')).toBe('abc');
    expect(blend(letters('abcdefghij'), letters('VWXYZ'), 4).join('')).toBe('abVc');
  });

  it('leave their places to results where there are too few, and the other way round', () => {
    expect(blend(letters('abcdefghij'), letters('V'), 10).join('')).toBe('abVcdefghi');
    expect(blend(letters('a'), letters('VWXYZ'), 10).join('')).toBe('aVWX');
    expect(blend([], letters('VW'), 10).join('')).toBe('VW');
  });

  it('never stand twice, and never push out what is both', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop')),
        fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop')),
        fc.integer({ min: 1, max: 12 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (results, reviews, limit, ratio) => {
          const blended = blend(results, reviews, limit, ratio);
          expect(new Set(blended).size).toBe(blended.length);
          expect(blended.length).toBeLessThanOrEqual(limit);
          // Nothing is left out that has a place: either all results and reviews are in, or the places are taken.
          const slots = Math.floor(limit * ratio);
          const possible = new Set([...results, ...reviews.filter((one) => !results.includes(one)).slice(0, slots)]);
          if (blended.length < limit) for (const one of results) expect(blended).toContain(one);
          expect(blended.length).toBeGreaterThanOrEqual(Math.min(limit - slots, possible.size));
          for (const one of results.slice(0, limit - slots)) expect(blended).toContain(one);
        },
      ),
    );
  });
});
