// Keys and codes that are written in groups: as a document wraps a key, as people read one out, as recovery codes come.

import type { FoundSecret, SecretRule } from './secret-rules.ts';
import { classOf, isMixed, isOrdinary, isWordStart } from './secret-words.ts';

const firstPiece = /[\w.~+/=:-]{2,400}/y;
const nextPiece = /((?:[ \t]*(?:\\n|\r?\n)[ \t>|"'+]{0,20})|[ \t\u00a0])([\w.~+/=-]{1,200})/y;
const mostPieces = 24;
const longestKey = 600;

interface Piece {
  readonly word: string;
  readonly end: number;
}

/**
 * Gives the end of a key that gaps or line ends broke; null for any other text.
 *
 * `isWhole` says that the rule knows the first piece for a key: then what follows has to look like nothing else.
 */
export function endOfBroken(text: string, at: number, rule: SecretRule, mark: string, isWhole: boolean): number | null {
  const pieces = piecesAt(text, at);
  const first = pieces[0]!.word.slice(mark.length);
  // Many a mark begins a word of a sentence.
  if (pieces.length < 2 || (/[A-Za-z]$/.test(mark) && /^[a-z]+$/.test(first))) return null;
  if (!/\d/.test(first) && !pieces.some(({ word }, place) => place > 0 && /\d/.test(word))) return null;
  for (let count = pieces.length; count > 1; count--) {
    const words = pieces.slice(0, count).map(({ word }) => word);
    const whole = words.join('');
    const isKey = isWhole ? words.slice(1).every(isRandomPiece) : isBroken(words) && isMixed(whole.slice(mark.length));
    rule.pattern.lastIndex = 0;
    if (isKey && rule.pattern.exec(whole)?.[0].length === whole.length) return pieces[count - 1]!.end;
  }
  return null;
}

/** The words from a place on, as far as each could go on with the one before it. */
function piecesAt(text: string, at: number): Piece[] {
  firstPiece.lastIndex = at;
  const pieces: Piece[] = [{ word: firstPiece.exec(text)?.[0] ?? '', end: firstPiece.lastIndex }];
  for (let length = 0; pieces.length < mostPieces && length < longestKey; ) {
    const last = pieces.at(-1)!;
    nextPiece.lastIndex = last.end;
    const match = nextPiece.exec(text);
    if (match === null) break;
    const word = match[2]!.replace(/[.:-]+$/, '');
    const isGroup = word.length === last.word.length || (pieces.length > 1 && word.length < last.word.length);
    if (!isGroup && !isMadePiece(word) && !match[1]!.includes('n') && !match[1]!.includes('\n')) break;
    pieces.push({ word, end: nextPiece.lastIndex - match[2]!.length + word.length });
    length += word.length;
    if (word.length < match[2]!.length) break;
  }
  return pieces;
}

/** Groups of one length, or pieces that are no words of a sentence. */
function isBroken(words: readonly string[]): boolean {
  const size = words[0]!.length;
  const inGroups = words.every((word, at) => (at < words.length - 1 ? word.length === size : word.length <= size));
  if (inGroups && words.length > 2) return true;
  return words.slice(1).every((word, at) => isMadePiece(word) || (at === words.length - 2 && /[\dA-Z_-]/.test(word)));
}

function isRandomPiece(word: string): boolean {
  return (
    word.length >= 8 && [/\d/, /[a-z]/, /[A-Z]/, /^[\w+/-]+=*$/].every((sign) => sign.test(word)) && !isOrdinary(word)
  );
}

function isMadePiece(word: string): boolean {
  return (
    word.length >= 6 && !/=./.test(word) && !isOrdinary(word) && (isMixed(word) || /[a-z][A-Z].*[a-z][A-Z]/.test(word))
  );
}

/** Product keys, recovery keys: groups of large letters and digits with dashes, long enough to be nothing else. */
const dashed =
  /(?:[A-Z0-9]{5}(?:-[A-Z0-9]{5}){4,9}|[A-Z0-9]{4}(?:-[A-Z0-9]{4}){5,9}|\d{6}(?:-\d{6}){7})(?![A-Za-z0-9-])/y;

/** Finds codes in groups that are known by their form. */
export function findGroups(text: string, found: FoundSecret[]): void {
  for (let dash = text.indexOf('-'); dash >= 0; dash = text.indexOf('-', dash + 1)) {
    if (classOf(text.charCodeAt(dash - 1)) > 1 || classOf(text.charCodeAt(dash + 1)) > 1) continue;
    for (const size of [4, 5, 6]) {
      const start = dash - size;
      dashed.lastIndex = start;
      const match = start >= 0 && isWordStart(text, start) ? dashed.exec(text) : null;
      if (match === null) continue;
      dash = dashed.lastIndex;
      const isMade = /\d/.test(match[0]) && (/[A-Z]/.test(match[0]) || match[0].length === 55);
      if (isMade) found.push({ kind: 'recovery-key', start, end: dash });
      break;
    }
  }
}

/** What codes are called, and what may stand between that and the first of them. */
const codeWord = /(?:codes?|keys?|number|secrets?|tokens?|phrase|licen[cs]e(?: (?:code|key|number))?|passwords?)/y;
const codeKinds =
  'recovery|backup|rescue|scratch|emergency|one-time|2fa|mfa|licen[cs]e|product|serial|activation|setup|secret|api|access|private|totp|auth';
const codeKind = new RegExp(`(?:${codeKinds}|\\bapp(?:lication)?)[ _-]?$`);
const codesFollow = /(?:(?: for)? [\w-]{1,20}){0,3}?[ \t"'`*]{0,3}(?:[:=]|\bis\b|\bare\b)|(?=[\r\n ])/y;
const listGap = /[\s,;*•|`"'>-]{0,8}(?:\d{1,2}[.)] ?)?["'`]?/y;
const codePart = /[A-Za-z0-9]{3,12}(?![\w@/.]*[\w@/])/y;

/** Gives the codes behind what they are called, which begins or ends at a place; null for any other text. */
export function codesNamed(text: string, small: string, at: number): FoundSecret | null {
  codeWord.lastIndex = at;
  if (!codeWord.test(small)) return null;
  if (!small.startsWith('licen', at) && !codeKind.test(small.slice(Math.max(0, at - 14), at))) return null;
  codesFollow.lastIndex = codeWord.lastIndex;
  return codesFollow.test(small) ? codesAt(text, codesFollow.lastIndex) : null;
}

/** Two groups at least, each with a digit or of large letters; or four of four small letters, as app passwords have them. */
function codesAt(text: string, from: number): FoundSecret | null {
  const parts: { readonly word: string; readonly start: number; readonly end: number }[] = [];
  for (let at = from; parts.length < 200; ) {
    listGap.lastIndex = at;
    listGap.test(text);
    codePart.lastIndex = listGap.lastIndex;
    const word = codePart.exec(text)?.[0];
    if (word === undefined) break;
    const isSame = word.length === parts[0]?.word.length || parts.length === 0;
    if (!/\d/.test(word) && !/^[A-Z]{4,}$/.test(word) && !(isSame && /^(?:[a-z]{4}|[A-Za-z]{5})$/.test(word))) break;
    at = codePart.lastIndex;
    parts.push({ word, start: at - word.length, end: at });
  }
  const whole = parts.map(({ word }) => word).join('');
  if (parts.length < 2 || whole.length < 12) return null;
  const isMade = parts.filter(({ word }) => /\d/.test(word)).length * 2 >= parts.length;
  // As app passwords and the secrets of one-time codes come: groups of four without a digit, or nearly.
  const isFours =
    parts.length >= 4 && parts.every(({ word }) => word.length === 4) && /^(?:[a-z]{16}|[A-Z2-7]{16,64})$/.test(whole);
  return isMade || isFours ? { kind: 'recovery-code', start: parts[0]!.start, end: parts.at(-1)!.end } : null;
}
