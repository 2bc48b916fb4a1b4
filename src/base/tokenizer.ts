// Text to search terms: one function for what is indexed and for what is asked, so that the two always meet.
// What a match is worth is not decided here; see search/.

import { type Language, stemIn, stopWordsOf } from './languages.ts';
import { foldLetter, isAscii, specialLetter } from './text.ts';

/** Tells whether an English word, in lower case and without apostrophes, carries no subject of its own. */
export const isStopWord = (lowerCase: string): boolean => stopWordsOf('en').has(lowerCase);

/** Words, also joined without a space: `src/base/time.ts`, `mid-course`, `v1.2.3`, `a::b`; a language such as `C#` or `C++`. */
const asciiToken = /[A-Za-z0-9_]+(?:[-./:@\\]{1,2}[A-Za-z0-9_]+)*(?:(?:\+\+|#)(?![A-Za-z0-9_+#]))?/g;
/** Marks count as letters: without them the vowel signs of Indic scripts would cut words apart. */
const token = /[\p{L}\p{M}\p{N}_]+(?:[-./:@\\]{1,2}[\p{L}\p{M}\p{N}_]+)*(?:(?:\+\+|#)(?![\p{L}\p{N}_+#]))?/gu;
const word = /[\p{L}\p{M}\p{N}_]+/gu;
const joint = /[-./:@\\+#]+/;
/** Looks back from the apostrophe: what begins with a look back is tried at every letter. */
const apostrophes = /['’](?:(?<=[\p{L}\p{N}].)s?(?![\p{L}\p{N}])|(?<=\p{L}.)(?=\p{L}))/giu;
const innerApostrophes = /['’](?<=[\p{L}\p{N}].)(?=\p{L})/gu;
/** Accents of Latin, Greek and Cyrillic; Hebrew points; Arabic vowel marks. Other scripts need their marks. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g;
/** Scripts that write words without spaces between them, and Hangul, whose words carry their particles. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
const unspacedSign =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
/** Tells whether a text holds signs of a script that writes no spaces, whose terms are pairs of signs. */
export const hasUnspaced = (text: string): boolean => unspacedSign.test(text);

/** Tells whether a term is one sign of such a script; texts hold it in pairs. */
export const isLoneSign = (term: string): boolean => [...term].length === 1 && hasUnspaced(term);

const humps = /[\p{Ll}0-9]\p{Lu}|\p{Lu}\p{Lu}\p{Ll}/u;
/** Articles and pronouns are written together with their word here, with an apostrophe between. */
const eliding: readonly Language[] = ['fr', 'it'];

/** A term longer than this is data, not a word; it is cut so that a pasted blob cannot fill the index. */
const maxTermLength = 64;
const maxKnownTokens = 100_000;

/** Folds what a keyboard may leave out: case, accents, width and ligatures. */
const fold = (text: string): string =>
  text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase().replace(specialLetter, foldLetter);

/**
 * Brings a text into the form in which phrases are compared: its words, folded and unstemmed, with one space between them.
 *
 * `'Houston, we’ve had a problem!'` becomes `'houston weve had a problem'`; scripts without spaces stay as they are.
 */
export function foldText(text: string): string {
  const source = text.includes("'") || text.includes('’') ? text.replace(innerApostrophes, '') : text;
  return (fold(source).match(word) ?? []).join(' ');
}

/** The terms of one token, each with its place within; stop words take a place and give no term. */
interface KnownToken {
  readonly terms: readonly string[];
  readonly places: readonly number[];
  readonly width: number;
}

/** Cuts a term that is data; between the halves of a surrogate pair no encoding could write it. */
const cut = (term: string): string =>
  term.length > maxTermLength ? term.slice(0, maxTermLength).replace(/[\ud800-\udbff]$/, '') : term;

/** Reads one token: a compound or an identifier comes as a whole and in its parts, a script without spaces in pairs of letters. */
function readToken(raw: string, language: Language, keepStopWords: boolean): KnownToken {
  const terms: string[] = [];
  const places: number[] = [];
  let width = 0;
  const push = (folded: string): void => {
    // An accent without a letter folds to nothing, or to the space that carried it.
    const term = folded.replace(/\s+/g, '');
    if (term === '') return;
    terms.push(term);
    places.push(width);
  };
  const stops = stopWordsOf(language);
  const pushWord = (written: string): void => {
    const lower = written.toLowerCase();
    if (keepStopWords || !stops.has(lower)) {
      const isWord = lower.length > 2 && lower.length <= maxTermLength && !/[\d_]/.test(lower);
      // Stemmers of other languages know their letters; the English one knows no accent.
      const plain = language === 'en' ? fold(lower) : lower;
      push(isWord ? fold(stemIn(language, plain)) : cut(fold(lower)));
    }
    width += 1;
  };
  const pushUnspaced = (written: string): void => {
    const folded = fold(written);
    let last = 0;
    for (const { 0: run, index } of folded.matchAll(unspaced)) {
      if (index > last) pushWord(folded.slice(last, index));
      const letters = [...run];
      if (letters.length === 1) {
        push(run);
        width += 1;
      }
      for (let at = 0; at + 1 < letters.length; at++) {
        push(letters[at]! + letters[at + 1]!);
        width += 1;
      }
      last = index + run.length;
    }
    if (last < folded.length) pushWord(folded.slice(last));
  };
  const pushPart = (part: string): void => {
    if (hasUnspaced(part)) {
      pushUnspaced(part);
      return;
    }
    const pieces = humps.test(part) || part.includes('_') ? piecesOf(part) : [part];
    if (pieces.length > 1) push(cut(fold(part)).replace(/^_+|_+$/g, ''));
    for (const piece of pieces) pushWord(piece);
  };
  const parts = raw.split(joint).filter((part) => part !== '');
  if ((parts.length > 1 || joint.test(raw)) && raw.length <= maxTermLength) push(fold(raw));
  for (const part of parts) pushPart(part);
  return { terms, places, width };
}

/** Cuts an identifier at its humps and underscores. */
function piecesOf(identifier: string): string[] {
  return identifier
    .replace(/([\p{Ll}0-9])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .split(/[ _]+/)
    .filter((piece) => piece !== '');
}

/** By language: tokens as they were read. The same words come again and again. */
const knownTokens = new Map<Language, Map<string, KnownToken>>();

/** The terms of a text in their order; `places[i]` is that of `terms[i]`, counted in words with stop words among them. */
export interface PlacedTerms {
  readonly terms: string[];
  readonly places: number[];
}

/**
 * Lists the search terms of a text in a language, in their order.
 *
 * A term is a word in lower case without accents, stemmed, and never a stop word. An identifier, path, version or hyphenated word comes as a
 * whole and in its parts; scripts without spaces come as pairs of letters. Terms hold no white space.
 *
 * ```
 * termsOf('The crew checked fuelCell_1', 'en')  → crew, check, fuelcell_1, fuel, cell, 1
 * termsOf('日本語', 'zxx')                        → 日本, 本語
 * ```
 */
export function termsOf(text: string, language: Language, keepStopWords = false): PlacedTerms {
  let known = knownTokens.get(language);
  if (known === undefined || known.size > maxKnownTokens) {
    known = new Map();
    knownTokens.set(language, known);
  }
  const mayElide = text.includes("'") || text.includes('’');
  const source = mayElide ? text.replace(apostrophes, eliding.includes(language) ? ' ' : '') : text;
  const terms: string[] = [];
  const places: number[] = [];
  let at = 0;
  for (const raw of (isAscii(source) ? source.match(asciiToken) : source.normalize('NFC').match(token)) ?? []) {
    let read = keepStopWords ? undefined : known.get(raw);
    if (read === undefined) {
      read = readToken(raw, language, keepStopWords);
      if (!keepStopWords && raw.length <= maxTermLength) known.set(raw, read);
    }
    for (let one = 0; one < read.terms.length; one++) {
      terms.push(read.terms[one]!);
      places.push(at + read.places[one]!);
    }
    at += read.width;
  }
  return { terms, places };
}

/** Lists the search terms of one word of a text; quick where the word was met before. */
export const termsOfWord = (word: string, language: Language): readonly string[] =>
  knownTokens.get(language)?.get(word)?.terms ?? termsOf(word, language).terms;

/** Lists the search terms of a text as English, in their order, repeated as often as they occur; see {@link termsOf}. */
export const tokensOf = (text: string, language: Language = 'en'): string[] => termsOf(text, language).terms;

/**
 * Lists the search terms of a query: its terms, or, where it is made of stop words alone, those words.
 *
 * Indexes hold no stop words, so the second kind matches names and identifiers at most (`IT`, `who`), and often nothing.
 */
export function queryTokensOf(query: string): string[] {
  const found = tokensOf(query);
  return [...new Set(found.length > 0 ? found : termsOf(query, 'en', true).terms)];
}

/** Lists the letters of words in threes, with a mark where a word begins: what forms and compounds of a word share. */
export function lettersOf(text: string): string[] {
  const letters: string[] = [];
  for (const one of fold(text).match(word) ?? []) {
    const marked = `^${one.length > maxTermLength ? one.slice(0, maxTermLength) : one}`;
    if (marked.length <= 3) letters.push(marked);
    for (let at = 0; at + 3 <= marked.length; at++) letters.push(marked.slice(at, at + 3));
  }
  return letters;
}
