// A question as terms: in the languages of the view, each with the documents that hold it and what it is worth.

import * as words from '../base/generated/words.ts';
import { type Language, languageOf } from '../base/languages.ts';
import { isLoneSign, lettersOf, termsOf } from '../base/tokenizer.ts';
import { editDistance } from './edit-distance.ts';
import type { Layout } from './layout.ts';
import type { LexicalIndex, TermMatches } from './lexical-index.ts';
import { letterMark } from './postings.ts';
import { rankingSettings } from './ranking-settings.ts';

/** A term of a question with the units that hold it. */
export interface AskedTerm extends TermMatches {
  /** The terms that stand for it: itself in the languages of the view, or those like it. */
  readonly terms: readonly string[];
  /** Its share of what a perfect document would have. */
  readonly share: number;
  /** Its share of the question by rarity alone; 0 for one that only terms like it stand for. */
  readonly asWritten: number;
}

/** Two terms that stand together in the question, by their numbers. */
export interface AskedPair {
  readonly one: number;
  readonly other: number;
  /** How many words further on. */
  readonly gap: number;
  /** What both are worth. */
  readonly share: number;
}

export interface Question {
  readonly text: string;
  readonly language: Language;
  /** All terms, also those that nothing holds; empty for a question of signs and stop words. */
  readonly words: readonly string[];
  /** Whether any of its words is worth looking up. */
  readonly hasWords: boolean;
  /** Those that something holds. */
  readonly found: readonly AskedTerm[];
  /** The share of the question, by rarity, that nothing holds as it is written. */
  readonly unsaid: number;
  readonly pairs: readonly AskedPair[];
  readonly letters: readonly AskedTerm[];
}

const framing = new Set(termsOf(words.framing, 'en').terms);

/**
 * Gives the rarity of a term among things (Spärck Jones 1972). Of a term that all of them hold, log 2 is left. In a memory of five
 * documents most words of a question are in each, and still say that it is answered here.
 */
export function rarity(count: number, holding: number): number {
  return Math.log(1 + (count + 0.5) / (holding + 0.5));
}

/** Adds up what passages of one file hold; ids are units then. */
function byUnit(matches: TermMatches, units: Int32Array): TermMatches {
  const { ids } = matches;
  let isOnce = true;
  for (let at = 0; at < ids.length && isOnce; at++) isOnce = units[ids[at]!] === ids[at];
  if (isOnce) return matches;
  const sums = {
    ids: [] as number[],
    counts: [] as number[],
    marks: [] as number[],
    firsts: [] as number[],
    lasts: [] as number[],
  };
  for (let at = 0; at < ids.length; at++) {
    const unit = units[ids[at]!]!;
    const last = sums.ids.length - 1;
    if (last >= 0 && sums.ids[last] === unit) {
      sums.counts[last]! += matches.counts[at]!;
      sums.marks[last]! |= matches.marks[at]!;
    } else {
      sums.ids.push(unit);
      for (const name of ['counts', 'marks', 'firsts', 'lasts'] as const) sums[name].push(matches[name][at]!);
    }
  }
  return sums;
}

/** Puts the matches of several terms together, in the order of ids; two forms in one document are one entry of it. */
function together(parts: readonly TermMatches[]): TermMatches {
  if (parts.length <= 2) return parts.length === 2 ? merged(parts[0]!, parts[1]!) : parts[0]!;
  // By halves: a sign may be in thousands of terms.
  const middle = parts.length >> 1;
  return merged(together(parts.slice(0, middle)), together(parts.slice(middle)));
}

