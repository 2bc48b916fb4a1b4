// How alike a message and the topics are, four ways at once (spec 5 §4.2, tier 2). All numbers of the collection are those of the topics
// that the view has. So an answer does not depend on what was asked before.

import { keptIn } from '../../../base/once-per.ts';
import type { SimilarityAlgorithm } from '../../../store/records/topic-file.ts';
import { gramSketch, sketchLikeness } from './grams.ts';
import { countTerms, type Reading } from './reading.ts';

/** What follows from a topic's text alone, worked out once. */
export interface Profile {
  readonly terms: ReadonlyMap<string, number>;
  /** How many terms there are, repetitions counted. */
  readonly length: number;
  readonly sketch: Uint32Array;
}

/** How alike two texts are, each from 0 to 1. */
export type Likeness = Readonly<Record<SimilarityAlgorithm, number>>;

const maxProfile = 32 << 10;
/** Robertson and Walker 1994, with the values of rank-bm25. */
const k1 = 1.5;
const b = 0.75;

/** Makes the profile of a text. */
export function profileOf(text: string): Profile {
  const seen = text.slice(0, maxProfile);
  const terms = countTerms(seen);
  let length = 0;
  for (const count of terms.values()) length += count;
  return { terms, length, sketch: gramSketch(seen) };
}

interface Posting {
  readonly row: number;
  readonly count: number;
}

/**
 * Makes what compares a text with every profile of a set, in their order; built once for a set.
 *
 * `tfidf`: cosine over the words that some topic has, as after `fit_transform`. `bm25`: the share of the points that a text with all of
 * the words would have. `jaccard`: shared words among all words of the two. `ngram`: {@link sketchLikeness}.
 */
export function likenessTo(profiles: readonly Profile[]): (reading: Reading) => readonly Likeness[] {
  const postings = new Map<string, Posting[]>();
  for (const [row, { terms }] of profiles.entries()) {
    for (const [term, count] of terms) keptIn(postings, term, () => []).push({ row, count });
  }
  /** Smoothed, as scikit-learn's TfidfVectorizer has it: ln((1 + n) / (1 + df)) + 1. */
  const idfOf = (list: readonly Posting[]): number => Math.log((1 + profiles.length) / (1 + list.length)) + 1;
  /** Euclidean length of each profile's vector. */
  const norms = new Float64Array(profiles.length);
  for (const list of postings.values()) {
    const weight = idfOf(list);
    for (const { row, count } of list) norms[row]! += (count * weight) ** 2;
  }
  for (const row of norms.keys()) norms[row] = Math.sqrt(norms[row]!);
  const averageLength = profiles.reduce((sum, { length }) => sum + length, 0) / Math.max(1, profiles.length);
  return (reading) => {
    const dot = new Float64Array(profiles.length);
    const points = new Float64Array(profiles.length);
    const shared = new Uint32Array(profiles.length);
    let norm = 0;
    let most = 0;
    for (const [term, count] of reading.terms()) {
      const list = postings.get(term);
      if (list === undefined) continue;
      const idf = idfOf(list);
      norm += (count * idf) ** 2;
      // Never negative, as Lucene has it: a word of every topic says little, and not the opposite.
      const rarity = Math.log(1 + (profiles.length - list.length + 0.5) / (list.length + 0.5));
      most += rarity * (k1 + 1);
      for (const posting of list) {
        const { row } = posting;
        const { length } = profiles[row]!;
        dot[row]! += count * posting.count * idf * idf;
        shared[row]! += 1;
        const lengthFactor = 1 - b + (b * length) / Math.max(1, averageLength);
        points[row]! += (rarity * posting.count * (k1 + 1)) / (posting.count + k1 * lengthFactor);
      }
    }
    return profiles.map((profile, row) => ({
      tfidf: dot[row] === 0 ? 0 : Math.min(1, dot[row]! / (Math.sqrt(norm) * norms[row]!)),
      bm25: most === 0 ? 0 : Math.min(1, points[row]! / most),
      jaccard: shared[row] === 0 ? 0 : shared[row]! / (profile.terms.size + reading.terms().size - shared[row]!),
      ngram: sketchLikeness(reading.sketch(), profile.sketch),
    }));
  };
}
