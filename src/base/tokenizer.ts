// Text to search terms: one function for what is indexed and for what is asked, so that the two always meet.
// What a match is worth is not decided here; see search/.

import { stemmer } from 'stemmer';
import { foldLetter, specialLetter } from './text.ts';

/** Words that carry no subject of their own; questions are made of them, and they match almost every document. */
const stopWords = new Set(
  `a about above after again against all also am an and any are arent as at be because been before being below between
  both but by can cannot cant could couldnt d did didnt do does doesnt doing done dont down during each few for from
  further had hadnt has hasnt have havent having he hed hell her here heres hers herself hes him himself his how hows i
  id if ill im in into is isnt it itd itll its itself ive just let lets ll m me more most mustnt my myself no nor not of
  off on once only or other ought our ours ourselves out over own re s same shant she shed shell shes should shouldnt so
  some such t than that thats the their theirs them themselves then there theres these they theyd theyll theyre theyve
  this those through to too under until up us ve very was wasnt we wed well were werent weve what whats when whens where
  wheres which while who whom whos why whys will with wont would wouldnt you youd youll your youre yours yourself
  yourselves youve`.split(/\s+/),
);

/** Tells whether a word, in lower case and without apostrophes, carries no subject of its own. */
export function isStopWord(lowerCase: string): boolean {
  return stopWords.has(lowerCase);
}

