// A table of token vectors: how it is learnt, written and read. A text's vector is the sum of its tokens' vectors, at unit length.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addAt, dotAt, toUnit } from './numbers.mjs';
import { readVocabulary, rowsOfTable } from './tokens.mjs';

/**
 * Moves token vectors so that sums of tokens point where the teacher points.
 *
 * The loss of a batch is the mean of 1 − cosine, and `alike` times the mean square of S. S is how alike two texts are, less how alike the
 * teacher finds them. Adam steps the tokens of the batch alone (Kingma & Ba 2015, with its constants).
 * Each then goes back by `pull` of its way from the start. So tokens that few texts hold stay where the teacher put them.
 */
export function learn(table, { bags, targets, dimensions, next, epochs, batch, rate, alike, pull }) {
  const start = table.slice();
  const [mean, square, slope] = [1, 2, 3].map(() => new Float32Array(table.length));
  const [x, y, slopeOfX] = [1, 2, 3].map(() => new Float32Array(batch * dimensions));
  const order = [...bags.keys()].filter((text) => bags[text].length > 1);
  for (let epoch = 0, step = 0; epoch < epochs; epoch++) {
    shuffle(order, next);
    for (let from = 0; from < order.length; from += batch) {
      const texts = order.slice(from, from + batch);
      const count = texts.length;
      const lengths = texts.map((text, nth) => {
        y.set(targets.subarray(text * dimensions, (text + 1) * dimensions), nth * dimensions);
        return sumInto(x.subarray(nth * dimensions, (nth + 1) * dimensions), table, bags[text]);
      });
      slopeOfX.forEach((_, at) => {
        slopeOfX[at] = -y[at] / count;
      });
      for (let i = 0; i < count * dimensions; i += dimensions) {
        for (let j = 0; j < i; j += dimensions) {
          const off = dotAt(x, i, x, j, dimensions) - dotAt(y, i, y, j, dimensions);
          const factor = (4 * alike * off) / count ** 2;
          addAt(slopeOfX, i, x, j, dimensions, factor);
          addAt(slopeOfX, j, x, i, dimensions, factor);
        }
      }
      const touched = new Set();
      texts.forEach((text, nth) => {
        const at = nth * dimensions;
        // What would only lengthen the sum changes no direction.
        addAt(slopeOfX, at, x, at, dimensions, -dotAt(slopeOfX, at, x, at, dimensions));
        for (const row of bags[text]) {
          touched.add(row);
          addAt(slope, row * dimensions, slopeOfX, at, dimensions, 1 / lengths[nth]);
        }
      });
      step++;
      const pace = (rate * (1 - epoch / epochs) * Math.sqrt(1 - 0.999 ** step)) / (1 - 0.9 ** step);
      for (const row of touched) {
        for (let at = row * dimensions; at < (row + 1) * dimensions; at++) {
          mean[at] += 0.1 * (slope[at] - mean[at]);
          square[at] += 0.001 * (slope[at] ** 2 - square[at]);
          table[at] -= (pace * mean[at]) / (Math.sqrt(square[at]) + 1e-8);
          table[at] -= pull * (table[at] - start[at]);
          slope[at] = 0;
        }
      }
    }
  }
}

function shuffle(list, next) {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(next() * (at + 1));
    [list[at], list[other]] = [list[other], list[at]];
  }
}

/** Adds up token vectors, brings the sum to unit length, and gives the length that it had. */
function sumInto(sum, table, rows) {
  sum.fill(0);
  for (const row of rows) addAt(sum, 0, table, row * sum.length, sum.length, 1);
  return toUnit(sum);
}

/** Writes vocabulary.txt and table.bin: "GMT1", count and dimensions (uint32), a float32 scale a token, rows of int8; little-endian. */
export function writeTable(folder, names, table) {
  const dimensions = table.length / names.length;
  const bytes = Buffer.alloc(12 + names.length * (4 + dimensions), 'GMT1');
  bytes.writeUInt32LE(names.length, 4);
  bytes.writeUInt32LE(dimensions, 8);
  names.forEach((_, row) => {
    const values = table.subarray(row * dimensions, (row + 1) * dimensions);
    const scale = Math.max(...values.map(Math.abs)) / 127 + 1e-12;
    bytes.writeFloatLE(scale, 12 + 4 * row);
    bytes.set(
      Int8Array.from(values, (value) => Math.round(value / scale)),
      12 + 4 * names.length + row * dimensions,
    );
  });
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'table.bin'), bytes);
  writeFileSync(path.join(folder, 'vocabulary.txt'), names.join('\n'));
}

/** Reads a table; gives what makes a list of texts rows of numbers, one after the other. */
export function openTable(folder) {
  const names = readVocabulary(path.join(folder, 'vocabulary.txt'));
  const bytes = readFileSync(path.join(folder, 'table.bin'));
  const dimensions = bytes.readUInt32LE(8);
  const table = Float32Array.from(bytes.subarray(12 + 4 * names.length), (byte, at) => {
    return ((byte << 24) >> 24) * bytes.readFloatLE(12 + 4 * Math.floor(at / dimensions));
  });
  const cut = rowsOfTable(names);
  return (texts) => {
    const rows = new Float32Array(texts.length * dimensions);
    texts.forEach((text, nth) => {
      sumInto(rows.subarray(nth * dimensions, (nth + 1) * dimensions), table, cut(text));
    });
    return rows;
  };
}
