// Secrets that are known by their form: private keys, and keys with the mark of their issuer. Others are known by their place: passwords in
// URLs and on command lines, what headers carry.

import { isPublishable } from './public-words.ts';
import { endOfBroken } from './secret-groups.ts';
import { type FoundSecret, type SecretRule, secretRules } from './secret-rules.ts';
import {
  entropyOf,
  isCredential,
  isFiller,
  isMixed,
  isPlaceholder,
  isWordStart,
  type Stretch,
} from './secret-words.ts';

interface MarkTable {
  /** The rules that may fit where a mark was found: those of the mark, and of marks that it begins with. */
  readonly rulesByMark: ReadonlyMap<string, readonly { readonly rule: SecretRule; readonly mark: string }[]>;
  readonly anyMark: RegExp;
  /** Of two characters of ASCII: 1 where marks begin with them, 2 where they are the second and the third of one. */
  readonly pairs: Uint8Array;
}

let knownTable: MarkTable | null = null;

/** Made when the first text is looked at: it takes longer than what many a command asks, which brings none in. */
function markTable(): MarkTable {
  if (knownTable !== null) return knownTable;
  const rulesByMark = new Map(
    secretRules
      .flatMap(({ marks }) => marks)
      .map((found) => [
        found,
        secretRules.flatMap((rule) =>
          rule.marks.filter((mark) => found.startsWith(mark)).map((mark) => ({ rule, mark })),
        ),
      ]),
  );
  // The longest first, for the search stops at the first that fits.
  const anyMark = new RegExp(
    [...rulesByMark.keys()]
      .sort((a, b) => b.length - a.length)
      .map((mark) => mark.replace(/[.$]/g, '\\$&'))
      .join('|'),
    'y',
  );
  const pairs = new Uint8Array(128 * 128);
  for (const mark of rulesByMark.keys()) {
    const [first, second, third] = [0, 1, 2].map((at) => mark.charCodeAt(at)) as [number, number, number];
    pairs[(first << 7) | second]! |= 1;
    // A mark of two characters may go on with any.
    if (mark.length > 2) pairs[(second << 7) | third]! |= 2;
    else for (let any = 0; any < 128; any++) pairs[(second << 7) | any]! |= 2;
  }
  knownTable = { rulesByMark, anyMark, pairs };
  return knownTable;
}

/** Finds keys and tokens that begin with, or hold, the mark of their issuer. Few places have the first three characters of a mark. */
export function findByRules(text: string, found: FoundSecret[]): void {
  const { rulesByMark, anyMark, pairs } = markTable();
  let pair = 0;
  for (let next = 0; next < text.length; next++) {
    const code = text.charCodeAt(next);
    const before = pair;
    // What is not of ASCII is in no mark.
    pair = code < 128 ? ((pair & 127) << 7) | code : 0;
    if ((pairs[before]! & 1) === 0 || (pairs[pair]! & 2) === 0) continue;
    const at = next - 2;
    anyMark.lastIndex = at;
    const hit = anyMark.exec(text);
    for (const { rule, mark } of hit === null ? [] : rulesByMark.get(hit[0])!) {
      const secret = secretAt(text, at, rule, mark);
      if (secret === null) continue;
      found.push(secret);
      [next, pair] = [secret.end - 1, 0];
      break;
    }
  }
}

function secretAt(text: string, at: number, rule: SecretRule, mark: string): FoundSecret | null {
  const { kind, pattern, isInner } = rule;
  if (!isInner && !isWordStart(text, at)) return null;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match !== null && (isFiller(match[0].slice(mark.length)) || isPublishable(match[0]))) return null;
  const end = Math.max(
    match === null ? 0 : at + match[0].length,
    endOfBroken(text, at, rule, mark, match !== null) ?? 0,
  );
  return end === 0 ? null : { kind, start: isInner && mark[0] !== '/' ? wordStart(text, at) : at, end };
}

