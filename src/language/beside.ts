// What words say and what a scorer of turns says (ports.ts), joined by logistic regression. scripts/train/scorers/beside.mjs makes its weights.

import type { Beside } from './weights.ts';

/** A probability is not surer than this, so that a scorer that is sure of all it says can be overruled. */
const doubt = 0.1;

/**
 * Lists what is weighed for an output. That is 1, what the scorers of words sum up for it and for worth, and the logits. Two forms of how surely it
 * is worth keeping come last. Other sums of words are left out: they fit the sets that were learned from, and keep twice as much of everyday chats.
 */
export function termsOf(own: number, worth: number, logits: ArrayLike<number>): number[] {
  const seen = 1 / (1 + Math.exp(-logits[0]!));
  const softened = Math.log((seen + doubt) / (1 - seen + doubt));
  return [1, own, worth, ...Array.from(logits), softened, Math.log(Math.max(seen, 1e-9))];
}

/** Gives the sums of both, worth first among them; what the scorer says nothing of stays as it is. */
export function joined(sums: Float64Array, logits: ArrayLike<number>, { weights }: Beside): Float64Array {
  const both = Float64Array.from(sums);
  for (const { at, row } of weights) {
    const terms = termsOf(sums[at]!, sums[0]!, logits);
    both[at] = row.reduce((sum, weight, nth) => sum + weight * terms[nth]!, 0);
  }
  return both;
}
