// How vectors make a rank: how like the query each document is, with what is said around it. A model's vectors are compared one
// by one, and what is around a turn counts less; those of the built-in embedder are summed up first, for one turn has few words.

import { addScaled, dot, normalise } from '../base/vectors.ts';
import type { Corpus } from './corpus.ts';
import { type LatentSpace, latentSpaceOf } from './latent-space.ts';
import type { Layout } from './layout.ts';
import { lexicalFieldNames } from './lexical-index.ts';
import { type Postings, termName, visitTerms } from './postings.ts';
import { flag } from './segment.ts';
import { nearbyWeights } from './word-ranking.ts';

/** Says how like a query the document of a slot is; undefined where nobody knows. */
export type LikenessOf = (slot: number) => number | undefined;

/** About so many documents stand for a view, chosen by the hash of their text. */
const sampleSize = 512;
/** How many turns before and after a turn are about the same. */
const reach = 4;

const textField = lexicalFieldNames.indexOf('text');
const titleField = lexicalFieldNames.indexOf('title');

/** A space, the slots it was learnt from, and the vectors of documents as far as somebody asked for them. */
interface LearntSpace {
  readonly space: LatentSpace | undefined;
  readonly from: readonly number[];
  readonly generation: number;
  readonly vectors: Map<number, Float64Array>;
  /** By term of postings: its position in the space; unknownYet as long as nobody asked. */
  readonly positions: WeakMap<Postings, Int32Array>;
}

/** A view as its space sees it: by slot, the direction of what is said there and around, as far as somebody asked. */
interface SeenView {
  readonly learnt: LearntSpace;
  readonly isKnown: Uint8Array;
  readonly directions: Float32Array;
}

const seenViews = new WeakMap<object, SeenView>();
/** The last one of a corpus: of a large memory a write rarely changes the sample. */
const learntBefore = new WeakMap<Corpus, LearntSpace>();

/** Gives the first and the last slot of what is said around a turn; a document that is none stands alone. */
function surroundings({ fileOf, corpus, size }: Layout, slot: number): [first: number, last: number] {
  if ((corpus.columns.flags[slot]! & flag.spoken) === 0) return [slot, slot];
  let [first, last] = [slot, slot];
  while (slot - first < reach && first > 0 && fileOf[first - 1] === fileOf[slot]) first -= 1;
  while (last - slot < reach && last + 1 < size && fileOf[last + 1] === fileOf[slot]) last += 1;
  return [first, last];
}

/** Adds the words of a document, and those above it unless it is a turn: a topic says little about one of many. */
function pushTermsOf(into: string[], { corpus }: Layout, slot: number): string[] {
  corpus.pushTerms(into, slot, textField);
  if ((corpus.columns.flags[slot]! & flag.spoken) === 0) corpus.pushTerms(into, slot, titleField);
  return into;
}

/** Chooses the documents a space is learnt from, in an order that depends on the view alone. */
function sampleOf({ corpus, fileOf, size, count }: Layout): number[] {
  const limit = count <= sampleSize ? Number.POSITIVE_INFINITY : (sampleSize / count) * 2 ** 32;
  const { keyNumbers } = corpus.columns;
  const sampled: { slot: number; place: string }[] = [];
  for (let slot = 0; slot < size; slot++) {
    if (fileOf[slot]! < 0 || keyNumbers[slot]! >= limit) continue;
    sampled.push({ slot, place: `${corpus.keyOf(slot)} ${corpus.placeOf(slot).path}` });
  }
  return sampled
    .sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : one.slot - other.slot))
    .map(({ slot }) => slot);
}

