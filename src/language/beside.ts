// What words say and what a scorer of turns says (ports.ts), joined by logistic regression. scripts/train/scorers/beside.mjs makes its weights.

import type { Beside } from './weights.ts';

/** A probability is not surer than this, so that a scorer that is sure of all it says can be overruled. */
const doubt = 0.1;

/** Lists what is weighed: 1, the words' sums, the logits, and two forms of how surely it is worth keeping. */
export function termsOf(sums: ArrayLike<number>, logits: ArrayLike<number>): number[] {
  const worth = 1 / (1 + Math.exp(-logits[0]!));
  const softened = Math.log((worth + doubt) / (1 - worth + doubt));
  return [1, ...Array.from(sums), ...Array.from(logits), softened, Math.log(Math.max(worth, 1e-9))];
}

/** Gives the sums of both; what the scorer says nothing of stays as it is. */
export function joined(sums: Float64Array, logits: ArrayLike<number>, { weights }: Beside): Float64Array {
  const terms = termsOf(sums, logits);
  const both = Float64Array.from(sums);
  for (const { at, row } of weights) both[at] = row.reduce((sum, weight, nth) => sum + weight * terms[nth]!, 0);
  return both;
}
