import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../../src/base/errors.ts';
import {
  blockRows,
  maxQuerySum,
  plainKernel,
  type ScanKernel,
  simdKernel,
} from '../../../src/search/vectors/scan-kernel.ts';
import { VectorTable } from '../../../src/search/vectors/vector-table.ts';

/** Uniform numbers from 0 to 1, the same in every run. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Vectors of unit length: dense ones, or ones with a few components, as hashing gives. */
function vectors(count: number, dimensions: number, seed: number, share = 1): Float32Array[] {
  const next = numbers(seed);
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, () =>
      next() < share ? next() + next() + next() - 1.5 : 0,
    );
    const length = Math.hypot(...vector) || 1;
    return vector.map((component) => component / length);
  });
}

function exactly(table: VectorTable, query: Float32Array, isWanted: (row: number) => boolean = () => true) {
  return Array.from({ length: table.size }, (_, row) => ({ row, score: table.scoreOf(query, row) }))
    .filter(({ row, score }) => score > 0 && isWanted(row))
    .sort((one, other) => other.score - one.score || one.row - other.row);
}

const simd = simdKernel(16);

describe('the two kernels', () => {
  it('are both there on this Node', () => {
    expect(simd?.name).toBe('simd');
    expect(plainKernel(16).name).toBe('plain');
  });

  it('give the same sums to the last bit, whatever the integers', () => {
    const int8 = fc.integer({ min: -128, max: 127 });
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 70 }).chain((dimensions) =>
          fc.record({
            dimensions: fc.constant(dimensions),
            rows: fc.array(fc.array(int8, { minLength: dimensions, maxLength: dimensions }), { maxLength: 9 }),
            query: fc.array(fc.integer({ min: -32_768, max: 32_767 }), {
              minLength: dimensions,
              maxLength: dimensions,
            }),
            first: fc.nat(3),
          }),
        ),
        ({ dimensions, rows, query, first }) => {
          const sums = [simdKernel(dimensions)!, plainKernel(dimensions)].map((kernel) => {
            const skipped = Math.min(first, rows.length);
            kernel.reserve(rows.length);
            for (const [at, row] of rows.entries()) kernel.row(at).set(row);
            const asked = new Int16Array(kernel.stride);
            asked.set(query);
            return [...kernel.scan(asked, skipped, rows.length - skipped)];
          });
          expect(sums[0]).toEqual(sums[1]);
          const product = (row: number[]) => row.reduce((sum, value, at) => sum + value * query[at]!, 0);
          expect(sums[0]).toEqual(rows.slice(Math.min(first, rows.length)).map(product));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('do not overflow with the largest sums that a query may have', () => {
    const dimensions = 2048;
    const each = Math.floor(maxQuerySum / dimensions);
    for (const kernel of [simdKernel(dimensions)!, plainKernel(dimensions)]) {
      kernel.reserve(1);
      kernel.row(0).fill(-128);
      const query = new Int16Array(dimensions).fill(each);
      expect(kernel.scan(query, 0, 1)[0]).toBe(-128 * each * dimensions);
    }
  });
});

describe.each([
  ['simd', simdKernel],
  ['plain', plainKernel],
] as const)('a table with the %s kernel', (name, kernelOf) => {
  const tableOf = (dimensions: number, all: readonly Float32Array[]) => {
    const table = new VectorTable(dimensions, kernelOf(dimensions) as ScanKernel);
    for (const vector of all) table.add(vector);
    return table;
  };

  it('finds exactly the best, through several blocks', () => {
    const table = tableOf(48, vectors(blockRows * 2 + 77, 48, 1));
    expect(table.kernel).toBe(name);
    for (const query of vectors(8, 48, 2)) {
      expect(table.search(query, { limit: 10 })).toEqual(exactly(table, query).slice(0, 10));
    }
  });

  it('finds exactly the best among sparse vectors with many ties', () => {
    const all = vectors(3000, 1024, 3, 0.01);
    const table = tableOf(1024, [...all, ...all.slice(0, 500)]);
    for (const query of vectors(5, 1024, 4, 0.02)) {
      const matches = table.search(query, { limit: 7 });
      const expected = exactly(table, query);
      const cut = expected[6]?.score ?? 0;
      expect(matches).toEqual(expected.filter(({ score }) => score >= cut));
    }
  });

  it('finds the same whatever the order of the rows', () => {
    const all = vectors(700, 40, 5);
    const [one, other] = [tableOf(40, all), tableOf(40, [...all].reverse())];
    const query = vectors(1, 40, 6)[0]!;
    const found = one.search(query, { limit: 20 }).map(({ row }) => row);
    expect(other.search(query, { limit: 20 }).map(({ row }) => 699 - row)).toEqual(found);
  });

  it('scores all rows to within the rounding of the query', () => {
    const table = tableOf(384, vectors(5000, 384, 12));
    const query = vectors(1, 384, 13)[0]!;
    const scores = new Float64Array(table.size);
    table.scoreAll([query], [scores]);
    expect(scores).toHaveLength(5000);
    for (let row = 0; row < 5000; row++) expect(Math.abs(scores[row]! - table.scoreOf(query, row))).toBeLessThan(1e-5);
  });

  it('asks for no more rows than could be wanted, and gives wanted ones only', () => {
    const table = tableOf(32, vectors(20_000, 32, 7));
    const query = vectors(1, 32, 8)[0]!;
    let asked = 0;
    const isWanted = (row: number) => {
      asked += 1;
      return row % 3 === 0;
    };
    expect(table.search(query, { limit: 5, isWanted })).toEqual(
      exactly(table, query, (row) => row % 3 === 0).slice(0, 5),
    );
    expect(asked).toBeLessThan(1000);
  });

  it('keeps a vector within half of its factor, and a vector of zeros as it is', () => {
    const table = tableOf(20, [...vectors(50, 20, 9), new Float32Array(20)]);
    for (const [row, vector] of vectors(50, 20, 9).entries()) {
      const kept = table.vectorOf(row);
      for (let at = 0; at < 20; at++) {
        expect(Math.abs(kept[at]! - vector[at]!)).toBeLessThanOrEqual(table.scaleOf(row) * 0.5000001);
      }
    }
    expect([...table.vectorOf(50)]).toEqual(Array(20).fill(0));
    expect(table.search(new Float32Array(20), { limit: 3 })).toEqual([]);
  });

  it('replaces a row in place, and takes rows over from another table', () => {
    const all = vectors(6, 20, 10);
    const table = tableOf(20, all.slice(0, 5));
    table.set(2, all[5]!);
    expect(table.size).toBe(5);
    expect(table.search(all[5]!, { limit: 1 })[0]?.row).toBe(2);

    const integers = new Int8Array(5 * 20);
    const scales = new Float32Array(5);
    for (let row = 0; row < 5; row++) {
      integers.set(table.integersOf(row), row * 20);
      scales[row] = table.scaleOf(row);
    }
    const copy = tableOf(20, all.slice(0, 1));
    expect(copy.addQuantised(integers, scales)).toBe(1);
    expect(copy.size).toBe(6);
    expect([...copy.vectorOf(3)]).toEqual([...table.vectorOf(2)]);
  });

  it('refuses vectors of other dimensions', () => {
    const table = tableOf(20, vectors(1, 20, 11));
    expect(() => table.add(new Float32Array(21))).toThrow(MemoryError);
    expect(() => table.search(new Float32Array(19), { limit: 1 })).toThrow('a vector has 19 dimensions, not 20');
    expect(table.size).toBe(1);
  });
});
