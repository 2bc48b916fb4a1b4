// The hunks of two texts as unified text, byte for byte what git writes below its file headers.

import { diffLines, type Hunk } from './line-diff.ts';
import { splitKeepingEnds, withLastLineEnded } from './text.ts';

/** What differs between two texts. */
export interface TextDifference {
  readonly added: number;
  readonly removed: number;
  /** `@@ -1,3 +1,4 @@ …` and so on; empty for equal texts. */
  readonly text: string;
}

/**
 * Compares two texts line by line and formats the difference with lines of context, as `git diff -U<context>` does.
 *
 * Lines end at LF alone. A hunk's heading shows the last line above it that begins with a letter, `_` or `$`. `marked` makes one text of
 * the lines that went and those that came, which then stand without marks in front of lines, as with `--word-diff`.
 */
export function unifiedDiff(before: string, after: string, context = 3, marked?: MarkedLines): TextDifference {
  const [left, right] = [splitKeepingEnds(before), splitKeepingEnds(after)];
  const hunks = diffLines(left, right);
  const parts: string[] = [];
  let [added, removed] = [0, 0];
  let heading = '';
  let searched = -1;
  for (let first = 0; first < hunks.length; ) {
    let last = first;
    while (last + 1 < hunks.length && hunks[last + 1]!.beforeStart - hunks[last]!.beforeEnd <= 2 * context) last += 1;
    const group = hunks.slice(first, last + 1);
    const from = Math.max(0, group[0]!.beforeStart - context);
    const otherFrom = Math.max(0, group[0]!.afterStart - context);
    const to = Math.min(left.length, hunks[last]!.beforeEnd + context);
    const otherTo = Math.min(right.length, hunks[last]!.afterEnd + context);
    for (let place = from - 1; place > searched; place -= 1) {
      if (!/^[A-Za-z_$]/.test(left[place]!)) continue;
      heading = headingOf(left[place]!);
      break;
    }
    searched = from - 1;
    const ranges = `-${rangeOf(from, to)} +${rangeOf(otherFrom, otherTo)}`;
    parts.push(`@@ ${ranges} @@${heading === '' ? '' : ` ${heading}`}\n`);
    pushLines(parts, left, right, group, from, to, marked);
    for (const hunk of group) {
      removed += hunk.beforeEnd - hunk.beforeStart;
      added += hunk.afterEnd - hunk.afterStart;
    }
    first = last + 1;
  }
  return { added, removed, text: parts.join('') };
}

/** Makes one text of what went and what came. */
export type MarkedLines = (removed: string, added: string) => string;

function pushLines(
  parts: string[],
  left: readonly string[],
  right: readonly string[],
  hunks: readonly Hunk[],
  from: number,
  to: number,
  marked: MarkedLines | undefined,
): void {
  const unchanged = (start: number, end: number) => {
    if (marked) parts.push(...left.slice(start, end).map(withLastLineEnded));
    else pushMarked(parts, ' ', left, start, end);
  };
  let done = from;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    unchanged(done, beforeStart);
    if (marked) {
      const [removed, added] = [left.slice(beforeStart, beforeEnd), right.slice(afterStart, afterEnd)];
      parts.push(withLastLineEnded(marked(removed.join(''), added.join(''))));
    } else {
      pushMarked(parts, '-', left, beforeStart, beforeEnd);
      pushMarked(parts, '+', right, afterStart, afterEnd);
    }
    done = beforeEnd;
  }
  unchanged(done, to);
}

function pushMarked(parts: string[], mark: string, lines: readonly string[], from: number, to: number): void {
  for (let place = from; place < to; place += 1) {
    const line = lines[place]!;
    parts.push(mark, line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`);
  }
}

/** Counts from 1; a range of one line leaves its length out, an empty one names the line before it. */
function rangeOf(from: number, to: number): string {
  const length = to - from;
  return `${length === 0 ? from : from + 1}${length === 1 ? '' : `,${length}`}`;
}

const maxHeadingBytes = 80;

function headingOf(line: string): string {
  // Git cuts bytes first and takes back a torn character last.
  const cut = Buffer.from(line).subarray(0, maxHeadingBytes).toString('utf8');
  return cut.replace(/[ \t\r\n]+$/, '').replace(/\ufffd$/, '');
}
