// What was said after a hit and is near it in words. News seldom has the words of a question, and often those of what it changes. It is
// found when it is asked for, stored nowhere, and says nothing of what holds.
//
//     hit, said 3 May ─► its rarest terms ─► turns said later that have them ─► link = what they share ÷ what the hit shares with itself
//
// Only words say how near two turns are: two that speak of one matter in other words are not found.

import { LargestValues } from '../base/largest-values.ts';
import { tokensOf } from '../base/tokenizer.ts';
import type { DocumentFilter } from './filter.ts';
import type { Layout } from './layout.ts';
import type { LexicalIndex } from './lexical-index.ts';
import { rarity } from './question.ts';
import { rankingSettings } from './ranking-settings.ts';
import type { SearchDocument } from './search-document.ts';
import { flag } from './segment.ts';

/** What was said after a hit. */
export interface Follower {
  readonly document: SearchDocument;
  /** How near it is to the hit, 0 to 1; 1 has all its words in as few. */
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
}

interface Following extends Pick<FollowingOptions, 'most' | 'least'> {
  /** Lets a row of the view through. */
  isWanted(slot: number): boolean;
}

/** Of a long hit so many of its rarest terms are looked at. */
const mostTerms = 24;
/** Where terms are usual, the rarest of them that so many places hold are enough. */
const mostPlaces = 20_000;

const worthIn = (count: number, length: number): number =>
  count / (count + rankingSettings.once + length / rankingSettings.perLength);

/**
 * Lists the turns and sections of daily notes that were said after a hit and are nearest to it by words. The nearest comes first, of equals
 * the newest. What has no time, and what is no turn, note or memory, has none.
 */
export function followersOf(
  { text, language, time, path, line, turn, record, category }: SearchDocument,
  layout: Layout,
  lexical: LexicalIndex,
  { most, least, isWanted }: Following,
): Follower[] {
  if (time === undefined || (turn === undefined && record === undefined && category !== 'daily')) return [];
  const { corpus, fileOf, unitCount } = layout;
  const { flags, times, facets, textLengths } = corpus.columns;
  const isNote = (slot: number): boolean => corpus.facet(facets[slot]!).category === 'daily';
  const isLater = (slot: number): boolean => {
    if (times[slot]! !== time) return times[slot]! > time;
    return corpus.files[fileOf[slot]!]?.path === path && corpus.lineOf(slot) > line;
  };
  const isFollower = (slot: number): boolean =>
    isLater(slot) && ((flags[slot]! & flag.spoken) !== 0 || isNote(slot)) && isWanted(slot);

  const words = tokensOf(text, language);
  const counts = new Map<string, number>();
  for (const term of words) counts.set(term, (counts.get(term) ?? 0) + 1);
  const held = [...counts].map(([term, count]) => {
    const matches = lexical.matchesOf(term);
    const worth = rarity(unitCount, matches.ids.length);
    return { matches, worth, own: worth * worthIn(count, words.length) };
  });
  const terms = held.sort((one, other) => other.worth - one.worth).slice(0, mostTerms);
  const shared = new Map<number, number>();
  const isKnown = new Map<number, boolean>();
  let places = 0;
  let ideal = 0;
  for (const { matches, worth, own } of terms) {
    places += matches.ids.length;
    if (places > mostPlaces && ideal > 0) break;
    ideal += own;
    for (let at = 0; at < matches.ids.length; at++) {
      const slot = matches.ids[at]!;
      const count = matches.counts[at]!;
      if (count === 0) continue;
      let follows = isKnown.get(slot);
      if (follows === undefined) {
        follows = isFollower(slot);
        isKnown.set(slot, follows);
      }
      if (!follows) continue;
      const part = worth * worthIn(count, textLengths[slot]!);
      shared.set(slot, (shared.get(slot) ?? 0) + part);
    }
  }
  if (ideal === 0) return [];
  const largest = new LargestValues(most);
  for (const value of shared.values()) largest.add(value);
  return [...shared]
    .map(([slot, value]) => ({ slot, link: Math.min(1, value / ideal) }))
    .filter(({ slot, link }) => link >= least && shared.get(slot)! >= largest.least)
    .sort((one, other) => other.link - one.link || times[other.slot]! - times[one.slot]!)
    .slice(0, most)
    .map(({ slot, link }) => ({ document: layout.document(slot), link }));
}
