// Finds secrets in text before it is written anywhere: an object in git is for ever. Linear in the text, without I/O.
// The known forms stand in secret-rules.ts; here is the search, and what shows a secret that has no form: what it is called,
// where it stands, how random it is.

import { sha256Hex } from '../base/hash.ts';
import { type SecretRule, secretRules } from './secret-rules.ts';

/** A secret in a text, by UTF-16 offsets. */
export interface FoundSecret {
  readonly kind: string;
  readonly start: number;
  readonly end: number;
}

/** What is known not to be a secret: the text itself, its beginning with `*` after it, or `sha256:` and the hash of its UTF-8. */
export type AllowList = readonly string[];

export interface SearchOptions {
  /** Leave long random words alone, which may be ids. Default false. */
  readonly isCertain?: boolean;
}

/** What stands for a secret in a redacted text: the kind and nothing that would help to guess it. */
const redactionOf = (kind: string): string => `[redacted:${kind}]`;
const redaction = /\[redacted:([a-z0-9-]+)\]/g;

/**
 * Finds secrets, in order of place and not overlapping.
 *
 * Found are keys and tokens of the usual services by their form, private keys, JSON web tokens, passwords in URLs, values
 * that are called password, secret, token, key or the like, and long random words. Placeholders such as `<token>`,
 * `$PASSWORD` and `xxxx` are none, and neither are object ids and hashes in hexadecimal digits.
 */
export function findSecrets(text: string, allow: AllowList = [], options: SearchOptions = {}): FoundSecret[] {
  if (text.length < minSecretLength) return [];
  const found: FoundSecret[] = [];
  findPrivateKeys(text, found);
  findByRules(text, found);
  findInUrls(text, found);
  findInHeaders(text, found);
  findNamed(text, found);
  if (!options.isCertain) findRandom(text, found);
  const kept = allow.length === 0 ? found : found.filter(({ start, end }) => !isAllowed(text.slice(start, end), allow));
  return kept.length < 2 ? kept : joined(kept);
}

