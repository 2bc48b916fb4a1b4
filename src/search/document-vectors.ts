// What documents say themselves, as vectors of a learnt space: the sum of what their words mean. A turn counts its own words, any
// other document also those above it; a word of both counts once, for as often as it stands in both.
//
// The same sums are made in two ways. Of a document postings know their words only after they were turned around, which takes a while
// the first time; until then the postings of all terms are gone through once, and those of other documents are passed over.
// Either way the words come in the order of their letters, so a sum has the same digits.

import type { Corpus, PlacedSegment } from './corpus.ts';
import { visitTerms, visitTermsOfTwo } from './forward-postings.ts';
import type { Layout } from './layout.ts';
import { type LearntSpace, unknownYet } from './learnt-space.ts';
import { textField, titleField } from './lexical-index.ts';
import { fieldBits, type Postings, termAt } from './postings.ts';
import { flag } from './segment.ts';

/** Postings that were gone through once; whoever comes again will come often. */
const scanned = new WeakSet<Postings>();

function positionsIn(postings: Postings, { positions }: LearntSpace): Int32Array {
  let known = positions.get(postings);
  if (known === undefined) {
    known = new Int32Array(postings.termEnds.length).fill(unknownYet);
    positions.set(postings, known);
  }
  return known;
}

const isSpoken = ({ columns }: Corpus, slot: number): boolean => (columns.flags[slot]! & flag.spoken) !== 0;

/** Makes the vectors of some documents of a segment, word by word of each. */
function visitOf(
  corpus: Corpus,
  learnt: LearntSpace,
  { segment, first }: PlacedSegment,
  slots: readonly number[],
): void {
  const { postings } = segment;
  const space = learnt.space!;
  const positions = positionsIn(postings, learnt);
  for (const slot of slots) {
    const vector = new Float64Array(space.dimensions);
    const count = (term: number, often: number): void => {
      let position = positions[term]!;
      if (position === unknownYet) {
        position = space.positionOf(termAt(postings, term));
        positions[term] = position;
      }
      if (position >= 0) space.add(vector, position, often);
    };
    if (isSpoken(corpus, slot)) visitTerms(postings, slot - first, textField, count);
    else visitTermsOfTwo(postings, slot - first, [textField, titleField], count);
    learnt.vectors.set(slot, vector);
  }
}

/** Makes the vectors of some documents of a segment, term by term of all. */
function scanFor(
  corpus: Corpus,
  learnt: LearntSpace,
  { segment, first }: PlacedSegment,
  slots: readonly number[],
): void {
  const { postings, size } = segment;
  const { starts, places, counts } = postings;
  const space = learnt.space!;
  const positions = positionsIn(postings, learnt);
  /** By row: the place of its vector in `vectors` + 1, 0 for those that nobody asks for. */
  const asked = new Uint32Array(size);
  /** By place in `vectors`: whether the title counts. */
  const hasTitle = new Uint8Array(slots.length + 1);
  const vectors = slots.map((slot, index) => {
    asked[slot - first] = index + 1;
    hasTitle[index + 1] = isSpoken(corpus, slot) ? 0 : 1;
    return new Float64Array(space.dimensions);
  });
  for (let term = 0; term + 1 < starts.length; term++) {
    let position = positions[term]!;
    if (position === -1) continue;
    const end = starts[term + 1]!;
    for (let at = starts[term]!; at < end; at++) {
      const row = places[at]! >>> fieldBits;
      const index = asked[row]!;
      if (index === 0) continue;
      const field = places[at]! & 3;
      let count = 0;
      if (field === textField) count = counts[at]!;
      else if (field === titleField && hasTitle[index] === 1) count = counts[at]!;
      else continue;
      if (field === textField && hasTitle[index] === 1 && at + 1 < end && places[at + 1] === row * 4 + titleField) {
        count += counts[++at]!;
      }
      if (position === unknownYet) {
        position = space.positionOf(termAt(postings, term));
        positions[term] = position;
        if (position < 0) break;
      }
      space.add(vectors[index - 1]!, position, count);
    }
  }
  for (const [index, slot] of slots.entries()) learnt.vectors.set(slot, vectors[index]!);
}

/** Makes the vectors of documents that have none yet. */
export function meetDocuments(learnt: LearntSpace, { corpus }: Layout, slots: Iterable<number>): void {
  const bySegment = new Map<PlacedSegment, number[]>();
  for (const slot of slots) {
    if (learnt.vectors.has(slot)) continue;
    const placed = corpus.segmentOf(slot);
    const others = bySegment.get(placed);
    if (others === undefined) bySegment.set(placed, [slot]);
    else others.push(slot);
  }
  for (const [placed, found] of bySegment) {
    const { postings } = placed.segment;
    if (scanned.has(postings) || found.length * 64 < placed.segment.size) visitOf(corpus, learnt, placed, found);
    else scanFor(corpus, learnt, placed, found);
    scanned.add(postings);
  }
}
