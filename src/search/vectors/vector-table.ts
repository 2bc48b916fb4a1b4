// A table of vectors in memory and the search for those nearest to a query. It knows rows, not texts: see vector-cache.ts.

import { MemoryError } from '../../base/errors.ts';
import { LargestValues } from '../../base/largest-values.ts';
import { blockRows, maxQuerySum, plainKernel, type ScanKernel, simdKernel } from './scan-kernel.ts';

/** Integers that, times `scale`, are a vector. */
export interface Quantised<Integers> {
  readonly integers: Integers;
  readonly scale: number;
}

/**
 * Writes a vector as 8-bit integers into `target`, which may be longer, and gives the factor.
 *
 * The largest component becomes 127, so each is off by at most half of `scale`: symmetric linear quantisation, one factor per vector.
 * A vector of zeros has the factor 0.
 */
function quantiseInto(target: Int8Array, vector: Float32Array): number {
  let largest = 0;
  for (let at = 0; at < vector.length; at++) largest = Math.max(largest, Math.abs(vector[at]!));
  // Kept as 32 bits on disk: computing with the rounded factor gives the same before and after.
  const scale = Math.fround(largest / 127);
  target.fill(0);
  if (scale === 0) return 0;
  for (let at = 0; at < vector.length; at++) {
    target[at] = Math.max(-127, Math.min(127, Math.round(vector[at]! / scale)));
  }
  return scale;
}

/** Writes a query as 16-bit integers, `stride` of them, as finely as the sums of a scan allow. */
function quantiseQuery(query: Float32Array, stride: number): Quantised<Int16Array> {
  let largest = 0;
  let sum = 0;
  for (let at = 0; at < query.length; at++) {
    const magnitude = Math.abs(query[at]!);
    largest = Math.max(largest, magnitude);
    sum += magnitude;
  }
  const integers = new Int16Array(stride);
  // Rounding may add a half to each component.
  const scale = Math.max(largest / 32_767, sum / (maxQuerySum - query.length));
  if (scale > 0) for (let at = 0; at < query.length; at++) integers[at] = Math.round(query[at]! / scale);
  return { integers, scale };
}

/** A row found, and its inner product with the query: the cosine, for vectors of unit length. */
export interface VectorMatch {
  readonly row: number;
  readonly score: number;
}

/** So many rows stay in a usual cache of the second level until all queries have seen them. */
const nearRows = blockRows / 4;

/** What to search for. */
export interface VectorQuery {
  /** How many rows to give; those that tie with the last of them come too. */
  readonly limit: number;
  /** Only rows above this score count; default 0, which vectors with nothing in common have. */
  readonly minScore?: number;
  /** Is asked for the rows that score well enough, not for all. */
  readonly isWanted?: (row: number) => boolean;
}

/**
 * Keeps vectors as 8-bit integers and finds the nearest by looking at all of them.
 *
 * Scores are exact for the vectors as kept. A scan in integers bounds each score from both sides. Every row that could be among the
 * best is then multiplied with the query as it was given. Which rows are found does not depend on how they came in.
 */
export class VectorTable {
  readonly dimensions: number;
  readonly #kernel: ScanKernel;
  #scales = new Float32Array(64);
  #size = 0;

  /** `kernel`: default SIMD where it can be had. */
  constructor(dimensions: number, kernel: ScanKernel = simdKernel(dimensions) ?? plainKernel(dimensions)) {
    this.dimensions = dimensions;
    this.#kernel = kernel;
  }

  /** The number of rows. */
  get size(): number {
    return this.#size;
  }

  /** How rows are scanned here. */
  get kernel(): ScanKernel['name'] {
    return this.#kernel.name;
  }

  /** Puts a vector into a row: one that is there, or the next, `size`. */
  set(row: number, vector: Float32Array): void {
    if (vector.length !== this.dimensions) throw this.#misfit(vector.length);
    this.#makeRoom(row, 1);
    this.#scales[row] = quantiseInto(this.#kernel.row(row), vector);
    this.#size = Math.max(this.#size, row + 1);
  }

  /** Adds a vector and gives its row. */
  add(vector: Float32Array): number {
    const row = this.#size;
    this.set(row, vector);
    return row;
  }

  /** Adds rows as {@link integersOf} gave them; returns the first row. `integers` holds `dimensions` per vector. */
  addQuantised(integers: Int8Array, scales: Float32Array): number {
    const first = this.#size;
    const { stride } = this.#kernel;
    this.#makeRoom(first, scales.length);
    if (stride === this.dimensions) this.#kernel.write(first, integers);
    else {
      for (let index = 0; index < scales.length; index++) {
        this.#kernel.write(first + index, integers.subarray(index * this.dimensions, (index + 1) * this.dimensions));
      }
    }
    this.#scales.set(scales, first);
    this.#size += scales.length;
    return first;
  }

