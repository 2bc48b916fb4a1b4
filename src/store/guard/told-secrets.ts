// Secrets that a sentence tells, in the languages of data/guard: "the password for the router is …", "my API key … is for staging".
// It looks for values first, which ordinary text hardly has, and then for what they are called.

import { toldWords } from '../../base/generated/told-words.ts';
import type { FoundSecret } from './secret-rules.ts';
import { changesOf, entropyOf, isExpression, isOrdinary, isPlaceholder } from './secret-words.ts';

const kinds = ['password', 'token', 'key', 'pin'] as const;
type Kind = (typeof kinds)[number];

/** How far from a value its name may stand, and how long a value may be, in characters. */
const reach = 80;
const longestValue = 300;

/** Ends a value: gaps, quotes, and letters of what is written without gaps. */
const edge =
  /[\s"'`“”„«»‘’「」『』、。，<>\\|\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
const restOfValue = new RegExp(`[^${edge.source.slice(1)}{1,${longestValue}}`, 'uy');
const gaps = /[\s"'`*“”„«»‘’「」『』(),:=→—–-]+/;
const sentenceEnd = /[.!?;](?:\s|$)|[。！？\n]/;
/** Leads to another field of a record: its text goes on behind the name, or a field lies between. So does a mark: `[memory: …]`. */
const otherField = /^[^"]+",\s*"|",\s*".*",\s*"|\[[\w-]+: $/;
const ownField = /"[\w-]+"\s*:\s*"$/;

interface Word {
  readonly word: string;
  readonly kind: Kind;
  /** What links it and a value. */
  readonly links: ReadonlySet<string>;
  /** What says whose it is: "for", "of". */
  readonly whose: readonly string[];
}

interface Name extends Word {
  readonly start: number;
  readonly end: number;
}

let vocabulary: { readonly found: RegExp; readonly words: ReadonlyMap<string, readonly Word[]> } | null = null;

/** Makes what finds names, and says which words they may be. The first value asks for it: most texts have none. */
function makeVocabulary() {
  const words = new Map<string, Word[]>();
  for (const line of toldWords.split('\n').slice(1)) {
    const cells = line.split('|').slice(1).map(wordsIn);
    const links = new Set(cells[4]);
    for (const [at, kind] of kinds.entries())
      for (const word of cells[at]!) {
        const bare = word.replaceAll('*', '');
        words.set(bare, [...(words.get(bare) ?? []), { word, kind, links, whose: cells[5]! }]);
      }
  }
  return { words, found: new RegExp([...words.keys()].sort().reverse().join('|'), 'g') };
}

/** Lists the words of a cell with each gap that they may be written with. */
function wordsIn(cell: string): string[] {
  return cell.split(',').flatMap((word) => {
    const plain = word.trim();
    return plain === '' ? [] : plain.includes(' ') ? ['', '-', ' '].map((gap) => plain.replaceAll(' ', gap)) : [plain];
  });
}

/** Lists the names in a part of a text; one for each language that has it. */
function namesIn(small: string, from: number, to: number): Name[] {
  vocabulary ??= makeVocabulary();
  const { found, words } = vocabulary;
  const part = small.slice(from, to);
  const names: Name[] = [];
  found.lastIndex = 0;
  for (let hit = found.exec(part); hit !== null; hit = found.exec(part)) {
    const start = from + hit.index;
    // "parola" is a word of one language, and begins with one of another.
    for (let length = 1; length <= hit[0].length; length++)
      for (const word of words.get(hit[0].slice(0, length)) ?? []) {
        const end = endOf(small, start, start + length, word.word);
        if (end !== undefined && end <= to) names.push({ ...word, start, end });
      }
  }
  return names;
}

/** Gives where a word ends that is found; undefined where it is part of another. */
function endOf(small: string, start: number, bareEnd: number, word: string): number | undefined {
  if (!word.startsWith('*') && isInWord(small[start - 1])) return undefined;
  let end = bareEnd;
  // Behind a word without gaps the value may follow at once.
  if (word.endsWith('*') && edge.test(small[end - 1]!)) return end;
  while (word.endsWith('*') && isInWord(small[end]) && !/\p{N}/u.test(small[end]!)) end += 1;
  return isInWord(small[end]) ? undefined : end;
}

const isInWord = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{M}\p{N}_]/u.test(character) && !edge.test(character);

/**
 * Finds values that a sentence calls a secret; `small` is the text in small letters. With `isCertain` the value of a field of JSON is what
 * the field is called, not what was said in another.
 */
export function findTold(text: string, small: string, isCertain: boolean, found: FoundSecret[]): void {
  const sign = /\d|(?<=\w)[!@#$%^&*](?=\w)/g;
  let names: Name[] = [];
  let looked = 0;
  for (let hit = sign.exec(text); hit !== null; hit = sign.exec(text)) {
    let start = hit.index;
    restOfValue.lastIndex = start;
    restOfValue.test(text);
    let end = restOfValue.lastIndex;
    sign.lastIndex = end;
    while (start > 0 && hit.index - start < longestValue && !edge.test(text[start - 1]!)) start -= 1;
    while (start < end && '([{*:-'.includes(text[start]!)) start += 1;
    while (start < end && '.,;:!?([{)]}*'.includes(text[end - 1]!)) end -= 1;
    const value = text.slice(start, end);
    if (!isValue(value)) continue;
    const near = namesIn(small, Math.max(looked, start - reach), start);
    const last = near.at(-1)?.start;
    if (last !== undefined) names = near.filter((name) => name.start === last);
    looked = start;
    const name =
      names.find(
        (one) => start - one.end <= reach && isToldBefore(one, small.slice(one.end, start), value, isCertain),
      ) ?? nameBehind(small, end, value);
    if (name === undefined) continue;
    found.push({ kind: name.kind === 'password' || name.kind === 'pin' ? 'password' : 'secret-value', start, end });
  }
}

function isToldBefore({ kind, links, whose }: Name, gap: string, value: string, isCertain: boolean): boolean {
  if (sentenceEnd.test(gap) || otherField.test(gap) || (isCertain && ownField.test(gap))) return false;
  const words = gap.split(gaps).filter(Boolean);
  const length = [1, 2].find((count) => links.has(words.slice(-count).join(' '))) ?? 0;
  // "to" leads to a new password and to what it opens.
  if (length === 1 && whose.includes(words.at(-1)!) && !isMade(value)) return false;
  const isLinked = length > 0 || /[:=→]\W*$/.test(gap);
  return isToldAs(kind, value, isLinked, words.length === length || (isLinked && saysWhose(whose, words[0]!)));
}

const saysWhose = (whose: readonly string[], word: string): boolean =>
  whose.some((one) => (one.endsWith('*') ? word.startsWith(one.slice(0, -1)) : word === one));

/** Finds the name of a value in "… is the password for the router". */
function nameBehind(small: string, end: number, value: string): Name | undefined {
  if (!isMade(value)) return undefined;
  return namesIn(small, end, end + reach).find(({ kind, links, whose, start, end: nameEnd }) => {
    const gap = small.slice(end, start);
    const words = gap.split(gaps).filter(Boolean);
    const isLinked = [1, 2].some((count) => links.has(words.slice(0, count).join(' ')));
    if (!isLinked || sentenceEnd.test(gap) || kind === 'key' || kind === 'pin') return false;
    const next = small.slice(nameEnd, nameEnd + reach).trimStart();
    return !isInWord(next[0]) || saysWhose(whose, next.split(gaps)[0]!);
  });
}

/** The less a sentence says that it tells a secret, the more made the value has to look. */
function isToldAs(kind: Kind, value: string, isLinked: boolean, isNext: boolean): boolean {
  const isTold = isLinked && isNext;
  if (/^\d+$/.test(value)) return isTold && (kind === 'pin' || (kind === 'password' && value.length >= 6));
  if (kind === 'password' && (isTold || !/\d/.test(value))) return isTold;
  if (kind === 'token' && isTold) return !designation.test(value);
  if (kind === 'pin' || !isMade(value)) return false;
  if (kind !== 'key' && (isLinked || isNext)) return true;
  const isRandom = changesOf(value) / (value.length - 1) >= 0.38 && entropyOf(value) >= 3;
  return (kind !== 'key' || isLinked || isNext) && value.length >= 12 && /^[\w-]+$/.test(value) && isRandom;
}

/** Numbers with their units, addresses, and what programs have between their words: a password in a sentence hardly has that. */
const noValue =
  /^\d\p{L}+$|^[\d.,:/-]+\p{L}{1,4}$|^[\d.,:/%_^~-]+$|^[\w.+-]+@[\w-]+\.[\w.-]+$|:\/\/|^www\.|[()[\]{}=;]/u;
/** What has a name and a number: a standard, a version, a model. */
const designation = /^\p{Lu}[\p{L}-]*[\d.]+$/u;

/** Digits, or letters with digits or symbols, which are no word of prose. */
function isValue(word: string): boolean {
  if (/^\d{4,16}$/.test(word)) return new Set(word).size > 1;
  if (word.length < (/\d/.test(word) ? 6 : 8) || noValue.test(word)) return false;
  return !isOrdinary(word) && !isPlaceholder(word) && !isExpression(word);
}

/** Digits among letters, and more than one or a symbol; no file and no object id. */
function isMade(word: string): boolean {
  if (word.length < 8 || /^[0-9a-f]+$|^[\w./-]+\.[a-z]{1,5}\d?(?:[#:]\d+)?$/i.test(word) || designation.test(word))
    return false;
  return /\d.*\d|\d.*[^\p{L}\p{N}._/:-]|[^\p{L}\p{N}._/:-].*\d/u.test(word) && changesOf(word) >= 3;
}
