// Random weights, the same on every machine: nothing but additions, multiplications and 32-bit integers makes them.

import { randomOf } from '../random.mjs';

/**
 * Draws all weights.
 *
 * Word embeddings have a standard deviation of 1, and all else is small. So the mean over a text's pieces is nearly a bag of words.
 */
export function randomWeights({ words, dimensions, layers, inner, positions }) {
  const next = randomOf(0x9e3779b9);
  // Twelve uniform numbers less six: nearly normal, without a logarithm that machines may round differently.
  const normal = () => Array.from({ length: 12 }, next).reduce((sum, value) => sum + value, -6);
  const draw = (count, deviation) => Float32Array.from({ length: count }, () => normal() * deviation);
  const linear = (from, to) => ({ from, to, factors: draw(from * to, 0.08), offsets: draw(to, 0.01) });
  return {
    word: draw(words * dimensions, 1),
    position: draw(positions * dimensions, 0.05),
    type: draw(2 * dimensions, 0.02),
    layers: Array.from({ length: layers }, () => ({
      query: linear(dimensions, dimensions),
      key: linear(dimensions, dimensions),
      value: linear(dimensions, dimensions),
      output: linear(dimensions, dimensions),
      widen: linear(dimensions, inner),
      narrow: linear(inner, dimensions),
    })),
  };
}
