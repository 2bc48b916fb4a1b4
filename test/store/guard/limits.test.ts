import { expect, test } from 'vitest';
import { checkGiven, checkSize } from '../../../src/store/guard/limits.ts';

test('sizes count bytes, not characters', () => {
  expect(() => checkSize('é'.repeat(5), 10, 'a.md')).not.toThrow();
  expect(() => checkSize('é'.repeat(6), 10, 'a.md')).toThrow(/a\.md has 12 bytes, and 10 are allowed/);
  expect(() => checkSize(new Uint8Array(11), 10, 'a.md')).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
  expect(() => checkSize(10, 10, 'a.md')).not.toThrow();
});

test('what a caller gives is held to the limit of its field, or of the field that holds it', () => {
  const long = (bytes: number) => 'x'.repeat(bytes);
  const refused = (where: string) => expect.objectContaining({ code: 'TOO_LARGE', where });
  expect(() => checkGiven(long(64 << 10), 'query')).not.toThrow();
  expect(() => checkGiven(long((64 << 10) + 1), 'query')).toThrow(refused('query'));
  expect(() => checkGiven({ tags: ['a', long(70_000)] }, 'input')).toThrow(refused('tags'));
  expect(() => checkGiven({ messages: [{ text: long(2 << 20) }] }, 'input')).not.toThrow();
  expect(() => checkGiven({ turns: [{ text: long(2 << 20) }] }, 'input')).toThrow(refused('text'));
  expect(() => checkGiven([{ name: 'a', text: long(65 << 20) }], 'sources')).not.toThrow();
  expect(() => checkGiven([{ name: long(70_000), text: 'a' }], 'sources')).toThrow(refused('name'));
  const round: Record<string, unknown> = {};
  round.round = round;
  expect(() => checkGiven(round, 'input')).not.toThrow();
});
