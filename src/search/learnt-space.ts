// The space that the built-in embedder learns from a view: of which documents, under which key it is kept, when it is the same, and what
// documents are in it.

import { createHash } from 'node:crypto';
import type { Corpus } from './corpus.ts';
import { type LatentSpace, latentSpaceOf } from './latent-space.ts';
import type { Layout } from './layout.ts';
import { textField, titleField } from './lexical-index.ts';
import { termName, visitTerms, visitTermsOfTwo } from './postings.ts';
import { flag } from './segment.ts';

/** Where spaces are kept between processes; see space-cache.ts. */
export interface SpaceStore {
  /** Gives the space of a key; undefined when it is not kept. */
  load(key: string): LatentSpace | undefined;
  save(key: string, space: LatentSpace): void;
}

/** A space, the slots it was learnt from, and what was found out about documents since. */
export interface LearntSpace {
  readonly space: LatentSpace | undefined;
  readonly from: readonly number[];
  readonly generation: number;
  /** By slot: the vector of what the document says itself, as far as somebody asked. */
  readonly vectors: Map<number, Float64Array>;
}

/** About so many documents stand for a view, chosen by the hash of their text. */
const sampleSize = 512;
/** How many turns before and after a turn are about the same. */
const reach = 4;
/** What was learnt from fewer documents is learnt again in no time. */
const worthKeeping = 64;
/** To be raised whenever the same documents make another space. */
const spaceVersion = 1;

/** The last one of a corpus: of a large memory a write rarely changes the sample. */
const learntBefore = new WeakMap<Corpus, LearntSpace>();

/** Gives the first and the last slot of what is said around a turn; a document that is none stands alone. */
export function surroundings({ fileOf, corpus, size }: Layout, slot: number): [first: number, last: number] {
  if ((corpus.columns.flags[slot]! & flag.spoken) === 0) return [slot, slot];
  let [first, last] = [slot, slot];
  while (slot - first < reach && first > 0 && fileOf[first - 1] === fileOf[slot]) first -= 1;
  while (last - slot < reach && last + 1 < size && fileOf[last + 1] === fileOf[slot]) last += 1;
  return [first, last];
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

type Windows = readonly (readonly [first: number, last: number])[];

/** Gives the hash of all that a space depends on: the words of the sampled documents and those around them, in their order. */
function keyOf({ corpus }: Layout, windows: Windows): string {
  const size = windows.reduce((sum, [first, last]) => sum + 1 + (last - first + 1) * 9, 0);
  const numbers = new Uint32Array(size);
  let at = 0;
  for (const [first, last] of windows) {
    numbers[at++] = last - first;
    for (let slot = first; slot <= last; slot++) {
      const { segment, first: start } = corpus.segmentOf(slot);
      numbers.set(segment.columns.keys.subarray((slot - start) * 8, (slot - start + 1) * 8), at);
      numbers[at + 8] = corpus.columns.flags[slot]! & flag.spoken;
      at += 9;
    }
  }
  return createHash('sha256').update(`space ${spaceVersion}\0`).update(numbers).digest('hex');
}

/** Lists the words of a window, and those above a document unless it is a turn: a topic says little about one of many. */
function wordsOf({ corpus }: Layout, [first, last]: readonly [number, number]): string[] {
  const terms: string[] = [];
  for (let slot = first; slot <= last; slot++) {
    corpus.pushTerms(terms, slot, textField);
    if ((corpus.columns.flags[slot]! & flag.spoken) === 0) corpus.pushTerms(terms, slot, titleField);
  }
  return terms;
}

/** Learns a space from the sample of a view, unless one was learnt from just these documents, here or by another process. */
export function learn(layout: Layout, store?: SpaceStore): LearntSpace {
  const { corpus } = layout;
  const windows = sampleOf(layout).map((slot) => surroundings(layout, slot));
  const from = windows.flat();
  const known = learntBefore.get(corpus);
  const isSame =
    known?.generation === corpus.generation &&
    known.from.length === from.length &&
    from.every((slot, at) => slot === known.from[at]);
  if (isSame) return known;
  const key = store !== undefined && windows.length >= worthKeeping ? keyOf(layout, windows) : undefined;
  let space = key === undefined ? undefined : store!.load(key);
  if (space === undefined) {
    space = latentSpaceOf(windows.map((window) => wordsOf(layout, window)));
    if (key !== undefined && space !== undefined) store!.save(key, space);
  }
  const learnt = { space, from, generation: corpus.generation, vectors: new Map() };
  learntBefore.set(corpus, learnt);
  return learnt;
}

/**
 * Makes the vectors of documents that have none yet: the sum of what their words mean, in the order of their letters. A turn counts its own
 * words, any other document also those above it; a word of both counts once, for as often as it stands in both.
 */
export function meetDocuments(learnt: LearntSpace, { corpus }: Layout, slots: Iterable<number>): void {
  const space = learnt.space!;
  for (const slot of slots) {
    if (learnt.vectors.has(slot)) continue;
    const { segment, first } = corpus.segmentOf(slot);
    const { postings } = segment;
    const vector = new Float64Array(space.dimensions);
    const count = (term: number, often: number): void => {
      const position = space.positionOf(termName(postings, term));
      if (position >= 0) space.add(vector, position, often);
    };
    const isSpoken = (corpus.columns.flags[slot]! & flag.spoken) !== 0;
    if (isSpoken) visitTerms(postings, slot - first, textField, count);
    else visitTermsOfTwo(postings, slot - first, [textField, titleField], count);
    learnt.vectors.set(slot, vector);
  }
}
