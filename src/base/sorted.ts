// Numbers in order, and how this machine writes them.

export const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Finds the first of sorted numbers that is not below one, from a place on, before another. */
export function firstNotBelow(sorted: ArrayLike<number>, wanted: number, from = 0, to = sorted.length): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
