// How signs make a rank: what has no word to look up (`!!!`, `to be`) is looked for letter by letter.

import { slotsOf } from './candidates.ts';
import type { Layout } from './layout.ts';
import type { WordScores } from './word-ranking.ts';

/** Scores texts that contain the query as it stands, in any case, the earlier the better; all, for a blank query. */
export function literalScores(query: string, terms: readonly string[], layout: Layout): WordScores {
  const wanted = query.trim().toLowerCase();
  const own = new Float64Array(layout.size);
  const coverage = new Float64Array(layout.size);
  const slots = slotsOf(layout, (slot) => {
    if (layout.fileOf[slot]! < 0) return false;
    const at = wanted === '' ? 0 : layout.document(slot).text.toLowerCase().indexOf(wanted);
    if (at < 0) return false;
    own[slot] = 1 / (1 + at / 1000);
    coverage[slot] = 1;
    return true;
  });
  return { slots, own, coverage, session: new Float64Array(layout.fileSizes.length), terms };
}
