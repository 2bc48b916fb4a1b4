// How vectors make a rank: how like the query each document is, with what is said around it. A model's vectors are compared one
// by one, and what is around a turn counts less; those of the built-in embedder are summed up first, for one turn has few words.

import { addScaled, dot, normalise } from '../base/vectors.ts';
import type { SearchDocument } from './documents.ts';
import { type LatentSpace, latentSpaceOf } from './latent-space.ts';
import type { Layout } from './layout.ts';
import { nearbyWeights } from './word-ranking.ts';

/** Says how like a query a document is; undefined where nobody knows. */
export type LikenessOf = (document: SearchDocument) => number | undefined;

/** About so many documents stand for a view, chosen by the hash of their text. */
const sampleSize = 512;
/** How many turns before and after a turn are about the same. */
const reach = 4;

/** A space, what it was learnt from, and the vectors of documents as far as somebody asked for them. */
interface LearntSpace {
  readonly space: LatentSpace | undefined;
  readonly from: readonly (readonly SearchDocument[])[];
  readonly vectors: WeakMap<SearchDocument, Float64Array>;
}

/** A view as its space sees it: by slot, the direction of what is said there and around, as far as somebody asked. */
interface SeenView {
  readonly learnt: LearntSpace;
  readonly isKnown: Uint8Array;
  readonly directions: Float32Array;
}

const seenViews = new WeakMap<Layout, SeenView>();
/** By the first document they were learnt from: of a large memory a write rarely changes the sample. */
const learntBefore = new WeakMap<SearchDocument, LearntSpace>();

/** Gives the first and the last slot of what is said around a turn; a document that is none stands alone. */
function surroundings({ fileOf, isSpoken, size }: Layout, slot: number): [first: number, last: number] {
  if (!isSpoken[slot]) return [slot, slot];
  let [first, last] = [slot, slot];
  while (slot - first < reach && first > 0 && fileOf[first - 1] === fileOf[slot]) first -= 1;
  while (last - slot < reach && last + 1 < size && fileOf[last + 1] === fileOf[slot]) last += 1;
  return [first, last];
}

/** Gives the words of a document, and those above it unless it is a turn: a topic says little about one of many. */
function termsOf({ turn, terms }: SearchDocument): readonly string[] {
  return turn === undefined ? [...terms.text, ...terms.title] : terms.text;
}

/** Chooses the documents a space is learnt from, in an order that depends on the view alone. */
function sampleOf({ documents, keyNumbers, size }: Layout): number[] {
  const limit = size <= sampleSize ? Number.POSITIVE_INFINITY : (sampleSize / size) * 2 ** 32;
  const slots: number[] = [];
  for (let slot = 0; slot < size; slot++) if (keyNumbers[slot]! < limit) slots.push(slot);
  const placeOf = (slot: number): string => `${documents[slot]!.key} ${documents[slot]!.path}`;
  return slots
    .map((slot) => ({ slot, place: placeOf(slot) }))
    .sort((one, other) => (one.place < other.place ? -1 : one.place > other.place ? 1 : one.slot - other.slot))
    .map(({ slot }) => slot);
}

function isSame<Item>(one: readonly Item[], other: readonly Item[], isEqual: (a: Item, b: Item) => boolean): boolean {
  return one.length === other.length && one.every((item, at) => isEqual(item, other[at]!));
}

const isSameList = (one: readonly SearchDocument[], other: readonly SearchDocument[]): boolean =>
  isSame(one, other, Object.is);

/** Learns a space from the sample of a view, unless one was learnt from just these documents. */
function learn(layout: Layout): LearntSpace {
  const windows = sampleOf(layout).map((slot) => {
    const [first, last] = surroundings(layout, slot);
    return layout.documents.slice(first, last + 1);
  });
  const first = windows[0]?.[0];
  const known = first && learntBefore.get(first);
  if (known !== undefined && isSame(known.from, windows, isSameList)) return known;
  const space = latentSpaceOf(windows.map((documents) => documents.flatMap(termsOf)));
  const learnt = { space, from: windows, vectors: new WeakMap() };
  if (first !== undefined) learntBefore.set(first, learnt);
  return learnt;
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
  let seen = seenViews.get(layout);
  if (seen === undefined) {
    const learnt = learn(layout);
    const room = layout.size * (learnt.space?.dimensions ?? 0);
    seen = { learnt, isKnown: new Uint8Array(layout.size), directions: new Float32Array(room) };
    seenViews.set(layout, seen);
  }
  const { learnt, isKnown, directions } = seen;
  const { space, vectors } = learnt;
  if (space === undefined) return undefined;
  const query = normalise(space.vectorOf(terms));
  if (query.every((value) => value === 0)) return undefined;

  const vectorAt = (slot: number): Float64Array => {
    const document = layout.documents[slot]!;
    let vector = vectors.get(document);
    if (vector === undefined) {
      vector = space.vectorOf(termsOf(document));
      vectors.set(document, vector);
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
