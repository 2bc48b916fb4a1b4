// How sure one may be of a difference that the same questions show: bootstrap for how large it is, permutation for whether it is chance.

import type { Significance } from '../../base/types.ts';

const samples = 10_000;

/** Numbers in [0, 1), the same ones for the same seed: mulberry32 (Tommy Ettinger, public domain). */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Compares values that belong together pair by pair, such as two ranks of one question; the answer is always the same.
 *
 * The interval holds the middle 95 % of the mean differences of 10,000 samples with replacement (Efron 1979). For `p`, the differences get
 * random signs 10,000 times (Fisher 1935; Phipson and Smyth 2010). It is the share of these times in which their mean is at least as far
 * from zero. It counts itself, so it is never 0. Without values: 0, [0, 0] and 1.
 */
export function pairedDifference(a: readonly number[], b: readonly number[]): Significance {
  const differences = a.map((value, at) => b[at]! - value);
  const count = differences.length;
  if (count === 0) return { difference: 0, interval: [0, 0], p: 1 };
  const difference = differences.reduce((sum, value) => sum + value, 0) / count;
  const random = randomOf(1);
  const means = new Float64Array(samples);
  let further = 0;
  for (let sample = 0; sample < samples; sample++) {
    let drawn = 0;
    let flipped = 0;
    for (const own of differences) {
      drawn += differences[Math.floor(random() * count)]!;
      flipped += random() < 0.5 ? own : -own;
    }
    means[sample] = drawn / count;
    // Sums of the same numbers in another order may differ in the last digit.
    if (Math.abs(flipped / count) >= Math.abs(difference) - 1e-12) further += 1;
  }
  means.sort();
  const interval = [means[Math.floor(samples * 0.025)]!, means[Math.ceil(samples * 0.975) - 1]!] as const;
  return { difference, interval, p: (further + 1) / (samples + 1) };
}
