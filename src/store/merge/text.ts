// Three-way merge of texts, line by line. Lines end at LF and keep it, so that every byte of both sides survives.

import { splitKeepingEnds } from '../../base/text.ts';
import { mergeHunks } from './histogram-diff.ts';
import type { Winner } from './result.ts';

interface TextMerge {
  /** Whether no line was changed in two ways. */
  readonly clean: boolean;
  /** The merged text; where it is not clean, the winner's side of every disputed stretch. */
  readonly text: string;
}

/** A stretch that the three sides have differently. */
export interface DisputedRegion {
  readonly base: readonly string[];
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

/** A stretch of the merge: either agreed lines, or what the three sides have at a disputed place. */
export type MergeRegion = { readonly lines: readonly string[] } | DisputedRegion;

/**
 * Merges two texts that both come from `base`; a base of null is a text that both sides added.
 *
 * Clean where `git merge` is, and then byte for byte what it makes. Changes at least one unchanged line apart combine, and the same change
 * on both sides counts once. Anything else is disputed. No markers are ever written. CR is a part of its line; a last line without LF is
 * another line than one with.
 */
export function mergeText(base: string | null, ours: string, theirs: string, winner: Winner = 'ours'): TextMerge {
  if (ours === theirs || theirs === base) return { clean: true, text: ours };
  if (ours === base) return { clean: true, text: theirs };
  const regions = mergeLines(splitKeepingEnds(base ?? ''), splitKeepingEnds(ours), splitKeepingEnds(theirs));
  const clean = regions.every((region) => 'lines' in region);
  return { clean, text: regions.flatMap((region) => ('lines' in region ? region.lines : region[winner])).join('') };
}

/**
 * Merges three sequences of lines into agreed and disputed stretches, in order (Khanna, Kunal, Pierce: A Formal Investigation of Diff3).
 *
 * ```
 * base    a b c d e f      Hunks of both sides that overlap or touch are one stretch: settled if both say
 * ours    a B c d e        the same, else disputed. A hunk that stands alone is that side's.
 * theirs  a X c d e F
 *           ^       ^      b is disputed; so is the end, where f was dropped and changed
 * ```
 */
export function mergeLines(base: readonly string[], ours: readonly string[], theirs: readonly string[]): MergeRegion[] {
  const sides = { ours, theirs } as const;
  const hunks = [
    ...mergeHunks(base, ours).map((hunk) => ({ ...hunk, side: 'ours' as const })),
    ...mergeHunks(base, theirs).map((hunk) => ({ ...hunk, side: 'theirs' as const })),
  ].sort((a, b) => a.beforeStart - b.beforeStart || a.beforeEnd - b.beforeEnd);
  const regions: MergeRegion[] = [];
  // How far each side has drifted from the base: place in the side = place in the base + drift.
  const drift = { ours: 0, theirs: 0 };
  let done = 0;
  for (let next = 0; next < hunks.length; ) {
    const start = hunks[next]?.beforeStart ?? 0;
    let end = start;
    const from = { ours: start + drift.ours, theirs: start + drift.theirs };
    const touched = new Set<'ours' | 'theirs'>();
    for (let hunk = hunks[next]; hunk !== undefined; hunk = hunks[next]) {
      if (touched.size > 0 && hunk.beforeStart > end) break;
      end = Math.max(end, hunk.beforeEnd);
      drift[hunk.side] += hunk.afterEnd - hunk.afterStart - (hunk.beforeEnd - hunk.beforeStart);
      touched.add(hunk.side);
      next += 1;
    }
    const taken = (side: 'ours' | 'theirs'): readonly string[] => sides[side].slice(from[side], end + drift[side]);
    const [mine, other] = [taken('ours'), taken('theirs')];
    regions.push({ lines: base.slice(done, start) });
    if (touched.size === 1 || isSameLines(mine, other)) regions.push({ lines: touched.has('ours') ? mine : other });
    else regions.push({ base: base.slice(start, end), ours: mine, theirs: other });
    done = end;
  }
  regions.push({ lines: base.slice(done) });
  return regions.filter((region) => !('lines' in region) || region.lines.length > 0);
}

/** How far git looks for a NUL, which makes a file binary. */
const binarySearchBytes = 8000;

/** Tells whether git takes a file for one that has no lines. */
export const isBinary = (bytes: Uint8Array): boolean => bytes.subarray(0, binarySearchBytes).includes(0);

const isSameLines = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, i) => line === b[i]);
