// The difference of two sequences of lines, as the hunks that `git diff` shows. Where a change could stand at several equal places, it
// stands where git puts it. Bounded in time for files made to be slow.

import { editScript } from './edit-script.ts';
import { slideHunks } from './hunk-sliding.ts';

/** One stretch in which two sequences differ: `[start, end)` in each; either may be empty. */
export interface Hunk {
  readonly beforeStart: number;
  readonly beforeEnd: number;
  readonly afterStart: number;
  readonly afterEnd: number;
}

/** Gives equal lines equal small numbers; one table serves any number of texts, so a line of many revisions is hashed once. */
export class LineTable {
  private readonly numbers = new Map<string, number>();
  private readonly indents: number[] = [];

  /** Numbers lines, which keep their final LF: a last line without it is another line than one with. */
  numbersOf(lines: readonly string[]): Int32Array {
    const { numbers } = this;
    const result = new Int32Array(lines.length);
    for (let place = 0; place < lines.length; place += 1) {
      const line = lines[place] as string;
      let number = numbers.get(line);
      if (number === undefined) {
        number = numbers.size;
        numbers.set(line, number);
        this.indents.push(indentOf(line));
      }
      result[place] = number;
    }
    return result;
  }

  /** How many different lines it knows; every number is below. */
  get size(): number {
    return this.numbers.size;
  }

  /** The columns of white space before the first other character of a line; -1 for a blank line. */
  readonly indentOf = (number: number): number => this.indents[number] ?? -1;
}

/** How hunks are placed where several places are equally right. */
export interface PlacementOptions {
  /** Prefer places that follow indentation and blank lines, as `git diff` and `git blame` do and merges and `git log -G` do not. Default true. */
  readonly byIndentation?: boolean;
}

/**
 * Finds the hunks that turn `before` into `after`, in order, with at least one common line between any two.
 *
 * Lines keep their final LF. The hunks are those of `git diff --diff-algorithm=myers` (git 2.39). They are a shortest script (Myers, An
 * O(ND) Difference Algorithm, 1986) of what is left after lines without a counterpart were set aside. The same rules cut it short where it
 * would take too long, and slide it to the same places.
 */
export function diffLines(before: readonly string[], after: readonly string[], options: PlacementOptions = {}): Hunk[] {
  const table = new LineTable();
  return diffNumbers(table.numbersOf(before), table.numbersOf(after), table, options);
}

/** Does what {@link diffLines} does for lines that are numbered already, by one table. */
export function diffNumbers(
  before: Int32Array,
  after: Int32Array,
  table: LineTable,
  options: PlacementOptions = {},
): Hunk[] {
  const { removed, added } = editScript(before, after, table.size);
  const indents = options.byIndentation === false ? null : table.indentOf;
  slideHunks(before, removed, added, indents);
  slideHunks(after, added, removed, indents);
  return hunksOf(removed, before.length, added, after.length);
}

/** Reads off the hunks from the marks of both sides; in each the unmarked lines pair off. */
export function hunksOf(removed: Uint8Array, beforeLength: number, added: Uint8Array, afterLength: number): Hunk[] {
  const hunks: Hunk[] = [];
  let [i, j] = [0, 0];
  while (i < beforeLength || j < afterLength) {
    if (removed[i] !== 1 && added[j] !== 1) {
      i += 1;
      j += 1;
      continue;
    }
    const [beforeStart, afterStart] = [i, j];
    while (removed[i] === 1) i += 1;
    while (added[j] === 1) j += 1;
    hunks.push({ beforeStart, beforeEnd: i, afterStart, afterEnd: j });
  }
  return hunks;
}

const maxIndent = 200;

function indentOf(line: string): number {
  let columns = 0;
  for (let place = 0; place < line.length; place += 1) {
    const code = line.charCodeAt(place);
    if (code === 0x20) columns += 1;
    else if (code === 0x09) columns += 8 - (columns % 8);
    else if (code !== 0x0a && code !== 0x0d) return columns;
    if (columns >= maxIndent) return maxIndent;
  }
  return -1;
}

const tailBlock = 1024;

/**
 * Counts the bytes at the end of two texts that git leaves out of a comparison without context lines (`git blame`, `git diff -U0`).
 *
 * Whole blocks of 1,024 equal bytes, less the rest of a line that began before them. It spares time, and keeps hunks from sliding into
 * that part, so what is to equal git must leave it out too.
 */
export function commonTailBytes(before: Uint8Array, after: Uint8Array): number {
  const smaller = Math.min(before.length, after.length);
  let equal = 0;
  while (equal + tailBlock <= smaller && isSameBlock(before, after, equal)) equal += tailBlock;
  if (equal === 0) return 0;
  const lineEnd = before.indexOf(0x0a, before.length - equal);
  return lineEnd < 0 ? 0 : before.length - lineEnd - 1;
}

function isSameBlock(before: Uint8Array, after: Uint8Array, fromEnd: number): boolean {
  const [end, otherEnd] = [before.length - fromEnd, after.length - fromEnd];
  for (let back = 1; back <= tailBlock; back += 1) if (before[end - back] !== after[otherEnd - back]) return false;
  return true;
}