function merged(one: TermMatches, other: TermMatches): TermMatches {
  const [mine, theirs] = [one.ids.length, other.ids.length];
  const ids = new Int32Array(mine + theirs);
  const counts = new Float64Array(ids.length);
  const [marks, firsts, lasts] = [new Int32Array(ids.length), new Int32Array(ids.length), new Int32Array(ids.length)];
  let size = 0;
  for (let at = 0, to = 0; at < mine || to < theirs; size++) {
    const [id, next] = [at < mine ? one.ids[at]! : Infinity, to < theirs ? other.ids[to]! : Infinity];
    const from = id <= next ? one : other;
    const place = id <= next ? at++ : to++;
    ids[size] = from.ids[place]!;
    counts[size] = from.counts[place]!;
    marks[size] = from.marks[place]!;
    firsts[size] = from.firsts[place]!;
    lasts[size] = from.lasts[place]!;
    if (id !== next) continue;
    counts[size]! += other.counts[to]!;
    marks[size]! |= other.marks[to]!;
    firsts[size] = Math.min(firsts[size]!, other.firsts[to]!);
    lasts[size] = Math.max(lasts[size]!, other.lasts[to]!);
    to += 1;
  }
  return {
    ids: ids.subarray(0, size),
    counts: counts.subarray(0, size),
    marks: marks.subarray(0, size),
    firsts: firsts.subarray(0, size),
    lasts: lasts.subarray(0, size),
  };
}

/** The words of a question by place, each in the languages that a view has; stop words of its own language are left out. */
function wordsOf(text: string, language: Language, others: readonly Language[]): { forms: string[]; place: number }[] {
  const own = termsOf(text, language);
  const { terms, places } = own.terms.length > 0 ? own : termsOf(text, language, true);
  const read = others.map((other) => termsOf(text, other, true));
  const all = read.length === 0 ? null : termsOf(text, language, true);
  const words: { forms: string[]; place: number }[] = [];
  let at = 0;
  for (let number = 0; number < terms.length; number++) {
    const forms = [terms[number]!];
    if (all !== null) {
      while (at < all.terms.length && !(all.terms[at] === terms[number] && all.places[at] === places[number])) at += 1;
      for (const other of read) {
        const form = other.terms.length === all.terms.length ? other.terms[at] : undefined;
        if (form !== undefined && !forms.includes(form)) forms.push(form);
      }
    }
    words.push({ forms, place: places[number]! });
  }
  return words;
}

