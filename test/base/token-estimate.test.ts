import fc from 'fast-check';
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

  it('counts signs of one byte as it counts them among others', () => {
    const signs = ' ab c1239.,-_()\n\tXYZ internationalisation';
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...signs), { maxLength: 60 }), (some) => {
        const text = some.join('');
        // A word of another alphabet is one more, and has all of the text read by the classes of Unicode.
        expect(estimateTokens(text)).toBe(estimateTokens(`${text} ü`) - 1);
      }),
    );
  });

  it('finds more than a word and less than two per word in English prose', () => {
    const prose =
      'Objects are synced before the ref moves, because a ref to a missing object is worse than no ref at all.';
    const perWord = estimateTokens(prose) / prose.split(' ').length;
    expect(perWord).toBeGreaterThan(1);
    expect(perWord).toBeLessThan(1.4);
  });
});
