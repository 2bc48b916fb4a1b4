// Finds the trailers of a commit message by the rules of git's trailer.c. message.ts says what the engine writes into them.

import { splitLines } from '../../base/text.ts';

/** git takes these for trailers too, and they make it take whole paragraphs for trailer blocks. */
const generatedPrefixes = ['Signed-off-by: ', '(cherry picked from commit '];

/** One trailer as it was found. */
interface TrailerPair {
  readonly key: string;
  readonly value: string;
}

/**
 * Cuts a commit message into the lines above its last block of trailers and the trailers, unfolded, in order.
 *
 * What follows a patch divider (`---`) is left out, as are comments at the end. Without such a block all lines stand above.
 */
export function cutTrailers(text: string): { above: readonly string[]; pairs: readonly TrailerPair[] } {
  const lines = splitLines(text);
  const divider = lines.findIndex((line) => /^---[ \t\r\n]/.test(`${line}\n`));
  const kept = divider === -1 ? lines : lines.slice(0, divider);
  const end = endOfLog(kept);
  const start = startOfTrailers(kept.slice(0, end));
  return { above: kept.slice(0, start), pairs: unfold(kept.slice(start, end)) };
}

/** Tells whether git could take a line for a trailer, or for one that it wrote itself. */
export const isTrailerLine = (line: string): boolean =>
  separatorOf(line) >= 1 || generatedPrefixes.some((prefix) => line.startsWith(prefix));

/** Tells whether a line is blank to git: ASCII white space only. */
export const isBlank = (line: string): boolean => /^[ \t\r]*$/.test(line);

/** Trims ASCII white space only, as git does: the two must agree on values. */
export const trimAscii = (text: string): string => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** Finds the colon of a trailer line as git does: letters, digits and dashes, then perhaps blanks, then the colon; or -1. */
const separatorOf = (line: string): number => /^[A-Za-z0-9-]+[ \t]*(?=:)/.exec(line)?.[0].length ?? -1;

// git looks past comments and blank lines at the end, and past the list of conflicts that old versions left there.
function endOfLog(lines: readonly string[]): number {
  let end = lines.length;
  for (let i = 0, boundary = -1, inConflicts = false; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line.startsWith('#') || line === '') {
      if (boundary === -1) boundary = i;
    } else if (line === 'Conflicts:') {
      inConflicts = true;
      if (boundary === -1) boundary = i;
    } else if (!(inConflicts && line.startsWith('\t'))) {
      boundary = -1;
      inConflicts = false;
    }
    end = boundary === -1 ? lines.length : boundary;
  }
  return end;
}

// Follows find_trailer_start of git's trailer.c. It reads from the end up to the first blank line. That whole paragraph must be trailers
// and their continuations, or a quarter of it if git itself wrote one of them. The title is never one.
function startOfTrailers(lines: readonly string[]): number {
  let titleEnd = 0;
  while (titleEnd < lines.length && (lines[titleEnd]?.startsWith('#') || !isBlank(lines[titleEnd] ?? '')))
    titleEnd += 1;
  let onlySpaces = true;
  let isGenerated = false;
  let trailers = 0;
  let others = 0;
  let continuations = 0;
  for (let i = lines.length - 1; i >= titleEnd; i -= 1) {
    const line = lines[i] ?? '';
    if (line.startsWith('#')) {
      others += continuations;
      continuations = 0;
    } else if (isBlank(line)) {
      if (onlySpaces) continue;
      others += continuations;
      return (isGenerated && trailers * 3 >= others) || (trailers > 0 && others === 0) ? i + 1 : lines.length;
    } else {
      onlySpaces = false;
      if (generatedPrefixes.some((prefix) => line.startsWith(prefix))) {
        trailers += 1;
        continuations = 0;
        isGenerated = true;
      } else if (separatorOf(line) >= 1) {
        trailers += 1;
        continuations = 0;
      } else if (/^[ \t\r]/.test(line)) {
        continuations += 1;
      } else {
        others += 1 + continuations;
        continuations = 0;
      }
    }
  }
  return lines.length;
}

function unfold(lines: readonly string[]): TrailerPair[] {
  const pairs: { key: string; value: string }[] = [];
  let isOpen = false;
  for (const line of lines) {
    const separator = separatorOf(line);
    const last = pairs[pairs.length - 1];
    if (/^[ \t\r]/.test(line)) {
      if (isOpen && last !== undefined) last.value = trimAscii(`${last.value} ${trimAscii(line)}`);
    } else if (separator >= 1) {
      pairs.push({ key: trimAscii(line.slice(0, separator)), value: trimAscii(line.slice(separator + 1)) });
      isOpen = true;
    } else {
      isOpen = false;
    }
  }
  return pairs;
}
