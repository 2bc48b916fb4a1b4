// The embedder that comes with the package: a table of token vectors, whose sum says roughly what a text is about. It needs no runtime, no
// model and no network. How the table was made, and from what: data/english-table/README.md.
//
//   vocabulary.txt   one token a line; `##x` continues a word
//   table.bin        "GMT1", the number of tokens and of dimensions (uint32), a scale for each token (float32), int8 rows; little-endian

import { readFileSync } from 'node:fs';
import { MemoryError } from '../base/errors.ts';
import { sha256Hex } from '../base/hash.ts';
import { type Embedder, tableName } from '../base/ports.ts';
import { normalise } from '../base/vectors.ts';
import { type CutWord, plainText, wordCutter } from '../base/word-pieces.ts';
import { placeOf } from './package.ts';

const magic = 'GMT1';
const headerBytes = 12;

/** Letters and digits make words, any other sign stands alone. */
const words = /[a-z0-9]+|[^\sa-z0-9]/gu;

interface Table {
  readonly dimensions: number;
  readonly cut: (word: string) => CutWord;
  readonly scales: Float32Array;
  readonly rows: Int8Array;
}

function parseTable(bytes: Buffer, vocabulary: string, where: string): Table {
  const tokens = vocabulary.split('\n');
  const [count, dimensions] = bytes.length < headerBytes ? [0, 0] : [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const rowsAt = headerBytes + 4 * count;
  if (
    bytes.toString('latin1', 0, 4) !== magic ||
    count !== tokens.length ||
    bytes.length !== rowsAt + count * dimensions
  )
    throw new MemoryError('EMBEDDER_UNAVAILABLE', 'the table of token vectors is damaged, or of another vocabulary', {
      where,
      hint: 'Install the package again',
    });
  const scales = new Float32Array(count);
  for (let at = 0; at < count; at++) scales[at] = bytes.readFloatLE(headerBytes + 4 * at);
  const rows = new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, count * dimensions);
  return { dimensions, cut: wordCutter(tokens), scales, rows };
}

let packaged: Embedder | undefined;

/** Gets the embedder of the package; all memories of a process share it. Throws as {@link tableEmbedder}. */
export const packagedTable = async (): Promise<Embedder> => (packaged ??= tableEmbedder());

/** Reads a table of token vectors; default the one of the package. Throws EMBEDDER_UNAVAILABLE where it is missing or damaged. */
export function tableEmbedder(folder: string | URL = placeOf('data/english-table/')): Embedder {
  const read = (name: string): Buffer => {
    const place = folder instanceof URL ? new URL(name, folder) : `${folder}/${name}`;
    try {
      return readFileSync(place);
    } catch (error) {
      throw new MemoryError('EMBEDDER_UNAVAILABLE', 'the table of token vectors cannot be read', {
        where: String(place),
        hint: 'Install the package again',
        cause: error,
      });
    }
  };
  const bytes = read('table.bin');
  const vocabulary = read('vocabulary.txt').toString('utf8');
  const { dimensions, cut, scales, rows } = parseTable(bytes, vocabulary, String(folder));
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float64Array(dimensions);
    // What comes behind a part that no token covers is left out.
    for (const [word] of plainText(text).matchAll(words)) {
      for (const row of cut(word).rows) {
        const scale = scales[row]!;
        for (let at = 0, from = row * dimensions; at < dimensions; at++) vector[at]! += rows[from + at]! * scale;
      }
    }
    return Float32Array.from(normalise(vector));
  };
  return {
    name: tableName,
    fingerprint: `table/1/${sha256Hex(bytes).slice(0, 16)}`,
    dimensions,
    isInstant: true,
    languages: ['en'],
    leastShare: 0.1,
    embed: (texts) => Promise.resolve(texts.map(vectorOf)),
  };
}
