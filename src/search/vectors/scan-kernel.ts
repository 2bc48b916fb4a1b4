// Rows of 8-bit integers and their inner products with one query of 16-bit integers: with SIMD where there is WebAssembly,
// in plain JavaScript otherwise. The sums are integers, so both give the same to the last bit. What they mean, vector-table.ts knows.

import { MemoryError } from '../../errors.ts';
import { scanModuleBytes } from './scan-module.ts';

/** Holds rows of equal length and multiplies them. */
export interface ScanKernel {
  readonly name: 'simd' | 'plain';
  /** Bytes from one row to the next: the dimensions, rounded up to a multiple of 16 with zeros. */
  readonly stride: number;
  /** Makes room for that many rows; what is there stays. */
  reserve(rows: number): void;
  /** The bytes of a row, to be read and written; valid until the next `reserve`. */
  row(at: number): Int8Array;
  /** Copies whole rows, `stride` bytes each, to the rows from `at` on. */
  write(at: number, rows: Int8Array): void;
  /**
   * Computes the inner products of the query with `count` rows from `first` on, at most {@link blockRows}.
   *
   * The query has `stride` numbers, of which the magnitudes add up to at most {@link maxQuerySum}, or 32 bits would overflow.
   * The result is valid until the next call.
   */
  scan(query: Int16Array, first: number, count: number): Int32Array;
}

/** So many rows are scanned at once: their sums stay in the fastest cache until they are looked at. */
export const blockRows = 4096;

/** How large the magnitudes of a query may be in all. */
export const maxQuerySum = Math.floor((2 ** 31 - 1) / 128);

export function strideOf(dimensions: number): number {
  return Math.ceil(dimensions / 16) * 16;
}

/** Gives rows in plain JavaScript. */
export function plainKernel(dimensions: number): ScanKernel {
  const stride = strideOf(dimensions);
  let bytes = new Int8Array(0);
  const sums = new Int32Array(blockRows);
  return {
    name: 'plain',
    stride,
    reserve(rows) {
      if (rows * stride <= bytes.length) return;
      const grown = new Int8Array(Math.max(rows, Math.ceil((bytes.length / stride) * 1.5)) * stride);
      grown.set(bytes);
      bytes = grown;
    },
    row: (at) => bytes.subarray(at * stride, (at + 1) * stride),
    write: (at, rows) => bytes.set(rows, at * stride),
    scan(query, first, count) {
      let offset = first * stride;
      for (let index = 0; index < count; index++) {
        // Four sums: one would make each addition wait for the one before.
        let [a, b, c, d] = [0, 0, 0, 0];
        for (let at = 0; at < stride; at += 4, offset += 4) {
          a += query[at]! * bytes[offset]!;
          b += query[at + 1]! * bytes[offset + 1]!;
          c += query[at + 2]! * bytes[offset + 2]!;
          d += query[at + 3]! * bytes[offset + 3]!;
        }
        sums[index] = a + b + c + d;
      }
      return sums.subarray(0, count);
    },
  };
}

/** The part of WebAssembly used here; the types of ECMAScript and of Node 20 leave it out. */
declare const WebAssembly: {
  validate(bytes: Uint8Array): boolean;
  Module: new (bytes: Uint8Array) => object;
  Memory: new (limits: { initial: number; maximum: number }) => Memory;
  Instance: new (module: object, imports: { e: { m: Memory } }) => { exports: unknown };
};

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

const pageBytes = 65_536;
/** One page below 4 GiB, so that the end of the rows is an address as well. */
const maxPages = 65_535;

let compiled: object | null | undefined;

/** The compiled module; null where WebAssembly is switched off or knows no SIMD. */
function scanModule(): object | null {
  if (compiled === undefined) {
    const bytes = scanModuleBytes();
    const isThere = typeof WebAssembly === 'object' && WebAssembly.validate(bytes);
    compiled = isThere ? new WebAssembly.Module(bytes) : null;
  }
  return compiled;
}

type Scan = (rows: number, query: number, sums: number, end: number, stride: number) => void;

/** Gives rows in the memory of a WebAssembly instance, up to 4 GiB of them; null where that cannot be had. */
export function simdKernel(dimensions: number): ScanKernel | null {
  const module = scanModule();
  if (module === null) return null;
  const stride = strideOf(dimensions);
  //   0        stride × 2      + blockRows × 4
  //   query    sums            rows …
  const sumsAt = stride * 2;
  const rowsAt = sumsAt + blockRows * 4;
  let memory: Memory;
  try {
    memory = new WebAssembly.Memory({ initial: Math.ceil(rowsAt / pageBytes), maximum: maxPages });
  } catch (error) {
    // Each memory reserves address space, which a process can run out of.
    if (error instanceof RangeError) return null;
    throw error;
  }
  const { scan } = new WebAssembly.Instance(module, { e: { m: memory } }).exports as { scan: Scan };
  return {
    name: 'simd',
    stride,
    reserve(rows) {
      const pages = memory.buffer.byteLength / pageBytes;
      const needed = Math.ceil((rowsAt + rows * stride) / pageBytes);
      if (needed <= pages) return;
      const wanted = Math.min(maxPages, Math.max(needed, Math.ceil(pages * 1.5)));
      try {
        memory.grow(wanted - pages);
      } catch (error) {
        throw new MemoryError('TOO_LARGE', `there is no room for ${rows} vectors of ${dimensions} dimensions`, {
          where: 'vectors',
          hint: 'Use an embedder of fewer dimensions, or a process with more memory',
          cause: error,
        });
      }
    },
    row: (at) => new Int8Array(memory.buffer, rowsAt + at * stride, stride),
    write: (at, rows) => new Int8Array(memory.buffer, rowsAt + at * stride, rows.length).set(rows),
    scan(query, first, count) {
      const begin = rowsAt + first * stride;
      new Int16Array(memory.buffer, 0, stride).set(query);
      if (count > 0) scan(begin, 0, sumsAt, begin + count * stride, stride);
      return new Int32Array(memory.buffer, sumsAt, count);
    },
  };
}
