// Words, and whether one can be a secret. That depends on how random it is. A placeholder, an ordinary word or a part of a program is none.

import { eitherOf } from '../../base/words.ts';
import { isPublic } from './public-words.ts';
import type { FoundSecret } from './secret-rules.ts';

/** A part of a text, by UTF-16 offsets. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

const shortestRandom = 28;
const longestRandom = 200;

/** Finds long words of letters of both cases and digits in no order: keys without a name or a mark, outside of `open` stretches. */
export function findRandom(text: string, open: readonly Stretch[], found: FoundSecret[]): void {
  // By hand, since a pattern would begin anew at each letter of every word. It looks from where a long word would end, back to where it begins.
  for (let start = 0, end = shortestRandom; end <= text.length; end = start + shortestRandom) {
    let before = end - 1;
    while (before >= start && isKeyCode(text.charCodeAt(before))) before -= 1;
    if (before >= start) {
      start = before + 1;
      continue;
    }
    while (end < text.length && isKeyCode(text.charCodeAt(end))) end += 1;
    if (!open.some((stretch) => start >= stretch.start && end <= stretch.end)) addRandomOf(text, start, end, found);
    start = end + 1;
  }
}

/** A path is looked at name by name: temporary folders have random names, and together they would read as one long word. */
function addRandomOf(text: string, from: number, to: number, found: FoundSecret[]): void {
  if (!/^(?:~|\.{1,2})?\/[\w.]/.test(text.slice(from, Math.min(to, from + 5)))) {
    addRandom(text, from, to, found);
    return;
  }
  if (isPublic(text, from, to, text.slice(from, to))) return;
  for (let start = from; start < to; ) {
    const slash = text.indexOf('/', start);
    const end = slash < 0 || slash > to ? to : slash;
    if (end - start >= shortestRandom) addRandom(text, start, end, found);
    start = end + 1;
  }
}

function addRandom(text: string, from: number, to: number, found: FoundSecret[]): void {
  const run = text.slice(from, to);
  // Of `NAME=value` the value.
  const named = from + /^(?:.*=(?=[^=].{27}))?/.exec(run)![0].length;
  const word = text
    .slice(named, to)
    .replace(/^[./=-]+/, '')
    .replace(/[./-]+$/, '');
  if (word.length < shortestRandom || word.length > longestRandom || !isRandom(word)) return;
  const start = text.indexOf(word, named);
  if (isPartOfUrl(text, start) || isPublic(text, named, to, word)) return;
  found.push({ kind: 'random', start, end: start + word.length });
}

/** Letters, digits and `+ - . / = _ ~`. */
const isKeyCode = (code: number): boolean => code < 128 && keyCodes[code] === 1;

const keyCodes = Uint8Array.from({ length: 128 }, (_, code) => Number(/[\w+./=~-]/.test(String.fromCharCode(code))));

function isRandom(word: string): boolean {
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || !/\d/.test(word)) return false;
  if (/^(?:sha\d{1,3}|nonce)-/.test(word) || isOrdinary(word) || isFiller(word)) return false;
  // Paths, identifiers and titles keep to one case for a while; a random word changes class at every second character.
  return changesOf(word) / (word.length - 1) >= 0.42 && (word.match(/\d/g)?.length ?? 0) >= 3 && entropyOf(word) >= 4.1;
}

/** Counts how often a word changes between digits, large and small letters of ASCII, and other characters. */
export function changesOf(word: string): number {
  let changes = 0;
  let before = classOf(word.charCodeAt(0));
  for (let at = 1; at < word.length; at++) {
    const next = classOf(word.charCodeAt(at));
    if (next !== before) changes += 1;
    before = next;
  }
  return changes;
}

/** Tells digits (0), large (1) and small letters (2) of ASCII from all other characters (3). */
export function classOf(code: number): number {
  if (code >= 0x30 && code <= 0x39) return 0;
  if (code >= 0x41 && code <= 0x5a) return 1;
  return code >= 0x61 && code <= 0x7a ? 2 : 3;
}

function isPartOfUrl(text: string, at: number): boolean {
  let start = at;
  while (start > 0 && at - start < 300 && !/[\s"'`<>]/.test(text[start - 1]!)) start -= 1;
  return text.slice(start, at).includes('://');
}

/** Shannon entropy in bits for each character. */
export function entropyOf(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}

/** Letters and digits, as what machines make has. */
export const isMixed = (word: string): boolean => /\d/.test(word) && /[A-Za-z]/.test(word);

/** Looks made by a machine, or is the base64 of `user:password`. */
export function isCredential(word: string): boolean {
  if (isOrdinary(word) && !/[a-z][A-Z]/.test(word)) return false;
  if (isMixed(word)) return true;
  return (
    /^[A-Za-z0-9+/]{12,}={0,2}$/.test(word) &&
    /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(word, 'base64').toString('latin1'))
  );
}

const placeholder = eitherOf(
  'i',
  /^(?:[$%<{[(*#@]|process\.env|import\.meta|os\.environ|env[.[(]|ENV\[|config\.|secrets\.|vars\.|var\.|data\.)/,
  /^(?:null|undefined|none|true|false|nil)$/,
  /\[redacted:|\.\.\.|…|your[-_ ]|[-_]here$|placeholder|changeme|change[-_]me|redacted|example|insert/,
  /replace[-_ ]?(?:me|this|with)|dummy|sample/,
);
const commonWord =
  /^(?:pass(?:word)?|pwd|passwd|secret|token|key|user|username|admin|test|string|required|optional|hidden|value|my-?secret|my-?password|apikey|api_key)$/i;

/** Stands for a secret and is none. */
export const isPlaceholder = (value: string): boolean =>
  placeholder.test(value) || commonWord.test(value) || isFiller(value);

/** Is what people write in place of a key: `xxxx`, digits in order, one character over and over. */
export function isFiller(value: string): boolean {
  if (/x{6,}|\*{3,}|0{8,}|EXAMPLE|123456789|abcdefgh/i.test(value)) return true;
  return value.length >= 6 && new Set(value).size <= 2;
}

const ordinary = eitherOf(
  'i',
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|v?\d+(?:\.\d+){1,3}|\d{4}-\d\d-\d\d.*|[\d.,:/-]+)$/,
  /^(?:base|sha|utf|oauth|md|rsa|aes|hs|rs|es|x|ipv|http|iso|rfc|ed|blake|argon|p)-?\d{1,5}(?:[-_].*)?$/,
  /^(?:[a-z]+(?:[-_][a-z]+)*(?:[-_.]v?\d)?|sha\d{1,3}[-:].*)$/,
);

/** Names of formats, versions, dates, ids and hyphenated words. */
export const isOrdinary = (value: string): boolean => ordinary.test(value);

const expression = eitherOf(
  '',
  /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+$|^(?:new|await|typeof|function|return)$|^\/|^\.{1,2}\//,
  /^[a-z]+[A-Z][A-Za-z]*$|^[A-Za-z]+\?$|^(?:Uint|Int|Float)\d+Array$|=>|&&|\?\?/,
);

/** Reads as a part of a program: a path of names, a type, a call. */
export const isExpression = (value: string): boolean => expression.test(value);

/** Tells whether a word begins here; the `\n` of a text within JSON is a line feed, not a letter. */
export function isWordStart(text: string, at: number): boolean {
  if (at === 0 || !isWordCode(text.charCodeAt(at - 1))) return true;
  return at > 1 && text.charCodeAt(at - 2) === 0x5c && /[bfnrt]/.test(text[at - 1]!);
}

const isWordCode = (code: number): boolean => classOf(code) !== 3 || code === 0x5f || code === 0x2d;
