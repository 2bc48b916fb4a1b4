// How the vectors of a model make a rank: how like the query each document is, and what is said around it, which counts less.

import type { Layout } from './layout.ts';
import type { LikenessOf } from './recall-options.ts';
import { flag } from './segment.ts';

/** By distance − 1: how much a turn takes from the one before it and from the one after it. */
const nearbyWeights = Array.from({ length: 4 }, (_, at) => ({ before: 0.6 * 0.6 ** at, after: 0.3 * 0.6 ** at }));

/**
 * Scores documents by their likeness to a query and that of the turns around them; any sign, comparable within a query.
 *
 * A document without a known likeness counts as unlike.
 */
export function scoreLikeness(slots: ArrayLike<number>, layout: Layout, likenessOf: LikenessOf): Float64Array {
  const known = new Float64Array(layout.size).fill(Number.NaN);
  const ofSlot = (slot: number): number => {
    if (Number.isNaN(known[slot]!)) known[slot] = likenessOf(slot) ?? 0;
    return known[slot]!;
  };
  const scores = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    let score = ofSlot(slot);
    if ((layout.corpus.columns.flags[slot]! & flag.spoken) !== 0) {
      const file = layout.fileOf[slot];
      for (const [index, { before, after }] of nearbyWeights.entries()) {
        const earlier = slot - index - 1;
        const later = slot + index + 1;
        if (earlier >= 0 && layout.fileOf[earlier] === file) score += before * ofSlot(earlier);
        if (later < layout.size && layout.fileOf[later] === file) score += after * ofSlot(later);
      }
    }
    scores[at] = score;
  }
  return scores;
}
