// Computes the strength of a memory at a moment (spec 1): three decay models, and what a score is worth. lifecycle/ acts on it.

import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { Configuration } from './configuration.ts';

/** Options of decay; see the key `decay` of the configuration. */
export type Decay = Configuration['decay'];

const secondsPerDay = 86_400;
/** How much uses count: strength grows with their number to this power. */
const beta = 0.6;
/** The exponent of the power law. */
const alpha = 1.1;
const halfLifeOfScale = 2 ** (1 / alpha) - 1;
/** Of the exponential, per second: a half-life of three days. */
const lambda = 2.673e-6;
/** Of the two components: the share of the fast one, whose half-life is about twelve hours; that of the slow one is seven days. */
const [fastWeight, fastLambda, slowLambda] = [0.7, 1.603e-5, 1.147e-6];

/**
 * Computes the strength score of a memory at a moment: `(use_count + 1)^beta · f(dt) · strength`.
 *
 * `dt` is the time since the last use in seconds, never below zero; `f` falls from 1 towards 0:
 *
 * - power law (default): `(1 + dt/t0)^−alpha` with `t0 = H / (2^(1/alpha) − 1)`, so that f(H) = 1/2 for the half-life H;
 * - exponential: `exp(−lambda·dt)`;
 * - two-component: `w·exp(−lf·dt) + (1 − w)·exp(−ls·dt)`, a fast and a slow part.
 *
 * A fresh memory of strength 1 scores 1.0 (CortexGraph, spec 1).
 */
export function scoreOf(
  record: Pick<MemoryRecord, 'useCount' | 'lastUsed' | 'strength'>,
  nowMs: number,
  decay: Decay,
): number {
  const elapsed = Math.max(0, nowMs / 1000 - record.lastUsed);
  const { useCount } = record;
  // A list computes this for all: most were never used, and a power is what costs.
  const uses = useCount === 0 ? 1 : (useCount + 1) ** beta;
  return uses * retentionAfter(elapsed, decay) * record.strength;
}

/** Computes `f`, the share of strength left after so many seconds without use: 1 at zero, never growing. */
export function retentionAfter(seconds: number, decay: Decay): number {
  switch (decay.model) {
    case 'power_law': {
      const t0 = (decay.halfLifeDays * secondsPerDay) / halfLifeOfScale;
      return (1 + seconds / t0) ** -alpha;
    }
    case 'exponential':
      return Math.exp(-lambda * seconds);
    case 'two_component':
      return fastWeight * Math.exp(-fastLambda * seconds) + (1 - fastWeight) * Math.exp(-slowLambda * seconds);
  }
}

/** Scores between these are the danger zone: memories worth coming back to before they are forgotten. */
const dangerMin = 0.15;
export const dangerMax = 0.35;

/**
 * Computes how much a memory of that score is worth coming back to. That is 1 in the middle of the danger zone, 0 at its ends and outside.
 *
 * `1 − ((score − 0.25) / 0.10)²` for the zone 0.15 to 0.35: above it a memory is known well enough, below it is all but gone
 * (CortexGraph, spec 1).
 */
export function reviewPriorityOf(score: number): number {
  const middle = (dangerMin + dangerMax) / 2;
  const reach = (dangerMax - dangerMin) / 2;
  return Math.max(0, 1 - ((score - middle) / reach) ** 2);
}

/** Tells whether a score lies in the danger zone, ends included. */
export const isInDanger = (score: number): boolean => score >= dangerMin && score <= dangerMax;
