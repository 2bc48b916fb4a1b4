// A merge that did not come out, as a text between markers. The base of a further merge holds it; a file of a memory never does.

import type { Hunk } from '../../base/line-diff.ts';
import { splitKeepingEnds } from '../../base/text.ts';
import { mergeHunks } from './histogram-diff.ts';
import { type DisputedRegion, type MergeRegion, mergeLines } from './text.ts';

/** Common lines between two disputes that are so few that both read as one. */
const maxLinesBetween = 3;

/**
 * Merges two texts with both sides of every dispute between markers, as git does for the base of a further merge. Whatever that one finds
 * there differs from both, so what was disputed stays disputed unless both sides settled it alike.
 */
export function mergeTextWithMarkers(base: string | null, ours: string, theirs: string, markerLength: number): string {
  const marker = (character: string, name: string): string => `${character.repeat(markerLength)}${name}\n`;
  const closed = (lines: readonly string[]): string => lines.join('').replace(/[^\n]$/, '$&\n');
  const regions = mergeLines(splitKeepingEnds(base ?? ''), splitKeepingEnds(ours), splitKeepingEnds(theirs));
  return regions
    .flatMap((region) => ('lines' in region ? [region] : narrow(region)))
    .map((region) => {
      if ('lines' in region) return region.lines.join('');
      return (
        marker('<', ' Temporary merge branch 1') +
        closed(region.ours) +
        marker('=', '') +
        closed(region.theirs) +
        marker('>', ' Temporary merge branch 2')
      );
    })
    .join('');
}

/** Takes what both sides have in common out of a dispute, but for a few lines between two differences. */
function narrow({ base, ours, theirs }: DisputedRegion): MergeRegion[] {
  if (ours.length === 0 || theirs.length === 0) return [{ base, ours, theirs }];
  const hunks: Hunk[] = [];
  for (const hunk of mergeHunks(ours, theirs)) {
    const last = hunks.at(-1);
    if (last === undefined || hunk.beforeStart - last.beforeEnd > maxLinesBetween) hunks.push(hunk);
    else hunks[hunks.length - 1] = { ...last, beforeEnd: hunk.beforeEnd, afterEnd: hunk.afterEnd };
  }
  const narrowed: MergeRegion[] = [];
  let done = 0;
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of hunks) {
    narrowed.push({ lines: ours.slice(done, beforeStart) });
    narrowed.push({ base, ours: ours.slice(beforeStart, beforeEnd), theirs: theirs.slice(afterStart, afterEnd) });
    done = beforeEnd;
  }
  return [...narrowed, { lines: ours.slice(done) }];
}
