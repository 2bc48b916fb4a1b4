import { expect, it } from 'vitest';
import { compareRanges } from '../../src/base/compare-ranges.ts';

it('compares ranges of buffers of any lengths, and asks none for more than it has', () => {
  const compare = Buffer.prototype.compare;
  const strict = function (this: Buffer, other: Uint8Array, ...[from = 0, to = other.length, ...rest]: number[]) {
    // As Deno does.
    if (to > this.length) throw new RangeError('out of range');
    return compare.call(this, other, from, to, ...rest);
  };
  const buffers = ['', 'a', 'ab', 'abcabc', 'xxab'].map((text) => Buffer.from(text));
  Buffer.prototype.compare = strict as typeof compare;
  try {
    for (const a of buffers) {
      for (const b of buffers) {
        for (let start = 0; start <= b.length; start += 1) {
          const order = Math.sign(compareRanges(a, 0, a.length, b, start, b.length));
          expect(order).toBe(Buffer.compare(a, b.subarray(start)));
        }
      }
    }
  } finally {
    Buffer.prototype.compare = compare;
  }
});
