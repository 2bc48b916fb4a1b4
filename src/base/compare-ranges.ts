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
  // In Deno, `a.compare(b, …)` takes no range of `b` that ends behind the end of `a`. The longer of the two can always be asked.
  return a.length >= bEnd ? a.compare(b, bStart, bEnd, aStart, aEnd) : 0 - b.compare(a, aStart, aEnd, bStart, bEnd);
}
