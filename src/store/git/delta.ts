// Deltas between two objects: copy and insert instructions that make the target from the base.
// Format: https://git-scm.com/docs/pack-format#_deltified_representation

import { compareRanges } from '../../base/compare-ranges.ts';
import { corrupt, inflateError } from './object-codec.ts';

/** A run of bytes of the target: taken from the base at `from`, or its own when `from` is null. */
interface Piece {
  readonly from: number | null;
  readonly start: number;
  readonly end: number;
}

/**
 * Formats the delta between two versions of a file: their common beginning and end are copied, what lies between is inserted.
 *
 * One comparison, no index: made for what a memory does to its files, which grow at the end or change in one place.
 */
export function formatDelta(base: Buffer, target: Buffer): Buffer {
  const [prefix, suffix] = commonEnds(base, target);
  const end = target.length - suffix;
  return formatPieces(base, target, [
    { from: 0, start: 0, end: prefix },
    { from: null, start: prefix, end },
    { from: base.length - suffix, start: end, end: target.length },
  ]);
}

/** Formats the delta between two trees: entries that both have are copied, wherever they stand. */
export function formatTreeDelta(base: Buffer, target: Buffer): Buffer {
  // Mostly one entry differs. Only those that lie between what both begin and end with are looked up.
  const [prefix, suffix] = commonEnds(base, target);
  const known = new Map<string, number>();
  for (const { start, end } of entriesOf(base)) {
    if (start >= base.length - suffix) break;
    if (end > prefix) known.set(base.toString('latin1', start, end), start);
  }
  const pieces: Piece[] = [];
  let [head, tail] = [0, target.length];
  for (const { start, end } of entriesOf(target)) {
    if (end <= prefix) {
      head = end;
      continue;
    }
    if (start >= target.length - suffix) {
      tail = start;
      break;
    }
    const from = known.get(target.toString('latin1', start, end)) ?? null;
    const last = pieces.at(-1);
    const isNext =
      last && (from === null ? last.from === null : last.from !== null && last.from + start - last.start === from);
    if (isNext) pieces[pieces.length - 1] = { ...last, end };
    else pieces.push({ from, start, end });
  }
  return formatPieces(base, target, [
    { from: 0, start: 0, end: head },
    ...pieces,
    { from: tail + base.length - target.length, start: tail, end: target.length },
  ]);
}

/** Counts the bytes with which both begin, and those with which both end; no byte is in both. */
function commonEnds(base: Buffer, target: Buffer): readonly [prefix: number, suffix: number] {
  const shorter = Math.min(base.length, target.length);
  const prefix = commonPrefix(base, target, shorter);
  return [prefix, commonSuffix(base, target, shorter - prefix)];
}

/** Walks the entries of a tree as byte ranges: mode, space, name, NUL, 20 bytes of object id. */
function* entriesOf(tree: Buffer): Generator<{ start: number; end: number }> {
  for (let start = 0; start < tree.length; ) {
    const name = tree.indexOf(0, start);
    const end = name < 0 ? tree.length : Math.min(tree.length, name + 21);
    yield { start, end };
    start = end;
  }
}

/** Comparing memory is far quicker than looking at bytes. */
const blockBytes = 256;

function commonPrefix(a: Buffer, b: Buffer, length: number): number {
  let position = 0;
  const isSame = (size: number) => compareRanges(a, position, position + size, b, position, position + size) === 0;
  while (position + blockBytes <= length && isSame(blockBytes)) position += blockBytes;
  while (position < length && a[position] === b[position]) position += 1;
  return position;
}

function commonSuffix(a: Buffer, b: Buffer, length: number): number {
  let count = 0;
  const isSame = (size: number) =>
    compareRanges(a, a.length - count - size, a.length - count, b, b.length - count - size, b.length - count) === 0;
  while (count + blockBytes <= length && isSame(blockBytes)) count += blockBytes;
  while (count < length && a[a.length - 1 - count] === b[b.length - 1 - count]) count += 1;
  return count;
}

const maxCopyBytes = 0x10000;
const maxInsertBytes = 127;

function formatPieces(base: Buffer, target: Buffer, pieces: readonly Piece[]): Buffer {
  const parts: Buffer[] = [Buffer.from([...formatSize(base.length), ...formatSize(target.length)])];
  for (const { from, start, end } of pieces) {
    if (from === null) {
      for (let at = start; at < end; at += maxInsertBytes) {
        const bytes = target.subarray(at, Math.min(end, at + maxInsertBytes));
        parts.push(Buffer.from([bytes.length]), bytes);
      }
    } else {
      for (let at = start; at < end; at += maxCopyBytes)
        parts.push(formatCopy(from + at - start, Math.min(end - at, maxCopyBytes)));
    }
  }
  return Buffer.concat(parts);
}

/** Formats a copy: bits of the first byte say which bytes of offset (4) and length (3) follow; length 0 means 65,536. */
function formatCopy(offset: number, length: number): Buffer {
  const bytes = [0x80];
  for (let bit = 0; bit < 4; bit++) {
    const byte = Math.floor(offset / 2 ** (bit * 8)) & 0xff;
    if (byte === 0) continue;
    bytes[0]! |= 1 << bit;
    bytes.push(byte);
  }
  for (let bit = 0; bit < 2 && length !== maxCopyBytes; bit++) {
    const byte = (length >>> (bit * 8)) & 0xff;
    if (byte === 0) continue;
    bytes[0]! |= 16 << bit;
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** Formats a size: 7 bits in each byte, lowest first, high bit = more follow. */
function formatSize(size: number): number[] {
  const bytes: number[] = [];
  let rest = size;
  while (rest >= 0x80) {
    bytes.push((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

/** Applies a delta: copy (offset, length of the base) and insert instructions. */
export function applyDelta(base: Buffer, delta: Buffer, oid: string, maxBytes: number): Buffer {
  let position = 0;
  const readSize = () => {
    let size = 0;
    let byte = 0x80;
    for (let shift = 0; byte & 0x80; shift += 7) {
      byte = delta[position++] ?? 0;
      size += (byte & 0x7f) * 2 ** shift;
    }
    return size;
  };
  if (readSize() !== base.length) throw corrupt(oid);
  const size = readSize();
  if (size > maxBytes) throw inflateError({ code: 'ERR_BUFFER_TOO_LARGE' }, oid, maxBytes);
  const result = Buffer.allocUnsafe(size);
  let written = 0;
  while (position < delta.length) {
    const instruction = delta[position++]!;
    if (instruction & 0x80) {
      let start = 0;
      let length = 0;
      for (let bit = 0; bit < 4; bit++) if (instruction & (1 << bit)) start += delta[position++]! * 2 ** (bit * 8);
      for (let bit = 0; bit < 3; bit++) if (instruction & (16 << bit)) length += delta[position++]! * 2 ** (bit * 8);
      if (length === 0) length = 0x10000;
      if (start + length > base.length || written + length > size) throw corrupt(oid);
      written += base.copy(result, written, start, start + length);
    } else {
      if (instruction === 0 || position + instruction > delta.length || written + instruction > size)
        throw corrupt(oid);
      written += delta.copy(result, written, position, position + instruction);
      position += instruction;
    }
  }
  if (written !== size) throw corrupt(oid);
  return result;
}
