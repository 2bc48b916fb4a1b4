// How strong a memory is at a moment (spec 1): the three decay models, and what a score is worth. What is done about it is lifecycle/.

import type { Configuration } from './configuration.ts';
import type { MemoryRecord } from './types.ts';

/** Options of decay; see the key `decay` of the configuration. */
export type Decay = Configuration['decay'];

const secondsPerDay = 86_400;

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
  return (record.useCount + 1) ** decay.beta * retentionAfter(elapsed, decay) * record.strength;
}

/** Computes `f`, the share of strength left after so many seconds without use: 1 at zero, never growing. */
export function retentionAfter(seconds: number, decay: Decay): number {
  switch (decay.model) {
    case 'power_law': {
      const t0 = (decay.halfLifeDays * secondsPerDay) / (2 ** (1 / decay.alpha) - 1);
      return (1 + seconds / t0) ** -decay.alpha;
    }
    case 'exponential':
      return Math.exp(-decay.lambda * seconds);
    case 'two_component': {
      const { fastWeight: weight, fastLambda: fast, slowLambda: slow } = decay.twoComponent;
      return weight * Math.exp(-fast * seconds) + (1 - weight) * Math.exp(-slow * seconds);
    }
  }
}

/** Options of review; see the key `review` of the configuration. */
export type Review = Configuration['review'];

/**
 * Computes how much a memory of that score is worth coming back to: 1 in the middle of the danger zone, 0 at its ends and outside.
 *
 * `1 − ((score − 0.25) / 0.10)²` for the zone 0.15 to 0.35: above it a memory is known well enough, below it is all but gone
 * (CortexGraph, spec 1).
 */
export function reviewPriorityOf(score: number, { dangerMin, dangerMax }: Review): number {
  const middle = (dangerMin + dangerMax) / 2;
  const reach = (dangerMax - dangerMin) / 2;
  return Math.max(0, 1 - ((score - middle) / reach) ** 2);
}

/** Tells whether a score lies in the danger zone, ends included. */
export function isInDanger(score: number, { dangerMin, dangerMax }: Review): boolean {
  return score >= dangerMin && score <= dangerMax;
}