/** Counts the sentences of a question that hold each of its terms. What a long one is about comes in several of them. */
function sentencesHolding(text: string, language: Language): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const sentence of text.split(/[.!?;](?=\s)|[。！？；\n]/)) {
    for (const term of new Set(termsOf(sentence, language).terms)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** Names of doers and deeds, by the end of the stem. */
const derived = /^(\p{Alpha}{4,})(?:er|or|ist|ment|ion|ant)$/u;

/** Finds terms that stand for one that nothing holds, and what they are worth beside it. */
function alikeTo(term: string, index: LexicalIndex): { terms: string[]; worth: number } {
  const { maxSimilar, similar } = rankingSettings;
  // A "linter" lints, a "supervisor" supervises.
  const root = derived.exec(term)?.[1];
  if (root !== undefined && index.matchesOf(root).ids.length > 0) return { terms: [root], worth: similar };
  const alike = index
    .termsLike(term)
    .map((name) => ({
      name,
      distance: name.startsWith(term) ? name.length - term.length : editDistance(name, term, 2),
    }))
    .sort((one, other) => one.distance - other.distance || (one.name < other.name ? -1 : 1))
    .slice(0, maxSimilar);
  const nearest = alike[0]?.distance ?? 0;
  return { terms: alike.map(({ name }) => name), worth: (similar * term.length) / (term.length + nearest) };
}

interface Looked {
  readonly forms: readonly string[];
  readonly matches: TermMatches | null;
  /** Rarity times weight. */
  readonly worth: number;
  /** The same, where nothing is taken off for what nobody says. */
  readonly full: number;
  readonly isAsWritten: boolean;
}

/** Reads a question against a view. `preferred` is the language that a short one is taken to be in. */
export function questionOf(text: string, index: LexicalIndex, layout: Layout, preferred?: Language): Question {
  const { languages: known, unitCount, corpus } = layout;
  const { units } = corpus.columns;
  const languages: readonly Language[] = known.length === 0 ? ['en'] : known;
  const language =
    languages.length === 1
      ? languages[0]!
      : (languageOf(text, languages) ??
        (preferred !== undefined && languages.includes(preferred) ? preferred : languages[0]!));
  const words = wordsOf(
    text,
    language,
    languages.filter((one) => one !== language),
  );
  const numberOf = new Map<string, number>();
  let looked: Looked[] = [];
  let misspelt = 0;
  const sentences = sentencesHolding(text, language);
  const { framing: ofTalk, framingInLibrary: ofLibrary } = rankingSettings;
  const framed = ofLibrary + (ofTalk - ofLibrary) * layout.spokenShare;
  const look = ({ forms: written }: { forms: string[] }): Looked => {
    // Texts hold a sign in pairs.
    const pairs = isLoneSign(written[0]!) ? index.termsLike(written[0]!) : [];
    const forms = pairs.length > 0 ? pairs : written;
    const parts = forms.map((form) => index.matchesOf(form)).filter(({ ids }) => ids.length > 0);
    const times = sentences.get(written[0]!) ?? 1;
    const weight = times ** rankingSettings.repeated * (framing.has(written[0]!) ? framed : 1);
    const own = parts.length === 0 ? null : byUnit(together(parts), units);
    const full = weight * rarity(unitCount, own?.ids.length ?? 0);
    return { forms, matches: own, worth: own === null ? full / 2 : full, full, isAsWritten: own !== null };
  };
  for (const word of words) {
    if (numberOf.has(word.forms[0]!)) continue;
    numberOf.set(word.forms[0]!, looked.length);
    looked.push(look(word));
  }
  // What nobody wrote may be misspelt; a long question has enough without.
  looked = looked.map((one) => {
    if (one.matches !== null || misspelt >= rankingSettings.maxMisspelt) return one;
    misspelt += 1;
    const { terms, worth } = alikeTo(one.forms[0]!, index);
    if (terms.length === 0) return one;
    const matches = byUnit(together(terms.map((term) => index.matchesOf(term))), units);
    return { ...one, forms: terms, matches, worth: worth * rarity(unitCount, matches.ids.length) };
  });
  if (looked.length > rankingSettings.maxTerms) {
    const rarest = looked
      .filter(({ matches }) => matches !== null)
      .sort((one, other) => other.worth - one.worth || (one.forms[0]! < other.forms[0]! ? -1 : 1));
    const kept = new Set(rarest.slice(0, rankingSettings.maxTerms));
    looked = looked.map((one) => (kept.has(one) ? one : { ...one, matches: null, worth: 0, full: 0 }));
  }
  // What nobody says makes every answer uncertain, and all alike.
  const ideal = looked.reduce((sum, { worth }) => sum + worth, 0);
  const all = looked.reduce((sum, { full }) => sum + full, 0);
  const found: AskedTerm[] = [];
  const foundAt = looked.map(({ forms, matches, worth, full, isAsWritten }) => {
    if (matches === null || ideal === 0) return -1;
    const asWritten = isAsWritten ? full / all : 0;
    return found.push({ ...matches, terms: forms, share: worth / ideal, asWritten }) - 1;
  });
  const pairs: AskedPair[] = [];
  for (let at = 0; at + 1 < words.length && pairs.length < rankingSettings.maxTerms; at++) {
    const one = foundAt[numberOf.get(words[at]!.forms[0]!)!]!;
    const other = foundAt[numberOf.get(words[at + 1]!.forms[0]!)!]!;
    const gap = words[at + 1]!.place - words[at]!.place;
    if (one < 0 || other < 0 || one === other || gap < 1 || gap > 6) continue;
    pairs.push({ one, other, gap, share: found[one]!.share + found[other]!.share });
  }
  return {
    text,
    language,
    words: words.map(({ forms }) => forms[0]!),
    hasWords: termsOf(text, language).terms.length > 0,
    found,
    unsaid: Math.max(0, 1 - found.reduce((sum, { asWritten }) => sum + asWritten, 0)),
    pairs,
    letters: language !== 'en' && language !== 'zxx' ? lettersAsked(text, index, unitCount, units) : [],
  };
}

function lettersAsked(text: string, index: LexicalIndex, unitCount: number, units: Int32Array): AskedTerm[] {
  const asked = [...new Set(lettersOf(text))].slice(0, 4 * rankingSettings.maxTerms).map((letters) => {
    const matches = byUnit(index.matchesOf(letterMark + letters), units);
    return { ...matches, terms: [letters], share: rarity(unitCount, matches.ids.length), asWritten: 0 };
  });
  const ideal = asked.reduce((sum, { share }) => sum + share, 0);
  return asked.filter(({ ids }) => ids.length > 0).map((one) => ({ ...one, share: one.share / ideal }));
}
