// Values of JSON as programs write them, picked with care: what is of another kind than expected is as if it were not there.

import { isJsonObject } from '../../../base/canonical-json.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** Picks a text that says something, without blanks around it. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Gives a JSON object, or an empty one for anything else. */
export const fieldsOf = (value: unknown): Fields => (isJsonObject(value) ? value : {});

/** Gives a list, or an empty one for anything else. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Gives the objects of a list; what is none is an empty one. */
export const objectsOf = (value: unknown): readonly Fields[] => listOf(value).map(fieldsOf);

/** Gives the texts of a list that say something. */
export const wordsAmong = (value: unknown): string[] => listOf(value).flatMap((one) => wordOf(one) ?? []);

/** Gives the name of a file without its folders and its ending. */
export function stemOf(path: string): string {
  return path.replace(/^.*\//, '').replace(/\.\w+$/, '');
}

/** Reads a time of a program, ISO 8601 or seconds or milliseconds since 1970; undefined for anything else. */
export function timeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{9,16}(?:\.\d{1,9})?$/.test(value) ? Number(value) : value;
  if (typeof number === 'number') {
    const ms = Math.abs(number) < 1e11 ? number * 1000 : number;
    return number > 0 && ms < 253_402_300_799_000 ? Math.floor(ms) : undefined;
  }
  if (typeof number !== 'string' || !/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(number)) return undefined;
  const iso = number.replace(' ', 'T').replace(/ (?=[+-]\d\d|Z)/, '');
  const ms = Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(iso) ? iso : `${iso}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}
