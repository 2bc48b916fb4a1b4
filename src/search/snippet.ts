// The few words of a document that a hit shows, and the line they stand on.

import type { Language } from '../base/languages.ts';
import { isAscii, singleSpaced } from '../base/text.ts';
import { hasUnspaced, isLoneSign, termsOfWord } from '../base/tokenizer.ts';

/** The part of a text that answers a query best. */
export interface Snippet {
  /** One line without line feeds; `…` marks where words were left out inside the sentence or line shown. */
  readonly text: string;
  /** 0-based line within the text where it starts. */
  readonly line: number;
  /** Which parts of it are words that were asked for. */
  readonly highlights: readonly Highlight[];
}

/** Where a word begins and ends in a snippet, as offsets in UTF-16 units, the end not included. */
export type Highlight = readonly [start: number, end: number];

/** Words of any script; joined ones such as `src/base/time.ts` are one. */
const markedWord = /[\p{L}\p{M}\p{N}_]+(?:[-./:@\\'’][\p{L}\p{M}\p{N}_]+)*/gu;

/** A word of a text that shares a term with the query. */
interface Found {
  readonly start: number;
  readonly end: number;
  readonly terms: readonly string[];
}

const a = 'a'.charCodeAt(0);

/** The letters from a to z that terms begin with, a bit each. */
function initialsOf(terms: Iterable<string>): number {
  let initials = 0;
  for (const term of terms) initials |= 1 << (term.charCodeAt(0) - a);
  return initials;
}

/** By character of ASCII: what a word of {@link markedWord} is made of, small letters apart, and what joins two. */
const [other, small, inWord, joint] = [0, 1, 2, 3];
const kinds = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  return /[a-z]/.test(letter) ? small : /\w/.test(letter) ? inWord : /[-./:@\\']/.test(letter) ? joint : other;
});

/**
 * Lists where words of an English text in ASCII begin and end.
 *
 * Words of letters alone that have no term with one of the initials are left out: a stem begins as its word does. So most words are
 * passed over without a copy.
 */
function placesIn(text: string, initials: number): [start: number, end: number][] {
  const places: [number, number][] = [];
  for (let at = 0; at < text.length; at++) {
    const first = text.charCodeAt(at);
    if (kinds[first]! === other || kinds[first]! === joint) continue;
    const start = at;
    let isPlain = (first | 0x20) >= a && (first | 0x20) < a + 26;
    for (at += 1; at < text.length; at++) {
      const kind = kinds[text.charCodeAt(at)]!;
      if (kind === small) continue;
      if (kind === other) break;
      if (kind === joint) {
        const next = at + 1 < text.length ? kinds[text.charCodeAt(at + 1)]! : other;
        if (next === other || next === joint) break;
      }
      isPlain = false;
    }
    if (!isPlain || ((initials >> ((first | 0x20) - a)) & 1) !== 0) places.push([start, at]);
  }
  return places;
}

function allPlacesIn(text: string): [start: number, end: number][] {
  let end = 0;
  // Between two words stands no letter of any: the next place of a word is its own. To list words is quicker than to list matches.
  return (text.match(markedWord) ?? []).map((word) => {
    const start = text.indexOf(word, end);
    end = start + word.length;
    return [start, end];
  });
}

function wordsAsked(text: string, terms: ReadonlySet<string>, language: Language): Found[] {
  const places = language === 'en' && isAscii(text) ? placesIn(text, initialsOf(terms)) : allPlacesIn(text);
  const signs = [...terms].filter(isLoneSign);
  return places.flatMap(([start, end]) => {
    const word = text.slice(start, end);
    const own = termsOfWord(word, language);
    if (!own.some((term) => terms.has(term)) && !signs.some((sign) => word.includes(sign))) return [];
    const whole: Found = { start, end, terms: own };
    return end - start > usualLength || hasUnspaced(word) ? partsAsked(text, whole, terms, language) : [whole];
  });
}

/** Of what is longer only the parts that were asked for are shown as found. */
const usualLength = 40;

/**
 * Finds what was asked for within a word: signs of a script without spaces, or parts of what is joined. It is the word where no part is it.
 *
 * ```
 * 我们的帆船很快, asked for 帆船   我们的[帆船]很快
 * a.b.fuelCell.c…, for cell      a.b.[fuelCell].c…
 * ```
 */
function partsAsked(text: string, whole: Found, terms: ReadonlySet<string>, language: Language): Found[] {
  const parts: { start: number; end: number; terms: readonly string[] }[] = [];
  const isAsked = (one: string): boolean => termsOfWord(one, language).some((term) => terms.has(term));
  const note = (start: number, end: number): void => {
    const own = termsOfWord(text.slice(start, end), language);
    const last = parts.at(-1);
    if (last === undefined || last.end <= start) parts.push({ start, end, terms: own });
    else Object.assign(last, { end, terms: [...last.terms, ...own] });
  };
  for (const { 0: part, index } of text.slice(whole.start, whole.end).matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    let from = whole.start + index;
    if (!hasUnspaced(part)) {
      if (isAsked(part)) note(from, from + part.length);
      continue;
    }
    const signs = [...part];
    const alone = signs.map(isAsked);
    for (const [at, sign] of signs.entries()) {
      const next = signs[at + 1];
      if (alone[at]) note(from, from + sign.length);
      else if (next !== undefined && !alone[at + 1] && isAsked(sign + next))
        note(from, from + sign.length + next.length);
      from += sign.length;
    }
  }
  return parts.length === 0 ? [whole] : parts;
}

/** A sentence or line: where it starts and ends, as offsets in the text. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Only this much of a text is looked at; the best sentence of a long document is nearly always early enough. */
const maxScannedLength = 50_000;

/** Most texts of talk are one line already, and to see that costs a third of making it. */
const oneLineOf = (text: string): string => (/\s\s|[^\S ]/.test(text) ? singleSpaced(text).trim() : text.trim());

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const ends = /[.!?](?=\s)|[。！？]+[”’」』）]*|\n+/g;
  let start = 0;
  for (const match of text.matchAll(ends)) {
    const end = match.index + (match[0].startsWith('\n') ? 0 : match[0].length);
    if (text.slice(start, end).trim() !== '') pieces.push({ start, end });
    start = match.index + match[0].length;
  }
  if (text.slice(start).trim() !== '') pieces.push({ start, end: text.length });
  return pieces;
}

