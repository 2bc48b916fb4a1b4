// Searching vectors by looking at all of them: the SIMD scan beside plain JavaScript, on integers and on floating point.

import { plainKernel, simdKernel } from '../../dist/search/vectors/scan-kernel.js';
import { VectorTable } from '../../dist/search/vectors/vector-table.js';
import { randomOf } from '../random.mjs';
import { heading, ms, quiet, ratio, table, verdict } from './measure.mjs';

const dimensions = 384;
const limit = 10;
const sizes = [10_000, 100_000, 1_000_000];

export async function benchVectors() {
  heading(`The ${limit} nearest of so many vectors of ${dimensions} dimensions, milliseconds a query (fastest tenth)`);
  const rows = [
    ['vectors', 'simd', 'plain integers', 'floats', 'plain/simd', 'floats/simd', 'ns a vector', 'recall', 'MiB'],
  ];
  let largest = 0;
  for (const size of sizes) {
    const next = randomOf(size);
    const simd = new VectorTable(dimensions, simdKernel(dimensions));
    const plain = new VectorTable(dimensions, plainKernel(dimensions));
    // A million of floating-point vectors is 1.5 GiB; a fifth of them tells the same.
    const floatCount = Math.min(size, 200_000);
    const floats = new Float32Array(floatCount * dimensions);
    for (let at = 0; at < size; at++) {
      const vector = unitVector(next);
      simd.add(vector);
      plain.add(vector);
      if (at < floatCount) floats.set(vector, at * dimensions);
    }
    const queries = Array.from({ length: 20 }, () => unitVector(next));
    const spent = { simd: [], plain: [], floats: [] };
    let found = 0;
    for (const query of queries) {
      const started = performance.now();
      const matches = simd.search(query, { limit });
      const afterSimd = performance.now();
      const same = plain.search(query, { limit });
      const afterPlain = performance.now();
      const truth = nearest(floats, floatCount, query);
      spent.floats.push(((performance.now() - afterPlain) * size) / floatCount);
      spent.plain.push(afterPlain - afterSimd);
      spent.simd.push(afterSimd - started);
      if (JSON.stringify(matches) !== JSON.stringify(same)) throw new Error('the two kernels disagree');
      const best = new Set(simd.search(query, { limit, isWanted: (row) => row < floatCount }).map(({ row }) => row));
      found += truth.filter((row) => best.has(row)).length;
    }
    const [fast, slow, exact] = [quiet(spent.simd), quiet(spent.plain), quiet(spent.floats)];
    largest = fast;
    rows.push([
      size.toLocaleString('en'),
      ms(fast),
      ms(slow),
      ms(exact),
      ratio(slow / fast),
      ratio(exact / fast),
      ((fast * 1e6) / size).toFixed(0),
      `${((100 * found) / (queries.length * limit)).toFixed(1)} %`,
      ((size * dimensions) / 2 ** 20).toFixed(0),
    ]);
  }
  table(rows);
  console.log(
    '  recall: the share of the nearest by floating point that is found among the vectors as kept, in 8 bits',
  );
  verdict(largest < 100, `a million vectors are searched within 100 ms (${ms(largest)} ms)`);
}

function unitVector(next) {
  const vector = new Float32Array(dimensions);
  let square = 0;
  for (let at = 0; at < dimensions; at++) {
    vector[at] = next() + next() + next() - 1.5;
    square += vector[at] ** 2;
  }
  const length = Math.sqrt(square);
  for (let at = 0; at < dimensions; at++) vector[at] /= length;
  return vector;
}

/** What the comparison is with: a loop over all floating-point vectors with four sums, and the best kept in a short list. */
function nearest(floats, count, query) {
  const best = [];
  for (let row = 0, offset = 0; row < count; row++) {
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let at = 0; at < dimensions; at += 4, offset += 4) {
      a += query[at] * floats[offset];
      b += query[at + 1] * floats[offset + 1];
      c += query[at + 2] * floats[offset + 2];
      d += query[at + 3] * floats[offset + 3];
    }
    const score = a + b + c + d;
    if (best.length === limit && score <= best[limit - 1].score) continue;
    best.push({ row, score });
    best.sort((one, other) => other.score - one.score);
    best.length = Math.min(best.length, limit);
  }
  return best.map(({ row }) => row);
}
