// What was said after a hit and is near it. News seldom has the words of a question, and is often near to what it changes. It is found when
// it is asked for, stored nowhere, and says nothing of what holds.
//
//     hit, said 3 May ─► its rarest terms ─► turns said later that have them ─► what they share ÷ what the hit shares with itself ─┐
//                   └──► its vector ──► turns said later ──► cosine ──────────────────────────────────────────────────────────────┴─► link

import { LargestValues } from '../base/largest-values.ts';
import { firstNotBelow } from '../base/sorted.ts';
import { tokensOf } from '../base/tokenizer.ts';
import { halfAt } from './evidence.ts';
import { unitsHolding } from './features.ts';
import type { DocumentFilter } from './filter.ts';
import type { Layout } from './layout.ts';
import { findTerm } from './postings.ts';
import { rarity } from './question.ts';
import { before } from './rank.ts';
import type { Likeness, Likenesses } from './recall-options.ts';
import type { SearchDocument } from './search-document.ts';
import { flag } from './segment.ts';

/** What was said after a hit. */
export interface Follower {
  readonly document: SearchDocument;
  /** How near it is to the hit, 0 to 1; 1 has all its words in as few. Where there are vectors, they say half of it. */
  readonly link: number;
}

/** How followers are asked for. */
export interface FollowingOptions extends DocumentFilter {
  /** So many at most; 1 or more. */
  readonly most: number;
  /** What has less of a link is none. */
  readonly least: number;
  /** Whose days the query names; default UTC. */
  readonly timeZone?: string;
  /** What an embedder says of the documents; without it words alone say what is near. */
  readonly likeness?: Pick<Likeness, 'of' | 'byWords'>;
}

interface Following extends Pick<FollowingOptions, 'most' | 'least' | 'likeness'> {
  /** Lets a row of the view through. */
  isWanted(slot: number): boolean;
}

/** Of a long hit so many of its rarest terms are looked at. */
const mostTerms = 24;
/** So many of the nearest are compared word by word, where the embedder does that. */
const mostCompared = 60;
/** Where terms are usual, the rarest of them that so many places hold are enough. */
const mostPlaces = 20_000;

const worthIn = (count: number, length: number): number => count / (count + halfAt(length));
/** By length, of what has a term once. */
const once = Float64Array.from({ length: 256 }, (_, length) => worthIn(1, length));

/** What was said in a view: one array to look at for each place of a term. */
interface Said {
  readonly version: object;
  /** By slot: when it was said; NaN for what is not in the view, and what nobody said. */
  readonly times: Float64Array;
  /** By slot: the latest time up to there. Most of what was said later was read later, too. */
  readonly latest: Float64Array;
}
/** Of the view asked last. */
let said: Said | undefined;

function saidIn({ corpus, fileOf, size, version }: Layout): Said {
  if (said?.version === version && said.times.length >= size) return said;
  const { flags, times, facets } = corpus.columns;
  const own = new Float64Array(size).fill(Number.NaN);
  const latest = new Float64Array(size);
  let most = Number.NEGATIVE_INFINITY;
  for (let slot = 0; slot < size; slot++) {
    const isSaid = (flags[slot]! & flag.spoken) !== 0 || corpus.facet(facets[slot]!).category === 'daily';
    if (isSaid && fileOf[slot]! >= 0) {
      own[slot] = times[slot]!;
      if (times[slot]! > most) most = times[slot]!;
    }
    latest[slot] = most;
  }
  said = { version, times: own, latest };
  return said;
}

/** By slot: what it shares with the hit; all zero between two uses. */
let shared = new Float64Array(0);

/**
 * Lists for each hit the turns and sections of daily notes that were said after it and are nearest to it. The nearest comes first, of equals
 * the newest. What has no time, and what is no turn, note or memory, has none.
 */
export function followersOf(
  hits: readonly SearchDocument[],
  layout: Layout,
  { likeness, ...following }: Following,
): Follower[][] {
  const { latest } = saidIn(layout);
  const followed = hits.filter((hit) => latest[layout.size - 1]! >= fromOf(hit));
  const likenesses = followed.length === 0 ? undefined : likeness?.of(followed, layout);
  const found = new Map(
    followed.map((hit, at) => [hit, followersOfOne(hit, layout, following, likeness, likenesses?.[at])] as const),
  );
  return hits.map((hit) => found.get(hit) ?? []);
}