const ascii = /^[\x00-\x7f]*$/;
const asciiWord = /[A-Za-z0-9_]+/g;
/** Marks count as letters: without them the vowel signs of Indic scripts would cut words apart. */
const word = /[\p{L}\p{M}\p{N}_]+/gu;
/** Words joined without a space, such as `src/base/time.ts`, `mid-course`, `v1.2.3` and `a::b`. */
const compound = /[\p{L}\p{M}\p{N}_]+(?:[-./:@\\]{1,2}[\p{L}\p{M}\p{N}_]+)+/gu;
const asciiCompound = /[A-Za-z0-9_]+(?:[-./:@\\]{1,2}[A-Za-z0-9_]+)+/g;
const mayHoldCompound = /[-./:@\\][\p{L}\p{N}_]/u;
const apostrophes = /(?<=[\p{L}\p{N}])['’]s?(?![\p{L}\p{N}])|(?<=\p{L})['’](?=\p{L})/giu;
const innerApostrophes = /(?<=[\p{L}\p{N}])['’](?=\p{L})/gu;
/** Accents of Latin, Greek and Cyrillic; Hebrew points; Arabic vowel marks. Other scripts need their marks. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]/g;
/** Scripts that write words without spaces between them, and Hangul, whose words carry their particles. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]+/gu;
const humps = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/;
const lowerWord = /^[a-z]+$/;

/** A term longer than this is data, not a word; it is cut so that a pasted blob cannot fill the index. */
const maxTermLength = 64;
const maxCachedStems = 50_000;
const stems = new Map<string, string>();

function stemOf(term: string): string {
  if (term.length < 3 || !lowerWord.test(term)) return term;
  let stem = stems.get(term);
  if (stem === undefined) {
    if (stems.size >= maxCachedStems) stems.clear();
    stem = stemmer(term);
    stems.set(term, stem);
  }
  return stem;
}

/** Folds what a keyboard may leave out: case, accents, width and ligatures. */
function fold(text: string): string {
  return text.normalize('NFKD').replace(accents, '').normalize('NFC').toLowerCase().replace(specialLetter, foldLetter);
}

/**
 * Brings a text into the form in which phrases are compared: its words, folded and unstemmed, with one space between them.
 *
 * `'Houston, we’ve had a problem!'` becomes `'houston weve had a problem'`; scripts without spaces stay as they are.
 */
export function foldText(text: string): string {
  const source = text.includes("'") || text.includes('’') ? text.replace(innerApostrophes, '') : text;
  return (fold(source).match(word) ?? []).join(' ');
}

function pushTerm(terms: string[], folded: string, keepStopWords: boolean): void {
  if (!keepStopWords && stopWords.has(folded)) return;
  // A cut between the halves of a surrogate pair would leave what no encoding can write.
  const whole = folded.length > maxTermLength ? folded.slice(0, maxTermLength).replace(/[\ud800-\udbff]$/, '') : folded;
  terms.push(stemOf(whole));
}

function pushUnspaced(terms: string[], run: string): void {
  const letters = [...run];
  if (letters.length === 1) terms.push(run);
  for (let at = 0; at + 1 < letters.length; at++) terms.push(letters[at]! + letters[at + 1]!);
}

/** Pushes a word that is not plain ASCII: runs of unspaced script as bigrams, whatever stands between them as words. */
function pushForeign(terms: string[], raw: string, keepStopWords: boolean): void {
  const folded = fold(raw);
  let last = 0;
  for (const run of folded.matchAll(unspaced)) {
    if (run.index > last) pushTerm(terms, folded.slice(last, run.index), keepStopWords);
    pushUnspaced(terms, run[0]);
    last = run.index + run[0].length;
  }
  if (last < folded.length) pushTerm(terms, folded.slice(last), keepStopWords);
}

/** Pushes an ASCII word: an identifier as a whole and in parts, anything else once. */
function pushWord(terms: string[], raw: string, keepStopWords: boolean): void {
  if (raw.includes('_')) {
    const parts = raw.split('_').filter((part) => part !== '');
    if (parts.length > 1) terms.push(parts.join('_').toLowerCase().slice(0, maxTermLength));
    for (const part of parts) pushWord(terms, part, keepStopWords);
    return;
  }
  if (raw.length > 2 && humps.test(raw)) {
    const parts = raw
      .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
      .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
      .split(' ');
    if (parts.length > 1) {
      terms.push(raw.toLowerCase().slice(0, maxTermLength));
      for (const part of parts) pushTerm(terms, part.toLowerCase(), keepStopWords);
      return;
    }
  }
  pushTerm(terms, raw.toLowerCase(), keepStopWords);
}

function terms(text: string, keepStopWords: boolean): string[] {
  const found: string[] = [];
  const source = text.includes("'") || text.includes('’') ? text.replace(apostrophes, '') : text;
  const isAscii = ascii.test(source);
  if (mayHoldCompound.test(source)) {
    for (const match of source.matchAll(isAscii ? asciiCompound : compound)) {
      if (match[0].length <= maxTermLength) found.push(isAscii ? match[0].toLowerCase() : fold(match[0]));
    }
  }
  for (const match of source.match(isAscii ? asciiWord : word) ?? []) {
    if (isAscii || ascii.test(match)) pushWord(found, match, keepStopWords);
    else pushForeign(found, match, keepStopWords);
  }
  return found;
}

/**
 * Lists the search terms of a text, in no promised order, repeated as often as they occur.
 *
 * A term is a word in lower case without accents, stemmed when it is English-looking, and never a stop word. An
 * identifier, path or hyphenated word comes as a whole and in its parts; scripts without spaces come as bigrams.
 *
 * ```
 * tokensOf('The crew checked fuelCell_1')  → ['crew', 'check', 'fuelcell_1', 'fuelcell', 'fuel', 'cell', '1']
 * tokensOf('日本語')                        → ['日本', '本語']
 * ```
 *
 * Terms hold no white space. Stemming: Porter 1980.
 */
export function tokensOf(text: string): string[] {
  return terms(text, false);
}

/**
 * Lists the search terms of a query: its terms, or, where it is made of stop words alone, those words.
 *
 * Indexes hold no stop words, so the second kind matches names and identifiers at most (`IT`, `who`), and often nothing.
 */
export function queryTokensOf(query: string): string[] {
  const found = tokensOf(query);
  return [...new Set(found.length > 0 ? found : terms(query, true))];
}
