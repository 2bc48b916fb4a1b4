import { expect, test } from 'vitest';
import { checkIdentity } from '../../../src/store/guard/identity.ts';

test('an ordinary identity passes, trimmed', () => {
  expect(checkIdentity({ name: ' Ada Lovelace ', email: 'ada@example.org' })).toEqual({
    name: 'Ada Lovelace',
    email: 'ada@example.org',
  });
});

test.each([
  { name: '', email: 'a@b' },
  { name: ' . ', email: 'a@b' },
  { name: 'a', email: ' ' },
  { name: 'a\ncommitter Eve <e@e> 0 +0000', email: 'a@b' },
  { name: 'a\r', email: 'a\0b' },
  { name: 'a <x>', email: 'a@b' },
  { name: 'a', email: 'a@b> 0 +0000\nx' },
  { name: 'a\ud800', email: 'a@b' },
  { name: undefined as never, email: 'a@b' },
])('the identity %j is refused', (identity) => {
  expect(() => checkIdentity(identity)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
});

test('an identity longer than a header line should be is refused', () => {
  expect(() => checkIdentity({ name: 'a'.repeat(600), email: 'a@b' })).toThrow(
    expect.objectContaining({ code: 'TOO_LARGE' }),
  );
});
