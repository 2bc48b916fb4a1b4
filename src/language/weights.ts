// The weights of the scorers, as scripts/train/scorers makes them. What they were trained with, and how well they do: data/scorers/README.md.
//
//   beside.json   for each output the weights of the terms in which a scorer of turns is joined with them (read.ts)
//                 { "scorer": "turns-1a2b3c4d", "thresholds": { "keep": 0.5, … }, "weights": { "worth": [0.1, …], "standing": […], … } }
//   english.bin   "GMS2", the length of the head (uint32), the head (JSON, in UTF-8, filled up to a multiple of four),
//                 a hash for each feature (uint32, the least first), then its weights, one for each unit (four bits, 8 more than it is); little-endian

import { readFileSync } from 'node:fs';
import { MemoryError } from '../base/errors.ts';
import { isLittleEndian } from '../base/sorted.ts';

const magic = 'GMS2';
const headAt = 8;

interface Head {
  readonly features: number;
  readonly outputs: readonly string[];
  /** One for each unit: what a weight of 1 is worth, and what is added to the sum. From `firstBent` on a unit is never below zero. */
  readonly scales: readonly number[];
  readonly shifts: readonly number[];
  readonly firstBent: number;
  /** One for each output: the weights of all units, and what is added. */
  readonly says: readonly (readonly number[])[];
  readonly biases: readonly number[];
  readonly thresholds: Readonly<Record<string, number>>;
}

/** Scorers that share their features and units. */
export interface Weights extends Head {
  /** Of each feature in order: the row is the place. */
  readonly hashes: Uint32Array;
  readonly rows: Uint8Array;
}

/** What joins the scorers with a scorer of turns. */
export interface Beside {
  readonly thresholds: Readonly<Record<string, number>>;
  readonly weights: readonly { readonly at: number; readonly row: readonly number[] }[];
}

const broken = (place: URL, what: string, cause?: unknown): MemoryError =>
  new MemoryError('IO', `the weights of the scorers ${what}`, {
    where: String(place),
    hint: 'Install the package again',
    cause,
  });

/** Reads what joins scorers with these outputs and a scorer of turns. Throws MemoryError IO where it is not there or damaged. */
export function readBeside(
  outputs: readonly string[],
  place: URL = new URL('../../data/scorers/beside.json', import.meta.url),
): Beside {
  try {
    const { thresholds, weights } = JSON.parse(readFileSync(place, 'utf8')) as {
      thresholds: Beside['thresholds'];
      weights: Readonly<Record<string, readonly number[]>>;
    };
    return { thresholds, weights: Object.entries(weights).map(([name, row]) => ({ at: outputs.indexOf(name), row })) };
  } catch (error) {
    throw broken(place, 'cannot be read', error);
  }
}

/** Reads a file of weights. Throws MemoryError IO where it is not there or damaged. */
export function readWeights(place: URL = new URL('../../data/scorers/english.bin', import.meta.url)): Weights {
  let bytes: Buffer;
  try {
    bytes = readFileSync(place);
  } catch (error) {
    throw broken(place, 'cannot be read', error);
  }
  if (bytes.toString('latin1', 0, 4) !== magic) throw broken(place, 'are damaged');
  const hashesAt = headAt + bytes.readUInt32LE(4);
  const head = JSON.parse(bytes.toString('utf8', headAt, hashesAt)) as Head;
  const rowsAt = hashesAt + 4 * head.features;
  if (bytes.length !== rowsAt + (head.features * head.scales.length) / 2) throw broken(place, 'are damaged');
  const copy = Uint8Array.from(bytes.subarray(hashesAt, rowsAt)).buffer;
  if (!isLittleEndian) Buffer.from(copy).swap32();
  return { ...head, hashes: new Uint32Array(copy), rows: bytes.subarray(rowsAt) };
}
