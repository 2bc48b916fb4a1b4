import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../src/base/token-estimate.ts';

describe('estimateTokens', () => {
  it('counts short words once, long ones by pieces, digits in threes and signs in twos', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('the crew checked it')).toBe(4);
    expect(estimateTokens('internationalisation')).toBe(3);
    expect(estimateTokens('2026-11-02')).toBe(6);
    expect(estimateTokens('wait...')).toBe(3);
    expect(estimateTokens('日本語')).toBe(3);
  });

  it('finds more than a word and less than two per word in English prose', () => {
    const prose =
      'Objects are synced before the ref moves, because a ref to a missing object is worse than no ref at all.';
    const perWord = estimateTokens(prose) / prose.split(' ').length;
    expect(perWord).toBeGreaterThan(1);
    expect(perWord).toBeLessThan(1.4);
  });
});
