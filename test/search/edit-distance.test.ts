import fc from 'fast-check';
import { expect, it } from 'vitest';
import { editDistance } from '../../src/search/edit-distance.ts';

/** The definition. */
function plain(one: string, other: string): number {
  if (one === '' || other === '') return one.length + other.length;
  const [rest, otherRest] = [one.slice(1), other.slice(1)];
  if (one[0] === other[0]) return plain(rest, otherRest);
  return 1 + Math.min(plain(rest, otherRest), plain(one, otherRest), plain(rest, other));
}

it('is that of the definition up to the limit, and above it above', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'ü'), maxLength: 7 });
  fc.assert(
    fc.property(word, word, fc.nat({ max: 4 }), (one, other, limit) => {
      const distance = plain(one, other);
      const found = editDistance(one, other, limit);
      if (distance <= limit) expect(found).toBe(distance);
      else expect(found).toBeGreaterThan(limit);
    }),
    { numRuns: 2000 },
  );
});

it('compares long words, too', () => {
  expect(editDistance(`x${'a'.repeat(300)}y`, `z${'a'.repeat(300)}w`, 2)).toBe(2);
  expect(editDistance('ab'.repeat(200), 'ba'.repeat(200), 3)).toBe(2);
  expect(editDistance('ab'.repeat(200), 'cd'.repeat(200), 3)).toBeGreaterThan(3);
});
