// Rows of 8-bit integers and their inner products with one query of 16-bit integers: with SIMD where there is WebAssembly,
// in plain JavaScript otherwise. The sums are integers, so both give the same to the last bit. What they mean, vector-table.ts knows. The
// WebAssembly module has some hundred bytes, and is written out instruction by instruction.

import { MemoryError } from '../../base/errors.ts';

const i32 = 0x7f;
const v128 = 0x7b;

/** Unsigned LEB128, as all counts and indices of the format are. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

function section(id: number, ...content: number[]): number[] {
  return [id, ...unsigned(content.length), ...content];
}

function name(text: string): number[] {
  return [text.length, ...new TextEncoder().encode(text)];
}

const get = (local: number): number[] => [0x20, local];
const set = (local: number): number[] => [0x21, local];
const constant = (value: 0 | 4 | 16 | 32): number[] => [0x41, value];
const add = [0x6a];
const isLess = [0x49];
const loop = [0x03, 0x40];
const branchIf = [0x0d, 0x00];
const end = [0x0b];
/** Alignment 2^4 and no offset; rows and query begin at multiples of 16. */
const load = [0xfd, 0x00, 0x04, 0x00];
const loadBehind = [0xfd, 0x00, 0x04, 0x10];
const store32 = [0x36, 0x02, 0x00];
const zeros = [0xfd, 0x0c, ...Array<number>(16).fill(0)];
const extendLow = [0xfd, 0x87, 0x01];
const extendHigh = [0xfd, 0x88, 0x01];
const addLanes = [0xfd, 0xae, 0x01];
/** Multiplies eight pairs of 16-bit integers and adds neighbours: four 32-bit sums. */
const dot = [0xfd, 0xba, 0x01];
const lane = (index: number): number[] => [0xfd, 0x1b, index];

/**
 * Assembles `scan(rows, query, sums, end, stride)`, all of them byte addresses but the last, the bytes of a row.
 *
 * ```text
 * do                                    for each row of 8-bit integers
 *   sum = 0 0 0 0
 *   at = 0, in the query: ask = query
 *   do                                  16 components at a time, widened to 16 bits
 *     sum += dot(low half of rows[at], query[ask]) + dot(high half, query[ask + 16])
 *     at += 16, ask += 32
 *   while at < stride
 *   *sums = sum0 + sum1 + sum2 + sum3;  sums += 4, rows += stride
 * while rows < end
 * ```
 *
 * @see https://webassembly.github.io/spec/core/binary/ for the format and the numbers of the instructions.
 */
function scanModuleBytes(): Uint8Array<ArrayBuffer> {
  const [rows, query, sums, endOfRows, stride, at, ask, sum, row] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
  const body = [
    // Beside the five parameters: two integers and two vectors.
    ...[2, 2, i32, 2, v128],
    ...loop,
    ...[...zeros, ...set(sum)],
    ...[...constant(0), ...set(at)],
    ...[...get(query), ...set(ask)],
    ...loop,
    ...[...get(rows), ...get(at), ...add, ...load, ...set(row)],
    ...get(sum),
    ...[...get(row), ...extendLow, ...get(ask), ...load, ...dot],
    ...[...get(row), ...extendHigh, ...get(ask), ...loadBehind, ...dot],
    ...[...addLanes, ...addLanes, ...set(sum)],
    ...[...get(ask), ...constant(32), ...add, ...set(ask)],
    ...[...get(at), ...constant(16), ...add, ...set(at)],
    ...[...get(at), ...get(stride), ...isLess, ...branchIf],
    ...end,
    ...get(sums),
    ...[...get(sum), ...lane(0), ...get(sum), ...lane(1), ...add],
    ...[...get(sum), ...lane(2), ...add, ...get(sum), ...lane(3), ...add],
    ...store32,
    ...[...get(sums), ...constant(4), ...add, ...set(sums)],
    ...[...get(rows), ...get(stride), ...add, ...set(rows)],
    ...[...get(rows), ...get(endOfRows), ...isLess, ...branchIf],
    ...end,
    ...end,
  ];
  return Uint8Array.from([
    ...[0, ...new TextEncoder().encode('asm'), 1, 0, 0, 0],
    ...section(1, 1, 0x60, 5, i32, i32, i32, i32, i32, 0),
    // One memory from outside, of at least one page.
    ...section(2, 1, ...name('e'), ...name('m'), 2, 0, 1),
    ...section(3, 1, 0),
    ...section(7, 1, ...name('scan'), 0, 0),
    ...section(10, 1, ...unsigned(body.length), ...body),
  ]);
}

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
   * The query has `stride` numbers. Their magnitudes add up to at most {@link maxQuerySum}, or 32 bits would overflow.
   * The result is valid until the next call.
   */
  scan(query: Int16Array, first: number, count: number): Int32Array;
}

/** So many rows are scanned at once: their sums stay in the fastest cache until they are looked at. */
export const blockRows = 4096;

/** How large the magnitudes of a query may be in all. */
export const maxQuerySum = Math.floor((2 ** 31 - 1) / 128);

function strideOf(dimensions: number): number {
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
