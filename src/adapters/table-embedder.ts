// The embedder that comes with the package: a table of token vectors, whose sum says roughly what a text is about. It needs no runtime, no
// model and no network. How the table was made, and from what: data/english-table/README.md.
//
//   vocabulary.txt   one token a line; `##x` continues a word
//   table.bin        "GMT1", the number of tokens and of dimensions (uint32), a scale for each token (float32), int8 rows; little-endian

import { readFileSync } from 'node:fs';
import { sha256Hex } from '../base/hash.ts';
import { normalise } from '../base/vectors.ts';
import { MemoryError } from '../errors.ts';
import { type Embedder, tableName } from '../ports.ts';
import { placeOf } from './package.ts';

const magic = 'GMT1';
const headerBytes = 12;
/** So many words are cut into tokens once. */
const mostKnown = 50_000;

/** Letters and digits make words, any other sign stands alone. */
const words = /[a-z0-9]+|[^\sa-z0-9]/gu;

interface Table {
  readonly dimensions: number;
  readonly rowOf: ReadonlyMap<string, number>;
  readonly longest: number;
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
  let longest = 0;
  const rowOf = new Map<string, number>();
  for (const [at, token] of tokens.entries()) {
    rowOf.set(token, at);
    longest = Math.max(longest, token.length);
  }
  return { dimensions, rowOf, longest, scales, rows };
}

/** Cuts a word into the longest tokens from the left; what comes behind a part that no token covers is left out. */
function tokensOf(word: string, { rowOf, longest }: Table): readonly number[] {
  const whole = rowOf.get(word);
  if (whole !== undefined) return [whole];
  const tokens: number[] = [];
  for (let from = 0; from < word.length; ) {
    let to = Math.min(word.length, from + longest);
    let row: number | undefined;
    for (; to > from && row === undefined; to--) row = rowOf.get((from > 0 ? '##' : '') + word.slice(from, to));
    if (row === undefined) break;
    tokens.push(row);
    from = to + 1;
  }
  return tokens;
}

let packaged: Embedder | undefined;

/** Gets the embedder of the package; all memories of a process share it. Throws as {@link tableEmbedder}. */
export const packagedTable = async (): Promise<Embedder> => (packaged ??= tableEmbedder());

/**
 * Reads a table of token vectors; default the one of the package.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE where it is not there or damaged.
 */
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
  const table = parseTable(bytes, read('vocabulary.txt').toString('utf8'), String(folder));
  const { dimensions, scales, rows } = table;
  const known = new Map<string, readonly number[]>();
  const vectorOf = (text: string): Float32Array => {
    const vector = new Float64Array(dimensions);
    const plain = text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '');
    for (const [word] of plain.matchAll(words)) {
      let tokens = known.get(word);
      if (tokens === undefined) {
        tokens = tokensOf(word, table);
        if (known.size >= mostKnown) known.clear();
        known.set(word, tokens);
      }
      for (const row of tokens) {
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
