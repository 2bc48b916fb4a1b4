// Vectors as arrays of numbers: the few operations that ranking needs. What a vector means is decided where it is made.

/** Gives the inner product of two vectors of equal length; for unit vectors, the cosine of the angle between them. */
export function dot(one: ArrayLike<number>, other: ArrayLike<number>): number {
  // Four sums run in parallel: each addition waits for the one before it in its own sum only.
  let [a, b, c, d] = [0, 0, 0, 0];
  const whole = one.length & ~3;
  for (let at = 0; at < whole; at += 4) {
    a += one[at]! * other[at]!;
    b += one[at + 1]! * other[at + 1]!;
    c += one[at + 2]! * other[at + 2]!;
    d += one[at + 3]! * other[at + 3]!;
  }
  for (let at = whole; at < one.length; at++) a += one[at]! * other[at]!;
  return a + b + (c + d);
}

/** Brings a vector to unit length in place; a vector of zeros stays one. */
export function normalise<Vector extends Float32Array | Float64Array>(vector: Vector): Vector {
  const length = Math.sqrt(dot(vector, vector));
  if (length > 0) for (let at = 0; at < vector.length; at++) vector[at]! /= length;
  return vector;
}
