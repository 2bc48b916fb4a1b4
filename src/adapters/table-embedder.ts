// The embedder that comes with the package: a table of token vectors, whose sum says roughly what a text is about. It needs no runtime, no
// model and no network. How the table was made, and from what: data/english-table/README.md.
//
//   vocabulary.txt   one token a line; `##x` continues a word
//   table.bin        "GMT1", the number of tokens and of dimensions (uint32), a scale for each token (float32), int8 rows; little-endian

import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { MemoryError } from '../base/errors.ts';
import { sha256Hex } from '../base/hash.ts';
import { once } from '../base/once-per.ts';
import { type Embedder, tableName } from '../base/ports.ts';
import { normalise } from '../base/vectors.ts';
import { plainText, wordCutter } from '../base/word-pieces.ts';
import { placeOf } from './package.ts';

const magic = 'GMT1';
const headerBytes = 12;

const alphanumeric = /[a-z0-9]+/g;
/** Letters and digits make words, any other sign stands alone. */
const words = /[a-z0-9]+|[^\sa-z0-9]/gu;

/** A table is known by its scales and the bytes of its first rows: another one has others. */
const knownByBytes = 65_536;
/** For a question the rows of its words are read; who asks for more texts at once has all of them read. */
const fewTexts = 16;

type RowOf = (row: number) => Int8Array;

function readPart(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

function openTable(place: string | URL, tokens: number) {
  const within = <Value>(use: (file: number) => Value): Value => {
    const file = openSync(place, 'r');
    try {
      return use(file);
    } finally {
      closeSync(file);
    }
  };
  const { head, rowsAt, dimensions } = within((file) => {
    const start = readPart(file, 0, headerBytes);
    const [count, dimensions] = start.length < headerBytes ? [0, 0] : [start.readUInt32LE(4), start.readUInt32LE(8)];
    const rowsAt = headerBytes + 4 * count;
    const isWhole = fstatSync(file).size === rowsAt + count * dimensions;
    if (start.toString('latin1', 0, 4) !== magic || count !== tokens || !isWhole)
      throw new MemoryError('EMBEDDER_UNAVAILABLE', 'the table of token vectors is damaged, or of another vocabulary', {
        where: String(place),
        hint: 'Install the package again',
      });
    return { head: readPart(file, 0, rowsAt + knownByBytes), rowsAt, dimensions };
  });
  const bytesOf = ({ buffer, byteOffset, length }: Buffer) => new Int8Array(buffer, byteOffset, length);
  const all = once(() => bytesOf(within((file) => readPart(file, rowsAt, fstatSync(file).size - rowsAt))));
  return {
    dimensions,
    fingerprint: `table/2/${sha256Hex(head).slice(0, 16)}`,
    scaleOf: (row: number) => head.readFloatLE(headerBytes + 4 * row),
    /** Lets a function read rows, few or many. */
    reading: <Value>(isFew: boolean, use: (rowOf: RowOf) => Value): Value =>
      isFew
        ? within((file) => use((row) => bytesOf(readPart(file, rowsAt + row * dimensions, dimensions))))
        : use((row) => all().subarray(row * dimensions, (row + 1) * dimensions)),
  };
}

let packaged: Embedder | undefined;

/** Gets the embedder of the package; all memories of a process share it. Throws as {@link tableEmbedder}. */
export const packagedTable = async (): Promise<Embedder> => (packaged ??= tableEmbedder());

/** Opens a table of token vectors; default the one of the package. Throws EMBEDDER_UNAVAILABLE where it is missing or damaged. */
export function tableEmbedder(folder: string | URL = placeOf('data/english-table/')): Embedder {
  const reading = <Value>(name: string, use: (place: string | URL) => Value): Value => {
    const place = folder instanceof URL ? new URL(name, folder) : `${folder}/${name}`;
    try {
      return use(place);
    } catch (error) {
      if (error instanceof MemoryError) throw error;
      throw new MemoryError('EMBEDDER_UNAVAILABLE', 'the table of token vectors cannot be read', {
        where: String(place),
        hint: 'Install the package again',
        cause: error,
      });
    }
  };
  const vocabulary = reading('vocabulary.txt', (place) => readFileSync(place, 'utf8'));
  const { count, cut } = wordCutter(vocabulary);
  const { dimensions, fingerprint, ...table } = reading('table.bin', (place) => openTable(place, count));
  const addTo = (vector: Float32Array | Float64Array, word: string, rowOf: RowOf): void => {
    for (const row of cut(word).rows) {
      const [scale, values] = [table.scaleOf(row), rowOf(row)];
      for (let at = 0; at < dimensions; at++) vector[at]! += values[at]! * scale;
    }
  };
  const vectorOf = (text: string, rowOf: RowOf): Float32Array => {
    const vector = new Float64Array(dimensions);
    // What comes behind a part that no token covers is left out.
    for (const [word] of plainText(text).matchAll(words)) {
      addTo(vector, word, rowOf);
    }
    return Float32Array.from(normalise(vector));
  };
  return {
    name: tableName,
    fingerprint,
    dimensions,
    isInstant: true,
    languages: ['en'],
    leastShare: 0.1,
    embed: async (texts) =>
      table.reading(texts.length <= fewTexts, (rowOf) => texts.map((text) => vectorOf(text, rowOf))),
    words: {
      dimensions,
      wordsIn: (text) => plainText(text).match(alphanumeric) ?? [],
      vectorOf: (word) => {
        const vector = new Float32Array(dimensions);
        table.reading(false, (rowOf) => addTo(vector, word, rowOf));
        return vector;
      },
    },
  };
}
