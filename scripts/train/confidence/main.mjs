// Fits what makes a hit probable (src/search/ranking-settings.ts, `confidence`) to the questions of `npm run eval -- nothing`.
//   node scripts/train/confidence/main.mjs [--table FOLDER] [--every N]     FOLDER as for the evaluation: tables that read nothing of a writer
//
// Of each question the hit with the highest figure so far counts. It is a logistic regression by Newton's method. Each source has the same
// weight, and in it known questions have half. A quarter each have those of other memories and those by hand. Then each source is left
// out in turn, and judged at 0.5.

import { parseArgs } from 'node:util';
import { askedOf } from '../../eval/nothing.mjs';
import { rankings } from '../../eval/systems.mjs';

const text = { type: 'string' };
const { values } = parseArgs({ options: { table: text, every: { ...text, default: '1' } } });
const { found, close } = await rankings({ system: 'words,table', table: values.table });
const worth = { known: 2, unknown: 1, byHand: 1 };
const sigmoid = (value) => 1 / (1 + Math.exp(-value));
const dot = (one, other) => one.reduce((sum, value, at) => sum + value * other[at], 0);

function rowOf({ source, kind, hits }) {
  const first = hits.filter(({ confidence }) => confidence !== undefined);
  const best = first.reduce((one, other) => (other.confidence > (one?.confidence ?? 0) ? other : one), undefined);
  const { coverage = 0, cosine = 0, unsaid = 1 } = best?.parts ?? {};
  return { source, kind, x: [1, coverage + cosine, unsaid] };
}

/** Solves a small system of linear equations by elimination. */
function solved(matrix, right) {
  const rows = matrix.map((row, at) => [...row, right[at]]);
  for (let at = 0; at < rows.length; at++) {
    for (let other = 0; other < rows.length; other++) {
      if (other === at) continue;
      const factor = rows[other][at] / rows[at][at];
      rows[other] = rows[other].map((value, place) => value - factor * rows[at][place]);
    }
  }
  return rows.map((row, at) => row.at(-1) / row[at]);
}

function fitted(rows) {
  const counts = new Map();
  const key = ({ source, kind }) => `${source} ${kind}`;
  for (const row of rows) counts.set(key(row), (counts.get(key(row)) ?? 0) + 1);
  let weights = [0, 0, 0];
  for (let step = 0; step < 20; step++) {
    const gradient = [0, 0, 0];
    const curve = [0, 1, 2].map(() => [0, 0, 0]);
    for (const row of rows) {
      const { kind, x } = row;
      const share = worth[kind] / counts.get(key(row));
      const p = sigmoid(dot(weights, x));
      for (let one = 0; one < 3; one++) {
        gradient[one] += share * ((kind === 'known' ? 1 : 0) - p) * x[one];
        for (let other = 0; other < 3; other++) curve[one][other] += share * p * (1 - p) * x[one] * x[other];
      }
    }
    const by = solved(curve, gradient);
    weights = weights.map((weight, at) => weight + by[at]);
  }
  return weights;
}

for (const [system, embedderOf] of Object.entries(found)) {
  const rows = (await askedOf({ embedderOf, every: Number(values.every), offset: 0 })).map(rowOf);
  const told = rows.filter(({ kind }) => kind in worth);
  console.log(
    system,
    'base, held, absent:',
    fitted(told)
      .map((weight) => weight.toFixed(2))
      .join(', '),
  );
  for (const source of new Set(rows.map((row) => row.source))) {
    const weights = fitted(told.filter((row) => row.source !== source));
    const wrong = [...Object.keys(worth), 'apart'].map((kind) => {
      const items = rows.filter((row) => row.source === source && row.kind === kind);
      const isWrong = ({ x }) => dot(weights, x) < 0 === (kind === 'known');
      return `${kind} ${((100 * items.filter(isWrong).length) / items.length).toFixed(1)}`;
    });
    console.log(`  ${source} left out, wrong in per cent: ${wrong.join(', ')}`);
  }
}
await close();
