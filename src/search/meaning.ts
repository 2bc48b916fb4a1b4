// What vectors say of documents beside words, and how much that counts: the gate. A question whose words are found is ranked by words, for
// vectors find whatever sounds alike. The less of it any document holds, the more they count.

import { LargestValues } from '../base/largest-values.ts';
import { shareOfAsked } from './evidence.ts';
import type { Layout } from './layout.ts';
import { rankingSettings } from './ranking-settings.ts';
import type { Likenesses } from './recall-options.ts';

/**
 * Gives what vectors weigh beside words, 0 to 1.
 *
 * ```
 * weight = min(1, least + unsure · max(0, sureFrom − certainty)) · min(1, shortQuestion / content words)
 * ```
 *
 * `certainty` is the share of the question that the best document holds. A long question says enough by its words.
 */
export function meaningWeight(least: number, certainty: number, contentWords: number): number {
  const { sureFrom, unsure, shortQuestion } = rankingSettings;
  const byCertainty = Math.min(1, least + unsure * Math.max(0, sureFrom - certainty));
  return byCertainty * Math.min(1, shortQuestion / Math.max(1, contentWords));
}

/** What vectors say of a view; valid until the next question. */
export interface Meanings {
  /** By slot: how near to the question the thing is beside the nearest, at most 1. Below 0 is less near than usual. `NaN` has no vector. */
  readonly score: Float64Array;
  /** The nearest of what is wanted, those that tie with the last included; what is hardly alike is not among them. */
  readonly nearest: readonly number[];
  /** What is wanted and as near as this is among the nearest. */
  readonly least: number;
}

/** By slot, kept from question to question. */
let scores = new Float64Array(0);

/**
 * Compares everything in a view with a question. A file that is found as a whole is as near as its nearest passage.
 *
 * ```
 * score = z / max(z of the nearest, overChance · √(2 ln n))
 * ```
 *
 * z is the cosine less the mean of the n things of the view, in standard deviations. Few of them say little of what is usual. The answer to a
 * question is as near as that, by the share of it that it takes.
 */
export function meaningsIn(
  layout: Layout,
  { rows, scores: likenesses }: Likenesses,
  isWantedUnit: (slot: number) => boolean,
): Meanings {
  const { units } = layout.corpus.columns;
  const { fileOf, size } = layout;
  if (scores.length < size) scores = new Float64Array(Math.ceil(size * 1.2));
  const score = scores.subarray(0, size).fill(Number.NaN);
  for (let slot = 0; slot < size; slot++) {
    const likeness = likenesses[rows[slot]!]!;
    if (!(fileOf[slot]! >= 0) || Number.isNaN(likeness)) continue;
    const unit = units[slot]!;
    if (!(score[unit]! >= likeness)) score[unit] = likeness;
  }
  let [count, sum, square] = [0, 0, 0];
  for (let slot = 0; slot < size; slot++) {
    const value = score[slot]!;
    if (Number.isNaN(value)) continue;
    count += 1;
    sum += value;
    square += value * value;
  }
  const { pool, overChance, leastLikeness, usualCount, usualLikeness, usualDeviation, replyMeans } = rankingSettings;
  const all = count + usualCount;
  const mean = (sum + usualCount * usualLikeness) / all;
  const usualSquare = usualLikeness ** 2 + usualDeviation ** 2;
  const deviation = Math.sqrt((square + usualCount * usualSquare) / all - mean * mean);
  const largest = new LargestValues(pool);
  let nearestBy = 0;
  // From the last on, so that a question is still as near as by itself when its answer is looked at.
  let toBeat = 0;
  for (let slot = size - 1; slot >= 0; slot--) {
    const likeness = score[slot]!;
    if (Number.isNaN(likeness)) continue;
    const own = (likeness - mean) / deviation;
    const asked = slot > 0 ? (replyMeans * (score[slot - 1]! - mean)) / deviation : 0;
    const near = asked > own ? Math.max(own, asked * shareOfAsked(slot, layout)) : own;
    score[slot] = near;
    if (!(near > toBeat && isWantedUnit(slot))) continue;
    largest.add(near);
    toBeat = Math.max(0, largest.least);
    nearestBy = Math.max(nearestBy, near);
  }
  const most = Math.max(nearestBy, overChance * Math.sqrt(2 * Math.log(Math.max(2, count))));
  const leastScore = (leastLikeness - mean) / deviation;
  const nearest: number[] = [];
  const from = Math.max(toBeat, leastScore);
  for (let slot = 0; slot < size; slot++) {
    const near = score[slot]!;
    if (near > 0 && near >= from && isWantedUnit(slot)) nearest.push(slot);
    score[slot] = near / most;
  }
  return { score, nearest, least: from / most };
}