/** Finds where the stretch of so many characters begins that holds the most different query terms, the earliest of equals. */
function densestPlace(found: readonly Found[], terms: ReadonlySet<string>, room: number): number {
  const counts = new Map<string, number>();
  const count = (word: Found, by: 1 | -1): void => {
    for (const term of word.terms) {
      if (!terms.has(term)) continue;
      const times = (counts.get(term) ?? 0) + by;
      if (times === 0) counts.delete(term);
      else counts.set(term, times);
    }
  };
  let best = 0;
  let most = 0;
  for (let first = 0, next = 0; first < found.length; first++) {
    for (; next < found.length && (next === first || found[next]!.end <= found[first]!.start + room); next++)
      count(found[next]!, 1);
    if (counts.size > most) [best, most] = [found[first]!.start, counts.size];
    count(found[first]!, -1);
  }
  return best;
}

/** How many characters stand before what was found. */
const leadLength = 60;

/** Cuts a sentence that is too long around its query terms: at spaces where there are some. */
function cutAround(sentence: string, terms: ReadonlySet<string>, maxLength: number, language: Language): string {
  const room = maxLength - 4;
  const at = densestPlace(wordsAsked(sentence, terms, language), terms, room - leadLength);
  let start = Math.max(0, Math.min(at - leadLength, sentence.length - room));
  if (start > 0) {
    const space = sentence.indexOf(' ', start);
    if (space >= 0 && space < Math.max(at, start + 1)) start = space + 1;
    else if (/[\udc00-\udfff]/.test(sentence[start]!)) start += 1;
  }
  let end = Math.min(sentence.length, start + room);
  if (end < sentence.length) {
    const space = sentence.lastIndexOf(' ', end);
    if (space > start + room / 2) end = space;
    // A cut between the halves of a surrogate pair would leave a broken character.
    else if (/[\ud800-\udbff]/.test(sentence[end - 1]!)) end -= 1;
  }
  return `${start > 0 ? '… ' : ''}${sentence.slice(start, end).trim()}${end < sentence.length ? ' …' : ''}`;
}

/**
 * Picks the words to show for a hit: the whole text when it is short, else its best sentence with what follows.
 *
 * The best sentence is the one with the most different query terms, the earliest of equals.
 */
export function snippetOf(
  text: string,
  queryTerms: readonly string[],
  maxLength = 240,
  language: Language = 'en',
): Snippet {
  const terms = new Set(queryTerms);
  const shown = shownOf(text, terms, maxLength, language);
  const highlights = wordsAsked(shown.text, terms, language).map(({ start, end }): Highlight => [start, end]);
  return { ...shown, highlights };
}

function shownOf(
  text: string,
  terms: ReadonlySet<string>,
  maxLength: number,
  language: Language,
): Omit<Snippet, 'highlights'> {
  const whole = text.length > maxLength * 4 ? undefined : oneLineOf(text);
  if (whole !== undefined && whole.length <= maxLength) {
    const lead = text.slice(0, text.length - text.trimStart().length);
    return { text: whole, line: lead === '' ? 0 : lead.split('\n').length - 1 };
  }

  const scanned = text.slice(0, maxScannedLength);
  const pieces = piecesOf(scanned);
  const found = wordsAsked(scanned, terms, language);
  let best = 0;
  let bestCount = -1;
  for (let at = 0, next = 0; at < pieces.length && bestCount < terms.size; at++) {
    const held = new Set<string>();
    for (; next < found.length && found[next]!.start < pieces[at]!.end; next++) {
      for (const term of found[next]!.terms) if (terms.has(term)) held.add(term);
    }
    if (held.size > bestCount) [best, bestCount] = [at, held.size];
  }
  const piece = pieces[best];
  if (piece === undefined) return { text: '', line: 0 };
  const sentence = oneLineOf(scanned.slice(piece.start, piece.end));
  const lead = scanned.slice(piece.start, piece.end);
  const start = piece.start + (lead.length - lead.trimStart().length);
  const line = scanned.slice(0, start).split('\n').length - 1;
  if (sentence.length > maxLength) return { text: cutAround(sentence, terms, maxLength, language), line };

  let shown = sentence;
  for (const next of pieces.slice(best + 1)) {
    const longer = oneLineOf(scanned.slice(piece.start, next.end));
    if (longer.length > maxLength) break;
    shown = longer;
  }
  return { text: shown, line };
}
