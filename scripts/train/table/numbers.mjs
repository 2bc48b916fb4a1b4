// Arithmetic on stretches of number lists: rows of tables are such stretches.

/** Multiplies `count` numbers of one list, from a place on, with those of another, and adds up. */
export function dotAt(one, oneFrom, other, otherFrom, count) {
  // Four sums do not wait for each other.
  let [a, b, c, d] = [0, 0, 0, 0];
  for (let i = oneFrom, j = otherFrom; i < oneFrom + count; i += 4, j += 4) {
    a += one[i] * other[j];
    b += one[i + 1] * other[j + 1];
    c += one[i + 2] * other[j + 2];
    d += one[i + 3] * other[j + 3];
  }
  return a + b + c + d;
}

/** Adds `factor` times `count` numbers of one list to those of another, in place. */
export function addAt(sum, sumFrom, part, partFrom, count, factor) {
  for (let i = sumFrom, j = partFrom; i < sumFrom + count; i++, j++) sum[i] += factor * part[j];
}

/** Brings a vector to unit length, in place, and gives the length that it had. */
export function toUnit(vector) {
  let square = 0;
  for (let at = 0; at < vector.length; at++) square += vector[at] * vector[at];
  const length = Math.sqrt(square) + 1e-9;
  for (let at = 0; at < vector.length; at++) vector[at] /= length;
  return length;
}
