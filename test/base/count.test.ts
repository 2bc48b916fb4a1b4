import fc from 'fast-check';
import { expect, test } from 'vitest';
import { count, grouped } from '../../src/base/count.ts';

test('one thing and many are counted', () => {
  expect(count(1, 'memory', 'memories')).toBe('1 memory');
  expect(count(0, 'memory', 'memories')).toBe('0 memories');
  expect(count(12_345, 'turn')).toBe('12,345 turns');
});

test('a whole number looks as Intl writes it', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (number) => {
      // Of the two zeros only one is a count.
      expect(grouped(number)).toBe((number === 0 ? 0 : number).toLocaleString('en-US'));
    }),
  );
});
