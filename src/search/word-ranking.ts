// How words make a rank: what a document says itself, what is said around it, and what its whole session is about.
//
//   term ─► index ─► own score of each document
//                      │ spread: the turns before and after are about it too, the less the further away
//                      ▼
//                    evidence per document and term, saturated ─► Σ over terms · share of the query found
//                      │ counted by file
//                      ▼
//                    evidence per session
//
// Neighbours are looked at when a question is asked, not when a turn is indexed: every text is indexed once, as itself. A query
// without a word to look up (`!!!`, `to be`) is looked for letter by letter.

import { slotsOf } from './candidates.ts';
import { editDistance } from './edit-distance.ts';
import type { Layout } from './layout.ts';
import type { LexicalIndex, TermMatches } from './lexical-index.ts';
import { flag } from './segment.ts';

/** The settings of the ranking; chosen on LoCoMo-dev and QMSum-dev, see docs/search-evaluation.md. */
export const wordRanking = {
  /** How many turns away a word still counts, and how much: `first · decay^(distance − 1)`. An answer follows its question. */
  reach: 4,
  fromBefore: { first: 0.6, decay: 0.6 },
  fromAfter: { first: 0.3, decay: 0.6 },
  /** How much of a query term counts as found where only a neighbour has it. */
  foundNearby: 0.6,
  /** Evidence of one term, in shares of its best document: grows with what is said around, to 1 + this at most. */
  saturation: 1,
  /** A document without neighbours counts as if this much more were said around it. */
  standsAlone: 0.3,
  /** BM25 over sessions, whose words are the turns that hold a term. */
  session: { k: 1.2, b: 0.5 },
  /** What a term counts for that is only like the one asked for. */
  similarTerm: 0.6,
  maxSimilarTerms: 8,
} as const;

/** What the words of a query say of every document of a view; by slot, 0 where they say nothing. */
export interface WordScores {
  /** The slots of which they say something, in no promised order. */
  readonly slots: Int32Array;
  readonly own: Float64Array;
  /** The share of the query's terms that were found, 0 to 1. */
  readonly coverage: Float64Array;
  /** By file: what the session as a whole has to do with the query. */
  readonly session: Float64Array;
  /** The terms that stood for the query's: themselves, or those like them. */
  readonly terms: readonly string[];
}

/** Gives the rarity of a term among documents (Robertson, Spärck Jones 1976). */
export function rarity(count: number, holding: number): number {
  return Math.log(1 + (count - holding + 0.5) / (holding + 0.5));
}

interface Found {
  readonly slots: Int32Array;
  readonly scores: Float64Array;
}

/** Brings the matches of a term into the order of slots, so that sums do not depend on the order of additions. */
function inOrder({ ids, scores }: TermMatches): Found {
  let isSorted = ids instanceof Int32Array && scores instanceof Float64Array;
  for (let at = 1; isSorted && at < ids.length; at++) isSorted = ids[at - 1]! < ids[at]!;
  if (isSorted) return { slots: ids as Int32Array, scores: scores as Float64Array };
  const order = Array.from(ids, (_, at) => at).sort((one, other) => ids[one]! - ids[other]!);
  return { slots: Int32Array.from(order, (at) => ids[at]!), scores: Float64Array.from(order, (at) => scores[at]!) };
}

/** Finds the documents for a term that none holds, by the terms most like it; each document counts by its best one. */
function foundBySimilar(term: string, index: LexicalIndex): { found: Found; terms: string[] } {
  const alike = index
    .termsLike(term)
    .map((known) => ({
      known,
      distance: known.startsWith(term) ? known.length - term.length : editDistance(known, term, 2),
    }))
    .sort((one, other) => one.distance - other.distance || (one.known < other.known ? -1 : 1))
    .slice(0, wordRanking.maxSimilarTerms);
  const best = new Map<number, number>();
  for (const { known, distance } of alike) {
    const { ids, scores } = index.matchesOf(known);
    const weight = (wordRanking.similarTerm * term.length) / (term.length + distance);
    for (let at = 0; at < ids.length; at++) {
      const slot = ids[at]!;
      best.set(slot, Math.max(best.get(slot) ?? 0, weight * scores[at]!));
    }
  }
  const sorted = [...best].sort(([one], [other]) => one - other);
  return {
    found: {
      slots: Int32Array.from(sorted, ([slot]) => slot),
      scores: Float64Array.from(sorted, ([, score]) => score),
    },
    terms: alike.map(({ known }) => known),
  };
}

/** By distance − 1: how much a turn takes from the one before it and from the one after it. */
export const nearbyWeights = Array.from({ length: wordRanking.reach }, (_, at) => ({
  before: wordRanking.fromBefore.first * wordRanking.fromBefore.decay ** at,
  after: wordRanking.fromAfter.first * wordRanking.fromAfter.decay ** at,
}));

/** Numbers of which most are zero, with a list of those that are not; kept from question to question. */
class Sparse {
  values = new Float64Array(0);
  touched = new Int32Array(0);
  size = 0;

