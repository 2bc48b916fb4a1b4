// Of a file that is found as a whole: the passage that answers best.

import { firstNotBelow } from '../base/sorted.ts';
import type { Layout } from './layout.ts';
import { findTerm } from './postings.ts';
import type { Question } from './question.ts';
import { rankingSettings } from './ranking-settings.ts';
import { flag } from './segment.ts';

/** Gives the row of the best passage of a unit that is wanted; the row itself where it is no passage. */
export function bestPassage(
  slot: number,
  { found }: Question,
  layout: Layout,
  isWanted: (slot: number) => boolean,
): number {
  const { columns, files } = layout.corpus;
  if ((columns.flags[slot]! & flag.passage) === 0) return slot;
  const { first, count } = files.at(columns.fileOf[slot]!);
  if (count === 1) return slot;
  const placed = layout.corpus.segmentOf(first);
  const { postings } = placed.segment;
  const scores = new Float64Array(count);
  for (const { terms, share } of found) {
    for (const term of terms) {
      const number = findTerm(postings, term);
      if (number < 0) continue;
      const to = postings.starts[number + 1]!;
      for (let at = firstNotBelow(postings.rows, first - placed.first, postings.starts[number]!, to); at < to; at++) {
        const passage = postings.rows[at]! - (first - placed.first);
        if (passage >= count) break;
        const often = postings.counts[at]!;
        const norm =
          rankingSettings.once + postings.textLengths[passage + first - placed.first]! / rankingSettings.perLength;
        scores[passage]! += (share * often) / (often + norm);
      }
    }
  }
  let best = -1;
  for (let passage = 0; passage < count; passage++) {
    if (!isWanted(first + passage)) continue;
    if (best < 0 || scores[passage]! > scores[best]!) best = passage;
  }
  return best < 0 ? slot : first + best;
}
