// How vectors make a rank: each document's likeness to the query, and that of the turns around it.
//
// The built-in embedder knows no meanings. What it lacks, the view supplies: a query's vector is that of its words, each weighed
// by its rarity, plus the mean of the documents that hold the word, as seen from the middle of the view. So "tent" finds
// "campsite" where the two have stood in one text before (local co-occurrence; compare Rocchio 1971, Sahlgren 2005).

import { addScaled, dot, normalise } from '../base/vectors.ts';
import { vectorOfTerms } from './built-in-embedder.ts';
import type { SearchDocument } from './documents.ts';
import type { Layout } from './layout.ts';
import { type Holders, nearbyWeights, rarity } from './word-ranking.ts';

/** How many documents stand for the middle of the view, and for one word; about so many, chosen by the hash of their text. */
const sampleOfView = 256;
const sampleOfWord = 64;

/** Says how like a query a document is; undefined where nobody knows. */
export type LikenessOf = (document: SearchDocument) => number | undefined;

const builtInVectors = new WeakMap<SearchDocument, Float32Array>();

/** Gives the built-in vector of a document: of its words, and of what stands above them unless it is a turn. */
function builtInVectorOf(document: SearchDocument): Float32Array {
  let vector = builtInVectors.get(document);
  if (vector === undefined) {
    const { text, title } = document.terms;
    vector = vectorOfTerms(document.turn === undefined ? [...text, ...title] : text);
    builtInVectors.set(document, vector);
  }
  return vector;
}

/** Tells whether a document belongs to a sample of about `wanted` in `count`; depends on the texts of the view alone. */
function isSampled(keyNumber: number, wanted: number, count: number): boolean {
  return count <= wanted || keyNumber < (wanted / count) * 2 ** 32;
}

/** The middle of a view is trusted as if so many documents more stood at the origin: two texts have none to speak of. */
const doubtInMiddle = 16;

/** Gives the mean vector of a sample of documents, drawn towards the origin by `doubt`. */
function meanOf(
  slots: Iterable<number>,
  count: number,
  wanted: number,
  layout: Layout,
  dimensions: number,
  doubt = 0,
): Float64Array {
  const sum = new Float64Array(dimensions);
  let size = 0;
  for (const slot of slots) {
    if (!isSampled(layout.keyNumbers[slot]!, wanted, count)) continue;
    addScaled(sum, builtInVectorOf(layout.documents[slot]!), 1);
    size += 1;
  }
  if (size > 0) for (let at = 0; at < dimensions; at++) sum[at]! /= size + doubt;
  return sum;
}

const middles = new WeakMap<Layout, Float64Array>();

function middleOf(layout: Layout, dimensions: number): Float64Array {
  let middle = middles.get(layout);
  if (middle === undefined) {
    middle = meanOf(layout.documents.keys(), layout.size, sampleOfView, layout, dimensions, doubtInMiddle);
    middles.set(layout, middle);
  }
  return middle;
}

/**
 * Compares documents of a view with a query by the built-in embedder; above zero is what is more like it than the middle is.
 *
 * `holders` names the documents that hold each term of the query.
 */
export function builtInLikeness(holders: readonly Holders[], layout: Layout): LikenessOf {
  const dimensions = vectorOfTerms([]).length;
  const query = new Float64Array(dimensions);
  const middle = middleOf(layout, dimensions);
  for (const { term, slots } of holders) {
    const weight = rarity(layout.size, slots.length);
    addScaled(query, vectorOfTerms([term]), weight);
    if (slots.length === 0) continue;
    const around = meanOf(slots, slots.length, sampleOfWord, layout, dimensions);
    addScaled(around, middle, -1);
    addScaled(query, normalise(around), weight);
  }
  const vector = normalise(query);
  const ofMiddle = dot(vector, middle);
  return (document) => dot(vector, builtInVectorOf(document)) - ofMiddle;
}

/**
 * Scores documents by their likeness to a query and that of the turns around them; any sign, comparable within a query.
 *
 * A document of which no likeness is known counts as unlike.
 */
export function scoreLikeness(slots: ArrayLike<number>, layout: Layout, likenessOf: LikenessOf): Float64Array {
  const known = new Float64Array(layout.size).fill(Number.NaN);
  const ofSlot = (slot: number): number => {
    if (Number.isNaN(known[slot]!)) known[slot] = likenessOf(layout.documents[slot]!) ?? 0;
    return known[slot]!;
  };
  const scores = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    let score = ofSlot(slot);
    if (layout.isSpoken[slot]) {
      const file = layout.fileOf[slot];
      for (const [index, { before, after }] of nearbyWeights.entries()) {
        const earlier = slot - index - 1;
        const later = slot + index + 1;
        if (earlier >= 0 && layout.fileOf[earlier] === file) score += before * ofSlot(earlier);
        if (later < layout.size && layout.fileOf[later] === file) score += after * ofSlot(later);
      }
    }
    scores[at] = score;
  }
  return scores;
}
