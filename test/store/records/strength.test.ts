import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultConfiguration } from '../../../src/store/records/configuration.ts';
import {
  type Decay,
  isInDanger,
  retentionAfter,
  reviewPriorityOf,
  scoreOf,
} from '../../../src/store/records/strength.ts';

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

  // Worked out with 60 decimal digits from the formulas, by Python's decimal: uses, strength, seconds; then the three models.
  test.each([
    [0, 1, 0, 1, 1, 1],
    [0, 1, 1, 0.99999627451940787, 0.99999732700357247, 0.99998843499013312],
    [1, 1, 3600, 1.4956451222450564, 1.5012010809503156, 1.4543477301077041],
    [0, 1, 43200, 0.86053310875080324, 0.8909440928506559, 0.63572514543997605],
    [3, 1.2, 86400, 2.0787346635422557, 2.18835686762645, 1.2321126550780681],
    [2, 1.35, 259200, 1.3048978803289399, 1.3052966926854304, 0.610238422610895],
    [7, 1.9, 604800, 1.9414990472732117, 1.3137536364272919, 0.99215886865182035],
    [0, 1, 2592000, 0.081413187883803431, 0.00097955124934848126, 0.015344521037614241],
    [40, 2, 7776000, 0.48785907459539235, 1.7449452233562359e-8, 0.00074527715864396778],
    [5, 0.5, 31536000, 0.0085104243888199753, 3.6032237892459123e-37, 8.5856334521432612e-17],
    [1000, 2, 315360000, 0.058801150433321479, 0, 3.0641853745922232e-156],
  ])('has exact values: %d uses, strength %d, %d seconds', (useCount, strength, seconds, ...expected) => {
    for (const [at, model] of models.entries()) {
      const score = scoreOf(
        { useCount, strength, lastUsed: 1_700_000_000 },
        (1_700_000_000 + seconds) * 1000,
        decayOf(model),
      );
      expect(Math.abs(score - expected[at]!)).toBeLessThanOrEqual(1e-9);
    }
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
  test.each([
    [0.149, 0],
    [0.15, 0],
    [0.16, 0.19],
    [0.2, 0.75],
    [0.25, 1],
    [0.2718281828, 0.95235304356497841],
    [0.3, 0.75],
    [0.35, 0],
    [0.351, 0],
    [5, 0],
  ])('of a score of %d is %d', (score, priority) => {
    expect(Math.abs(reviewPriorityOf(score) - priority)).toBeLessThanOrEqual(1e-9);
  });

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
