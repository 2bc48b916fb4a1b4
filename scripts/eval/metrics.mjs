// Retrieval metrics over ranked places, and how sure one may be of a difference.

import { randomOf } from '../random.mjs';

export const measures = ['R@1', 'R@5', 'R@10', 'R@20', 'MRR', 'nDCG@10'];

/** Scores one ranked list: recall is the share of gold found, nDCG has binary gains. Returns values in the order of `measures`. */
export function score(ranked, gold) {
  const found = (depth) => ranked.slice(0, depth).filter((place) => gold.has(place)).length;
  const first = ranked.findIndex((place) => gold.has(place));
  const discount = (at) => 1 / Math.log2(at + 2);
  let gain = 0;
  let ideal = 0;
  for (let at = 0; at < 10; at++) {
    if (gold.has(ranked[at])) gain += discount(at);
    if (at < gold.size) ideal += discount(at);
  }
  return [...[1, 5, 10, 20].map((depth) => found(depth) / gold.size), first < 0 ? 0 : 1 / (first + 1), gain / ideal];
}

export const mean = (values) => values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

export const meanScores = (rows) => measures.map((_, at) => mean(rows.map((row) => row[at])));

/** 95 % interval of the mean difference of paired values: 2,000 bootstrap samples of questions. */
export function interval(values, baseline) {
  const differences = values.map((value, at) => value - baseline[at]);
  const next = randomOf(1);
  const means = Array.from({ length: 2000 }, () => {
    let sum = 0;
    for (let at = 0; at < differences.length; at++) sum += differences[Math.floor(next() * differences.length)];
    return sum / differences.length;
  }).sort((one, other) => one - other);
  return [means[50], means[1949]];
}
