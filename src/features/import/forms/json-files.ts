// Files of JSON as programs write them: whole, line by line, or member by member, as large as they may be. What cannot be read is named.

import { isJsonObject } from '../../../base/canonical-json.ts';
import { attempt } from '../../../base/errors.ts';
import { jsonItems, type Opens } from '../../../base/json-elements.ts';
import { maxObjectBytes } from '../../../store/guard/limits.ts';
import type { SourceFile } from '../source.ts';
import { type Fields, fieldsOf } from './fields.ts';
import type { Reading } from './form.ts';

/** Parses JSON; undefined where it is none. */
export const jsonOf = (text: string): unknown => attempt(() => JSON.parse(text), undefined);

/** Reads the first value of a head of JSON lines, or as much of one JSON object as names its first keys. */
export function firstLines(head: string, most = 20): readonly Fields[] {
  const found: Fields[] = [];
  for (const line of head.split('\n', most)) {
    const value = jsonOf(line);
    if (isJsonObject(value)) found.push(value);
  }
  return found;
}

/** Goes through JSON lines; a line that cannot be read is named, and the next ones come. `cut` takes out of its bytes what nobody needs. */
export function* jsonLines(
  file: SourceFile,
  reading: Reading,
  cut?: (bytes: Buffer) => Buffer,
): Generator<{ readonly line: number; readonly value: Fields }> {
  for (const { number: line, text, isOpen } of file.lines(cut)) {
    if (text?.trim() === '') continue;
    const value = text === null ? undefined : jsonOf(text);
    if (value === undefined) reading.broken(isOpen ? 'ends in the middle of a line' : 'is not valid JSON', line);
    else if (isJsonObject(value)) yield { line, value };
    else reading.broken('is no JSON object', line);
  }
}

/** Reads a file that is one JSON value; names it and gives undefined where it is none. */
export function wholeJson(file: SourceFile, reading: Reading): unknown {
  const text = file.read().toString('utf8');
  const value = jsonOf(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text);
  if (value === undefined) reading.broken('is not valid JSON');
  return value;
}

/** Parses another file of the source, by its path from the folder of this one; undefined where there is no JSON. */
export function jsonBeside(path: string, reading: Reading): unknown {
  return jsonOf(reading.beside(path)?.read().toString('utf8') ?? '');
}

/** A value within a JSON file, and what leads to it; undefined where it cannot be read, with the reason if there is one. */
interface JsonMember {
  readonly path: readonly (string | number)[];
  readonly value: unknown;
  readonly why?: string;
}

/** Lists the values of a JSON file of any size, the members of what `opens` wants one by one. */
export function* jsonMembers(file: SourceFile, opens: Opens): Generator<JsonMember> {
  for (const { path, ...item } of jsonItems(file.pieces(), maxObjectBytes, opens))
    yield 'text' in item ? { path, value: jsonOf(item.text) } : { path, value: undefined, why: item.why };
}

/** Whether it is what stands beside the messages of a chat, or one of them: `{ title, messages: [ … ] }`. */
export const chatOpens: Opens = (path, isList) => path.length === 0 || (isList && path.join() === 'messages');

/** Lists the messages of a list, or of the list `messages` of an object; what is none is named. */
export function* jsonMessages(
  file: SourceFile,
  reading: Reading,
): Generator<{ readonly line: string; readonly value: Fields }> {
  for (const { path, value, why } of jsonMembers(file, chatOpens)) {
    const at = path.at(-1);
    const line = `message ${Number(at) + 1}`;
    if (typeof at === 'number' && Object.keys(fieldsOf(value)).length > 0) yield { line, value: fieldsOf(value) };
    else if (typeof at === 'number') reading.broken(why ?? 'is no message', line);
  }
}
