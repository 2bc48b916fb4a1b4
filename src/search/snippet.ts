// The few words of a document that a hit shows, and the line they stand on.

import type { Language } from '../base/languages.ts';
import { isAscii } from '../base/text.ts';
import { termsOfWord } from '../base/tokenizer.ts';

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
  return places.flatMap(([start, end]) => {
    const own = termsOfWord(text.slice(start, end), language);
    return own.some((term) => terms.has(term)) ? [{ start, end, terms: own }] : [];
  });
}

/** A sentence or line: where it starts and ends, as offsets in the text. */
interface Piece {
  readonly start: number;
  readonly end: number;
}

/** Only this much of a text is looked at; the best sentence of a long document is nearly always early enough. */
const maxScannedLength = 50_000;

/** Most texts of talk are one line already, and to see that costs a third of making it. */
const oneLineOf = (text: string): string => (/\s\s|[^\S ]/.test(text) ? text.replace(/\s+/g, ' ').trim() : text.trim());

function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const ends = /[.!?。！？](?=\s)|\n+/g;
  let start = 0;
  for (const match of text.matchAll(ends)) {
    const end = match.index + (match[0].startsWith('\n') ? 0 : match[0].length);
    if (text.slice(start, end).trim() !== '') pieces.push({ start, end });
    start = match.index + match[0].length;
  }
  if (text.slice(start).trim() !== '') pieces.push({ start, end: text.length });
  return pieces;
}

/** Cuts a sentence that is too long around its first query term, at spaces. */
function cutAround(sentence: string, terms: ReadonlySet<string>, maxLength: number, language: Language): string {
  const [first] = wordsAsked(sentence, terms, language);
  const at = first === undefined ? 0 : sentence.lastIndexOf(' ', first.start) + 1;
  const room = maxLength - 4;
  let start = at + room > sentence.length ? Math.max(0, sentence.length - room) : Math.max(0, at - 60);
  if (start > 0) start = sentence.indexOf(' ', start) + 1 || start;
  let end = Math.min(sentence.length, start + room);
  if (end < sentence.length) {
    const space = sentence.lastIndexOf(' ', end);
    if (space > start + room / 2) end = space;
    // A cut between the halves of a surrogate pair would leave a broken character.
    else if (/[\ud800-\udbff]/.test(sentence[end - 1]!)) end -= 1;
  }
  if (start > 0 && /[\udc00-\udfff]/.test(sentence[start]!)) start += 1;
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
    const longer = `${shown} ${oneLineOf(scanned.slice(next.start, next.end))}`;
    if (longer.length > maxLength) break;
    shown = longer;
  }
  return { text: shown, line };
}
