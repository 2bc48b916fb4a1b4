// Inflates what is small, which most objects of a memory and nearly all deltas are: setting up zlib's own inflater, a stream with all its
// parts, costs several times what they do. Format: RFC 1950, RFC 1951.

/** Above this many bytes zlib is the quicker one. */
export const maxSmallBytes = 4096;

const lengthBase = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258,
];
const lengthExtra = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
const distanceBase = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073,
];
const distanceExtra = [0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10];
/** The order in which the lengths of the codes for code lengths stand. */
const lengthOrder = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];

const literalSymbols = 286;
/** Small texts have no longer codes, and a table for all 15 bits would take longer to fill than they take to read. */
const maxCodeBits = 11;

/** Codes as a table: by the next bits, `symbol << 4 | length of its code`; 0 where there is none. */
interface Codes {
  readonly table: Uint16Array;
  bits: number;
}

const fixedLiterals = newCodes(9);
const fixedDistances = newCodes(5);
// Filled anew for each block that brings its own.
const literals = newCodes(maxCodeBits);
const distances = newCodes(maxCodeBits);
const lengthCodes = newCodes(7);
const lengths = new Uint8Array(320);
const counts = new Uint16Array(16);
const nextCodes = new Uint16Array(16);

// RFC 1951, 3.2.6
lengths.fill(8, 0, 144).fill(9, 144, 256).fill(7, 256, 280).fill(8, 280, 288);
fillCodes(fixedLiterals, 0, 288);
lengths.fill(5, 0, 32);
fillCodes(fixedDistances, 0, 32);

function newCodes(bits: number): Codes {
  return { table: new Uint16Array(1 << bits), bits };
}

/** Fills a table from `lengths[from, from + count)`; false for codes that are too long, or too many for their lengths. */
function fillCodes(codes: Codes, from: number, count: number): boolean {
  counts.fill(0);
  for (let symbol = 0; symbol < count; symbol++) counts[lengths[from + symbol]!]! += 1;
  let longest = 15;
  while (longest > 1 && counts[longest] === 0) longest -= 1;
  if (1 << longest > codes.table.length) return false;
  counts[0] = 0;
  let code = 0;
  for (let bits = 1; bits <= longest; bits++) {
    code = (code + counts[bits - 1]!) << 1;
    nextCodes[bits] = code;
    if (code + counts[bits]! > 1 << bits) return false;
  }
  codes.bits = longest;
  codes.table.fill(0, 0, 1 << longest);
  for (let symbol = 0; symbol < count; symbol++) {
    const length = lengths[from + symbol]!;
    if (length === 0) continue;
    // Codes stand with their first bit lowest.
    let place = 0;
    for (let rest = nextCodes[length]!++, bit = 0; bit < length; bit++, rest >>>= 1) place = (place << 1) | (rest & 1);
    for (; place < 1 << longest; place += 1 << length) codes.table[place] = (symbol << 4) | length;
  }
  return true;
}

/**
 * Inflates a zlib stream that begins at `start` and holds exactly `size` bytes; gives `null` for one that is larger, cut, damaged or
 * unusual: zlib then says what it is.
 */
