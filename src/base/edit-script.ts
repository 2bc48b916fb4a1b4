// Finds the lines that were removed and added: Myers' linear-space algorithm with the short cuts of git, so that the answer is git's.

/** One mark per line, and one more that is never set: 1 for a line without a counterpart. */
export interface EditScript {
  readonly removed: Uint8Array;
  readonly added: Uint8Array;
}

/** From this cost on a long common run ends the search for the best split. */
const longSearch = 256;
/** A common run of more lines than this is long. */
const longRun = 20;
/** How much further than its cost a path must have come to be worth a split. */
const goodProgress = 4;
const farAway = 0x7fffffff;
/** So many steps from diagonal to diagonal take some seconds; what is left then is one change. Only files made for it come here. */
const maxSteps = 400_000_000;

/** Marks removed and added lines; every number is below `numberCount`. */
export function editScript(before: Int32Array, after: Int32Array, numberCount: number): EditScript {
  const removed = new Uint8Array(before.length + 1);
  const added = new Uint8Array(after.length + 1);
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let tail = 0;
  while (tail < shorter - start && before[before.length - 1 - tail] === after[after.length - 1 - tail]) tail += 1;
  const [beforeEnd, afterEnd] = [before.length - tail, after.length - tail];
  if (start === beforeEnd || start === afterEnd) {
    removed.fill(1, start, beforeEnd);
    added.fill(1, start, afterEnd);
    return { removed, added };
  }
  if (counts.length < numberCount) counts = new Int32Array(numberCount * 2);
  const left = compared(before, start, beforeEnd, after, removed);
  const right = compared(after, start, afterEnd, before, added);
  new Comparison(left, right).run();
  return { removed, added };
}

/** How often each line is in the other side; all zero between calls, since a new one for each would cost more than the comparison. */
let counts = new Int32Array(0);

/** The lines of one side that take part in the comparison, and where their marks stand. */
interface Side {
  readonly lines: Int32Array;
  readonly places: Int32Array;
  readonly marks: Uint8Array;
}

const alone = 0;
const some = 1;
const many = 2;

/** Sets aside, as changed, lines that the other side has not, and frequent ones in their midst: they only cost time and scatter hunks. */
function compared(lines: Int32Array, start: number, end: number, other: Int32Array, marks: Uint8Array): Side {
  const frequent = Math.min(roughRoot(lines.length), 1024);
  const kinds = new Uint8Array(end);
  for (let place = 0; place < other.length; place += 1) counts[other[place] as number]! += 1;
  for (let place = start; place < end; place += 1) {
    const inOther = counts[lines[place] as number] as number;
    kinds[place] = inOther === 0 ? alone : inOther >= frequent ? many : some;
  }
  for (let place = 0; place < other.length; place += 1) counts[other[place] as number] = 0;
  const kept = new Int32Array(end - start);
  const places = new Int32Array(end - start);
  let count = 0;
  for (let place = start; place < end; place += 1) {
    const kind = kinds[place];
    if (kind === alone || (kind === many && isLost(kinds, place, start, end))) marks[place] = 1;
    else {
      kept[count] = lines[place] as number;
      places[count] = place;
      count += 1;
    }
  }
  return { lines: kept.subarray(0, count), places: places.subarray(0, count), marks };
}

/** Tells whether a frequent line stands between lines without counterpart, which outnumber the frequent ones there three to one. */
function isLost(kinds: Uint8Array, place: number, start: number, end: number): boolean {
  const window = 100;
  const look = (step: 1 | -1, limit: number): [alone: number, many: number] => {
    const found: [number, number] = [0, 1];
    for (let next = place + step; next !== limit && kinds[next] !== some; next += step)
      found[kinds[next] === alone ? 0 : 1] += 1;
    return found;
  };
  const [aloneAbove, manyAbove] = look(-1, Math.max(start, place - window) - 1);
  if (aloneAbove === 0) return false;
  const [aloneBelow, manyBelow] = look(1, Math.min(end - 1, place + window) + 1);
  if (aloneBelow === 0) return false;
  const frequent = manyAbove + manyBelow;
  return frequent * 4 < frequent + aloneAbove + aloneBelow;
}

/** A power of two near the square root, never below it. */
function roughRoot(value: number): number {
  let root = 1;
  for (let rest = value; rest > 0; rest >>>= 2) root *= 2;
  return root;
}

