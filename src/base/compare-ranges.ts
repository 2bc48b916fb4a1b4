// Bytes within two buffers, compared without copying them.

/** Compares a range of one buffer with a range of another one: negative, zero or positive, as `Buffer.compare`. */
export function compareRanges(
  a: Buffer,
  aStart: number,
  aEnd: number,
  b: Buffer,
  bStart: number,
  bEnd: number,
): number {
  // Deno takes no range of the other buffer that ends behind the end of the one that is asked; the longer of the two can always be.
  return a.length >= bEnd ? a.compare(b, bStart, bEnd, aStart, aEnd) : 0 - b.compare(a, aStart, aEnd, bStart, bEnd);
}