  /** Gives the integers of a row, `dimensions` of them; not to be changed, and valid until the next addition. */
  integersOf(row: number): Int8Array {
    return this.#kernel.row(row).subarray(0, this.dimensions);
  }

  /** Gives the factor that makes the integers of a row its vector. */
  scaleOf(row: number): number {
    return this.#scales[row]!;
  }

  /** Gives the vector of a row as it is kept. */
  vectorOf(row: number): Float32Array {
    const scale = this.scaleOf(row);
    const vector = Float32Array.from(this.integersOf(row));
    for (let at = 0; at < vector.length; at++) vector[at]! *= scale;
    return vector;
  }

  /** Computes the inner product of a query and the vector that is kept in a row. */
  scoreOf(query: Float32Array, row: number): number {
    const integers = this.#kernel.row(row);
    let sum = 0;
    for (let at = 0; at < query.length; at++) sum += query[at]! * integers[at]!;
    return sum * this.#scales[row]!;
  }

  /**
   * Computes the inner products of queries with every row, by the scan alone. Queries are rounded to 16 bits. The result is the same to
   * the last bit on every machine and in every order of rows.
   *
   * Several queries go through the rows together: a block of rows comes out of main memory once. `into` takes the scores, an array of at least
   * `size` for each query.
   */
  scoreAll(queries: readonly Float32Array[], into: readonly Float64Array[]): void {
    const quantised = queries.map((query) => {
      if (query.length !== this.dimensions) throw this.#misfit(query.length);
      return quantiseQuery(query, this.#kernel.stride);
    });
    const factors = this.#scales;
    for (let first = 0; first < this.#size; first += nearRows) {
      const count = Math.min(nearRows, this.#size - first);
      for (const [number, { integers, scale }] of quantised.entries()) {
        const scores = into[number]!;
        const factor = scale;
        const sums = this.#kernel.scan(integers, first, count);
        for (let index = 0; index < count; index++) {
          scores[first + index] = sums[index]! * factor * factors[first + index]!;
        }
      }
    }
  }

  /** Finds the rows nearest to a query, best first. */
  search(query: Float32Array, { limit, minScore = 0, isWanted = () => true }: VectorQuery): VectorMatch[] {
    if (query.length !== this.dimensions) throw this.#misfit(query.length);
    const { integers, scale } = quantiseQuery(query, this.#kernel.stride);
    const reach = reachOf(query, integers, scale);
    const best = new LargestValues(limit);
    const candidates: { row: number; most: number }[] = [];
    for (let first = 0; first < this.#size; first += blockRows) {
      const sums = this.#kernel.scan(integers, first, Math.min(blockRows, this.#size - first));
      for (let index = 0; index < sums.length; index++) {
        const factor = this.#scales[first + index]!;
        const middle = sums[index]! * scale * factor;
        const most = middle + reach * factor;
        if (most < best.least || most <= minScore || !isWanted(first + index)) continue;
        candidates.push({ row: first + index, most });
        best.add(middle - reach * factor);
      }
    }
    const matches = candidates
      .filter(({ most }) => most >= best.least)
      .map(({ row }) => ({ row, score: this.scoreOf(query, row) }))
      .filter(({ score }) => score > minScore)
      .sort((one, other) => other.score - one.score || one.row - other.row);
    const last = matches[limit - 1]?.score ?? Number.NEGATIVE_INFINITY;
    const count = matches.findIndex(({ score }) => score < last);
    return count < 0 ? matches : matches.slice(0, count);
  }

  #makeRoom(row: number, count: number): void {
    this.#kernel.reserve(row + count);
    if (row + count <= this.#scales.length) return;
    const grown = new Float32Array(Math.max(row + count, this.#scales.length * 2));
    grown.set(this.#scales);
    this.#scales = grown;
  }

  #misfit(length: number): MemoryError {
    return new MemoryError('EMBEDDING_FAILED', `a vector has ${length} dimensions, not ${this.dimensions}`, {
      where: 'vectors',
    });
  }
}

/**
 * Bounds by how much a sum of the scan can be off, per unit of a row's factor.
 *
 * Let e be what rounding took from the query. A row of n has integers of at most 127, so its part is at most
 * ‖e‖ · ‖row‖ ≤ ‖e‖ · 127 · √n by Cauchy and Schwarz. A millionth more covers the rounding of these numbers themselves.
 */
function reachOf(query: Float32Array, integers: Int16Array, scale: number): number {
  let square = 0;
  let length = 0;
  for (let at = 0; at < query.length; at++) {
    square += (query[at]! - integers[at]! * scale) ** 2;
    length += query[at]! ** 2;
  }
  return (Math.sqrt(square) + 1e-12 * Math.sqrt(length)) * 127 * Math.sqrt(query.length) * (1 + 1e-6);
}
