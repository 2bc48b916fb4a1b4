// Writes the weights as src/language/weights.ts reads them: four bits for each unit of a feature.

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hashOf } from '../../../dist/language/features.js';
import { wordOf } from './vectors.mjs';

/** So many features are kept: those that say most. A row takes 36 bytes. */
const most = 20_000;
/** Of the words of the table, so many are looked at, the commonest first. */
const commonest = 14_000;
/** A weight is at most so many times as far from zero as the others of its unit are. Few are farther. */
const farthest = 3.5;
/** What four bits hold on either side of zero. */
const levels = 7;

export function writeWeights(file, { model, calibration, names, vectors, outputs, thresholds, turns }) {
  const { vectorOf, words } = vectors;
  const known = new Map(names.map((name, at) => [name, at]));
  // Whole words stand behind the word pieces.
  const added = [...new Set(words)]
    .map((word) => `w ${word}`)
    .filter((name) => !known.has(name))
    .slice(-18_000, -18_000 + commonest);
  const all = [...names, ...added];
  const rows = all.map((name) => {
    const word = wordOf(name);
    const vector = word === undefined ? undefined : vectorOf(word);
    return model.units.map(({ weightOf }) => weightOf(known.get(name), vector));
  });
  const says = outputs.map((name, nth) => model.says[nth].map((weight) => weight * calibration[name].slope));
  const biases = outputs.map((name, nth) => model.biases[nth] * calibration[name].slope + calibration[name].shift);
  // Worth decides most, so it counts most for what is kept.
  const saying = model.units.map(
    (_, unit) => Math.abs(says[0][unit]) * 3 + says.reduce((sum, row) => sum + Math.abs(row[unit]), 0) / says.length,
  );
  const uses = new Uint32Array(all.length);
  for (const { at } of turns) for (const feature of at) uses[feature] += 1;
  // What is seen seldom has learned little, however much it says.
  const sayings = rows.map(
    (row, at) => Math.sqrt(uses[at] + 1) * row.reduce((sum, value, unit) => sum + Math.abs(value) * saying[unit], 0),
  );
  const order = [...rows.keys()].sort((one, other) => sayings[other] - sayings[one]).slice(0, most);
  const scales = model.units.map((_, unit) => {
    const squares = order.reduce((sum, at) => sum + rows[at][unit] ** 2, 0);
    return (farthest * Math.sqrt(squares / order.length)) / levels || 1;
  });
  const level = (value, unit) => Math.max(-levels, Math.min(levels, Math.round(value / scales[unit])));
  // What the weights lose is made up for in the mean.
  const lost = rows.map((row) => [...row]);
  for (const at of order)
    for (const unit of scales.keys()) lost[at][unit] -= level(rows[at][unit], unit) * scales[unit];
  const shifts = model.units.map(({ shift }, unit) => {
    const missing = turns.map(({ at, share }) => share * at.reduce((sum, feature) => sum + lost[feature][unit], 0));
    return shift + missing.reduce((sum, one) => sum + one, 0) / turns.length;
  });
  const sorted = order.map((at) => [hashOf(all[at]), rows[at]]).sort((one, other) => one[0] - other[0]);
  const exact = (number) => Number(number.toPrecision(5));
  let head = JSON.stringify({
    features: sorted.length,
    outputs,
    scales: scales.map(exact),
    shifts: shifts.map(exact),
    firstBent: model.units.findIndex(({ isBent }) => isBent),
    says: says.map((row) => row.map(exact)),
    biases: biases.map(exact),
    thresholds,
  });
  head = head.padEnd(Math.ceil(head.length / 4) * 4);
  const headBytes = Buffer.alloc(8);
  headBytes.write('GMS2', 'latin1');
  headBytes.writeUInt32LE(head.length, 4);
  const hashes = Buffer.from(Uint32Array.from(sorted, ([hash]) => hash).buffer);
  const weights = Buffer.from(
    sorted.flatMap(([, row]) => {
      const each = row.map((value, unit) => level(value, unit) + 8);
      return each.flatMap((high, unit) => (unit % 2 === 0 ? [(high << 4) | each[unit + 1]] : []));
    }),
  );
  const bytes = Buffer.concat([headBytes, Buffer.from(head, 'latin1'), hashes, weights]);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return `${sorted.length} features of ${all.length}, ${bytes.length} bytes`;
}
