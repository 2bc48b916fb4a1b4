// The largest of many numbers, without sorting them all.

/** The `count` largest of all numbers added: a heap with the least of them on top. */
export class LargestValues {
  readonly #heap: Float64Array;
  #size = 0;

  /** `count` is 1 or more. */
  constructor(count: number) {
    this.#heap = new Float64Array(count);
  }

  /** The least of the largest; minus infinity until there are `count`. */
  get least(): number {
    return this.#size < this.#heap.length ? Number.NEGATIVE_INFINITY : this.#heap[0]!;
  }

  add(value: number): void {
    const heap = this.#heap;
    if (this.#size < heap.length) {
      let at = this.#size++;
      for (let parent = (at - 1) >> 1; at > 0 && heap[parent]! > value; parent = (at - 1) >> 1) {
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = value;
    } else if (value > heap[0]!) {
      let at = 0;
      for (let child = 1; child < heap.length; child = 2 * at + 1) {
        if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child += 1;
        if (heap[child]! >= value) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = value;
    }
  }
}

/** Gives the first `count` in order. Of each piece of that size only what comes before the last of the first so far is sorted with them. */
export function firstOf<Item>(
  items: readonly Item[],
  compare: (one: Item, other: Item) => number,
  count: number,
): Item[] {
  let first: Item[] = [];
  for (let at = 0; at < items.length; at += count) {
    const last = first.at(-1);
    const piece = items.slice(at, at + count);
    const rest = first.length < count ? piece : piece.filter((item) => compare(item, last!) < 0);
    if (rest.length > 0) first = first.concat(rest).sort(compare).slice(0, count);
  }
  return first;
}
