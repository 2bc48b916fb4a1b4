// How probable it is that a hit answers a question: one figure from words and vectors, which orders nothing. From it comes the verdict that
// there is probably nothing.

import { firstNotBelow } from '../base/sorted.ts';
import type { Layout } from './layout.ts';
import type { Question } from './question.ts';
import { rankingSettings } from './ranking-settings.ts';
import type { Likenesses } from './recall-options.ts';

/** What says whether a hit answers a question, each 0 to 1; the cosine −1 to 1. */
export interface ConfidenceEvidence {
  /** The share of the question, by rarity, that it holds; what only the turns around it hold counts less. */
  readonly coverage: number;
  /** The share that nothing in the view holds as it is written. With it counts the greatest share of one word, which is found by chance. */
  readonly unsaid: number;
  /** Its likeness to the question; absent where words alone rank. */
  readonly cosine?: number;
}

/**
 * Gives the probability that a hit with such evidence answers, where as many questions are about something known as are not.
 *
 * ```
 * 1 / (1 + e^−(base + held · (coverage + cosine) + absent · unsaid))
 * ```
 */
export function confidenceOf({ coverage, unsaid, cosine }: ConfidenceEvidence): number {
  const { base, held, absent } = rankingSettings.confidence[cosine === undefined ? 'byWords' : 'byBoth'];
  return 1 / (1 + Math.exp(-(base + held * (coverage + (cosine ?? 0)) + absent * unsaid)));
}

/** Tells whether none of the first hits probably answers, by what makes each probable; what was not asked for by words has no such figure. */
export function isProbablyNothing(confidences: readonly (number | undefined)[]): boolean {
  return confidences.every((one) => one !== undefined && one < rankingSettings.leastConfidence);
}

/** Gives the evidence of a hit: that of the best of the documents that it stands for. Each is a unit with its best passage. */
export function evidenceFor(
  { found, unsaid: unheld }: Question,
  layout: Layout,
  likenesses: Likenesses | undefined,
): (places: readonly (readonly [unit: number, passage: number])[]) => ConfidenceEvidence {
  const { sessionFirsts, sessionLasts } = layout.corpus.columns;
  const { around, inAround } = rankingSettings;
  const unsaid = found.reduce((most, { asWritten }) => Math.max(most, asWritten), 0) + unheld;
  const evidenceOf = ([unit, passage]: readonly [number, number]): ConfidenceEvidence => {
    const first = Math.max(sessionFirsts[unit]!, unit - around);
    const last = Math.min(sessionLasts[unit]!, unit + around);
    let coverage = 0;
    for (const { ids, asWritten } of found) {
      if (asWritten === 0) continue;
      const at = firstNotBelow(ids, first, 0);
      const near = ids[at];
      if (near === undefined || near > last) continue;
      const isOwn = ids[firstNotBelow(ids, unit, at)] === unit;
      coverage += asWritten * (isOwn ? 1 : inAround);
    }
    const cosine = likenesses === undefined ? Number.NaN : likenesses.scores[likenesses.rows[passage]!]!;
    return { coverage, unsaid, ...(Number.isNaN(cosine) ? {} : { cosine }) };
  };
  return (places) =>
    places.map(evidenceOf).reduce((one, other) => (confidenceOf(other) > confidenceOf(one) ? other : one));
}
