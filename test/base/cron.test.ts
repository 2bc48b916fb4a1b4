import { Cron } from 'croner';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isCron } from '../../src/base/cron.ts';

const rangeOf = (low: number, high: number) =>
  fc.oneof(
    fc.constant('*'),
    fc.integer({ min: low, max: high }).map(String),
    fc
      .tuple(fc.integer({ min: low, max: high }), fc.integer({ min: low, max: high }))
      .map(([a, b]) => `${Math.min(a, b)}-${Math.max(a, b)}`),
  );
const fieldOf = (low: number, high: number) =>
  fc
    .array(
      fc
        .tuple(rangeOf(low, high), fc.option(fc.integer({ min: 0, max: high + 3 })))
        .map(([range, step]) => (step === null ? range : `${range}/${step}`)),
      { minLength: 1, maxLength: 3 },
    )
    .map((items) => items.join(','));

describe('a cron expression', () => {
  it.each(['0 23 * * *', '0 0 * * 0', '*/15 * * * *', '59 23 * * sun', '0 3 1 jan-mar 1-5/2', ' 0  3 * * 7 ', 'off'])(
    'is %j',
    (text) => expect(isCron(text)).toBe(true),
  );

  it.each([
    '',
    '0 23 * *',
    '0 23 * * * *',
    '60 0 * * *',
    '0 24 * * *',
    '0 0 0 * *',
    '0 0 * 13 *',
    '0 0 * * 8',
    '5/5 * * * *',
  ])('is not %j', (text) => expect(isCron(text)).toBe(false));

  it.each(['*/0 * * * *', '9-3 * * * *', '@daily', 'a b c d e', '0 0 L * *', '-1 0 * * *', '0 0 * * mon-', 'Off'])(
    'is not %j either',
    (text) => expect(isCron(text)).toBe(false),
  );

  it('is understood by the library that tells its times, whenever it is one', () => {
    const expression = fc.tuple(fieldOf(0, 59), fieldOf(0, 23), fieldOf(1, 31), fieldOf(1, 12), fieldOf(0, 7));
    fc.assert(
      fc.property(expression, (fields) => {
        const text = fields.join(' ');
        if (isCron(text)) expect(() => new Cron(text, { paused: true, mode: '5-part' })).not.toThrow();
      }),
      { numRuns: 500 },
    );
  });
});
