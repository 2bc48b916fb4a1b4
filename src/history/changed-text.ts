// The text that a change of a file adds and removes, as stretches of whole lines.

import { diffLines } from '../base/line-diff.ts';
import { splitKeepingEnds } from '../base/text.ts';

/** Bytes `[start, end)` of one version: one or more whole lines. */
interface Stretch {
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
}

/** Lists what was removed and what was added, as `git log -G` compares; an absent version is empty. */
export function changedStretches(before: Buffer, after: Buffer): Stretch[] {
  const all = (bytes: Buffer) => ({ bytes, start: 0, end: bytes.length });
  if (before.length === 0 || after.length === 0) return [all(before), all(after)].filter(({ end }) => end > 0);
  // One character for each byte, so that places in one are places in the other.
  const [left, right] = [before, after].map((bytes) => splitKeepingEnds(bytes.toString('latin1'))) as [
    string[],
    string[],
  ];
  const [leftStarts, rightStarts] = [startsOf(left), startsOf(right)];
  const stretches: Stretch[] = [];
  for (const hunk of diffLines(left, right, { byIndentation: false })) {
    if (hunk.beforeEnd > hunk.beforeStart)
      stretches.push({ bytes: before, start: leftStarts[hunk.beforeStart]!, end: leftStarts[hunk.beforeEnd]! });
    if (hunk.afterEnd > hunk.afterStart)
      stretches.push({ bytes: after, start: rightStarts[hunk.afterStart]!, end: rightStarts[hunk.afterEnd]! });
  }
  return stretches;
}

function startsOf(lines: readonly string[]): number[] {
  const starts = [0];
  for (const line of lines) starts.push(starts.at(-1)! + line.length);
  return starts;
}

const inspectedBytes = 8000;

/** Git takes a file with a NUL among its first 8,000 bytes for binary. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, inspectedBytes).includes(0);
