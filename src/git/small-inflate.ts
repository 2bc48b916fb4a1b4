// Inflates what is small: zlib streams of stored blocks and of blocks with the fixed codes, which is what most trees and deltas are.
// Setting up zlib's own inflater costs several times what they do. Format: RFC 1950, RFC 1951.

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

/** Symbol and length of the code (`symbol << 4 | length`) by the next nine bits. */
const fixedCodes = new Uint16Array(512);
/** Symbol of a distance by its five bits. */
const fixedDistances = new Uint8Array(32);

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit++) if (code & (1 << bit)) result |= 1 << (length - 1 - bit);
  return result;
}

// RFC 1951, 3.2.6: literals 0–143 have 8 bits from 0x30, 144–255 nine from 0x190, 256–279 seven from 0, 280–287 eight from 0xc0.
for (let symbol = 0; symbol < 288; symbol++) {
  const length = symbol < 144 ? 8 : symbol < 256 ? 9 : symbol < 280 ? 7 : 8;
  const code =
    symbol < 144
      ? 0x30 + symbol
      : symbol < 256
        ? 0x190 + symbol - 144
        : symbol < 280
          ? symbol - 256
          : 0xc0 + symbol - 280;
  for (let rest = 0; rest < 1 << (9 - length); rest++) {
    fixedCodes[reversed(code, length) | (rest << length)] = (symbol << 4) | length;
  }
}
for (let symbol = 0; symbol < 32; symbol++) fixedDistances[reversed(symbol, 5)] = symbol;

/**
 * Inflates a zlib stream that begins at `start` and holds exactly `size` bytes; gives `null` for one that has other blocks, is cut,
 * damaged or of another size: zlib then says what it is.
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
    if (count < 3) {
      bits |= bytes[place++]! << count;
      count += 8;
    }
    isLast = (bits & 1) === 1;
    const kind = (bits >>> 1) & 3;
    bits >>>= 3;
    count -= 3;
    if (kind === 0) {
      // What is left of a byte is skipped; whole bytes that were taken in are given back.
      place -= count >>> 3;
      bits = 0;
      count = 0;
      const length = bytes[place]! | (bytes[place + 1]! << 8);
      const inverse = bytes[place + 2]! | (bytes[place + 3]! << 8);
      place += 4;
      if ((length ^ inverse) !== 0xffff || written + length > size || place + length > bytes.length) return null;
      for (let i = 0; i < length; i++) output[written++] = bytes[place++]!;
      continue;
    }
    if (kind !== 1) return null;
    for (;;) {
      while (count < 16) {
        // Behind the end come zeros; whoever used them finds no checksum.
        bits |= (bytes[place++] ?? 0) << count;
        count += 8;
      }
      const code = fixedCodes[bits & 511]!;
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
      while (count < 16) {
        bits |= (bytes[place++] ?? 0) << count;
        count += 8;
      }
      const distanceSymbol = fixedDistances[bits & 31]!;
      const distanceBits = distanceExtra[distanceSymbol];
      if (distanceBits === undefined) return null;
      const distance = distanceBase[distanceSymbol]! + ((bits >>> 5) & ((1 << distanceBits) - 1));
      bits >>>= 5 + distanceBits;
      count -= 5 + distanceBits;
      if (distance > written || written + length > size) return null;
      for (let i = 0; i < length; i++, written++) output[written] = output[written - distance]!;
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
