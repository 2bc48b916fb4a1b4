// What was said after a hit and is near it. News seldom has the words of a question, and is often near to what it changes. It is found when
// it is asked for, stored nowhere, and says nothing of what holds.
//
//     hit, said 3 May ─► its rarest terms ─► turns said later that have them ─► what they share ÷ what the hit shares with itself ─┐
//                   └──► its vector ──► turns said later ──► cosine ──────────────────────────────────────────────────────────────┴─► link

import { tokensOf } from '../base/tokenizer.ts';
import { unitsHolding } from './features.ts';
import type { DocumentFilter } from './filter.ts';
import type { Layout } from './layout.ts';
import { findTerm } from './postings.ts';
import { rarity } from './question.ts';
import { rankingSettings } from './ranking-settings.ts';
import type { Likeness } from './recall-options.ts';
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
  readonly likeness?: Pick<Likeness, 'of'>;
}

interface Following extends Pick<FollowingOptions, 'most' | 'least' | 'likeness'> {
  /** Lets a row of the view through. */
  isWanted(slot: number): boolean;
}

/** Of a long hit so many of its rarest terms are looked at. */
const mostTerms = 24;
/** Where terms are usual, the rarest of them that so many places hold are enough. */
const mostPlaces = 20_000;

const worthIn = (count: number, length: number): number =>
  count / (count + rankingSettings.once + length / rankingSettings.perLength);

/** By slot: what it shares with the hit; all zero between two uses. */
let shared = new Float64Array(0);

/**
 * Lists the turns and sections of daily notes that were said after a hit and are nearest to it. The nearest comes first, of equals
 * the newest. What has no time, and what is no turn, note or memory, has none.
 */
export function followersOf(
  hit: SearchDocument,
  layout: Layout,
  { most, least, likeness, isWanted }: Following,
): Follower[] {
  const { text, language, time, turn, record, category } = hit;
  if (time === undefined || (turn === undefined && record === undefined && category !== 'daily')) return [];
  const { corpus, fileOf, unitCount } = layout;
  const { flags, times, facets, textLengths } = corpus.columns;
  // A memory has the second of its turn, which is not said after itself.
  const from = record === undefined ? time : time + 999;
  const isLater = (slot: number): boolean => times[slot]! > from || (times[slot] === from && isBehind(slot));
  const isBehind = (slot: number): boolean =>
    corpus.files[fileOf[slot]!]!.path === hit.path && corpus.lineOf(slot) > hit.line;
  const isSaid = (slot: number): boolean =>
    (flags[slot]! & flag.spoken) !== 0 || corpus.facet(facets[slot]!).category === 'daily';

  if (shared.length < layout.size) shared = new Float64Array(layout.size * 2);
  const touched: number[] = [];
  let ideal = 0;
  let places = 0;
  for (const { term, worth, own, holding } of rarestOf(tokensOf(text, language), layout, unitCount)) {
    places += holding;
    if (places > mostPlaces && ideal > 0) break;
    ideal += own;
    for (const { segment, first } of corpus.segments) {
      const { starts, rows, counts } = segment.postings;
      const at = findTerm(segment.postings, term);
      const end = at < 0 ? 0 : starts[at + 1]!;
      for (let entry = at < 0 ? 0 : starts[at]!; entry < end; entry++) {
        const slot = first + rows[entry]!;
        const count = counts[entry]!;
        // The view may not have heard of the newest rows yet.
        if (count === 0 || !(fileOf[slot]! >= 0) || !isLater(slot)) continue;
        if (shared[slot] === 0) touched.push(slot);
        shared[slot]! += worth * worthIn(count, textLengths[slot]!);
      }
    }
  }
  // Slots are numbered in the order in which files were read.
  const byPlace = (one: number, other: number): number => {
    const [path, otherPath] = [one, other].map((slot) => corpus.files[fileOf[slot]!]!.path);
    return path === otherPath ? one - other : path! < otherPath! ? -1 : 1;
  };
  const likenessOf = likeness?.of(hit);
  const near: { readonly slot: number; readonly link: number }[] = [];
  const consider = (slot: number): void => {
    const byWords = ideal === 0 ? 0 : Math.min(1, shared[slot]! / ideal);
    const byMeaning = likenessOf?.(slot);
    const link = byMeaning === undefined ? byWords : (2 * byWords + Math.max(0, byMeaning)) / 3;
    if (link >= least) near.push({ slot, link });
  };
  if (likenessOf === undefined) for (const slot of touched) consider(slot);
  else for (let slot = 0; slot < layout.size; slot++) if (fileOf[slot]! >= 0 && isLater(slot)) consider(slot);
  for (const slot of touched) shared[slot] = 0;
  near.sort(
    (one, other) => other.link - one.link || times[other.slot]! - times[one.slot]! || byPlace(one.slot, other.slot),
  );
  const followers: Follower[] = [];
  for (const { slot, link } of near) {
    if (followers.length === most) break;
    if (isSaid(slot) && isWanted(slot)) followers.push({ document: layout.document(slot), link });
  }
  return followers;
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
