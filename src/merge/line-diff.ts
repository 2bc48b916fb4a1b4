// The difference of two sequences of lines as hunks. Made for merging: exact for what people change, and bounded in time for
// files made to be slow.

/** One stretch in which two sequences differ: `[start, end)` in each; either may be empty. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Above so many removed and inserted lines the shortest script is not looked for: its cost grows with their square. */
const maxEdits = 2_000;

/**
 * Finds the hunks that turn `before` into `after`, in order, with at least one common line between any two.
 *
 * The script is a shortest one (Myers, An O(ND) Difference Algorithm, 1986). Texts more than 2,000 edits apart are first cut at the
 * lines that stand once in both (Cohen's patience diff), and a piece that is still too different is one hunk.
 */
export function diffLines(before: readonly string[], after: readonly string[]): Hunk[] {
  const ids = new Map<string, number>();
  const idsOf = (lines: readonly string[]): Int32Array =>
    Int32Array.from(lines, (line) => {
      const id = ids.get(line) ?? ids.size;
      ids.set(line, id);
      return id;
    });
  const hunks: Hunk[] = [];
  diffRange(idsOf(before), 0, before.length, idsOf(after), 0, after.length, true, hunks);
  return hunks;
}

function diffRange(
  a: Int32Array,
  aStart: number,
  aEnd: number,
  b: Int32Array,
  bStart: number,
  bEnd: number,
  mayCut: boolean,
  hunks: Hunk[],
): void {
  let [aFrom, aTo, bFrom, bTo] = [aStart, aEnd, bStart, bEnd];
  while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
    aFrom += 1;
    bFrom += 1;
  }
  while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
    aTo -= 1;
    bTo -= 1;
  }
  if (aFrom === aTo && bFrom === bTo) return;
  const matches = aFrom === aTo || bFrom === bTo ? [] : shortestScript(a.subarray(aFrom, aTo), b.subarray(bFrom, bTo));
  if (matches === undefined && mayCut) {
    const anchors = uniqueAnchors(a.subarray(aFrom, aTo), b.subarray(bFrom, bTo));
    let [aNext, bNext] = [aFrom, bFrom];
    for (const [i, j] of [...anchors, [aTo - aFrom, bTo - bFrom] as const]) {
      diffRange(a, aNext, aFrom + i, b, bNext, bFrom + j, false, hunks);
      aNext = aFrom + i + 1;
      bNext = bFrom + j + 1;
    }
    return;
  }
  let [aNext, bNext] = [aFrom, bFrom];
  for (const [i, j, length] of [...(matches ?? []), [aTo - aFrom, bTo - bFrom, 0] as const]) {
    if (aFrom + i > aNext || bFrom + j > bNext) {
      hunks.push({ beforeStart: aNext, beforeEnd: aFrom + i, afterStart: bNext, afterEnd: bFrom + j });
    }
    aNext = aFrom + i + length;
    bNext = bFrom + j + length;
  }
}

/** Runs of common lines `[in a, in b, length]` of a shortest script, or undefined above the limit of edits. */
function shortestScript(a: Int32Array, b: Int32Array): [number, number, number][] | undefined {
  const limit = Math.min(a.length + b.length, maxEdits);
  // furthest[k]: how far in `a` a path of `edits` steps reaches on diagonal k = (place in a) − (place in b).
  const furthest = new Int32Array(2 * limit + 3);
  const trace: Int32Array[] = [];
  for (let edits = 0; edits <= limit; edits += 1) {
    trace.push(furthest.slice(limit + 1 - edits - 1, limit + 1 + edits + 2));
    for (let k = -edits; k <= edits; k += 2) {
      const at = limit + 1 + k;
      const down = k === -edits || (k !== edits && (furthest[at - 1] ?? 0) < (furthest[at + 1] ?? 0));
      let i = down ? (furthest[at + 1] ?? 0) : (furthest[at - 1] ?? 0) + 1;
      while (i < a.length && i - k < b.length && a[i] === b[i - k]) i += 1;
      furthest[at] = i;
      if (i >= a.length && i - k >= b.length) return walkBack(trace, a.length, b.length);
    }
  }
  return undefined;
}

function walkBack(trace: readonly Int32Array[], aLength: number, bLength: number): [number, number, number][] {
  const runs: [number, number, number][] = [];
  let [i, j] = [aLength, bLength];
  for (let edits = trace.length - 1; edits >= 0; edits -= 1) {
    const row = trace[edits] as Int32Array;
    const k = i - j;
    // A row begins at diagonal −edits − 1.
    const reach = (diagonal: number): number => row[diagonal + edits + 1] ?? 0;
    const down = k === -edits || (k !== edits && reach(k - 1) < reach(k + 1));
    const [fromI, fromJ] =
      edits === 0 ? [0, 0] : down ? [reach(k + 1), reach(k + 1) - k - 1] : [reach(k - 1), reach(k - 1) - k + 1];
    const runStart = edits === 0 ? 0 : down ? fromI : fromI + 1;
    if (i > runStart) runs.push([runStart, runStart - k, i - runStart]);
    [i, j] = [fromI, fromJ];
  }
  return runs.reverse();
}

/** Lines that stand once in each sequence, as the longest series that goes up in both: `[in a, in b]`. */
function uniqueAnchors(a: Int32Array, b: Int32Array): [number, number][] {
  const placeIn = (lines: Int32Array): Map<number, number> => {
    const places = new Map<number, number>();
    for (const [place, id] of lines.entries()) places.set(id, places.has(id) ? -1 : place);
    return places;
  };
  const inB = placeIn(b);
  const pairs = [...placeIn(a)].flatMap(([id, i]): [number, number][] => {
    const j = inB.get(id) ?? -1;
    return i >= 0 && j >= 0 ? [[i, j]] : [];
  });
  pairs.sort(([i], [k]) => i - k);
  // Longest increasing series by patience sorting: tops[n] ends the best series of n + 1 pairs.
  const tops: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  for (const [index, [, j]] of pairs.entries()) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[1] ?? 0) < j) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tops[low - 1] ?? -1);
    tops[low] = index;
  }
  const series: [number, number][] = [];
  for (let index = tops[tops.length - 1] ?? -1; index >= 0; index = previous[index] ?? -1) {
    const pair = pairs[index];
    if (pair !== undefined) series.push(pair);
  }
  return series.reverse();
}