/** From when on what was said follows a hit; never what has no time, or was not said. */
function fromOf({ time, turn, record, category }: SearchDocument): number {
  if (time === undefined || (turn === undefined && record === undefined && category !== 'daily')) return Number.NaN;
  // A memory has the second of its turn, which is not said after itself.
  return record === undefined ? time : time + 999;
}

function followersOfOne(
  hit: SearchDocument,
  layout: Layout,
  { most, least, isWanted }: Omit<Following, 'likeness'>,
  likeness: Following['likeness'],
  likenesses: Likenesses | undefined,
): Follower[] {
  const { text, language } = hit;
  const { corpus, fileOf, unitCount } = layout;
  const { textLengths } = corpus.columns;
  const from = fromOf(hit);
  const isBehind = (slot: number): boolean =>
    corpus.files.at(fileOf[slot]!).path === hit.path && corpus.lineOf(slot) > hit.line;

  if (shared.length < layout.size) shared = new Float64Array(layout.size * 2);
  const touched: number[] = [];
  const { times, latest } = saidIn(layout);
  const start = firstNotBelow(latest, from, 0);
  const sums = shared;
  let ideal = 0;
  let places = 0;
  for (const { term, worth, own, holding } of rarestOf(tokensOf(text, language), layout, unitCount)) {
    places += holding;
    if (places > mostPlaces && ideal > 0) break;
    ideal += own;
    for (const { segment, first } of corpus.segments) {
      const { starts, rows, counts } = segment.postings;
      const at = findTerm(segment.postings, term);
      if (at < 0) continue;
      const [begin, end] = [starts[at]!, starts[at + 1]!];
      const next = begin + firstNotBelow(rows.subarray(begin, end), start - first, 0);
      for (let entry = next; entry < end; entry++) {
        const slot = first + rows[entry]!;
        const count = counts[entry]!;
        if (count === 0 || !(times[slot]! >= from)) continue;
        const before = sums[slot]!;
        if (before === 0) touched.push(slot);
        const length = textLengths[slot]!;
        sums[slot] = before + worth * (count === 1 && length < once.length ? once[length]! : worthIn(count, length));
      }
    }
  }
  const near: { readonly slot: number; readonly link: number }[] = [];
  const byWords = likenesses === undefined ? undefined : likeness?.byWords;
  const looked = byWords === undefined ? most : Math.max(most, mostCompared);
  const nearest = new LargestValues(looked);
  /** What has less is not among the nearest. */
  let toReach = least;
  const consider = (slot: number, link: number): void => {
    if ((times[slot] === from && !isBehind(slot)) || !isWanted(slot)) return;
    near.push({ slot, link });
    nearest.add(link);
    toReach = Math.max(least, nearest.least);
  };
  if (likenesses === undefined) {
    for (const slot of touched) {
      const link = Math.min(1, sums[slot]! / ideal);
      if (link >= toReach) consider(slot, link);
    }
  } else {
    const { size } = layout;
    const { rows, scores } = likenesses;
    for (let slot = start; slot < size; slot++) {
      const byMeaning = scores[rows[slot]!]!;
      const worth = sums[slot]!;
      const byWords = worth === 0 ? 0 : Math.min(1, worth / ideal);
      const link = Number.isNaN(byMeaning) ? byWords : (2 * byWords + Math.max(0, byMeaning)) / 3;
      if (link >= toReach && times[slot]! >= from) consider(slot, link);
    }
  }
  for (const slot of touched) sums[slot] = 0;
  near.sort((one, other) => other.link - one.link || before(layout, one.slot, other.slot));
  const first = near.slice(0, looked).map(({ slot, link }) => ({ document: layout.document(slot), link }));
  if (byWords === undefined) return first;
  const compared = byWords(
    text,
    first.map(({ document }) => document.text),
  );
  return first
    .map(({ document, link }, at) => ({ document, link: (link + 2 * compared[at]!) / 3 }))
    .sort((one, other) => other.link - one.link)
    .slice(0, most);
}

interface HeldTerm {
  readonly term: string;
  /** How many units of the view hold it. */
  readonly holding: number;
  readonly worth: number;
  /** What it is worth in the hit itself. */
  readonly own: number;
}

function rarestOf(words: readonly string[], layout: Layout, unitCount: number): HeldTerm[] {
  const counts = new Map<string, number>();
  for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
  const held = [...counts].map(([term, count]): HeldTerm => {
    const holding = unitsHolding(term, layout);
    const worth = rarity(unitCount, holding);
    return { term, holding, worth, own: worth * worthIn(count, words.length) };
  });
  return held.sort((one, other) => other.worth - one.worth || (one.term < other.term ? -1 : 1)).slice(0, mostTerms);
}
