// The weights of the scorers, as scripts/train/scorers makes them. What they were trained with, and how well they do: data/scorers/README.md.
//
//   english.bin   "GMS1", the length of the head (uint32), the head (JSON, in UTF-8, filled up to a multiple of four),
//                 a hash for each feature (uint32), then its weights, one for each output (int8); little-endian

import { readFileSync } from 'node:fs';
import { MemoryError } from '../errors.ts';

const magic = 'GMS1';
const headAt = 8;

/** What stands before the weights. */
interface Head {
  readonly features: number;
  readonly outputs: readonly string[];
  /** One for each output: what a weight of 1 is worth, and what is added to the sum. */
  readonly scales: readonly number[];
  readonly biases: readonly number[];
  readonly thresholds: Readonly<Record<string, number>>;
}

/** Linear scorers that share their features. */
export interface Weights extends Head {
  readonly rowOf: ReadonlyMap<number, number>;
  readonly rows: Int8Array;
}

/** Reads a file of weights. Throws MemoryError IO where it is not there or damaged. */
export function readWeights(place: URL = new URL('../../data/scorers/english.bin', import.meta.url)): Weights {
  const broken = (what: string, cause?: unknown): MemoryError =>
    new MemoryError('IO', `the weights of the scorers ${what}`, {
      where: String(place),
      hint: 'Install the package again',
      cause,
    });
  let bytes: Buffer;
  try {
    bytes = readFileSync(place);
  } catch (error) {
    throw broken('cannot be read', error);
  }
  if (bytes.toString('latin1', 0, 4) !== magic) throw broken('are damaged');
  const hashesAt = headAt + bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString('utf8', headAt, hashesAt)) as Head;
  const rowsAt = hashesAt + 4 * head.features;
  if (bytes.length !== rowsAt + head.features * head.outputs.length) throw broken('are damaged');
  const rowOf = new Map<number, number>();
  for (let at = 0; at < head.features; at++) rowOf.set(bytes.readUInt32LE(hashesAt + 4 * at), at);
  return { ...head, rowOf, rows: new Int8Array(bytes.buffer, bytes.byteOffset + rowsAt, bytes.length - rowsAt) };
}
