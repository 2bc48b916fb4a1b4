// Joins the scorers of words and a scorer of turns: logistic regression on all that both say, each writer left out in turn. Only writers that the
// scorer of turns has not seen are learned from, with what scorers of words say that have not seen them either.

import { writeFileSync } from 'node:fs';
import { turnScorer } from '../../../dist/adapters/turn-scorer.js';
import { categories, termsOf } from '../../../dist/language/read.js';
import { judgeSets, thresholdsFrom, turnsOf } from './judge.mjs';
import { settingOf } from './sets.mjs';

const joint = ['worth', 'standing', ...categories];
/** How much a weight costs, of terms with a deviation of 1. Chosen by leaving writers out. */
const cost = 3;
/** Of what is worth keeping so much is to be kept, kept at least as of little importance, and so on: see `thresholdsFrom`. */
const wanted = { keep: 0.89, low: 0.955, short: 0.85 };
const rounds = 30;

/** Newton's method (McCullagh, Nelder 1989); gives a weight for each term. The first term is always 1. */
function learnDense(rows, labels) {
  const width = rows[0].length;
  const mean = rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
  const deviation = mean.map((middle, at) =>
    at === 0 ? 1 : Math.sqrt(rows.reduce((sum, row) => sum + (row[at] - middle) ** 2, 0) / rows.length) || 1,
  );
  const plain = rows.map((row) => row.map((value, at) => (at === 0 ? 1 : (value - mean[at]) / deviation[at])));
  const weights = new Float64Array(width);
  for (let round = 0; round < rounds; round++) {
    const matrix = Array.from({ length: width }, (_, at) => {
      const row = new Float64Array(width + 1);
      row[at] = at === 0 ? 1e-6 : cost;
      row[width] = at === 0 ? 0 : cost * weights[at];
      return row;
    });
    for (const [nth, row] of plain.entries()) {
      const guess = 1 / (1 + Math.exp(-row.reduce((sum, value, at) => sum + value * weights[at], 0)));
      for (const [at, value] of row.entries()) {
        for (let other = 0; other < width; other++)
          matrix[at][other] += (guess * (1 - guess) + 1e-9) * value * row[other];
        matrix[at][width] += (guess - labels[nth]) * value;
      }
    }
    for (const [at, step] of solved(matrix).entries()) weights[at] -= step;
  }
  const own = Array.from(weights, (weight, at) => weight / deviation[at]);
  own[0] = weights[0] - own.reduce((sum, weight, at) => (at === 0 ? sum : sum + weight * mean[at]), 0);
  return own;
}

/** Solves equations by elimination; each row ends with its right side. */
function solved(matrix) {
  const { length } = matrix;
  for (let at = 0; at < length; at++) {
    let pivot = at;
    for (let row = at; row < length; row++) if (Math.abs(matrix[row][at]) > Math.abs(matrix[pivot][at])) pivot = row;
    [matrix[at], matrix[pivot]] = [matrix[pivot], matrix[at]];
    for (let row = 0; row < length; row++) {
      const times = row === at ? 0 : matrix[row][at] / matrix[at][at];
      for (let column = at; column <= length && times !== 0; column++)
        matrix[row][column] -= times * matrix[at][column];
    }
  }
  return matrix.map((row, at) => row[length] / row[at]);
}

/** The terms of an output with which it is learned. A category is learned from what both say of it alone: with all terms it is right less often. */
function placesOf(name, width) {
  if (categories.includes(name)) return [0, 1, 3 + 1 + categories.indexOf(name)];
  return [...Array(width).keys()].filter((at) => name !== 'worth' || at !== 2);
}

/** Learns one output from turns with their terms. A category is asked of what is worth keeping. */
function learnOutput(name, turns) {
  const about = categories.includes(name) ? turns.filter(({ of }) => of.worth === 'keep') : turns;
  const { length: width } = about[0].terms[name];
  const places = placesOf(name, width);
  const learned = learnDense(
    about.map(({ terms }) => places.map((at) => terms[name][at])),
    about.map(({ goals }) => goals[name][0]),
  );
  const weights = Array(width).fill(0);
  for (const [nth, at] of places.entries()) weights[at] = learned[nth];
  return weights;
}

const learnAll = (turns) => Object.fromEntries(joint.map((name) => [name, learnOutput(name, turns)]));
const sumOf = (weights, terms) => weights.reduce((sum, weight, at) => sum + weight * terms[at], 0);

/** Judges words alone and both on sets whose rows have the sums of words; writes the weights into `file` where one is given. */
export async function joinWith(folder, sets, file) {
  const scorer = await turnScorer(folder);
  const turns = new Map(sets.map((set) => [set, turnsOf(set)]));
  for (const row of [...turns.values()].flat()) {
    const { role, before } = settingOf(row.of);
    const [logits] = await scorer.score([{ text: row.of.turn.text, role, before }]);
    row.terms = Object.fromEntries(joint.map((name) => [name, termsOf(row.sums[name], row.sums.worth, logits)]));
  }
  await scorer.close();
  const othersOf = (set) => sets.filter((other) => other !== set);
  judgeSets('words alone, thresholds of the others', sets, (set) => thresholdsFrom(othersOf(set), wanted));
  for (const set of sets) {
    const weights = learnAll(othersOf(set).flatMap((other) => turns.get(other)));
    for (const row of turns.get(set)) row.both = joint.map((name) => sumOf(weights[name], row.terms[name]));
  }
  for (const row of [...turns.values()].flat()) for (const [at, name] of joint.entries()) row.sums[name] = row.both[at];
  judgeSets(`with ${scorer.fingerprint}, left out`, sets, (set) => thresholdsFrom(othersOf(set), wanted));
  if (file === undefined) return;
  const short = (weights) => weights.map((weight) => Number(weight.toPrecision(4)));
  const weights = Object.entries(learnAll([...turns.values()].flat())).map(([name, row]) => [name, short(row)]);
  const kept = { scorer: scorer.fingerprint, thresholds: thresholdsFrom(sets, wanted) };
  const lines = weights.map(([name, row]) => `    ${JSON.stringify(name)}: ${JSON.stringify(row)}`);
  writeFileSync(
    file,
    `{\n  "scorer": ${JSON.stringify(kept.scorer)},\n  "thresholds": ${JSON.stringify(kept.thresholds)},\n  "weights": {\n${lines.join(',\n')}\n  }\n}\n`,
  );
}
