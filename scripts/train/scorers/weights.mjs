// Writes the weights as src/language/weights.ts reads them: one number a feature and output, in eight bits.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '../../../dist/language/features.js';
import { wordOf } from './vectors.mjs';

/** So many features are kept: those that say most. A row takes 27 bytes. */
const most = 21_000;
/** Of the words of the table, so many are looked at, the commonest first. */
const commonest = 14_000;

export function writeWeights(file, { models, calibration, names, vectors, outputs, thresholds }) {
  const { vectorOf, dimensions, words } = vectors;
  const known = new Map(names.map((name, at) => [name, at]));
  // Whole words stand behind the word pieces.
  const added = [...new Set(words)]
    .map((word) => `w ${word}`)
    .filter((name) => !known.has(name))
    .slice(-18_000, -18_000 + commonest);
  const all = [...names, ...added];
  const slopes = outputs.map((name) => calibration[name].slope);
  const rows = all.map((name) => {
    const word = wordOf(name);
    const at = known.get(name);
    const vector = word === undefined ? undefined : vectorOf(word);
    return outputs.map((output, nth) => {
      const { own, ofVector } = models[output];
      let weight = at === undefined ? 0 : own[at];
      if (vector !== undefined) for (let i = 0; i < dimensions; i++) weight += ofVector[i] * vector[i];
      return weight * slopes[nth];
    });
  });
  // Worth decides most, so it counts most for what is kept.
  const sayingOf = (row) => Math.abs(row[0]) * 3 + row.reduce((sum, value) => sum + Math.abs(value), 0) / row.length;
  const order = [...rows.keys()].sort((one, other) => sayingOf(rows[other]) - sayingOf(rows[one])).slice(0, most);
  const scales = outputs.map(
    (_, nth) => order.reduce((largest, at) => Math.max(largest, Math.abs(rows[at][nth])), 1e-9) / 127,
  );
  const biases = outputs.map((name) => models[name].bias * calibration[name].slope + calibration[name].shift);
  const sorted = order.map((at) => [hashOf(all[at]), rows[at]]).sort((one, other) => one[0] - other[0]);
  const exact = (number) => Number(number.toPrecision(6));
  let head = JSON.stringify({
    features: sorted.length,
    outputs,
    scales: scales.map(exact),
    biases: biases.map(exact),
    thresholds,
  });
  head = head.padEnd(Math.ceil(head.length / 4) * 4);
  const headBytes = Buffer.alloc(8);
  headBytes.write('GMS1', 'latin1');
  headBytes.writeUInt32LE(head.length, 4);
  const hashes = Buffer.from(Uint32Array.from(sorted, ([hash]) => hash).buffer);
  const weights = Buffer.from(
    Int8Array.from(sorted.flatMap(([, row]) => row.map((value, nth) => Math.round(value / scales[nth])))).buffer,
  );
  const bytes = Buffer.concat([headBytes, Buffer.from(head, 'latin1'), hashes, weights]);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return `${sorted.length} features of ${all.length}, ${bytes.length} bytes`;
}
