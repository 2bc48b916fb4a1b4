// Takes the middle out of long strings in the bytes of a JSON value, before it is parsed. Of what a tool answered only the beginning and the end are
// looked at (core/capture/tool-lines.ts). To parse megabytes and throw them away is most of what reading them costs.

import { mostLookedAt } from '../../core/capture/tool-lines.ts';

const [quote, backslash, unicode] = [0x22, 0x5c, 0x75];
/** A string of more bytes is cut; so many characters stay at either end: more than are looked at. */
const longest = 1 << 20;
const kept = mostLookedAt + 1;
const farthest = 4096;

/** Takes out the middle of every long string of JSON, in place, and gives the bytes that are left. What does not end is as it is. */
export function cutLongStrings(bytes: Buffer): Buffer {
  let [from, filled] = [0, 0];
  for (let at = bytes.indexOf(quote); at >= 0; ) {
    const end = endOf(bytes, at + 1);
    if (end < 0) break;
    if (end - at > longest) {
      const head = placeAfter(bytes, at + 1, end);
      const tail = tailOf(bytes, head, end);
      if (tail > head) {
        filled += bytes.copy(bytes, filled, from, head);
        from = tail;
      }
    }
    at = bytes.indexOf(quote, end + 1);
  }
  return from === 0 ? bytes : bytes.subarray(0, filled + bytes.copy(bytes, filled, from));
}

/** Finds the quote that closes a string: before it stands an even number of backslashes. */
function endOf(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(quote, start); at >= 0; at = bytes.indexOf(quote, at + 1)) {
    let before = at - 1;
    while (before >= start && bytes[before] === backslash) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return -1;
}

/** Bytes 10…… go on with a character. */
const isWithin = (byte: number): boolean => (byte & 0xc0) === 0x80;

/** Gives the place behind as many characters as are kept, or the end where there are no more. */
function placeAfter(bytes: Buffer, start: number, end: number): number {
  let at = start;
  for (let count = 0; at < end && (count < kept || isWithin(bytes[at]!)); ) {
    const byte = bytes[at]!;
    if (!isWithin(byte)) count += 1;
    at += byte !== backslash ? 1 : bytes[at + 1] === unicode ? 6 : 2;
  }
  return Math.min(at, end);
}

/** Gives a place that as many characters follow as are kept; 0 where it would be before another. */
function tailOf(bytes: Buffer, head: number, end: number): number {
  for (let size = kept; end - size > head; size += kept) {
    const tail = borderAt(bytes, end - size);
    if (tail === 0 || placeAfter(bytes, tail, end) < end) return tail;
  }
  return 0;
}

/** Gives the first place from one on that is within no character and no escape; 0 where none is near. No escape is longer than `\u0000`. */
function borderAt(bytes: Buffer, from: number): number {
  for (let at = from; at < from + farthest; at++)
    if (!isWithin(bytes[at]!) && !bytes.subarray(at - 6, at).includes(backslash)) return at;
  return 0;
}
