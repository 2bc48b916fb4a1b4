import { describe, expect, it } from 'vitest';
import { reinforced } from '../../../src/core/lifecycle/reinforce.ts';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { newMemory } from '../../../src/store/records/memory-record.ts';

const rules = defaultConfiguration();
const day = 86_400;
const record = newMemory({ id: 'one', content: 'Something.', now: 0, tags: ['git', 'merge'] });

describe('a use of a memory', () => {
  it('is counted and dated, and leaves the strength as it is', () => {
    const used = reinforced(record, { now: day * 1000 + 999 }, rules);
    expect(used).toEqual({ ...record, lastUsed: day, useCount: 1, lastReviewAt: day, reviewCount: 1 });
  });

  it('never goes back in time', () => {
    const used = reinforced({ ...record, lastUsed: 500, lastReviewAt: 400 }, { now: 100_000 }, rules);
    expect(used).toMatchObject({ lastUsed: 500, lastReviewAt: 400, useCount: 1 });
  });

  it.each([
    [['git', 'merge'], 0],
    // One of three: 0.33 is not below 0.3.
    [['git', 'rebase'], 0],
    [['Git', 'rebase'], 0],
    // One of four: 0.25 is.
    [['git', 'rebase', 'bisect'], 1],
    [['cooking'], 1],
    [[], 0],
  ])('among the tags %j counts as one in another domain: %d', (tags, count) => {
    const used = reinforced(record, { now: 0, tags }, rules);
    expect(used.crossDomainCount).toBe(count);
    expect(used.strength).toBeCloseTo(1 + 0.05 * count, 12);
  });

  it('of a memory without tags is in no other domain', () => {
    const bare = { ...record, meta: { ...record.meta, tags: [] } };
    expect(reinforced(bare, { now: 0, tags: ['cooking'] }, rules).crossDomainCount).toBe(0);
  });

  it('makes it stronger when it is boosted, up to the cap and never weaker', () => {
    expect(reinforced(record, { now: 0, boost: true }, rules).strength).toBeCloseTo(1.1, 12);
    const abroad = { now: 0, boost: true, tags: ['cooking'] };
    expect(reinforced(record, abroad, rules).strength).toBeCloseTo(1.15, 12);
    expect(reinforced({ ...record, strength: 1.95 }, abroad, rules).strength).toBe(2);
    expect(reinforced({ ...record, strength: 2.5 }, abroad, rules).strength).toBe(2.5);
  });

  it('keeps the review priority of what it leaves behind', () => {
    const weak = { ...record, strength: 0.25 };
    // One use: twice to the power of beta.
    expect(reinforced({ ...weak, strength: 0.25 / 2 ** 0.6 }, { now: 0 }, rules).reviewPriority).toBeCloseTo(1, 12);
    expect(reinforced({ ...weak, reviewPriority: 0.7 }, { now: 0 }, rules).reviewPriority).toBe(0);
  });
});