/** Where a box is cut in two, and whether each part must be searched to the end. */
interface Split {
  readonly i: number;
  readonly j: number;
  readonly exactBelow: boolean;
  readonly exactAbove: boolean;
}

/**
 * Compares two sides by divide and conquer.
 *
 * ```
 *          j →                   Diagonal d holds the places with i − j = d. forward[d] is how far, in i, a path of `cost`
 *      o . . . .                 edits from the upper left corner comes on it; backward[d] how near to the start one from
 *   i  . \ . . .                 the lower right. Where the two meet, the box is cut, and both parts are compared alike.
 *   ↓  . . \ x .
 *      . . . . o
 * ```
 */
class Comparison {
  private readonly left: Side;
  private readonly right: Side;
  private readonly forward: Int32Array;
  private readonly backward: Int32Array;
  /** Index of diagonal 0. */
  private readonly zero: number;
  private readonly maxCost: number;
  private steps = 0;

  constructor(left: Side, right: Side) {
    this.left = left;
    this.right = right;
    const diagonals = left.lines.length + right.lines.length + 3;
    this.forward = new Int32Array(diagonals + 2);
    this.backward = new Int32Array(diagonals + 2);
    this.zero = right.lines.length + 1;
    this.maxCost = Math.max(256, roughRoot(diagonals));
  }

  run(): void {
    this.compare(0, this.left.lines.length, 0, this.right.lines.length, false);
  }

  private compare(iFrom: number, iTo: number, jFrom: number, jTo: number, isExact: boolean): void {
    const [a, b] = [this.left.lines, this.right.lines];
    let [i, iEnd, j, jEnd, exact] = [iFrom, iTo, jFrom, jTo, isExact];
    // The lower right part is compared by going round, so that only upper left parts nest.
    for (;;) {
      while (i < iEnd && j < jEnd && a[i] === b[j]) {
        i += 1;
        j += 1;
      }
      while (i < iEnd && j < jEnd && a[iEnd - 1] === b[jEnd - 1]) {
        iEnd -= 1;
        jEnd -= 1;
      }
      if (i === iEnd || j === jEnd || this.steps > maxSteps) break;
      const split = this.split(i, iEnd, j, jEnd, exact);
      this.compare(i, split.i, j, split.j, split.exactBelow);
      [i, j, exact] = [split.i, split.j, split.exactAbove];
    }
    for (; i < iEnd; i += 1) this.left.marks[this.left.places[i] as number] = 1;
    for (; j < jEnd; j += 1) this.right.marks[this.right.places[j] as number] = 1;
  }

  private split(iStart: number, iEnd: number, jStart: number, jEnd: number, isExact: boolean): Split {
    const { forward, backward, zero } = this;
    const [a, b] = [this.left.lines, this.right.lines];
    const [lowest, highest] = [iStart - jEnd, iEnd - jStart];
    const [startDiagonal, endDiagonal] = [iStart - jStart, iEnd - jEnd];
    const meetsForward = ((startDiagonal - endDiagonal) & 1) !== 0;
    let [forwardLow, forwardHigh] = [startDiagonal, startDiagonal];
    let [backwardLow, backwardHigh] = [endDiagonal, endDiagonal];
    forward[zero + startDiagonal] = iStart;
    backward[zero + endDiagonal] = iEnd;
    for (let cost = 1; ; cost += 1) {
      let hasLongRun = false;

      // One more diagonal on either side, or one less where the box ends; beyond the outermost nothing has come anywhere.
      if (forwardLow > lowest) {
        forwardLow -= 1;
        forward[zero + forwardLow - 1] = -1;
      } else forwardLow += 1;
      if (forwardHigh < highest) {
        forwardHigh += 1;
        forward[zero + forwardHigh + 1] = -1;
      } else forwardHigh -= 1;
      for (let d = forwardHigh; d >= forwardLow; d -= 2) {
        const [below, above] = [forward[zero + d - 1] as number, forward[zero + d + 1] as number];
        const runStart = below >= above ? below + 1 : above;
        let i = runStart;
        while (i < iEnd && i - d < jEnd && a[i] === b[i - d]) i += 1;
        if (i - runStart > longRun) hasLongRun = true;
        forward[zero + d] = i;
        if (meetsForward && d >= backwardLow && d <= backwardHigh && (backward[zero + d] as number) <= i)
          return { i, j: i - d, exactBelow: true, exactAbove: true };
      }

      if (backwardLow > lowest) {
        backwardLow -= 1;
        backward[zero + backwardLow - 1] = farAway;
      } else backwardLow += 1;
      if (backwardHigh < highest) {
        backwardHigh += 1;
        backward[zero + backwardHigh + 1] = farAway;
      } else backwardHigh -= 1;
      for (let d = backwardHigh; d >= backwardLow; d -= 2) {
        const [below, above] = [backward[zero + d - 1] as number, backward[zero + d + 1] as number];
        const runEnd = below < above ? below : above - 1;
        let i = runEnd;
        while (i > iStart && i - d > jStart && a[i - 1] === b[i - d - 1]) i -= 1;
        if (runEnd - i > longRun) hasLongRun = true;
        backward[zero + d] = i;
        if (!meetsForward && d >= forwardLow && d <= forwardHigh && i <= (forward[zero + d] as number))
          return { i, j: i - d, exactBelow: true, exactAbove: true };
      }

      this.steps += forwardHigh - forwardLow + backwardHigh - backwardLow;
      if (isExact) continue;
      if (hasLongRun && cost > longSearch) {
        const good =
          this.promising(forward, forwardLow, forwardHigh, startDiagonal, 1, [iStart, iEnd, jStart, jEnd], cost) ??
          this.promising(backward, backwardLow, backwardHigh, endDiagonal, -1, [iStart, iEnd, jStart, jEnd], cost);
        if (good !== null) return good;
      }
      if (cost >= this.maxCost)
        return this.furthest(forwardLow, forwardHigh, backwardLow, backwardHigh, [iStart, iEnd, jStart, jEnd]);
    }
  }

