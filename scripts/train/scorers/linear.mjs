// Logistic regression on features that are there or not, and on the sum of their words' vectors: full batch, L2, AdaGrad (Duchi et al. 2011).

/** How strongly weights are held to zero (larger: less), and how it is stepped. Chosen by leaving writers out. */
const recipe = { own: 0.3, ofVectors: 1, steps: 80, rate: 0.3 };
/** A feature that fewer rows have is left out. */
const least = 2;

/**
 * Learns one output from rows of `{ at, share, vector, label, count }`; `features` is how many features there are.
 *
 * Gives `{ own, ofVector, bias }`: a row's sum is its share times its features' own weights, its vector times `ofVector`, and the bias.
 */
export function learn(rows, features, dimensions) {
  const data = packed(rows, features, dimensions);
  const { active, starts, at, shares, vectors, labels, counts } = data;
  const all = counts.reduce((sum, count) => sum + count, 0);
  // Own weights, those of the vector, and the bias, in one list each.
  const size = active.length + dimensions + 1;
  const [weights, slope] = [new Float64Array(size), new Float64Array(size)];
  const square = new Float64Array(size).fill(1e-6);
  const hold = new Float64Array(size).fill(1 / (recipe.own * all));
  hold.fill(1 / (recipe.ofVectors * all), active.length);
  hold[size - 1] = 0;
  for (let step = 0; step < recipe.steps; step++) {
    slope.fill(0);
    for (let row = 0; row < labels.length; row++) {
      const [from, to, share] = [starts[row], starts[row + 1], shares[row]];
      let sum = 0;
      for (let i = from; i < to; i++) sum += weights[at[i]];
      sum = sum * share + weights[size - 1];
      for (let i = 0, v = row * dimensions, w = active.length; i < dimensions; i++, v++, w++)
        sum += weights[w] * vectors[v];
      const error = (1 / (1 + Math.exp(-sum)) - labels[row]) * counts[row];
      const shared = error * share;
      for (let i = from; i < to; i++) slope[at[i]] += shared;
      for (let i = 0, v = row * dimensions, w = active.length; i < dimensions; i++, v++, w++)
        slope[w] += error * vectors[v];
      slope[size - 1] += error;
    }
    const pace = recipe.rate / (1 + (3 * step) / recipe.steps);
    for (let i = 0; i < size; i++) {
      const by = slope[i] / all + weights[i] * hold[i];
      square[i] += by * by;
      weights[i] -= (pace * by) / Math.sqrt(square[i]);
    }
  }
  const own = new Float32Array(features);
  for (const [nth, feature] of active.entries()) own[feature] = weights[nth];
  return { own, ofVector: weights.slice(active.length, size - 1), bias: weights[size - 1] };
}

/** Lays rows out in flat lists, without the features that too few of them have. */
function packed(rows, features, dimensions) {
  const uses = new Uint32Array(features);
  for (const row of rows) for (const feature of row.at) uses[feature] += 1;
  const active = [...uses.keys()].filter((feature) => uses[feature] >= least);
  const numbers = new Int32Array(features).fill(-1);
  for (const [nth, feature] of active.entries()) numbers[feature] = nth;
  const known = rows.map(({ at }) => at.map((feature) => numbers[feature]).filter((number) => number >= 0));
  const starts = new Int32Array(rows.length + 1);
  for (const [nth, { length }] of known.entries()) starts[nth + 1] = starts[nth] + length;
  const at = new Int32Array(starts[rows.length]);
  const vectors = new Float32Array(rows.length * dimensions);
  for (const [nth, list] of known.entries()) {
    at.set(list, starts[nth]);
    vectors.set(rows[nth].vector, nth * dimensions);
  }
  const [shares, labels, counts] = ['share', 'label', 'count'].map((name) =>
    Float64Array.from(rows, (row) => row[name]),
  );
  return { active, starts, at, shares, vectors, labels, counts };
}

/** What an output says of a row: a sum. The logistic function makes it a probability. */
export function sumOf({ own, ofVector, bias }, { at, share, vector }) {
  let sum = 0;
  for (const feature of at) sum += own[feature];
  sum = sum * share + bias;
  for (let i = 0; i < ofVector.length; i++) sum += ofVector[i] * vector[i];
  return sum;
}

/** Fits probability = logistic(slope · sum + shift) to labels (Platt 1999), by Newton's method. */
export function calibrate(pairs) {
  let [slope, shift] = [1, 0];
  for (let round = 0; round < 30; round++) {
    let [a, b, aa, ab, bb] = [0, 0, 1e-3, 0, 1e-3];
    for (const [sum, label] of pairs) {
      const share = 1 / (1 + Math.exp(-(slope * sum + shift)));
      const weight = share * (1 - share);
      a += (share - label) * sum;
      b += share - label;
      aa += weight * sum * sum;
      ab += weight * sum;
      bb += weight;
    }
    const det = aa * bb - ab * ab;
    slope -= (bb * a - ab * b) / det;
    shift -= (aa * b - ab * a) / det;
  }
  return { slope, shift };
}
