// The WebAssembly module that multiplies one query with many rows: some hundred bytes, written out instruction by instruction.
// What is scanned, and what the sums mean, stands in scan-kernel.ts.

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
export function scanModuleBytes(): Uint8Array<ArrayBuffer> {
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
