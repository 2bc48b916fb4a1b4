// The hunks of two texts as unified text, byte for byte what git writes below its file headers.

import { diffLines, type Hunk } from './line-diff.ts';
import { splitKeepingEnds } from './text.ts';

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
 * Lines end at LF alone. A hunk's heading shows the last line above it that begins with a letter, `_` or `$`.
 */
export function unifiedDiff(before: string, after: string, context = 3): TextDifference {
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
    pushLines(parts, left, right, group, from, to);
    for (const hunk of group) {
      removed += hunk.beforeEnd - hunk.beforeStart;
      added += hunk.afterEnd - hunk.afterStart;
    }
    first = last + 1;
  }
  return { added, removed, text: parts.join('') };
}

function pushLines(
  parts: string[],
  left: readonly string[],
  right: readonly string[],
  hunks: readonly Hunk[],
  from: number,
  to: number,
): void {
  let done = from;
  for (const hunk of hunks) {
    pushMarked(parts, ' ', left, done, hunk.beforeStart);
    pushMarked(parts, '-', left, hunk.beforeStart, hunk.beforeEnd);
    pushMarked(parts, '+', right, hunk.afterStart, hunk.afterEnd);
    done = hunk.beforeEnd;
  }
  pushMarked(parts, ' ', left, done, to);
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
