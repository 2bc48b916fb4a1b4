// A small network: features that are there or not, and the sum of their words' vectors, make a few units, and units make outputs. Some units
// are sums as they are, and the others count where they are above zero. Stepped row by row by AdaGrad (Duchi et al. 2011), with most features
// left out at random each time (Srivastava et al. 2014). Several networks that began otherwise are one whose outputs are their mean.

/** Chosen by leaving writers out. */
const recipe = { networks: 4, plain: 4, bent: 12, rounds: 5, rate: 0.05, leftOut: 0.6, hold: 1e-4, together: 16 };
/** A feature that fewer rows have is left out. */
const least = 4;

const units = recipe.plain + recipe.bent;

/** Numbers from 0 to 1 that are the same each time (mulberry32). */
function numbersFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d_2b_79_f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Weights that are learned, with what AdaGrad remembers of them. */
function weightsOf(size, spread, next) {
  const values = Float32Array.from({ length: size }, () => (next() - 0.5) * spread);
  return { values, squares: new Float32Array(size).fill(0.01), slopes: new Float32Array(size) };
}

function stepAll({ values, squares, slopes }, pace, hold) {
  for (let i = 0; i < values.length; i++) {
    const by = slopes[i] / recipe.together + hold * values[i];
    squares[i] += by * by;
    values[i] -= (pace * by) / Math.sqrt(squares[i]);
    slopes[i] = 0;
  }
}

/** Numbers the features that enough rows have; gives -1 for the others. */
function numbered(rows, features) {
  const uses = new Uint32Array(features);
  for (const { at } of rows) for (const feature of at) uses[feature] += 1;
  let count = 0;
  return { numbers: Int32Array.from(uses, (times) => (times < least ? -1 : count++)), known: () => count };
}

/** Sums a row up into units, before they are bent: of the features that `at` numbers. */
function sumUnits(sums, { at, length, share, vector }, { ofFeature, ofVector, shift }) {
  sums.fill(0);
  for (let i = 0; i < length; i++)
    for (let unit = 0, from = at[i] * units; unit < units; unit++) sums[unit] += ofFeature.values[from + unit];
  for (let unit = 0; unit < units; unit++) sums[unit] = sums[unit] * share + shift.values[unit];
  for (let v = 0, from = 0; v < vector.length; v++, from += units)
    for (let unit = 0; unit < units; unit++) sums[unit] += vector[v] * ofVector.values[from + unit];
}

const isOpen = (unit, sum) => unit < recipe.plain || sum > 0;

/** Learns one network. `data` are rows with numbered features and goals: triples of an output, its label and how much that counts. */
function learnOne(data, known, dimensions, outputs, seed) {
  const next = numbersFrom(seed);
  const ofFeature = weightsOf(known * units, 0.02, next);
  ofFeature.squares.fill(1e-3);
  const ofVector = weightsOf(dimensions * units, 0.1, next);
  const says = weightsOf(outputs * units, 0.6, next);
  const shift = weightsOf(units, 0, next);
  const bias = weightsOf(outputs, 0, next);
  for (const { squares } of [shift, bias]) squares.fill(1e-3);
  const [sums, errors] = [new Float32Array(units), new Float32Array(units)];
  const order = [...data.keys()];
  const at = new Int32Array(Math.max(...data.map((row) => row.at.length)));
  let steps = 0;
  for (let round = 0; round < recipe.rounds; round++) {
    for (let i = order.length - 1; i > 0; i--) {
      const other = Math.floor(next() * (i + 1));
      [order[i], order[other]] = [order[other], order[i]];
    }
    const pace = recipe.rate * (1 - (0.9 * round) / recipe.rounds);
    for (const nth of order) {
      const row = data[nth];
      let length = 0;
      for (const feature of row.at) if (next() >= recipe.leftOut) at[length++] = feature;
      const share = row.share / (1 - recipe.leftOut);
      sumUnits(sums, { at, length, share, vector: row.vector }, { ofFeature, ofVector, shift });
      errors.fill(0);
      for (const [output, label, count] of row.goals) {
        const from = output * units;
        let sum = bias.values[output];
        for (let unit = 0; unit < units; unit++)
          if (isOpen(unit, sums[unit])) sum += sums[unit] * says.values[from + unit];
        const error = (1 / (1 + Math.exp(-sum)) - label) * count;
        bias.slopes[output] += error;
        for (let unit = 0; unit < units; unit++) {
          if (!isOpen(unit, sums[unit])) continue;
          says.slopes[from + unit] += error * sums[unit];
          errors[unit] += error * says.values[from + unit];
        }
      }
      for (let i = 0; i < length; i++) {
        for (let unit = 0, w = at[i] * units; unit < units; unit++, w++) {
          const by = errors[unit] * share + recipe.hold * ofFeature.values[w];
          ofFeature.squares[w] += by * by;
          ofFeature.values[w] -= (pace * by) / Math.sqrt(ofFeature.squares[w]);
        }
      }
      for (let unit = 0; unit < units; unit++) {
        shift.slopes[unit] += errors[unit];
        for (let v = 0, w = unit; v < dimensions; v++, w += units) ofVector.slopes[w] += errors[unit] * row.vector[v];
      }
      if (++steps % recipe.together !== 0) continue;
      for (const some of [ofVector, says]) stepAll(some, pace, recipe.hold);
      for (const some of [shift, bias]) stepAll(some, pace, 0);
    }
  }
  return { ofFeature, ofVector, shift, says, bias };
}