/** Learns a space from the sample of a view, unless one was learnt from just these documents. */
function learn(layout: Layout): LearntSpace {
  const { corpus } = layout;
  const windows = sampleOf(layout).map((slot) => surroundings(layout, slot));
  const from = windows.flat();
  const known = learntBefore.get(corpus);
  const isSame =
    known?.generation === corpus.generation &&
    known.from.length === from.length &&
    from.every((slot, at) => slot === known.from[at]);
  if (isSame) return known;
  const texts = windows.map(([first, last]) => {
    const terms: string[] = [];
    for (let slot = first; slot <= last; slot++) pushTermsOf(terms, layout, slot);
    return terms;
  });
  const learnt = {
    space: latentSpaceOf(texts),
    from,
    generation: corpus.generation,
    vectors: new Map(),
    positions: new WeakMap(),
  };
  learntBefore.set(corpus, learnt);
  return learnt;
}

const unknownYet = -2;

/** Makes the vector of a document. */
function vectorIn(space: LatentSpace, { positions }: LearntSpace, layout: Layout, slot: number): Float64Array {
  const { corpus } = layout;
  // A word of text and title counts once, for as often as it stands in both.
  if ((corpus.columns.flags[slot]! & flag.spoken) === 0) return space.vectorOf(pushTermsOf([], layout, slot));
  const { segment, first } = corpus.segmentOf(slot);
  const { postings } = segment;
  let known = positions.get(postings);
  if (known === undefined) {
    known = new Int32Array(postings.termEnds.length).fill(unknownYet);
    positions.set(postings, known);
  }
  const vector = new Float64Array(space.dimensions);
  visitTerms(postings, slot - first, textField, (term, count) => {
    let position = known[term]!;
    if (position === unknownYet) {
      position = space.positionOf(termName(postings, term));
      known[term] = position;
    }
    if (position >= 0) space.add(vector, position, count);
  });
  return vector;
}

/**
 * Compares a query with a view as the built-in embedder sees it: by the words of the query and those around each document, −1 to 1
 * by slot.
 *
 * Undefined where it knows none of the words, or the view is too small to learn from. The first question to a view makes its space.
 */
export function companyOf(
  terms: readonly string[],
  layout: Layout,
): ((slots: ArrayLike<number>) => Float64Array) | undefined {
  let seen = seenViews.get(layout.version);
  if (seen === undefined) {
    const learnt = learn(layout);
    const room = layout.size * (learnt.space?.dimensions ?? 0);
    seen = { learnt, isKnown: new Uint8Array(layout.size), directions: new Float32Array(room) };
    seenViews.set(layout.version, seen);
  }
  const { learnt, isKnown, directions } = seen;
  const { space, vectors } = learnt;
  if (space === undefined) return undefined;
  const query = normalise(space.vectorOf(terms));
  if (query.every((value) => value === 0)) return undefined;
  const vectorAt = (slot: number): Float64Array => {
    let vector = vectors.get(slot);
    if (vector === undefined) {
      vector = vectorIn(space, learnt, layout, slot);
      vectors.set(slot, vector);
    }
    return vector;
  };
  const directionAt = (slot: number): Float32Array => {
    const direction = directions.subarray(slot * space.dimensions, (slot + 1) * space.dimensions);
    if (!isKnown[slot]) {
      const sum = new Float64Array(space.dimensions);
      const [first, last] = surroundings(layout, slot);
      for (let near = first; near <= last; near++) addScaled(sum, vectorAt(near), 1);
      direction.set(normalise(sum));
      isKnown[slot] = 1;
    }
    return direction;
  };
  return (slots) => Float64Array.from(slots, (slot) => dot(directionAt(slot), query));
}

/**
 * Scores documents by their likeness to a query and that of the turns around them; any sign, comparable within a query.
 *
 * A document of which no likeness is known counts as unlike.
 */
export function scoreLikeness(slots: ArrayLike<number>, layout: Layout, likenessOf: LikenessOf): Float64Array {
  const known = new Float64Array(layout.size).fill(Number.NaN);
  const ofSlot = (slot: number): number => {
    if (Number.isNaN(known[slot]!)) known[slot] = likenessOf(slot) ?? 0;
    return known[slot]!;
  };
  const scores = new Float64Array(slots.length);
  for (let at = 0; at < slots.length; at++) {
    const slot = slots[at]!;
    let score = ofSlot(slot);
    if ((layout.corpus.columns.flags[slot]! & flag.spoken) !== 0) {
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
