// JSON whose bytes are a function of its value, and a reader that refuses what could harm. Record formats are in records/.

import { attempt, MemoryError, orElse } from './errors.ts';
import { oneLine } from './text.ts';

/** Nesting above this is refused: records are a few levels deep, and a recursive reader of a deep value would overflow. */
const maxDepth = 64;

/**
 * Formats a value as JSON with two-space indent, keys in the order the caller built them, and a final line feed.
 *
 * `{ id: 'a', tags: [] }` becomes `{\n  "id": "a",\n  "tags": []\n}\n`. Equal values built in the same key order are equal bytes, and so
 * the same git blob. See {@link sortKeys} for parts whose key order means nothing.
 */
export const formatJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Formats as {@link formatJson} what a caller gives, which may be no JSON: it refers to itself, nests too deep, or holds a big integer.
 *
 * @throws MemoryError INVALID_ARGUMENT unless the text can be read again.
 */
export function formatGiven(value: unknown, where: string): string {
  try {
    const text = formatJson(value);
    parseJson(text, where);
    return text;
  } catch (error) {
    const why = error instanceof Error ? oneLine(error instanceof MemoryError ? error.what : error.message, 120) : '';
    const hint = 'Give plain objects, lists, texts, numbers, true, false and null';
    throw new MemoryError('INVALID_ARGUMENT', `${where} cannot be kept as JSON: ${why}`, { where, hint, cause: error });
  }
}

/** Copies a JSON value with the keys of every object in code unit order, so that equal values format equally. */
export function sortKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortKeys) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sortKeys(inner)])) as T;
}

/**
 * Parses JSON text, with or without a byte-order mark.
 *
 * `where` is the path, and appears in the error with the line. An integer too large for a number comes back as a string of
 * its digits: a rounded id would be a different id.
 *
 * @throws MemoryError INVALID_RECORD if the text is not JSON, nests deeper than 64 levels, or has a `__proto__` key.
 */
export function parseJson(text: string, where: string): unknown {
  let source = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  source = quoteLargeIntegers(source);
  let value: unknown;
  try {
    // A reviver costs ten times the parse, so it runs only where the key can occur, written out or with an escape.
    const isSuspect = source.includes('__proto__') || (source.includes('\\u005') && /\\u005f/i.test(source));
    value = isSuspect ? JSON.parse(source, refusePrototypeKey) : JSON.parse(source);
  } catch (error) {
    if (error instanceof MemoryError) throw new MemoryError('INVALID_RECORD', error.what, { where });
    throw new MemoryError('INVALID_RECORD', `${where}:${lineOfError(source, error)} is not valid JSON`, {
      where,
      hint: 'Restore the file from history, or correct it at that line',
      cause: error,
    });
  }
  checkDepth(value, maxDepth, where);
  return value;
}

/** Tells whether a value is a JSON object: neither null, nor an array, nor a scalar. */
export const isJsonObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Reads a JSON object for who can do without it; undefined for whatever is none. */
export const jsonObjectIn = (text: string): Record<string, unknown> | undefined => {
  const value: unknown = attempt(() => JSON.parse(text), undefined);
  return isJsonObject(value) ? value : undefined;
};

/** Reads the object of a file, which is empty where there is no file or none that can be read. */
export const objectAt = (text: string | null, path: string): Record<string, unknown> => {
  const value = text === null ? null : orElse(() => parseJson(text, path), null);
  return isJsonObject(value) ? value : {};
};

/** Tells whether two JSON values are equal; the order of keys does not count, the order of items does. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, i) => isSameJson(item, b[i]))
    );
  }
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every(
    (key) =>
      Object.hasOwn(b, key) && isSameJson((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]),
  );
}

function refusePrototypeKey(this: unknown, key: string, value: unknown): unknown {
  if (key === '__proto__') throw new MemoryError('INVALID_RECORD', 'the key "__proto__" is refused');
  return value;
}

// Strings are matched first, so that digits inside them stay as they are.
function quoteLargeIntegers(source: string, mark = ''): string {
  if (!/\d{16}/.test(source)) return source;
  return source.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    isRounded(token, mark !== '') ? `"${mark}${token}"` : token,
  );
}

function isRounded(token: string, withFractions: boolean): boolean {
  if (/^-?[1-9]\d{15,}$/.test(token)) return !Number.isSafeInteger(Number(token));
  return withFractions && /^-?\d[\d.]{16}/.test(token) && String(Number(token)) !== token;
}

/** A character for private use: no text of people begins with it and a number behind. */
const digitMark = '\uf8ff#';

/**
 * Makes texts of the numbers that a double would round. So a JSON text can be parsed and formatted without a change of their digits.
 * {@link restoreDigits} makes numbers of them again.
 */
export const keepDigits = (json: string): string => quoteLargeIntegers(json, digitMark);

/** Undoes {@link keepDigits} in what a JSON text has become. */
export const restoreDigits = (json: string): string =>
  json.replaceAll(new RegExp(`"${digitMark}(-?\\d[\\d.eE+-]*)"`, 'g'), '$1');

function lineOfError(source: string, error: unknown): number {
  const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
  const before = position === undefined ? source.trimEnd() : source.slice(0, Number(position));
  return before.split('\n').length;
}

function checkDepth(value: unknown, left: number, where: string): void {
  if (typeof value !== 'object' || value === null) return;
  if (left === 0) throw new MemoryError('INVALID_RECORD', `${where} nests deeper than ${maxDepth} levels`, { where });
  for (const held of Array.isArray(value) ? value : Object.values(value))
    if (typeof held === 'object' && held !== null) checkDepth(held, left - 1, where);
}