/** What stands before an inner mark without a gap belongs to the secret, as far as keys are long. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 100 && !isWordStart(text, start)) start -= 1;
  return start;
}

const keyHead = /-----BEGIN ?(?:[A-Z0-9]{1,12} ?){1,6}-----|PuTTY-User-Key-File-\d:/g;
const keyTail = /-----END ?(?:[A-Z0-9]{1,12} ?){1,6}-----|Private-MAC: [0-9a-f]+/g;
/** Lines of a key whose end is missing: base64 in any quoting. Always matches, so nothing is tried twice. */
const keyLines = /(?:[A-Za-z0-9+/=]{16,}|[\s>|"'+,]|\\[nr])*/y;
const longestKey = 32_768;

/**
 * Finds private keys in PEM and PuTTY form, also without their end and within JSON. Gives the blocks of that form that are for
 * everybody: public keys, certificates, signatures.
 */
export function findPrivateKeys(text: string, found: FoundSecret[]): Stretch[] {
  const open: Stretch[] = [];
  if (!text.includes('-----BEGIN') && !text.includes('PuTTY-User-Key-File')) return open;
  let tail: RegExpExecArray | null | undefined;
  keyHead.lastIndex = 0;
  for (let head = keyHead.exec(text); head !== null; head = keyHead.exec(text)) {
    const after = head.index + head[0].length;
    if (tail === undefined || (tail !== null && tail.index < after)) {
      keyTail.lastIndex = after;
      tail = keyTail.exec(text);
    }
    keyLines.lastIndex = after;
    const lines = keyLines.exec(text)![0];
    const next = text.indexOf('-----BEGIN', after);
    const isClosed = tail !== null && tail.index - after <= longestKey && (next < 0 || next > tail.index);
    const end = isClosed ? tail!.index + tail![0].length : after + lines.trimEnd().length;
    // Prose can speak of the two lines; a key has more than that between them.
    if (!/[A-Za-z0-9+/=]{24}/.test(text.slice(after, end))) continue;
    if (/PRIVATE ?KEY|PuTTY/.test(head[0])) found.push({ kind: 'private-key', start: head.index, end });
    else open.push({ start: head.index, end });
    keyHead.lastIndex = end;
  }
  return open;
}

const userInfo = /([^\s/:@"'`<>\\()]{0,120}):([^\s/@"'`<>\\]{3,300})@[\w.[-]/y;
const tokenAsUser = /([^\s/:@"'`<>\\()]{20,300})(?::x-oauth-basic)?@[\w.[-]/y;

/** Finds passwords, and tokens in place of users, in URLs. */
export function findInUrls(text: string, found: FoundSecret[]): void {
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    userInfo.lastIndex = at + 3;
    const match = userInfo.exec(text);
    if (match !== null && match[2] !== 'x-oauth-basic') {
      const start = at + 3 + match[1]!.length + 1;
      if (!isPlaceholder(match[2]!)) found.push({ kind: 'url-password', start, end: start + match[2]!.length });
      continue;
    }
    tokenAsUser.lastIndex = at + 3;
    const user = tokenAsUser.exec(text)?.[1];
    const isShown = isPublishable(`https${text.slice(at, at + 400)}`);
    if (user !== undefined && isMixed(user) && !isShown)
      found.push({ kind: 'url-token', start: at + 3, end: at + 3 + user.length });
  }
}

const authorization =
  /\b(?:Bearer|Basic|Token|Digest|ApiKey|AWS4-HMAC-SHA256)[ :]{1,3}["']?([A-Za-z0-9._~+/-]{12,4000}={0,2})/gi;

const cookieHeader = /\b(?:set-)?cookie: ?([^\r\n"']{16,4000})/gi;
const cookie = /[\w.-]{1,60}=([\w.%+/=~-]{16,1000})/g;

/** Finds what follows `Bearer`, `Basic` and the like, and what cookies hold. */
export function findInHeaders(text: string, found: FoundSecret[]): void {
  for (const match of text.matchAll(authorization)) {
    if (!isCredential(match[1]!) || isPlaceholder(match[1]!)) continue;
    const end = match.index + match[0].length;
    found.push({ kind: 'authorization', start: end - match[1]!.length, end });
  }
  for (const { 1: pairs, index, 0: header } of text.matchAll(cookieHeader)) {
    for (const match of pairs!.matchAll(cookie)) {
      const end = index + header.length - pairs!.length + match.index + match[0].length;
      if (isCredential(match[1]!) && entropyOf(match[1]!) >= 3.3)
        found.push({ kind: 'cookie', start: end - match[1]!.length, end });
    }
  }
}
