// The lines of one revision of a file as numbers. A neighbouring revision shares most bytes, and what is shared is not cut again.

import { compareRanges } from '../base/compare-ranges.ts';
import { commonTailBytes, diffNumbers, type Hunk, type LineTable } from '../base/line-diff.ts';
import { firstNotBelow } from '../base/sorted.ts';

const lineFeed = 0x0a;
const comparedBytes = 4096;

/** One revision. Lines end at LF alone and keep it; a last line without it is another line than one with. */
export interface RevisionLines {
  readonly bytes: Buffer;
  /** Equal lines have equal numbers. */
  readonly numbers: Int32Array;
  /** Where each line begins, and the length of all. */
  readonly starts: Int32Array;
}

/** Cuts a revision into lines, with the help of one that is like it. */
export function revisionLines(bytes: Buffer, table: LineTable, like?: RevisionLines): RevisionLines {
  let [head, tail] = [0, 0];
  if (like) {
    head = lineCountBefore(like, commonHead(bytes, like.bytes));
    const shorter = Math.min(bytes.length, like.bytes.length) - like.starts[head]!;
    // One byte less: the LF before the first shared line has to be shared too.
    const shared = commonTail(bytes, like.bytes, shorter) - 1;
    tail = like.numbers.length - firstLineFrom(like, like.bytes.length - shared);
  }
  const likeCount = like?.numbers.length ?? 0;
  const from = like?.starts[head] ?? 0;
  const shift = bytes.length - (like?.bytes.length ?? 0);
  const to = tail === 0 ? bytes.length : like!.starts[likeCount - tail]! + shift;
  const lines: string[] = [];
  const places: number[] = [];
  for (let place = from; place < to; ) {
    const end = bytes.indexOf(lineFeed, place);
    const next = end < 0 || end >= to ? to : end + 1;
    places.push(place);
    lines.push(bytes.toString('latin1', place, next));
    place = next;
  }
  const count = head + lines.length + tail;
  const numbers = new Int32Array(count);
  const starts = new Int32Array(count + 1);
  if (like) {
    numbers.set(like.numbers.subarray(0, head));
    starts.set(like.starts.subarray(0, head));
  }
  numbers.set(table.numbersOf(lines), head);
  starts.set(places, head);
  for (let line = 0; line < tail; line++) {
    numbers[count - tail + line] = like!.numbers[likeCount - tail + line]!;
    starts[count - tail + line] = like!.starts[likeCount - tail + line]! + shift;
  }
  starts[count] = bytes.length;
  return { bytes, numbers, starts };
}

/** Finds the hunks between two revisions that share a table, exactly those of `git blame`. */
export function revisionHunks(before: RevisionLines, after: RevisionLines, table: LineTable): Hunk[] {
  const tail = commonTailBytes(before.bytes, after.bytes);
  const withoutTail = (lines: RevisionLines) =>
    tail === 0 ? lines.numbers : lines.numbers.subarray(0, firstLineFrom(lines, lines.bytes.length - tail));
  return diffNumbers(withoutTail(before), withoutTail(after), table);
}

/** Counts the lines that end at or before a place. */
function lineCountBefore(lines: RevisionLines, place: number): number {
  const line = firstLineFrom(lines, place);
  // A whole last line without LF does not end where another revision goes on.
  const isStart = lines.starts[line] === place && (place === 0 || lines.bytes[place - 1] === lineFeed);
  return isStart ? line : Math.max(0, line - 1);
}

/** Gives the first line that begins at or behind a place; the number of lines when none does. */
const firstLineFrom = (lines: RevisionLines, place: number): number =>
  firstNotBelow(lines.starts, place, 0, lines.numbers.length);

/** Counts the bytes with which both begin. */
function commonHead(a: Buffer, b: Buffer): number {
  const shorter = Math.min(a.length, b.length);
  let equal = 0;
  for (let step = comparedBytes; step > 0; ) {
    const size = Math.min(step, shorter - equal);
    if (size > 0 && compareRanges(a, equal, equal + size, b, equal, equal + size) === 0) equal += size;
    else step >>= 1;
    if (equal === shorter) break;
  }
  return equal;
}

/** Counts the bytes with which both end, at most `limit`. */
function commonTail(a: Buffer, b: Buffer, limit: number): number {
  let equal = 0;
  for (let step = comparedBytes; step > 0 && equal < limit; ) {
    const size = Math.min(step, limit - equal);
    const [aTo, bTo] = [a.length - equal, b.length - equal];
    if (compareRanges(a, aTo - size, aTo, b, bTo - size, bTo) === 0) equal += size;
    else step >>= 1;
  }
  return equal;
}
