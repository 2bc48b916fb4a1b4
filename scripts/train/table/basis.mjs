// The directions in which the teacher's vectors differ most: principal components, by orthogonal iteration.

import { randomOf } from '../../random.mjs';
import { addAt, dotAt, toUnit } from './numbers.mjs';
import { width } from './teacher.mjs';

/** Gives the axes of most spread of rows. Golub & Van Loan, Matrix Computations, §8.2.4; 40 rounds settle all but the last few. */
export function axesOf(rows, dimensions) {
  const mean = meanOf(rows);
  const spread = Array.from({ length: width }, () => new Float64Array(width));
  for (let from = 0; from < rows.length; from += width) {
    for (let i = 0; i < width; i++) {
      const value = rows[from + i] - mean[i];
      for (let j = 0; j < width; j++) spread[i][j] += value * (rows[from + j] - mean[j]);
    }
  }
  const next = randomOf(1);
  let axes = Array.from({ length: dimensions }, () => Float32Array.from({ length: width }, () => next() - 0.5));
  for (let round = 0; round < 40; round++) {
    axes = axes.map((axis) => Float32Array.from(spread, (row) => dotAt(row, 0, axis, 0, width)));
    axes.forEach((axis, nth) => {
      for (const earlier of axes.slice(0, nth)) addAt(axis, 0, earlier, 0, width, -dotAt(axis, 0, earlier, 0, width));
      toUnit(axis);
    });
  }
  return { mean, axes };
}

export function meanOf(rows) {
  const mean = new Float64Array(width);
  for (let at = 0; at < rows.length; at++) mean[at % width] += (rows[at] * width) / rows.length;
  return mean;
}

/** Projects rows of the teacher on the axes, less the mean. */
export function project(rows, { mean, axes }) {
  const count = rows.length / width;
  const projected = new Float32Array(count * axes.length);
  const offsets = axes.map((axis) => dotAt(axis, 0, mean, 0, width));
  for (let row = 0, to = 0; row < count; row++) {
    for (let d = 0; d < axes.length; d++) projected[to++] = dotAt(axes[d], 0, rows, row * width, width) - offsets[d];
  }
  return projected;
}
