import { expect, test } from 'vitest';
import { sha256Hex } from '../../src/base/hash.ts';

test('digests of text are those of its UTF-8 bytes', () => {
  expect(sha256Hex('é')).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])));
});
