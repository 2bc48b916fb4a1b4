import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import { type Decay, isInDanger, retentionAfter, scoreOf } from '../../../src/store/records/strength.ts';

const base = defaultConfiguration().decay;
const decayOf = (model: Decay['model']): Decay => ({ ...base, model });
const models: Decay['model'][] = ['power_law', 'exponential', 'two_component'];
const day = 86_400;
const fresh = { useCount: 0, lastUsed: 1_000, strength: 1 };

describe('scoreOf', () => {
  test.each(models)('is one for a fresh memory under %s, and never more for a clock that went back', (model) => {
    expect(scoreOf(fresh, 1_000_000, decayOf(model))).toBeCloseTo(1, 12);
    expect(scoreOf(fresh, 0, decayOf(model))).toBeCloseTo(1, 12);
  });

  test('halves in the half-life', () => {
    expect(scoreOf(fresh, (1_000 + 3 * day) * 1000, base)).toBeCloseTo(0.5, 12);
    expect(retentionAfter(3 * day, decayOf('exponential'))).toBeCloseTo(0.5, 3);
  });

  test.each([0.25, 1, 14])('halves in a half-life of %d days, too', (halfLifeDays) => {
    expect(retentionAfter(halfLifeDays * day, { ...base, halfLifeDays })).toBeCloseTo(0.5, 12);
  });

  test('never grows with time, and grows with use and strength', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...models),
        fc.nat({ max: 1e9 }),
        fc.nat({ max: 1e8 }),
        fc.nat({ max: 100 }),
        (model, elapsed, more, useCount) => {
          const decay = decayOf(model);
          const score = (seconds: number, uses: number): number =>
            scoreOf({ useCount: uses, lastUsed: 0, strength: 1 }, seconds * 1000, decay);
          expect(score(elapsed + more, useCount)).toBeLessThanOrEqual(score(elapsed, useCount));
          expect(score(elapsed, useCount + 1)).toBeGreaterThanOrEqual(score(elapsed, useCount));
          expect(score(elapsed, useCount)).toBeGreaterThanOrEqual(0);
        },
      ),
    );
  });
});

describe('reviewPriorityOf', () => {
  test('is above zero within the danger zone alone, whose ends belong to it', () => {
    expect([0.149, 0.15, 0.25, 0.35, 0.351].map((score) => isInDanger(score))).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
  });
});
