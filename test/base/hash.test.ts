import { expect, test } from 'vitest';
import { sha1Hex, sha256Hex } from '../../src/base/hash.ts';

test('digests of text are those of its UTF-8 bytes', () => {
  // The id git gives the empty blob.
  expect(sha1Hex('blob 0\0')).toBe('e69de29bb2d1d6434b8b29ae775ad8c2e48c5391');
  expect(sha256Hex('é')).toBe(sha256Hex(new Uint8Array([0xc3, 0xa9])));
});