export function inflateSmall(bytes: Uint8Array, start: number, size: number): Buffer | null {
  if (size > maxSmallBytes || bytes.length - start < 8) return null;
  const head = bytes[start]! * 256 + bytes[start + 1]!;
  // Deflate, no preset dictionary, and the check of these two bytes.
  if ((head & 0x0f00) !== 0x0800 || (head & 0x20) !== 0 || head % 31 !== 0) return null;
  const output = Buffer.allocUnsafe(size);
  let written = 0;
  let place = start + 2;
  let bits = 0;
  let count = 0;
  for (let isLast = false; !isLast; ) {
    while (count < 17) {
      // Behind the end come zeros; whoever used them finds no checksum.
      bits |= (bytes[place++] ?? 0) << count;
      count += 8;
    }
    isLast = (bits & 1) === 1;
    const kind = (bits >>> 1) & 3;
    bits >>>= 3;
    count -= 3;
    if (kind === 3) return null;
    if (kind === 0) {
      // What is left of a byte is skipped; whole bytes that were taken in are given back.
      place -= count >>> 3;
      bits = 0;
      count = 0;
      if (place + 4 > bytes.length) return null;
      const length = bytes[place]! | (bytes[place + 1]! << 8);
      const inverse = bytes[place + 2]! | (bytes[place + 3]! << 8);
      place += 4;
      if ((length ^ inverse) !== 0xffff || written + length > size || place + length > bytes.length) return null;
      for (let i = 0; i < length; i++) output[written++] = bytes[place++]!;
      continue;
    }
    let [literal, distance] = [fixedLiterals, fixedDistances];
    if (kind === 2) {
      [literal, distance] = [literals, distances];
      const literalCount = 257 + (bits & 31);
      const distanceCount = 1 + ((bits >>> 5) & 31);
      const lengthCount = 4 + ((bits >>> 10) & 15);
      bits >>>= 14;
      count -= 14;
      lengths.fill(0, 0, 19);
      for (let i = 0; i < lengthCount; i++) {
        if (count < 3) {
          bits |= (bytes[place++] ?? 0) << count;
          count += 8;
        }
        lengths[lengthOrder[i]!] = bits & 7;
        bits >>>= 3;
        count -= 3;
      }
      if (literalCount > literalSymbols || distanceCount > 30 || !fillCodes(lengthCodes, 0, 19)) return null;
      const lengthMask = (1 << lengthCodes.bits) - 1;
      for (let at = 0; at < literalCount + distanceCount; ) {
        while (count < 14) {
          bits |= (bytes[place++] ?? 0) << count;
          count += 8;
        }
        const code = lengthCodes.table[bits & lengthMask]!;
        if (code === 0) return null;
        bits >>>= code & 15;
        count -= code & 15;
        const symbol = code >>> 4;
        if (symbol < 16) {
          lengths[at++] = symbol;
          continue;
        }
        // 16 repeats the last length three to six times, 17 and 18 a zero.
        const extra = symbol === 16 ? 2 : symbol === 17 ? 3 : 7;
        const times = (symbol === 18 ? 11 : 3) + (bits & ((1 << extra) - 1));
        bits >>>= extra;
        count -= extra;
        if ((symbol === 16 && at === 0) || at + times > literalCount + distanceCount) return null;
        lengths.fill(symbol === 16 ? lengths[at - 1]! : 0, at, at + times);
        at += times;
      }
      if (!fillCodes(literals, 0, literalCount) || !fillCodes(distances, literalCount, distanceCount)) return null;
    }
    const [literalTable, literalMask] = [literal.table, (1 << literal.bits) - 1];
    const [distanceTable, distanceMask] = [distance.table, (1 << distance.bits) - 1];
    for (;;) {
      while (count < 16) {
        bits |= (bytes[place++] ?? 0) << count;
        count += 8;
      }
      const code = literalTable[bits & literalMask]!;
      if (code === 0) return null;
      const symbol = code >>> 4;
      bits >>>= code & 15;
      count -= code & 15;
      if (symbol < 256) {
        if (written === size) return null;
        output[written++] = symbol;
        continue;
      }
      if (symbol === 256) break;
      const extra = lengthExtra[symbol - 257];
      if (extra === undefined) return null;
      const length = lengthBase[symbol - 257]! + (bits & ((1 << extra) - 1));
      bits >>>= extra;
      count -= extra;
      while (count < 22) {
        bits |= (bytes[place++] ?? 0) << count;
        count += 8;
      }
      const distanceCode = distanceTable[bits & distanceMask]!;
      const distanceBits = distanceExtra[distanceCode >>> 4];
      if (distanceCode === 0 || distanceBits === undefined) return null;
      bits >>>= distanceCode & 15;
      count -= distanceCode & 15;
      const back = distanceBase[distanceCode >>> 4]! + (bits & ((1 << distanceBits) - 1));
      bits >>>= distanceBits;
      count -= distanceBits;
      if (back > written || written + length > size) return null;
      for (let i = 0; i < length; i++, written++) output[written] = output[written - back]!;
    }
    if (place - (count >>> 3) > bytes.length) return null;
  }
  place -= count >>> 3;
  return written === size && place + 4 <= bytes.length && adler32(output) === readNumber(bytes, place) ? output : null;
}

function readNumber(bytes: Uint8Array, place: number): number {
  return ((bytes[place]! << 24) | (bytes[place + 1]! << 16) | (bytes[place + 2]! << 8) | bytes[place + 3]!) >>> 0;
}

/** The checksum of a zlib stream; of up to 5,552 bytes it needs one division at the end. */
function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let i = 0; i < bytes.length; i++) {
    a += bytes[i]!;
    b += a;
  }
  return (((b % 65521) << 16) | (a % 65521)) >>> 0;
}
