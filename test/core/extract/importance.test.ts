import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { memoryCategories } from '../../../src/base/types/stored-types.ts';
import { confidenceTierOf, importanceOf } from '../../../src/core/extract/importance.ts';
import { memoryKindOf } from '../../../src/core/extract/plan.ts';

describe('importanceOf', () => {
  it('adds up what the specification lists', () => {
    expect(importanceOf('The sky above the harbour')).toBe(0.5);
    expect(importanceOf('The security of the harbour')).toBe(0.7);
    expect(importanceOf('The important harbour bridge')).toBe(0.62);
    expect(importanceOf('Perhaps the harbour bridge')).toBe(0.35);
    expect(importanceOf('The sky above the harbour', 'correction')).toBe(0.65);
    expect(importanceOf('The sky above my harbour')).toBe(0.55);
    expect(importanceOf('The sky above harbour 7')).toBe(0.53);
    expect(importanceOf('The sky above the harbour', undefined, ['security', 'Urgent', 'x'])).toBe(0.6);
    expect(importanceOf('word '.repeat(200))).toBe(0.6);
  });

  it('is 0.1 for trivial text', () => {
    for (const text of ['', 'okay', 'Thank you!!', 'short one']) expect(importanceOf(text)).toBe(0.1);
  });

  it('stays between 0 and 1 with two places', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), fc.constantFrom(...memoryCategories), (text, category) => {
        const importance = importanceOf(text, category, ['critical', 'urgent', 'security', 'p0', 'p1']);
        expect(importance).toBeGreaterThanOrEqual(0);
        expect(importance).toBeLessThanOrEqual(1);
        expect(Math.round(importance * 100)).toBeCloseTo(importance * 100, 9);
      }),
    );
  });
});

describe('confidenceTierOf', () => {
  it('has tiers at 0.95, 0.70 and 0.40; what is no number is speculative', () => {
    expect([1, 0.95, 0.94, 0.7, 0.69, 0.4, 0.39, 0, Number.NaN].map((one) => confidenceTierOf(one))).toEqual([
      'explicit',
      'explicit',
      'implied',
      'implied',
      'inferred',
      'inferred',
      'speculative',
      'speculative',
      'speculative',
    ]);
  });
});

describe('memoryKindOf', () => {
  it('asks time, category, tags, verbs and wording in this order', () => {
    expect(memoryKindOf('We decided yesterday to use tabs', 'decision')).toBe('episode');
    expect(memoryKindOf('We decided to use tabs', 'decision')).toBe('note');
    expect(memoryKindOf('We use tabs', 'moment', ['policy'])).toBe('episode');
    expect(memoryKindOf('Deployed the tabs', 'fact', ['policy', 'event'])).toBe('note');
    expect(memoryKindOf('Tabs are used', 'fact', ['event'])).toBe('episode');
    expect(memoryKindOf('Merged the branch that is long', 'fact')).toBe('episode');
    expect(memoryKindOf('The build uses esbuild', 'fact')).toBe('note');
    expect(memoryKindOf('Blue sky over Berlin')).toBe('episode');
    expect(memoryKindOf("I'll send it tomorrow", 'commitment')).toBe('note');
  });
});
