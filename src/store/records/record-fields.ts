// Field readers that memory and relation records share: values as they occur in files of other tools, brought to one form.

import { z } from 'zod';
import { isJsonObject } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';
import { once } from '../../base/once-per.ts';
import { parseTime } from '../../base/time.ts';

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;

/** Reads a record id: a letter or digit, then up to 127 letters, digits, dots, dashes and underscores. */
export const idField = once(() =>
  z.string().regex(idPattern, 'must be letters, digits, dots, dashes or underscores, at most 128'),
);

/**
 * Reads a time in seconds since the Unix epoch.
 *
 * Fractions are cut; milliseconds, recognised by their size, and ISO 8601 texts are brought to seconds.
 */
export const secondsField = once(() =>
  z.union([z.number(), z.string()]).transform((value, context) => {
    try {
      const isNumber = typeof value === 'number' || /^-?\d+(?:\.\d+)?$/.test(value);
      if (!isNumber) return Math.floor(parseTime(value) / 1000);
      const number = Number(value);
      // 1e11 seconds is the year 5138, and 1e11 milliseconds is 1973.
      return Math.floor(parseTime(Math.abs(number) >= 1e11 ? number : number * 1000) / 1000);
    } catch {
      context.addIssue({ code: 'custom', message: 'must be a time in seconds since 1970' });
      return z.NEVER;
    }
  }),
);

/** Reads a list of words; null counts as none, and a word given twice stands once. */
export const wordsField = once(() =>
  z
    .array(z.string())
    .nullish()
    .transform((words) => [...new Set(words ?? [])]),
);

/** Reads an object of any keys; null counts as empty. */
export const extraField = once(() =>
  z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((extra) => extra ?? {}),
);

/** Tells whether a text can be the id of a memory or relation. */
export const isRecordId = (id: string): boolean => idPattern.test(id);

/**
 * Validates a parsed JSON value with a schema, naming path, line and key of the first thing that is wrong.
 *
 * @throws MemoryError INVALID_RECORD.
 */
export function checkFields<T>(schema: z.ZodType<T>, value: unknown, text: string, path: string): T {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const keys = issue?.path ?? [];
  const named = [...keys].reverse().find((key) => typeof key === 'string');
  const offset = named === undefined ? -1 : text.indexOf(`"${String(named)}"`);
  const line = offset === -1 ? 1 : text.slice(0, offset).split('\n').length;
  const key = keys.length === 0 ? 'the record' : keys.join('.');
  throw new MemoryError('INVALID_RECORD', `${path}:${line} ${key}: ${issue?.message ?? 'is not valid'}`, {
    where: path,
    hint: 'Correct that value, or restore the file from history',
  });
}

/**
 * Takes the values out of an object that a schema refuses, but for `needed` keys. `unreadable` holds them by their dotted keys,
 * `{ 'meta.tags': 7 }`, and is undefined if there are none.
 */
export function withoutUnreadable(
  schema: z.ZodType,
  raw: unknown,
  needed: readonly string[],
): { value: unknown; unreadable?: Record<string, unknown> } {
  const result = schema.safeParse(raw);
  if (result.success || !isJsonObject(raw)) return { value: raw };
  const value: Record<string, unknown> = { ...raw };
  const unreadable: Record<string, unknown> = {};
  for (const { path } of result.error.issues) {
    const [key, inner] = path.map(String);
    if (key === undefined || needed.includes(key) || !Object.hasOwn(value, key)) continue;
    const whole = value[key];
    if (inner !== undefined && isJsonObject(whole)) {
      if (!Object.hasOwn(whole, inner)) continue;
      const { [inner]: refused, ...rest } = whole;
      unreadable[`${key}.${inner}`] = refused;
      value[key] = rest;
    } else {
      unreadable[key] = whole;
      delete value[key];
    }
  }
  return { value, unreadable };
}

/** Gives a record that was just made as its file would be read: what files may not say is a wrong argument. */
export function asRead<Value>(read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    throw new MemoryError('INVALID_ARGUMENT', error.what, { cause: error });
  }
}

/** Picks the keys of an object that a schema does not know; undefined if there is none. */
export function unknownOf(
  value: Readonly<Record<string, unknown>>,
  known: ReadonlySet<string>,
): Record<string, unknown> | undefined {
  const unknown: [string, unknown][] = [];
  for (const key of Object.keys(value)) if (!known.has(key)) unknown.push([key, value[key]]);
  return unknown.length === 0 ? undefined : Object.fromEntries(unknown);
}
