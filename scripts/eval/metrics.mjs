// Retrieval metrics over ranked places, and how sure one may be of them.

import { randomOf } from '../random.mjs';

/** What `score` gives, in this order. `first` and `first five`: whether any gold is there. */
export const measures = ['first', 'first five', 'R@5', 'R@10', 'nDCG@10'];

/** Scores one ranked list: recall is the share of gold found, nDCG has binary gains. */
export function score(ranked, gold) {
  const found = (depth) => ranked.slice(0, depth).filter((place) => gold.has(place)).length;
  const discount = (at) => 1 / Math.log2(at + 2);
  let gain = 0;
  let ideal = 0;
  for (let at = 0; at < 10; at++) {
    if (gold.has(ranked[at])) gain += discount(at);
    if (at < gold.size) ideal += discount(at);
  }
  return [Math.min(1, found(1)), Math.min(1, found(5)), found(5) / gold.size, found(10) / gold.size, gain / ideal];
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** 95 % interval of a mean: 2,000 bootstrap samples of the values with a fixed seed. Of paired differences it is that of the difference. */
export function interval(values) {
  const next = randomOf(1);
  const means = Array.from({ length: 2000 }, () => {
    let sum = 0;
    for (let at = 0; at < values.length; at++) sum += values[Math.floor(next() * values.length)];
    return sum / values.length;
  }).sort((one, other) => one - other);
  return [means[50], means[1949]];
}

/** Gives a function that takes every nth of what it is handed, counted on from call to call. */
export function sampler({ every = 1, offset = 0 }) {
  let count = 0;
  return (items) => items.filter(() => count++ % every === offset % every);
}
