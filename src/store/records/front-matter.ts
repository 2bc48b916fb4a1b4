// The YAML block at the top of a markdown file. gray-matter reads it, with every engine that is not YAML taken out:
// its own defaults run JavaScript found in a file.

import matter from 'gray-matter';
import { MemoryError } from '../../base/errors.ts';
import { checkSize, maxFrontMatterBytes } from '../guard/limits.ts';
import { formatYamlObject, parseYamlObject } from './yaml.ts';

interface FrontMatter {
  readonly data: Record<string, unknown>;
  /** The bytes after the line that closes the block; the whole text where there is no block. */
  readonly body: string;
  readonly hasFrontMatter: boolean;
  /** 1-based line of the file that the body begins on. */
  readonly bodyLine: number;
  /** 1-based line of a front matter key. */
  lineOf(key: string): number | undefined;
}

/** gray-matter and its kin take the word for the name of an engine. */
const languageLine = /^\ufeff?---[ \t]*[A-Za-z_]\w*[ \t]*\r?\n/;
const openingLine = /^\ufeff?---[ \t]*\r?\n/;
const closingLine = /^(?:---|\.\.\.)[ \t]*\r?(?:\n|$)/m;

/**
 * Splits a markdown text into front matter and body.
 *
 * ```
 * ---            the first line, alone: `---js` and the like are refused, for other tools would run what follows
 * type: memory   YAML of the core schema, see parseYamlObject
 * ---            the next line of that form
 * # Core Memory  the body, byte for byte
 * ```
 *
 * @throws MemoryError INVALID_RECORD with path and line if the block is not closed or not a YAML mapping; TOO_LARGE.
 */
export function splitFrontMatter(text: string, path: string): FrontMatter {
  const cut = cutFrontMatter(text);
  if (cut === undefined) {
    if (languageLine.test(text)) {
      throw new MemoryError('INVALID_RECORD', `${path}:1 opens front matter in a language other than YAML`, {
        where: path,
        hint: 'Write YAML after a line of three dashes alone',
      });
    }
    if (openingLine.test(text)) {
      throw new MemoryError('INVALID_RECORD', `${path}:1 opens front matter that is never closed`, {
        where: path,
        hint: 'Add a line of three dashes after the keys, or put a blank line first if it is no front matter',
      });
    }
    return { data: {}, body: text, hasFrontMatter: false, bodyLine: 1, lineOf: () => undefined };
  }
  checkSize(cut.block, maxFrontMatterBytes, `front matter of ${path}`);
  const parsed: { lineOf: FrontMatter['lineOf'] } = { lineOf: () => undefined };
  const file = matter(`---\n${cut.block}\n---\n`, {
    // Without an options object gray-matter caches by content, and a broken file is empty data the second time.
    language: 'yaml',
    delimiters: '---',
    excerpt: false,
    engines: {
      ...refusingEngines,
      yaml: (source: string) => {
        // The source begins with the line feed after the opening dashes, so that its line 1 is line 1 of the file.
        const yaml = parseYamlObject(source.replace(/\r$/gm, ''), path, 1);
        parsed.lineOf = yaml.lineOf;
        return yaml.data;
      },
    },
  });
  return {
    data: file.data,
    body: cut.body,
    hasFrontMatter: true,
    bodyLine: text.slice(0, text.length - cut.body.length).split('\n').length,
    lineOf: parsed.lineOf,
  };
}

/** A markdown text in four parts, which joined are the text again. */
export interface CutFrontMatter {
  /** The opening line, with a byte-order mark if there is one. */
  readonly opening: string;
  /** The lines between, not yet read. */
  readonly block: string;
  readonly closing: string;
  readonly body: string;
}

/** Cuts a markdown text at the lines that enclose its front matter, byte for byte; undefined if there is none that is closed. */
export function cutFrontMatter(text: string): CutFrontMatter | undefined {
  const opening = openingLine.exec(text)?.[0];
  if (opening === undefined) return undefined;
  const rest = text.slice(opening.length);
  const closing = closingLine.exec(rest);
  if (closing === null) return undefined;
  const end = closing.index + closing[0].length;
  return { opening, block: rest.slice(0, closing.index), closing: closing[0], body: rest.slice(end) };
}

/**
 * Joins front matter and body to a markdown text; the inverse of {@link splitFrontMatter} for data.
 *
 * Keys keep the order given; empty data gives the body alone, unless that would itself be read as front matter.
 */
export function formatFrontMatter(data: Readonly<Record<string, unknown>>, body: string): string {
  const yaml = formatYamlObject(data);
  return yaml === '' && !openingLine.test(body) ? body : `---\n${yaml}---\n${body}`;
}

function refuseEngine(): never {
  throw new MemoryError('INVALID_RECORD', 'front matter is read as YAML only');
}

// Own entries stand before the defaults of gray-matter, and the aliases (js, cson) lead to these names.
const refusingEngines = Object.fromEntries(
  ['javascript', 'js', 'coffee', 'coffeescript', 'cson', 'json', 'toml', 'constructor'].map((name) => [
    name,
    { parse: refuseEngine, stringify: refuseEngine },
  ]),
);