  /** The path that came furthest for its cost, off the straight way subtracted, if it ends in a long common run. */
  private promising(
    reached: Int32Array,
    low: number,
    high: number,
    origin: number,
    direction: 1 | -1,
    [iStart, iEnd, jStart, jEnd]: readonly [number, number, number, number],
    cost: number,
  ): Split | null {
    const [a, b] = [this.left.lines, this.right.lines];
    let best = 0;
    let found: Split | null = null;
    for (let d = high; d >= low; d -= 2) {
      const i = reached[this.zero + d] as number;
      const j = i - d;
      const way = direction === 1 ? i - iStart + j - jStart : iEnd - i + jEnd - j;
      const progress = way - Math.abs(d - origin);
      if (progress <= goodProgress * cost || progress <= best) continue;
      const hasRoom =
        direction === 1
          ? iStart + longRun <= i && i < iEnd && jStart + longRun <= j && j < jEnd
          : iStart < i && i <= iEnd - longRun && jStart < j && j <= jEnd - longRun;
      if (!hasRoom) continue;
      const [iRun, jRun] = direction === 1 ? [i - longRun, j - longRun] : [i, j];
      let run = 0;
      while (run < longRun && a[iRun + run] === b[jRun + run]) run += 1;
      if (run < longRun) continue;
      best = progress;
      found = { i, j, exactBelow: direction === 1, exactAbove: direction === -1 };
    }
    return found;
  }

  /** Where the search is given up: the place that either direction has come furthest to. */
  private furthest(
    forwardLow: number,
    forwardHigh: number,
    backwardLow: number,
    backwardHigh: number,
    [iStart, iEnd, jStart, jEnd]: readonly [number, number, number, number],
  ): Split {
    let [forwardSum, forwardI] = [-1, -1];
    for (let d = forwardHigh; d >= forwardLow; d -= 2) {
      let i = Math.min(this.forward[this.zero + d] as number, iEnd);
      if (i - d > jEnd) i = jEnd + d;
      if (2 * i - d > forwardSum) [forwardSum, forwardI] = [2 * i - d, i];
    }
    let [backwardSum, backwardI] = [farAway, farAway];
    for (let d = backwardHigh; d >= backwardLow; d -= 2) {
      let i = Math.max(this.backward[this.zero + d] as number, iStart);
      if (i - d < jStart) i = jStart + d;
      if (2 * i - d < backwardSum) [backwardSum, backwardI] = [2 * i - d, i];
    }
    return iEnd + jEnd - backwardSum < forwardSum - (iStart + jStart)
      ? { i: forwardI, j: forwardSum - forwardI, exactBelow: true, exactAbove: false }
      : { i: backwardI, j: backwardSum - backwardI, exactBelow: false, exactAbove: true };
  }
}
