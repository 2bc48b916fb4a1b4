// The lines of a file that a citation means, what names them, and what became of them between two versions of it.

import { createHash } from 'node:crypto';
import type { Hunk } from '../../base/line-diff.ts';
import { splitKeepingEnds } from '../../base/text.ts';
import type { CodeLines } from '../../base/types.ts';

/** So many hex digits name the first line alone, the rest all of them. A search hashes whole blocks only where a first line is the same. */
const firstDigits = 4;
const allDigits = 12;
const maxNowCharacters = 4_000;

/** Cuts bytes into lines with their ends, one character for each byte. */
export const linesOf = (bytes: Buffer): string[] => splitKeepingEnds(bytes.toString('latin1'));

export const wholeOf = (lines: readonly string[]): CodeLines => ({ from: 1, to: lines.length });

const hashOf = (text: string): string => createHash('sha1').update(text, 'latin1').digest('hex');
/** Lines that are indented or spaced anew, or end in another way, say the same. */
const plain = (line: string): string => line.replace(/[ \t\r\n]+/g, ' ').trim();

/** Names lines by their words. */
export function fingerprintOf(lines: readonly string[]): string {
  const words = lines.map(plain);
  return hashOf(words[0] ?? '').slice(0, firstDigits) + hashOf(words.join('\n')).slice(0, allDigits);
}

/** Finds lines by their fingerprint, those nearest to where they were; `null` where none are the same. */
export function findLines(lines: readonly string[], fingerprint: string, near: CodeLines): CodeLines | null {
  const size = near.to - near.from + 1;
  const words = lines.map(plain);
  const [first, all] = [fingerprint.slice(0, firstDigits), fingerprint.slice(firstDigits)];
  let best: number | null = null;
  for (let start = 0; start + size <= words.length; start++) {
    const isNearer = best === null || Math.abs(start + 1 - near.from) < Math.abs(best - near.from);
    if (!isNearer || hashOf(words[start]!).slice(0, firstDigits) !== first) continue;
    if (hashOf(words.slice(start, start + size).join('\n')).slice(0, allDigits) === all) best = start + 1;
  }
  return best === null ? null : { from: best, to: best + size - 1 };
}

/** What became of lines between two versions. */
export interface Mapped {
  /** How many of them are there. */
  readonly kept: number;
  /** Where they and what replaced them stand; `to` is below `from` where nothing does. */
  readonly lines: CodeLines;
}

/** Follows lines through the hunks between two versions. What was put right before or behind them is none of theirs. */
export function mapLines(hunks: readonly Hunk[], { from, to }: CodeLines): Mapped {
  const [start, end] = [from - 1, to];
  let kept = end - start;
  // How far lines have gone before the first and behind the last hunk that touches them.
  let first: number | null = null;
  let last: number | null = null;
  let shift = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    if (beforeStart >= end) break;
    if (beforeEnd > start) {
      kept -= Math.min(beforeEnd, end) - Math.max(beforeStart, start);
      first ??= beforeStart <= start ? afterStart : start + shift;
      last = beforeEnd >= end ? afterEnd : null;
    }
    shift = afterEnd - beforeEnd;
  }
  return { kept, lines: { from: (first ?? start + shift) + 1, to: last ?? end + shift } };
}

/** Quotes lines as text. */
export function quote(lines: readonly string[], { from, to }: CodeLines): string {
  const text = Buffer.from(lines.slice(from - 1, to).join(''), 'latin1').toString('utf8');
  return text.slice(0, maxNowCharacters);
}

/** Tells whether lines stand one behind the other, in their order. */
export function isOneBlock(parts: readonly { readonly finalStart: number; readonly start: number }[]): boolean {
  return parts.every(({ finalStart, start }) => start - finalStart === parts[0]!.start - parts[0]!.finalStart);
}
