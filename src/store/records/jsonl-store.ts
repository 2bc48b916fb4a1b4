// Stores of records as JSON lines (memories.jsonl and relations.jsonl of spec 1): append-only, the last line of an id wins.
// What a record is stands with its kind; where the lines come from and go to is operations'.

import { isJsonObject, parseJson } from '../../base/canonical-json.ts';
import { MemoryError } from '../../base/errors.ts';

/** A line of a store, without its line feed. */
export interface StoreLine {
  /** 1-based. */
  readonly number: number;
  /** Null when it is not UTF-8, or too long to be a record. */
  readonly text: string | null;
  /** It is the last one and no line feed ends it, as a writer leaves it that died while writing. */
  readonly isOpen: boolean;
}

/** What could not be read, wholly or in part. */
export interface LineReport {
  readonly line: number;
  readonly why: string;
}

/** What the lines of one store come to. */
export interface StoreContents<Value> {
  /** By id, in the order in which they came; the line is the one that counts. */
  readonly records: ReadonlyMap<string, { readonly record: Value; readonly line: number }>;
  /** Ids whose last line says that they are gone. */
  readonly deleted: ReadonlySet<string>;
  /** Lines that gave no record. */
  readonly damaged: readonly LineReport[];
  /** Records with a value that could not be read; their other values are there. */
  readonly partial: readonly LineReport[];
}

/** Makes a record of a line's value, and names the values it had to leave out; throws INVALID_RECORD. */
export type RecordReader<Value extends { readonly id: string }> = (
  value: Record<string, unknown>,
  where: string,
) => { readonly record: Value; readonly unreadable: readonly string[] };

/**
 * Reads the lines of a store.
 *
 * ```
 * {"id": "a", "content": "first"}        replaced by the third line
 *                                        blank lines, and a byte-order mark before the first, are nothing
 * {"id": "a", "content": "second"}       counts, unless a later line of that id comes
 * {"id": "b", "_deleted": true}          b is gone; a later line of b brings it back
 * {"id": "c", "conte                     reported by its number; reading goes on
 * ```
 *
 * `embed` is dropped before anything looks at the line: embeddings are derived. Throws what `read` throws beside INVALID_RECORD
 * and TOO_LARGE.
 */
export function readStore<Value extends { readonly id: string }>(
  lines: Iterable<StoreLine>,
  read: RecordReader<Value>,
  file: string,
): StoreContents<Value> {
  const records = new Map<string, { record: Value; line: number }>();
  const deleted = new Set<string>();
  const damaged: LineReport[] = [];
  const partial = new Map<string, LineReport>();
  const forget = (id: string): void => {
    records.delete(id);
    partial.delete(id);
  };
  for (const { number, text, isOpen } of lines) {
    const where = `${file}:${number}`;
    if (text === null) {
      damaged.push({ line: number, why: 'is not UTF-8 text, or too long for a record' });
      continue;
    }
    const source = number === 1 && text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
    if (source.trim() === '') continue;
    try {
      const value = parseLine(source, where, isOpen);
      if (value._deleted === true) {
        if (typeof value.id !== 'string') throw new MemoryError('INVALID_RECORD', 'is a deletion without an id');
        forget(value.id);
        deleted.add(value.id);
        continue;
      }
      const { embed: _, ...kept } = value;
      const { record, unreadable } = read(kept, where);
      forget(record.id);
      deleted.delete(record.id);
      records.set(record.id, { record, line: number });
      if (unreadable.length > 0)
        partial.set(record.id, { line: number, why: `could not read ${unreadable.join(', ')}, kept as it was` });
    } catch (error) {
      if (!(error instanceof MemoryError) || !['INVALID_RECORD', 'TOO_LARGE'].includes(error.code)) throw error;
      damaged.push({ line: number, why: reasonOf(error, where) });
    }
  }
  return { records, deleted, damaged, partial: [...partial.values()].sort((a, b) => a.line - b.line) };
}

/** Formats a record as a line of a store: the JSON of its file on one line, with a line feed. */
export const formatStoreLine = (json: string): string => `${JSON.stringify(JSON.parse(json))}\n`;

function parseLine(text: string, where: string, isOpen: boolean): Record<string, unknown> {
  let value: unknown;
  try {
    value = parseJson(text, where);
  } catch (cause) {
    if (!(cause instanceof MemoryError) || !(cause.cause instanceof SyntaxError)) throw cause;
    throw new MemoryError('INVALID_RECORD', isOpen ? 'breaks off in the middle' : 'is not valid JSON', { cause });
  }
  if (isJsonObject(value)) return value;
  throw new MemoryError('INVALID_RECORD', 'is not a JSON object');
}

/** Says what is wrong without saying again where. */
const reasonOf = (error: MemoryError, where: string): string =>
  error.what.startsWith(where) ? error.what.slice(where.length).replace(/^(?::1)?:? ?/, '') : error.what;
