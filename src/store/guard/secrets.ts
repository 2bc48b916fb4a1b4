// Finds secrets in text before it is written anywhere: an object in git is for ever. Linear in the text, without I/O. A secret is known by
// its form or place (secret-forms.ts), the flag before it (secret-commands.ts), its name (secret-names.ts) or the sentence that tells it
// (told-secrets.ts). Others are known by their groups or words (secret-groups.ts, seed-phrase.ts), or because they are random
// (secret-words.ts). Texts are read in one form, whatever letters they are written in (written-forms.ts).

import { sha256Hex } from '../../base/hash.ts';
import { findInCommands } from './secret-commands.ts';
import { findByRules, findInHeaders, findInUrls, findPrivateKeys } from './secret-forms.ts';
import { findGroups } from './secret-groups.ts';
import { findNamed, inSmallLetters } from './secret-names.ts';
import type { FoundSecret } from './secret-rules.ts';
import { findRandom, isMixed, isOrdinary } from './secret-words.ts';
import { findSeedPhrases } from './seed-phrase.ts';
import { findTold } from './told-secrets.ts';
import { dataUrlsOf, readForms } from './written-forms.ts';

export type { FoundSecret } from './secret-rules.ts';

/** What is known not to be a secret: the text itself, its beginning with `*` after it, or `sha256:` and the hash of its UTF-8. */
export type AllowList = readonly string[];

export interface SearchOptions {
  /** Leave long random words alone, which may be ids. Default false. */
  readonly isCertain?: boolean;
}

/** What stands for a secret in a redacted text: the kind and nothing that would help to guess it. */
export const redactionOf = (kind: string): string => `[redacted:${kind}]`;
const redaction = /\[redacted:([a-z0-9-]+)\]/g;

/**
 * Finds secrets, in order of place and not overlapping.
 *
 * It finds keys and tokens of the usual services by their form, private keys, JSON web tokens and passwords in URLs. It also finds values
 * that are called password, secret, token, key or the like, and long random words. Placeholders such as `<token>`, `$PASSWORD` and `xxxx`
 * are none, and neither are object ids and hashes in hexadecimal digits.
 */
export function findSecrets(text: string, allow: AllowList = [], options: SearchOptions = {}): FoundSecret[] {
  if (text.length < minSecretLength) return [];
  const { text: read, placeOf } = readForms(text);
  const found = findRead(read, options.isCertain === true);
  // A data URL that holds a secret goes as a whole, for half of its base64 is no text.
  for (const { text: said, start, end } of dataUrlsOf(read)) {
    const inner = findRead(said, true).find((one) => !isAllowed(said.slice(one.start, one.end), allow));
    if (inner !== undefined) found.push({ kind: inner.kind, start, end });
  }
  const placed = read === text ? found : found.map(({ kind, start, end }) => ({ kind, ...placeOf(start, end) }));
  const kept =
    allow.length === 0 ? placed : placed.filter(({ start, end }) => !isAllowed(text.slice(start, end), allow));
  return kept.length < 2 ? kept : joined(kept);
}

function findRead(text: string, isCertain: boolean): FoundSecret[] {
  const found: FoundSecret[] = [];
  const open = findPrivateKeys(text, found);
  findByRules(text, found);
  findInUrls(text, found);
  findInHeaders(text, found);
  findInCommands(text, found);
  const small = inSmallLetters(text);
  findNamed(text, small, found);
  findTold(text, small, isCertain, found);
  findGroups(text, found);
  findSeedPhrases(text, found);
  if (!isCertain) findRandom(text, open, found);
  return found;
}

/** A secret that was cut between two texts. */
interface CutSecret {
  readonly kind: string;
  /** Where it begins in the former text; the end of that, when the former text only says what follows. */
  readonly start: number;
  /** Where it ends in the latter. */
  readonly end: number;
}

const longestHalf = 600;
/** Ends in a word, and not as sentences do. */
const wordEnd = /(?:[\w+/=-]{8}\.|[^\s.,:;!?)\]}"'`])$/;
const saysWhatFollows = /(?:[:=]|\bis|\bare)$/;
const redactedEnd = /\[redacted:([a-z0-9-]+)\]\s*$/;
const restOfKey = /^\s*(?:[A-Za-z0-9+/=]{16,}\s*)+(?:-----END [A-Z ]{0,40}-----)?/;
const restOfWord = /^\s*[\w.+/=~-]{12,}/;

