// Numbers and words in order, and how this machine writes them.

export const isLittleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/** Finds the first of sorted values that is not below one, from a place on, before another. */
export function firstNotBelow<V extends string | number>(all: ArrayLike<V>, wanted: V, from = 0, to = all.length) {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (all[middle]! < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
