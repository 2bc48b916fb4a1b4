import { expect, test } from 'vitest';
import { checkSize } from '../../src/guard/limits.ts';

test('sizes count bytes, not characters', () => {
  expect(() => checkSize('é'.repeat(5), 10, 'a.md')).not.toThrow();
  expect(() => checkSize('é'.repeat(6), 10, 'a.md')).toThrow(/a\.md has 12 bytes, and 10 are allowed/);
  expect(() => checkSize(new Uint8Array(11), 10, 'a.md')).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  expect(() => checkSize(10, 10, 'a.md')).not.toThrow();
});