  /** Makes room; all values are zero. */
  begin(room: number): this {
    for (let at = 0; at < this.size; at++) this.values[this.touched[at]!] = 0;
    this.size = 0;
    if (this.values.length < room) {
      this.values = new Float64Array(room);
      this.touched = new Int32Array(room);
    }
    return this;
  }

  /** Adds a number above zero. */
  add(at: number, value: number): void {
    if (this.values[at] === 0) this.touched[this.size++] = at;
    this.values[at]! += value;
  }
}

const evidence = new Sparse();
const holding = new Sparse();
let presence = new Float64Array(0);

/** Scores every document of a view by the terms of a query. */
export function scoreWords(terms: readonly string[], index: LexicalIndex, layout: Layout): WordScores {
  const { size, fileOf, fileSizes } = layout;
  const { flags } = layout.corpus.columns;
  const own = new Float64Array(size);
  const coverage = new Float64Array(size);
  const session = new Float64Array(fileSizes.length);
  const sessionTerms = new Float64Array(fileSizes.length);
  const all = new Int32Array(size);
  let allCount = 0;
  if (presence.length < size) presence = new Float64Array(size);
  const used: string[] = [];
  const averageTalk = layout.averageTalk;

  for (const term of terms) {
    const exact = index.matchesOf(term);
    let found: Found;
    if (exact.ids.length > 0) {
      found = inOrder(exact);
      used.push(term);
    } else {
      const similar = foundBySimilar(term, index);
      found = similar.found;
      used.push(...similar.terms);
    }
    const { slots, scores } = found;
    if (slots.length === 0) continue;

    // Spread what each document says over its neighbours, and note which were touched.
    let top = 0;
    for (let at = 0; at < scores.length; at++) if (scores[at]! > top) top = scores[at]!;
    evidence.begin(size);
    for (let at = 0; at < slots.length; at++) {
      const slot = slots[at]!;
      const score = scores[at]!;
      const isSpoken = (flags[slot]! & flag.spoken) !== 0;
      evidence.add(slot, score * (isSpoken ? 1 : 1 + wordRanking.standsAlone));
      presence[slot] = 1;
      if (!isSpoken) continue;
      const file = fileOf[slot];
      for (let distance = 1; distance <= wordRanking.reach; distance++) {
        const later = slot + distance;
        if (later >= size || fileOf[later] !== file) break;
        evidence.add(later, score * nearbyWeights[distance - 1]!.before);
        if (presence[later] === 0) presence[later] = wordRanking.foundNearby;
      }
      for (let distance = 1; distance <= wordRanking.reach; distance++) {
        const earlier = slot - distance;
        if (earlier < 0 || fileOf[earlier] !== file) break;
        evidence.add(earlier, score * nearbyWeights[distance - 1]!.after);
        if (presence[earlier] === 0) presence[earlier] = wordRanking.foundNearby;
      }
    }
    const { saturation } = wordRanking;
    for (let at = 0; at < evidence.size; at++) {
      const slot = evidence.touched[at]!;
      const share = evidence.values[slot]! / top;
      own[slot]! += (top * share * (1 + saturation)) / (share + saturation);
      if (coverage[slot] === 0) all[allCount++] = slot;
      coverage[slot]! += presence[slot]!;
      presence[slot] = 0;
    }

    // The session as a document: how many of its turns hold the term.
    holding.begin(fileSizes.length);
    for (let at = 0; at < slots.length; at++) holding.add(fileOf[slots[at]!]!, 1);
    const { k, b } = wordRanking.session;
    const rare = rarity(layout.fileCount, holding.size);
    for (let at = 0; at < holding.size; at++) {
      const file = holding.touched[at]!;
      const length = fileSizes[file]! > 1 ? fileSizes[file]! / averageTalk : 1;
      const count = holding.values[file]! / (1 - b + b * length);
      session[file]! += (rare * count * (k + 1)) / (count + k);
      sessionTerms[file]! += 1;
    }
  }
  for (let at = 0; at < allCount; at++) {
    const slot = all[at]!;
    coverage[slot]! /= terms.length;
    own[slot]! *= coverage[slot]!;
  }
  for (let file = 0; file < session.length; file++) session[file]! *= sessionTerms[file]! / terms.length;
  return { slots: all.subarray(0, allCount), own, coverage, session, terms: [...new Set(used)] };
}

/** Scores texts that contain the query as it stands, in any case, the earlier the better; all, for a blank query. */
export function literalScores(query: string, terms: readonly string[], layout: Layout): WordScores {
  const wanted = query.trim().toLowerCase();
  const own = new Float64Array(layout.size);
  const coverage = new Float64Array(layout.size);
  const slots = slotsOf(layout, (slot) => {
    if (layout.fileOf[slot]! < 0) return false;
    const at = wanted === '' ? 0 : layout.document(slot).text.toLowerCase().indexOf(wanted);
    if (at < 0) return false;
    own[slot] = 1 / (1 + at / 1000);
    coverage[slot] = 1;
    return true;
  });
  return { slots, own, coverage, session: new Float64Array(layout.fileSizes.length), terms };
}