/** Finds a secret whose first half, or name, ends one text, and whose second half begins the text behind it; null without. */
export function findCutSecret(former: string, text: string, allow: AllowList): CutSecret | null {
  const redacted = redactedEnd.exec(former.slice(-80));
  if (redacted !== null) {
    const rest = (redacted[1] === 'private-key' ? restOfKey : restOfWord).exec(text.slice(0, longestKey))?.[0] ?? '';
    if (!isMadeHalf(rest.trim())) return null;
    return { kind: redacted[1]!, start: former.length, end: rest.length };
  }
  const end = former.trimEnd().length;
  const start = text.length - text.trimStart().length;
  const half = /^[\w+/=-]{40}/.test(text.slice(start, start + 40)) ? longestKey : longestHalf;
  const [tail, head] = [former.slice(Math.max(0, end - half), end), text.slice(start, start + half)];
  const gaps = [...(wordEnd.test(tail) ? [''] : []), ...(saysWhatFollows.test(tail) ? [' '] : [])];
  for (const gap of gaps) {
    const border = tail.length + gap.length;
    const cut = findSecrets(tail + gap + head, allow).find((secret) => secret.end > border);
    if (cut === undefined || cut.start > border || (gap === '' && cut.start === border)) continue;
    // Behind a whole secret, or any long word, the next text begins with a word of its own, unless that looks made as well.
    const isWhole = cut.kind === 'random' || findSecrets(tail, allow).some((secret) => secret.end === tail.length);
    if (isWhole && !isMadeHalf(head.slice(0, cut.end - border))) return null;
    const from = cut.start < tail.length ? end - tail.length + cut.start : former.length;
    return { kind: cut.kind, start: from, end: start + cut.end - border };
  }
  return null;
}

const isMadeHalf = (half: string): boolean => half.length >= 8 && isMixed(half) && !isOrdinary(half);

/** Replaces secrets by `[redacted:kind]`, numbers of JSON by a string of it. The same text always gives the same, and what it gives has no more to find. */
export function redactSecrets(text: string, allow: AllowList = [], options: SearchOptions = {}): string {
  let present = text;
  // What stands beside a redaction can read as a secret that was not there before; twice is the most that was ever seen.
  for (let round = 0; round < 5; round++) {
    const found = findSecrets(present, allow, options);
    if (found.length === 0) return present;
    let position = 0;
    const parts: string[] = [];
    for (const { kind, start, end } of found) {
      const [from, quote] = numberInJson(present, start, end) ?? [start, ''];
      parts.push(present.slice(position, from), quote, redactionOf(kind), quote);
      position = end;
    }
    present = parts.join('') + present.slice(position);
  }
  return present;
}

const plainNumber = /^\d[\d.eE+-]*$/;
const nameInJson = /((?:\\{1,3})?")\s{0,4}:\s{0,4}(-?)$/;

/** Gives where a number of JSON begins, and the quotes that its redaction needs to stay JSON; null for any other text. */
function numberInJson(text: string, start: number, end: number): readonly [from: number, quote: string] | null {
  if (!plainNumber.test(text.slice(start, end))) return null;
  const name = nameInJson.exec(text.slice(Math.max(0, start - 16), start));
  return name === null ? null : [start - name[2]!.length, name[1]!];
}

/** Finds where a text was redacted, by 1-based lines. */
export function findRedactions(text: string): { kind: string; line: number }[] {
  const places: { kind: string; line: number }[] = [];
  let line = 1;
  let position = 0;
  for (const match of text.matchAll(redaction)) {
    for (; position < match.index; position++) if (text.charCodeAt(position) === 0x0a) line += 1;
    places.push({ kind: match[1]!, line });
  }
  return places;
}

const minSecretLength = 8;
const longestKey = 32_768;

/** Of overlapping finds the first by rule names what all of them cover together. */
function joined(found: readonly FoundSecret[]): FoundSecret[] {
  const rank = new Map(found.map((secret, position) => [secret, position]));
  const result: FoundSecret[] = [];
  for (const secret of [...found].sort((a, b) => a.start - b.start || rank.get(a)! - rank.get(b)!)) {
    const last = result.at(-1);
    if (last === undefined || secret.start >= last.end) {
      result.push(secret);
      continue;
    }
    const first = rank.get(last)! < rank.get(secret)! ? last : secret;
    const whole = { kind: first.kind, start: last.start, end: Math.max(last.end, secret.end) };
    rank.set(whole, rank.get(first)!);
    result[result.length - 1] = whole;
  }
  return result;
}

function isAllowed(secret: string, allow: AllowList): boolean {
  return allow.some((entry) => {
    if (entry.startsWith('sha256:')) return sha256Hex(secret) === entry.slice(7).toLowerCase();
    return entry.endsWith('*') ? secret.startsWith(entry.slice(0, -1)) : secret === entry;
  });
}
