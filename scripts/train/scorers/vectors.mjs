// What a table of token vectors knows of words. A scorer learns from the sum of a text's word vectors, too, and so knows words that no
// writer used. In the end it is a number for each word, so the product needs no table.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readVocabulary, rowsOfTable } from '../table/tokens.mjs';

/** How much a vector weighs beside a feature. Chosen by leaving writers out. */
const weight = 0.4;

/** Opens a table; see scripts/train/table. */
export function openVectors(folder) {
  const bytes = readFileSync(path.join(folder, 'table.bin'));
  const names = readVocabulary(path.join(folder, 'vocabulary.txt'));
  const [count, dimensions] = [bytes.readUInt32LE(4), bytes.readUInt32LE(8)];
  const rowsAt = 12 + 4 * count;
  const cut = rowsOfTable(names);
  const known = new Map();

  /** The vector of a word, a Float32Array. */
  function vectorOf(word) {
    if (known.has(word)) return known.get(word);
    const vector = new Float32Array(dimensions);
    for (const row of cut(word)) {
      const scale = weight * bytes.readFloatLE(12 + 4 * row);
      for (let at = 0; at < dimensions; at++) vector[at] += bytes.readInt8(rowsAt + row * dimensions + at) * scale;
    }
    known.set(word, vector);
    return vector;
  }

  return { dimensions, vectorOf, words: names.filter((name) => /^[a-z]{2,}$/.test(name)) };
}

/** The word of a feature, where it is one that stands for itself. */
export const wordOf = (feature) => (feature.startsWith('w ') && !/[<>\d]/.test(feature) ? feature.slice(2) : undefined);

/** Gives rows the sum of their words' vectors. */
export function withVectors(rows, names, { vectorOf, dimensions }) {
  for (const row of rows) {
    row.vector = new Float32Array(dimensions);
    for (const feature of row.at) {
      const word = wordOf(names[feature]);
      if (word === undefined) continue;
      const vector = vectorOf(word);
      for (let at = 0; at < dimensions; at++) row.vector[at] += vector[at] * row.share;
    }
  }
}
