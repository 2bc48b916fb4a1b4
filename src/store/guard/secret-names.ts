// Secrets that are known by what they are called: `DB_PASSWORD=…`, `"apiKey": "…"`.

import { eitherOf } from '../../base/words.ts';
import { decodedText, isPublishable } from './public-words.ts';
import { codesNamed } from './secret-groups.ts';
import type { FoundSecret } from './secret-rules.ts';
import { entropyOf, isCredential, isExpression, isOrdinary, isPlaceholder } from './secret-words.ts';

/** What every name of a secret has in it, in small letters: searched first. */
const nameCore =
  /pass|pwd|psw|\bpin\b|secret|token|credential|key|bearer|connection|auth|cookie|sig|dsn|otp|code|licen[cs]e|number|phrase/g;
/** Names whose value is secret although people make it up: it need not look random. */
const passwordName = /pass(?:word|wort|wd|phrase|code)s?|(?<=db_?)pass|(?<![a-z])(?:pwd|psw|pin(?!-sha))/y;
/** What a key may be named by. */
const keyOwners =
  'api access private secret encryption signing account master shared license deploy storage service session auth admin root consumer ' +
  'client app application webhook rsa hmac jwt cookie integration datadog stripe openai';
/** Names whose value is secret when it looks made by a machine. */
const keyName = eitherOf(
  'y',
  /secrets?(?!ion|ar)|tokens?|credentials?|bearer|connection[-_. ]?string|auth(?:orization|token)?(?!or|en)|cookies?/,
  /sig(?:nature)?(?==)|(?<![a-z])(?:dsn|otp(?:auth)?)/,
  new RegExp(`(?<=(?:${keyOwners.replaceAll(' ', '|')})[-_. ]?)key(?:s|-data)?(?![a-z])`),
);
/** From the name to the value: the rest of the name, quotes, and what says that a value comes. */
const assigned = /[\w.-]{0,40}(?:\\{0,3}["'`])?[\])]?[ \t]{0,8}(?:[:=]=?>?|=>|->|→|\|(?! ?["']))[ \t]{0,8}/y;
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

/** Finds values that are assigned to a name of a secret; `small` is the text in small letters. */
export function findNamed(text: string, small: string, found: FoundSecret[]): void {
  nameCore.lastIndex = 0;
  for (let core = nameCore.exec(small); core !== null; core = nameCore.exec(small)) {
    const at = core.index;
    passwordName.lastIndex = at;
    keyName.lastIndex = at;
    const codes = codesNamed(text, small, at);
    if (codes !== null) found.push(codes);
    const isPassword = passwordName.test(small);
    if (!isPassword && !keyName.test(small)) continue;
    const nameEnd = isPassword ? passwordName.lastIndex : keyName.lastIndex;
    assigned.lastIndex = nameEnd;
    const value = assigned.test(text) ? valueAt(text, assigned.lastIndex) : valueBeside(text, at, nameEnd);
    if (value === null) continue;
    if (isPassword ? !isPasswordValue(value, text.slice(at, nameEnd), text[at - 1]) : !isKeyValue(value)) continue;
    const end = value.start + value.text.length;
    found.push({ kind: isPassword ? 'password' : 'secret-value', start: value.start, end });
    nameCore.lastIndex = end;
  }
  if (small.includes('login')) findInNetrc(text, found);
}

/** Gives a text in small letters. Keeps the length, so that offsets stay what they are. */
export function inSmallLetters(text: string): string {
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
  const isInQuery = /[?&][\w.-]{0,40}=$/.test(text.slice(Math.max(0, at - 42), at));
  const value = match[0].replace(isInQuery ? /&.*$/ : /[.:!?&]+$/, '');
  return {
    text: value,
    start: at,
    isQuoted: false,
    isCode: next === '(' || next === '[' || next === '{' || next === '<',
  };
}

const inElement = /[\w.-]{0,20}>([^<>\s]{4,200})<\//y;
const inAttribute = /[\w.-]{0,40}["'] {1,4}value=(?=["'])/y;
const asArgument = /[\w.-]{0,40}(["'])\s{0,4},\s{0,4}(?=["'])/y;

/** The value of `<password>…</password>`, of `key="password" value="…"` and of `define('PASSWORD', '…')`. */
function valueBeside(text: string, at: number, nameEnd: number): Value | null {
  const before = text.slice(Math.max(0, at - 40), at);
  inElement.lastIndex = nameEnd;
  const inner = /<[\w:.-]*$/.test(before) ? inElement.exec(text)?.[1] : undefined;
  if (inner !== undefined) return quotedValue(inner, inElement.lastIndex - 2);
  inAttribute.lastIndex = nameEnd;
  if (inAttribute.test(text)) return valueAt(text, inAttribute.lastIndex);
  asArgument.lastIndex = nameEnd;
  if (!/(?:define|env|set|put|property)\w*\(\s*["'][\w.-]*$/i.test(before) || !asArgument.test(text)) return null;
  return valueAt(text, asArgument.lastIndex);
}

function quotedValue(value: string, end: number): Value | null {
  const text = value.replace(/\\+$/, '');
  if (text.length > longestValue) return null;
  return { text, start: end - value.length, isQuoted: true, isCode: false };
}

/** A person's password: not a word of a program or a form, and where names are written large or quoted, any other. */
function isPasswordValue(value: Value, name: string, before = '\n'): boolean {
  const word = value.text;
  if (word.length < 5 || word.length > 256 || value.isCode || isPlaceholder(word) || isPublishable(word)) return false;
  if (word.length % 4 === 0 && decodedText(word) !== undefined) return true;
  if (isOrdinary(word)) return false;
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
  if (word.length < 10 || value.isCode || /\s/.test(word) || isPlaceholder(word) || isPublishable(word)) return false;
  if (!value.isQuoted && isExpression(word)) return false;
  return isCredential(word) && entropyOf(word) >= (word.length < 16 ? 2.9 : 3);
}

const netrc = /\blogin[ \t]+\S{1,100}[ \t]+password[ \t]+([^\s\\]{4,200})/g;

/** Finds the passwords of `.netrc`. */
function findInNetrc(text: string, found: FoundSecret[]): void {
  for (const match of text.matchAll(netrc)) {
    const end = match.index + match[0].length;
    if (!isPlaceholder(match[1]!)) found.push({ kind: 'password', start: end - match[1]!.length, end });
  }
}