/** Replaces secrets by `[redacted:kind]`. The same text always gives the same, and what it gives has no more to find. */
export function redactSecrets(text: string, allow: AllowList = [], options: SearchOptions = {}): string {
  let present = text;
  // What stands beside a redaction can read as a secret that was not there before; twice is the most that was ever seen.
  for (let round = 0; round < 5; round++) {
    const found = findSecrets(present, allow, options);
    if (found.length === 0) return present;
    let position = 0;
    const parts: string[] = [];
    for (const { kind, start, end } of found) {
      parts.push(present.slice(position, start), redactionOf(kind));
      position = end;
    }
    present = parts.join('') + present.slice(position);
  }
  return present;
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

/** The rules that may fit where a mark was found: those of the mark, and of marks that it begins with. */
const rulesByMark: ReadonlyMap<string, readonly { readonly rule: SecretRule; readonly mark: string }[]> = new Map(
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
  'g',
);

function findByRules(text: string, found: FoundSecret[]): void {
  anyMark.lastIndex = 0;
  for (let hit = anyMark.exec(text); hit !== null; hit = anyMark.exec(text)) {
    let next = hit.index + 1;
    for (const { rule, mark } of rulesByMark.get(hit[0])!) {
      const secret = secretAt(text, hit.index, rule, mark);
      if (secret === null) continue;
      found.push(secret);
      next = secret.end;
      break;
    }
    anyMark.lastIndex = next;
  }
}

function secretAt(text: string, at: number, rule: SecretRule, mark: string): FoundSecret | null {
  const { kind, pattern, isInner } = rule;
  if (!isInner && !isWordStart(text, at)) return null;
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  if (match === null || isFiller(match[0].slice(mark.length))) return null;
  return { kind, start: isInner && mark[0] !== '/' ? wordStart(text, at) : at, end: at + match[0].length };
}

/** Tells whether a word begins here; the `\n` of a text within JSON is a line feed, not a letter. */
function isWordStart(text: string, at: number): boolean {
  if (at === 0 || !isWordCode(text.charCodeAt(at - 1))) return true;
  return at > 1 && text.charCodeAt(at - 2) === 0x5c && /[bfnrt]/.test(text[at - 1]!);
}

/** What stands before an inner mark without a gap belongs to the secret, as far as keys are long. */
function wordStart(text: string, at: number): number {
  let start = at;
  while (start > 0 && at - start < 100 && !isWordStart(text, start)) start -= 1;
  return start;
}

function isWordCode(code: number): boolean {
  return classOf(code) !== 3 || code === 0x5f || code === 0x2d;
}

// ── private keys ──────────────────────────────────────────────────────────────────────────────────────────────────────

const keyHead = /-----BEGIN ?(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-\d:/g;
const keyTail = /-----END ?(?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----|Private-MAC: [0-9a-f]+/g;
/** Lines of a key whose end is missing: base64 in any quoting. Always matches, so nothing is tried twice. */
const keyLines = /(?:[A-Za-z0-9+/=]{16,}|[\s>|"'+,]|\\[nr])*/y;
const longestKey = 32_768;

function findPrivateKeys(text: string, found: FoundSecret[]): void {
  if (!text.includes('PRIVATE KEY') && !text.includes('PuTTY-User-Key-File')) return;
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
    const isClosed = tail !== null && tail.index - after <= longestKey;
    const end = isClosed ? tail!.index + tail![0].length : after + lines.trimEnd().length;
    // Prose can speak of the two lines; a key has more than that between them.
    if (!/[A-Za-z0-9+/=]{24}/.test(text.slice(after, end))) continue;
    found.push({ kind: 'private-key', start: head.index, end });
    keyHead.lastIndex = end;
  }
}

// ── where they stand ──────────────────────────────────────────────────────────────────────────────────────────────────

const userInfo = /([^\s/:@"'`<>\\()]{0,120}):([^\s/@"'`<>\\]{3,300})@[\w.[-]/y;
const tokenAsUser = /([^\s/:@"'`<>\\()]{20,300})(?::x-oauth-basic)?@[\w.[-]/y;

function findInUrls(text: string, found: FoundSecret[]): void {
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
    if (user !== undefined && isMixed(user))
      found.push({ kind: 'url-token', start: at + 3, end: at + 3 + user.length });
  }
}

const authorization =
  /\b(?:Bearer|Basic|Token|Digest|ApiKey|AWS4-HMAC-SHA256)[ :]{1,3}["']?([A-Za-z0-9._~+/-]{12,4000}={0,2})/gi;
const commandUser = /(?:\s-u|\s--user|\s--proxy-user)[ =]["']?([^\s:"']{1,64}):([^\s"'\\]{4,200})/g;

function findInHeaders(text: string, found: FoundSecret[]): void {
  for (const match of text.matchAll(authorization)) {
    if (!isCredential(match[1]!)) continue;
    const end = match.index + match[0].length;
    found.push({ kind: 'authorization', start: end - match[1]!.length, end });
  }
  for (const match of text.matchAll(commandUser)) {
    const end = match.index + match[0].length;
    if (!isPlaceholder(match[2]!)) found.push({ kind: 'password', start: end - match[2]!.length, end });
  }
}

/** Looks made by a machine, or is the base64 of `user:password`. */
function isCredential(word: string): boolean {
  if (isOrdinary(word) && !/[a-z][A-Z]/.test(word)) return false;
  if (isMixed(word)) return true;
  return (
    /^[A-Za-z0-9+/]{12,}={0,2}$/.test(word) &&
    /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(word, 'base64').toString('latin1'))
  );
}

// ── what they are called ──────────────────────────────────────────────────────────────────────────────────────────────

/** Names of which a value is secret although people make it up: it need not look random. */
/** What every name of a secret has in it, in small letters: searched first. */
const nameCore = /pass|pwd|psw|\bpin\b|secret|token|credential|key|bearer|connection|auth|cookie|sig|dsn|otp/g;
/** Names of which a value is secret although people make it up: it need not look random. */
const passwordName = /pass(?:word|wort|wd|phrase|code)s?|(?<=db_?)pass|(?<![a-z])(?:pwd|psw|pin)/y;
/** Names of which a value is secret when it looks made by a machine. */
const keyName =
  /secrets?(?!ion|ar)|tokens?|credentials?|bearer|connection[-_. ]?string|auth(?:orization|token)?(?!or|en)|cookies?|sig(?:nature)?(?==)|(?<![a-z])(?:dsn|otp(?:auth)?)|(?<=(?:api|access|private|secret|encryption|signing|account|master|shared|license|deploy|storage|service|session|auth|admin|root|consumer|client|app|application|webhook|rsa|hmac|jwt|cookie|integration|datadog|stripe|openai)[-_. ]?)key(?:s|-data)?(?![a-z])/y;
/** From the name to the value: the rest of the name, quotes, and what says that a value comes. */
const assigned = /[\w.-]{0,40}(?:\\{0,3}["'`])?[\])]?[ \t]{0,8}(?:[:=]=?>?|=>|->|→|\|)[ \t]{0,8}/y;
const doubleQuoted = /\\{0,3}"((?:[^"\\\r\n]|\\[^"\r\n]){1,1025})/y;
const singleQuoted = /(['`])([^'`\r\n]{1,1025})/y;
const bare = /[^\s"'`<>,;(){}[\]|\\]{1,1025}/y;
/** Longer ones are data, or have a form by which they are found; the bound keeps the search linear. */
const longestValue = 1_024;

interface Value {
  readonly text: string;
  readonly start: number;
  readonly isQuoted: boolean;
  /** What follows makes it a call or an expression of a program. */
  readonly isCode: boolean;
}

function findNamed(text: string, found: FoundSecret[]): void {
  const small = inSmallLetters(text);
  nameCore.lastIndex = 0;
  let isTelling = false;
  for (let core = nameCore.exec(small); core !== null; core = nameCore.exec(small)) {
    const at = core.index;
    passwordName.lastIndex = at;
    keyName.lastIndex = at;
    const isPassword = passwordName.test(small);
    if (!isPassword && !keyName.test(small)) continue;
    isTelling = true;
    const nameEnd = isPassword ? passwordName.lastIndex : keyName.lastIndex;
    assigned.lastIndex = nameEnd;
    if (!assigned.test(text)) continue;
    const value = valueAt(text, assigned.lastIndex);
    if (value === null) continue;
    if (isPassword ? !isPasswordValue(value, text.slice(at, nameEnd), text[at - 1]) : !isKeyValue(value)) continue;
    const end = value.start + value.text.length;
    found.push({ kind: isPassword ? 'password' : 'secret-value', start: value.start, end });
    nameCore.lastIndex = end;
  }
  if (isTelling) findTold(text, small, found);
}

/** Keeps the length, so that offsets stay what they are. */
function inSmallLetters(text: string): string {
  const small = text.toLowerCase();
  return small.length === text.length ? small : text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

function valueAt(text: string, at: number): Value | null {
  doubleQuoted.lastIndex = at;
  const double = doubleQuoted.exec(text);
  if (double !== null) return quotedValue(double[1]!, at + double[0].length);
  singleQuoted.lastIndex = at;
  const single = singleQuoted.exec(text);
  if (single !== null) return quotedValue(single[2]!, at + single[0].length);
  bare.lastIndex = at;
  const match = bare.exec(text);
  if (match === null || match[0].length > longestValue) return null;
  const next = text[at + match[0].length];
  const value = match[0].replace(/[.:!?&]+$/, '');
  return {
    text: value,
    start: at,
    isQuoted: false,
    isCode: next === '(' || next === '[' || next === '{' || next === '<',
  };
}

function quotedValue(value: string, end: number): Value | null {
  const text = value.replace(/\\+$/, '');
  if (text.length > longestValue) return null;
  return { text, start: end - value.length, isQuoted: true, isCode: false };
}

/** A person's password: not a word of a program or a form, and where names are written large or quoted, any other. */
function isPasswordValue(value: Value, name: string, before = '\n'): boolean {
  const word = value.text;
  if (word.length < 5 || word.length > 256 || value.isCode || isPlaceholder(word) || isOrdinary(word)) return false;
  const hasDigit = /\d/.test(word);
  const hasLetter = /\p{L}/u.test(word);
  const hasSymbol = /[^\p{L}\p{N}\s._-]/u.test(word);
  if (/\s/.test(word)) return value.isQuoted && hasDigit && !/[.!?]$/.test(word) && word.split(/\s+/).length <= 6;
  if (!value.isQuoted && isExpression(word)) return false;
  if ((hasDigit && hasLetter) || (hasSymbol && hasLetter) || (hasSymbol && hasDigit)) return true;
  if (/^\d+$/.test(word)) return word.length >= 6;
  const isSetting = name === name.toUpperCase() && before !== ' ';
  return word.length >= 8 && (isSetting || (value.isQuoted && /[a-z][A-Z]/.test(word)));
}

function isKeyValue(value: Value): boolean {
  const word = value.text;
  if (word.length < 10 || value.isCode || /\s/.test(word) || isPlaceholder(word)) return false;
  if (!value.isQuoted && isExpression(word)) return false;
  return isCredential(word) && entropyOf(word) >= (word.length < 16 ? 2.9 : 3);
}

const told =
  /\b(?:pass(?:word|phrase|code|wort)|passwd|pin code|secret|token|api[- ]?key|secret[- ]?key|access[- ]?key)(?:[ \t]+(?:for|of|to|on|in|at|there)(?:[ \t]+[^\s:=]{1,40}){1,5}?)?[ \t]{1,4}(?:is now|is still|is|was|will be|changed to|set to|should be|=|:)[ \t]{0,4}:?[ \t]{0,4}["'`“‘«*]{0,3}([^\s"'`”’»*\\]{6,300})/g;
const netrc = /\blogin[ \t]+\S{1,100}[ \t]+password[ \t]+([^\s\\]{4,200})/g;

/** Finds what a sentence gives away: "the password for the router is hunter2". */
function findTold(text: string, small: string, found: FoundSecret[]): void {
  for (const match of small.matchAll(told)) {
    const end = match.index + match[0].length;
    const start = end - match[1]!.length;
    const word = text.slice(start, end).replace(/[.,;:!?)\]}]+$/, '');
    const isTelling =
      /\d/.test(word) && /\p{L}/u.test(word) && !isOrdinary(word) && !isPlaceholder(word) && !isExpression(word);
    if (word.length >= 6 && isTelling) found.push({ kind: 'password', start, end: start + word.length });
  }
  if (!small.includes('login')) return;
  for (const match of text.matchAll(netrc)) {
    const end = match.index + match[0].length;
    if (!isPlaceholder(match[1]!)) found.push({ kind: 'password', start: end - match[1]!.length, end });
  }
}

// ── how random they are ───────────────────────────────────────────────────────────────────────────────────────────────

const shortestRandom = 28;
const longestRandom = 200;

/** Finds long words of letters of both cases and digits in no order: keys without a name or a mark. */
function findRandom(text: string, found: FoundSecret[]): void {
  // By hand, since a pattern would begin anew at each letter of every word.
  for (let end = 0, start = 0; end <= text.length; end++) {
    if (end < text.length && isKeyCode(text.charCodeAt(end))) continue;
    if (end - start >= shortestRandom) addRandom(text, start, end, found);
    start = end + 1;
  }
}

function addRandom(text: string, from: number, to: number, found: FoundSecret[]): void {
  const run = text.slice(from, to);
  const word = run.replace(/^[./=-]+/, '').replace(/[./-]+$/, '');
  if (word.length < shortestRandom || word.length > longestRandom || !isRandom(word)) return;
  const start = from + run.indexOf(word);
  if (isPartOfUrl(text, start) || /(?:base64,|sha\d{1,3}[-:=])$/i.test(text.slice(Math.max(0, start - 8), start)))
    return;
  found.push({ kind: 'random', start, end: start + word.length });
}

/** Letters, digits and `+ - . / = _ ~`. */
function isKeyCode(code: number): boolean {
  return (
    classOf(code) !== 3 ||
    (code >= 0x2d && code <= 0x2f) ||
    code === 0x2b ||
    code === 0x3d ||
    code === 0x5f ||
    code === 0x7e
  );
}

function isRandom(word: string): boolean {
  if (!/[a-z]/.test(word) || !/[A-Z]/.test(word) || !/\d/.test(word)) return false;
  if (/^sha\d{1,3}-/.test(word) || isOrdinary(word) || isFiller(word)) return false;
  // Paths, identifiers and titles keep to one case for a while; a random word changes class at every second character.
  let changes = 0;
  for (let i = 1; i < word.length; i++)
    if (classOf(word.charCodeAt(i)) !== classOf(word.charCodeAt(i - 1))) changes += 1;
  return changes / (word.length - 1) >= 0.42 && (word.match(/\d/g)?.length ?? 0) >= 3 && entropyOf(word) >= 4.1;
}

function classOf(code: number): number {
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
function entropyOf(word: string): number {
  const counts = new Map<string, number>();
  for (const character of word) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= (count / word.length) * Math.log2(count / word.length);
  return bits;
}

/** Letters and digits, as what machines make has. */
function isMixed(word: string): boolean {
  return /\d/.test(word) && /[A-Za-z]/.test(word);
}

// ── what is none ──────────────────────────────────────────────────────────────────────────────────────────────────────

const placeholder =
  /^(?:[$%<{[(*#@]|process\.env|import\.meta|os\.environ|env[.[(]|ENV\[|config\.|secrets\.|vars\.|var\.|data\.|null$|undefined$|none$|true$|false$|nil$)|\[redacted:|\.\.\.|…|your[-_ ]|[-_]here$|placeholder|changeme|change[-_]me|redacted|example|insert|replace[-_ ]?(?:me|this|with)|dummy|sample/i;
const commonWord =
  /^(?:pass(?:word)?|pwd|passwd|secret|token|key|user|username|admin|test|string|required|optional|hidden|value|my-?secret|my-?password|apikey|api_key)$/i;

function isPlaceholder(value: string): boolean {
  return placeholder.test(value) || commonWord.test(value) || isFiller(value);
}

function isFiller(value: string): boolean {
  if (/x{6,}|\*{3,}|0{8,}|EXAMPLE|123456789|abcdefgh/i.test(value)) return true;
  return value.length >= 6 && new Set(value).size <= 2;
}

const ordinary =
  /^(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|v?\d+(?:\.\d+){1,3}|\d{4}-\d\d-\d\d.*|[\d.,:/-]+|(?:base|sha|utf|oauth|md|rsa|aes|hs|rs|es|x|ipv|http|iso|rfc|ed|blake|argon|p)-?\d{1,5}(?:[-_].*)?|[a-z]+(?:[-_][a-z]+)*(?:[-_.]v?\d)?|sha\d{1,3}[-:].*)$/i;

/** Names of formats, versions, dates, ids and hyphenated words. */
function isOrdinary(value: string): boolean {
  return ordinary.test(value);
}

/** Reads as a part of a program: a path of names, a type, a call. */
function isExpression(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:(?:\.|\?\.|::|->)[A-Za-z_$][\w$]*)+$|^(?:new|await|typeof|function|return)$|^\/|^\.{1,2}\/|^[a-z]+[A-Z][A-Za-z]*$|^[A-Za-z]+\?$|=>|&&|\?\?/.test(
    value,
  );
}
