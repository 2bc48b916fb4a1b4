// Numbers in order.

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
