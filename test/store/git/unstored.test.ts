// A block that zlib stored is taken out without zlib: the same bytes, or nothing.

import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { unstored } from '../../../src/store/git/object-codec.ts';

const bytes = (count: number) => Buffer.from(Array.from({ length: count }, (_, at) => (at * 31 + (at >> 8)) & 255));

describe('a stored block', () => {
  it.each([0, 1, 236, 5000, 32_000, 65_535])('of %d bytes is what zlib put in', (count) => {
    const data = bytes(count);
    const stream = deflateSync(data, { level: 0, chunkSize: 128 << 10 });
    // zlib parts what does not fit its window into several blocks.
    const isOne = stream.length === count + 11;
    expect(unstored(stream, count)).toEqual(isOne ? data : null);
    expect(unstored(Buffer.concat([stream, bytes(40)]), count)).toEqual(isOne ? data : null);
    if (count <= 5000) expect(isOne).toBe(true);
  });

  it('is a copy', () => {
    const stream = deflateSync(bytes(9), { level: 0 });
    const taken = unstored(stream, 9)!;
    stream.fill(0);
    expect(taken).toEqual(bytes(9));
  });

  it('with any bit turned is none', () => {
    const stream = deflateSync(bytes(300), { level: 0 });
    for (let bit = 0; bit < stream.length * 8; bit++) {
      stream[bit >> 3]! ^= 1 << (bit & 7);
      // What zlib takes, too: it names a window of another size, or a level.
      const taken = unstored(stream, 300);
      if (bit >= 16) expect(taken, `bit ${bit}`).toBeNull();
      stream[bit >> 3]! ^= 1 << (bit & 7);
    }
    expect(unstored(stream, 300)).toEqual(bytes(300));
  });

  it('that is cut, or of another length, is none', () => {
    const stream = deflateSync(bytes(300), { level: 0 });
    for (let end = 0; end < stream.length; end++) expect(unstored(stream.subarray(0, end), 300)).toBeNull();
    expect(unstored(stream, 299)).toBeNull();
    expect(unstored(stream, 301)).toBeNull();
    expect(unstored(deflateSync(bytes(300)), 300)).toBeNull();
  });
});
