// Which lines two texts have in common, by histogram diff: what is rare in a text says most about where its parts went. It is what git
// merges by, since it lines up on meaning where a shortest script would line up on braces and blank lines.

import { type EditScript, editScript } from '../../base/edit-script.ts';
import { slideHunks } from '../../base/hunk-sliding.ts';
import { type Hunk, hunksOf, LineTable } from '../../base/line-diff.ts';

/**
 * Finds the hunks by which a merge understands a change, in order, with at least one common line between any two. They are those of
 * `git merge`, and not those of `git diff`.
 */
export function mergeHunks(before: readonly string[], after: readonly string[]): Hunk[] {
  const table = new LineTable();
  const [left, right] = [table.numbersOf(before), table.numbersOf(after)];
  const { removed, added } = histogramMarks(left, right, table.size);
  slideHunks(left, removed, added, null);
  slideHunks(right, added, removed, null);
  return hunksOf(removed, left.length, added, right.length);
}

/** A run of common lines: `[start, end)` in each. */
type Run = Hunk;

/** A line that stands more often than this says nothing about where it belongs (JGit's and git's limit). */
const maxOccurrences = 64;
/** Lines looked at in all, as a multiple of both texts' lines: beyond, the text was made to be slow. */
const maxWork = 200;

/**
 * Marks the lines of two texts, given as numbers below `numberCount`, that have no counterpart in the other.
 *
 * ```
 * find the common run whose rarest line is rarest, the longest of these; it stands
 *      before   a b c X Y d e        X Y: each once
 *      after    b a X Y e d
 * and do the same above it and below it
 * ```
 *
 * A stretch in which every common line occurs more than 64 times is compared by Myers' shortest script. So is a text made to be slow. The
 * algorithm is that of JGit's HistogramDiff (Shawn O. Pearce, 2010), which git took over in 1.7.7.
 */
function histogramMarks(before: Int32Array, after: Int32Array, numberCount: number): EditScript {
  const removed = new Uint8Array(before.length + 1);
  const added = new Uint8Array(after.length + 1);
  const finder = new RunFinder(before, after, numberCount);
  const open: Run[] = [{ beforeStart: 0, beforeEnd: before.length, afterStart: 0, afterEnd: after.length }];
  for (let stretch = open.pop(); stretch !== undefined; stretch = open.pop()) {
    const { beforeStart, beforeEnd, afterStart, afterEnd } = stretch;
    const run = beforeStart < beforeEnd && afterStart < afterEnd ? finder.find(stretch) : null;
    if (run === null) {
      removed.fill(1, beforeStart, beforeEnd);
      added.fill(1, afterStart, afterEnd);
    } else if (run === 'unclear') {
      const part = editScript(
        before.subarray(beforeStart, beforeEnd),
        after.subarray(afterStart, afterEnd),
        numberCount,
      );
      removed.set(part.removed.subarray(0, beforeEnd - beforeStart), beforeStart);
      added.set(part.added.subarray(0, afterEnd - afterStart), afterStart);
    } else {
      open.push(
        { beforeStart, beforeEnd: run.beforeStart, afterStart, afterEnd: run.afterStart },
        { beforeStart: run.beforeEnd, beforeEnd, afterStart: run.afterEnd, afterEnd },
      );
    }
  }
  return { removed, added };
}

class RunFinder {
  private readonly before: Int32Array;
  private readonly after: Int32Array;
  /** By line: how often it is in the stretch of `before`, and where first; −1 for nowhere. */
  private readonly occurrences: Int32Array;
  private readonly first: Int32Array;
  /** By place in `before`: the next place of the same line in the stretch; −1 for none. */
  private readonly following: Int32Array;
  private work: number;

  constructor(before: Int32Array, after: Int32Array, numberCount: number) {
    this.before = before;
    this.after = after;
    this.occurrences = new Int32Array(numberCount);
    this.first = new Int32Array(numberCount).fill(-1);
    this.following = new Int32Array(before.length);
    this.work = maxWork * (before.length + after.length);
  }

  /** Finds the run to stand; `null` when nothing is common, `'unclear'` when only what stands everywhere is. */
  find(stretch: Run): Run | 'unclear' | null {
    const { before, occurrences, first, following } = this;
    this.work -= stretch.beforeEnd - stretch.beforeStart + stretch.afterEnd - stretch.afterStart;
    if (this.work < 0) return 'unclear';
    for (let place = stretch.beforeEnd - 1; place >= stretch.beforeStart; place -= 1) {
      const line = before[place] as number;
      following[place] = first[line] as number;
      first[line] = place;
      occurrences[line] = (occurrences[line] as number) + 1;
    }
    const found = this.search(stretch);
    for (let place = stretch.beforeStart; place < stretch.beforeEnd; place += 1) {
      const line = before[place] as number;
      first[line] = -1;
      occurrences[line] = 0;
    }
    return found;
  }

  private search(stretch: Run): Run | 'unclear' | null {
    const { before, after, occurrences, first, following } = this;
    let best: Run | null = null;
    let bestLength = 1;
    let fewest = maxOccurrences + 1;
    let hasCommon = false;
    for (let place = stretch.afterStart; place < stretch.afterEnd; ) {
      let next = place + 1;
      const line = after[place] as number;
      const count = occurrences[line] as number;
      if (count > 0) hasCommon = true;
      if (count > 0 && count <= fewest) {
        for (let start = first[line] as number; start >= 0; ) {
          const run = this.extend(stretch, start, place);
          let rarest = count;
          for (let i = run.beforeStart; i < run.beforeEnd && rarest > 1; i += 1)
            rarest = Math.min(rarest, occurrences[before[i] as number] as number);
          next = Math.max(next, run.afterEnd);
          const length = run.beforeEnd - run.beforeStart;
          this.work -= length;
          if (length > bestLength || rarest < fewest) {
            best = run;
            bestLength = length;
            fewest = rarest;
          }
          do start = following[start] as number;
          while (start >= 0 && start < run.beforeEnd);
        }
      }
      place = next;
    }
    return hasCommon && fewest > maxOccurrences ? 'unclear' : best;
  }

  /** The longest run through a pair of equal lines. */
  private extend(stretch: Run, beforeAt: number, afterAt: number): Run {
    const { before, after } = this;
    let [beforeStart, afterStart] = [beforeAt, afterAt];
    while (
      beforeStart > stretch.beforeStart &&
      afterStart > stretch.afterStart &&
      before[beforeStart - 1] === after[afterStart - 1]
    ) {
      beforeStart -= 1;
      afterStart -= 1;
    }
    let [beforeEnd, afterEnd] = [beforeAt + 1, afterAt + 1];
    while (beforeEnd < stretch.beforeEnd && afterEnd < stretch.afterEnd && before[beforeEnd] === after[afterEnd]) {
      beforeEnd += 1;
      afterEnd += 1;
    }
    return { beforeStart, beforeEnd, afterStart, afterEnd };
  }
}