/**
 * Learns all outputs from rows of `{ at, share, vector, goals }`; `features` is how many features there are.
 *
 * Gives `sumsOf(row)`, a sum for each output that the logistic function makes a probability of. The rest is for writing it down: units with
 * `weightOf(feature, vector)`, `shift` and `isBent`; `says`, one row for each output; `biases`.
 */
export function learn(rows, features, dimensions, names) {
  const { numbers, known } = numbered(rows, features);
  const atOf = ({ at }) => Int32Array.from(at, (feature) => numbers[feature]).filter((number) => number >= 0);
  const data = rows.map((row) => ({
    at: atOf(row),
    share: row.share,
    vector: row.vector,
    goals: names.flatMap((name, output) => (row.goals[name] === undefined ? [] : [[output, ...row.goals[name]]])),
  }));
  const networks = Array.from({ length: recipe.networks }, (_, nth) =>
    learnOne(data, known(), dimensions, names.length, nth + 1),
  );
  const sums = new Float32Array(units);
  const sumsOf = (row) => {
    const all = names.map(() => 0);
    const at = atOf(row);
    for (const network of networks) {
      sumUnits(sums, { ...row, at, length: at.length }, network);
      for (const output of all.keys()) {
        let sum = network.bias.values[output];
        for (let unit = 0; unit < units; unit++)
          if (isOpen(unit, sums[unit])) sum += sums[unit] * network.says.values[output * units + unit];
        all[output] += sum / networks.length;
      }
    }
    return Object.fromEntries(names.map((name, output) => [name, all[output]]));
  };
  const laid = networks
    .flatMap((network) => [...Array(units).keys()].map((unit) => ({ network, unit, isBent: unit >= recipe.plain })))
    .sort((one, other) => one.isBent - other.isBent);
  return {
    sumsOf,
    units: laid.map(({ network: { ofFeature, ofVector, shift }, unit, isBent }) => ({
      isBent,
      shift: shift.values[unit],
      weightOf(feature, vector) {
        const number = feature === undefined ? -1 : numbers[feature];
        let weight = number < 0 ? 0 : ofFeature.values[number * units + unit];
        for (let v = 0; v < (vector?.length ?? 0); v++) weight += vector[v] * ofVector.values[v * units + unit];
        return weight;
      },
    })),
    says: names.map((_, output) =>
      laid.map(({ network, unit }) => network.says.values[output * units + unit] / networks.length),
    ),
    biases: names.map((_, output) =>
      networks.reduce((sum, { bias }) => sum + bias.values[output] / networks.length, 0),
    ),
  };
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
