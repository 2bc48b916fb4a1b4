// How the evidence of words and vectors becomes one score, and what date and use add to it.

/** How words and vectors are combined: by a sum that a gate weighs, by reciprocal ranks, or as spec 5 §7 and §6.3 say. */
export type FusionName = 'sum' | 'rrf' | 'spec';

/** The settings of one search. */
export interface Fusion {
  readonly strategy: FusionName;
  /** The share of vectors beside words, 0 to 1; 0 where there are none, 1 for vectors alone. */
  readonly vectorWeight: number;
  /** What each of them weighs under `spec`. */
  readonly weights: { readonly bm25Weight: number; readonly vectorWeight: number };
  /** How much of a score depends on the date, 0 to 1. */
  readonly recency: number;
  /** How much of a score depends on strength and use of a memory, 0 to 1. */
  readonly use: number;
}

/** What is known of each candidate; `NaN` where a candidate has no date or no use. */
export interface Evidence {
  readonly words: Float64Array;
  /** How near to the query each is beside the nearest, at most 1. What has no vector, `NaN`, counts as its words do. */
  readonly vector: Float64Array | undefined;
  readonly ageDays: Float64Array;
  readonly strength: Float64Array;
  readonly uses: Float64Array;
}

/** The parts of a score, each by candidate and 0 to 1. */
export interface Fused {
  readonly score: Float64Array;
  readonly words: Float64Array;
  readonly vector: Float64Array | undefined;
}

/** The decay of spec 5 §6.3, a half-life of about a week. */
const decayPerDay = 0.1;
/** The constant of reciprocal rank fusion (Cormack, Clarke, Buettcher 2009). */
const rankOffset = 60;

/** Gives the recency of an age in days: 1 for now, a half for a week ago. */
export function recencyOf(ageDays: number): number {
  return Math.exp(-decayPerDay * Math.max(0, ageDays));
}

/** Gives what date and use leave of a score; `NaN` where one has none. */
export function worthOf(ageDays: number, strength: number, { recency, use }: Pick<Fusion, 'recency' | 'use'>): number {
  const fresh = Number.isNaN(ageDays) ? 0.5 : recencyOf(ageDays);
  return 1 - recency - use + recency * fresh + use * (Number.isNaN(strength) ? 0.5 : strength);
}

function sharesOfMaximum(values: Float64Array): Float64Array {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return values.map((value) => (value > 0 ? value / most : 0));
}

/** Gives each value's 1-based rank, the largest first; equal values share the better rank, so that order does not matter. */
function ranksOf(values: Float64Array): Float64Array {
  const sorted = values.slice().sort().reverse();
  const rankOf = new Map<number, number>();
  for (let at = 0; at < sorted.length; at++) if (!rankOf.has(sorted[at]!)) rankOf.set(sorted[at]!, at + 1);
  return values.map((value) => rankOf.get(value)!);
}

interface RankedList {
  readonly values: Float64Array;
  readonly weight: number;
}

function reciprocalRanks(lists: readonly RankedList[]): Float64Array {
  const sum = new Float64Array(lists[0]!.values.length);
  for (const { values, weight } of lists) {
    const ranks = ranksOf(values);
    for (let at = 0; at < sum.length; at++)
      if (values[at]! > 0) sum[at]! += (weight * (rankOffset + 1)) / (rankOffset + ranks[at]!);
  }
  return sum;
}

/**
 * Scores candidates.
 *
 * ```
 * words             as a share of what the best candidate has
 * vector            below zero is zero; of what has no vector, its words
 *
 * sum       (1 − w) · words + w · vector, then · (1 − r − u + r · recency + u · strength)
 * rrf       Σ of 61 / (60 + rank) over words and vectors; dates and use as with sum
 * spec      (bm25Weight · words + vectorWeight · vector) · exp(−0.1 · days) · (1 + 0.1 · uses)
 * ```
 */
export function fuse(evidence: Evidence, fusion: Fusion): Fused {
  const words = sharesOfMaximum(evidence.words);
  const vector = evidence.vector?.map((value, at) => (Number.isNaN(value) ? words[at]! : Math.max(0, value)));
  const { strategy, vectorWeight, weights } = fusion;
  let score: Float64Array;
  switch (strategy) {
    case 'spec':
      score = words.map((value, at) => {
        const relevance =
          vector === undefined ? value : weights.bm25Weight * value + weights.vectorWeight * vector[at]!;
        const age = evidence.ageDays[at]!;
        const uses = evidence.uses[at]!;
        return relevance * (Number.isNaN(age) ? 1 : recencyOf(age)) * (Number.isNaN(uses) ? 1 : 1 + 0.1 * uses);
      });
      score = score.some((value) => value > 1) ? sharesOfMaximum(score) : score;
      return { score, words, vector };
    case 'rrf': {
      const lists: RankedList[] = [{ values: words, weight: vector === undefined ? 1 : 1 - vectorWeight }];
      if (vector !== undefined) lists.push({ values: vector, weight: vectorWeight });
      score = reciprocalRanks(lists);
      break;
    }
    case 'sum':
      score =
        vector === undefined
          ? words
          : words.map((value, at) => (1 - vectorWeight) * value + vectorWeight * vector[at]!);
  }
  score = score.map((value, at) => value * worthOf(evidence.ageDays[at]!, evidence.strength[at]!, fusion));
  return { score, words, vector };
}
