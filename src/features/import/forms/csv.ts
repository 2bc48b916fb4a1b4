// Comma-separated values as fields by the names of the first line (RFC 4180): a value in quotes may hold commas, quotes and lines.

import { type SourceFile, textLines } from '../source.ts';
import type { Fields } from './fields.ts';
import type { Reading } from './form.ts';

const value = /(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g;
/** A row of an export of messages begins with the number of one. */
const beginning = /^"?\d{5,}"?,/;

/** Reads the rows of a file, each with the line that it begins on. A row whose quotes never close is named, and the next one is a row again. */
export function* csvRows(
  file: SourceFile,
  reading: Reading,
): Generator<{ readonly line: number; readonly value: Fields }> {
  let names: string[] | undefined;
  let open: { line: number; texts: string[] } | undefined;
  for (const { line, text } of textLines(file, reading.broken)) {
    if (open !== undefined && beginning.test(text)) {
      reading.broken('opens quotes that nothing closes', open.line);
      open = undefined;
    }
    // Quotes within quotes stand twice: with an odd number of them, a value goes on in the next line.
    const isOdd = text.split('"').length % 2 === 0;
    const row: { line: number; texts: string[] } = open ?? { line, texts: [] };
    row.texts.push(text);
    open = isOdd === (open === undefined) ? row : undefined;
    if (open !== undefined || row.texts.join('').trim() === '') continue;
    const values = [...row.texts.join('\n').matchAll(value)].map(
      ([, inner, plain]) => inner?.replaceAll('""', '"') ?? plain ?? '',
    );
    if (names === undefined) names = values.map((name) => name.replace(/^\ufeff/, '').trim());
    else yield { line: row.line, value: Object.fromEntries(names.map((name, at) => [name, values[at] ?? ''])) };
  }
  if (open !== undefined) reading.broken('opens quotes that nothing closes', open.line);
}
