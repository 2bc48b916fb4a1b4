// Vectors as small integers: 8 bits a component for what is kept, 16 for what is asked, each with one factor for the whole.

import { maxQuerySum } from './scan-kernel.ts';

/** Integers that, times `scale`, are a vector. */
export interface Quantised<Integers> {
  readonly integers: Integers;
  readonly scale: number;
}

/**
 * Writes a vector as 8-bit integers into `target`, which may be longer, and gives the factor.
 *
 * The largest component becomes 127, so each is off by at most half of `scale`: symmetric linear quantisation, one factor per vector.
 * A vector of zeros has the factor 0.
 */
export function quantiseInto(target: Int8Array, vector: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!));
  // Kept as 32 bits on disk: computing with the rounded factor gives the same before and after.
  const scale = Math.fround(largest / 127);
  target.fill(0);
  if (scale === 0) return 0;
  for (let at = 0; at < vector.length; at++) {
    target[at] = Math.max(-127, Math.min(127, Math.round(vector[at]! / scale)));
  }
  return scale;
}

/** Writes a query as 16-bit integers, `stride` of them, as finely as the sums of a scan allow. */
export function quantiseQuery(query: Float32Array, stride: number): Quantised<Int16Array> {
  let largest = 0;
  let sum = 0;
  for (let at = 0; at < query.length; at++) {
    const magnitude = Math.abs(query[at]!);
    largest = Math.max(largest, magnitude);
    sum += magnitude;
  }
  const integers = new Int16Array(stride);
  // Rounding may add a half to each component.
  const scale = Math.max(largest / 32_767, sum / (maxQuerySum - query.length));
  if (scale > 0) for (let at = 0; at < query.length; at++) integers[at] = Math.round(query[at]! / scale);
  return { integers, scale };
}
