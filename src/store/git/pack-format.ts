// The bytes of a pack of given entries and of its index, format version 2. Where they are put is pack-writer.ts.
// Format: https://git-scm.com/docs/pack-format

import { createHash } from 'node:crypto';
import { constants } from 'node:zlib';
import { type Steps, toEnd } from '../../base/steps.ts';
import { crc32 } from './crc32.ts';
import { deflate, type NewObject, type ObjectType } from './object-codec.ts';

const typeNumbers: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** One object as a pack has it: header and deflated content. */
export interface PackEntry {
  readonly oid: string;
  readonly bytes: Buffer;
}

export function formatPackEntry(object: NewObject): PackEntry {
  const header = formatEntryHeader(typeNumbers[object.type], object.data.length);
  return { oid: object.oid, bytes: Buffer.concat([header, bodyOf(object)]) };
}

/** Trees and commits are mostly object ids, which do not compress; a join soon makes deltas of those that are larger. */
function bodyOf({ type, data }: NewObject): Buffer {
  if (type !== 'blob' && data.length <= maxStoredBytes) return formatStored(data);
  return type === 'tree' && data.length <= maxPlainTreeBytes
    ? deflate(data, constants.Z_NO_COMPRESSION)
    : deflate(data);
}

/** Formats one object as a delta of another that must be in the same pack (REF_DELTA). */
export function formatDeltaEntry(oid: string, baseOid: string, delta: Buffer): PackEntry {
  return { oid, bytes: formatNamedDelta(delta.length, baseOid, deflate(delta)) };
}

/** Formats an entry that names its base, of a delta of `size` bytes that is deflated already. */
export const formatNamedDelta = (size: number, baseOid: string, deflated: Buffer): Buffer =>
  Buffer.concat([formatEntryHeader(7, size), Buffer.from(baseOid, 'hex'), deflated]);

/** Setting a deflater up costs more than these bytes are worth. */
const maxStoredBytes = 1024;
const maxPlainTreeBytes = 256 << 10;

/** Formats a zlib stream of one stored block (RFC 1950, RFC 1951 §3.2.4): header, length, its complement, data, Adler-32. */
function formatStored(data: Buffer): Buffer {
  const stream = Buffer.allocUnsafe(data.length + 11);
  stream.writeUInt16BE(0x7801, 0);
  stream[2] = 1;
  stream.writeUInt16LE(data.length, 3);
  stream.writeUInt16LE(~data.length & 0xffff, 5);
  data.copy(stream, 7);
  let low = 1;
  let high = 0;
  for (const byte of data) {
    low = (low + byte) % 65521;
    high = (high + low) % 65521;
  }
  stream.writeUInt32BE(high * 65536 + low, data.length + 7);
  return stream;
}

/** Formats type and size: 4 bits of size in the first byte, 7 in each further one, high bit = more follow. */
function formatEntryHeader(typeNumber: number, size: number): Buffer {
  const bytes: number[] = [];
  let current = (typeNumber << 4) | (size & 15);
  let rest = Math.floor(size / 16);
  while (rest > 0) {
    bytes.push(current | 0x80);
    current = rest & 0x7f;
    rest = Math.floor(rest / 128);
  }
  bytes.push(current);
  return Buffer.from(bytes);
}

/** A whole pack and its index. */
export interface FormattedPack {
  /** The bytes of the pack from the first to the last; a chunk holds until the next is asked for. */
  chunks(): Iterable<Uint8Array>;
  readonly packBytes: number;
  readonly index: Buffer;
  /** The last twenty bytes of the pack. */
  readonly checksum: Buffer;
}

export function formatPackHead(count: number): Buffer {
  const head = Buffer.alloc(12);
  head.write('PACK', 'latin1');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  return head;
}

/** Formats a pack of a few entries, which are in memory anyway. */
export function formatPack(entries: readonly PackEntry[]): FormattedPack & { readonly pack: Buffer } {
  const located: LocatedEntry[] = [];
  let offset = 12;
  for (const { oid, bytes } of entries) {
    located.push({ oid, offset, crc: crc32(bytes) });
    offset += bytes.length;
  }
  const body = Buffer.concat([formatPackHead(entries.length), ...entries.map(({ bytes }) => bytes)], offset + 20);
  const checksum = createHash('sha1').update(body.subarray(0, offset)).digest();
  checksum.copy(body, offset);
  const index = formatPackIndex(located, checksum);
  return { pack: body, chunks: () => [body], packBytes: body.length, index, checksum };
}

/** Where an object is in a pack, and the checksum of its entry there. */
export interface LocatedEntry {
  readonly oid: string;
  readonly offset: number;
  readonly crc: number;
}

interface IndexedEntries {
  readonly count: number;
  /** How many stand at 2 GiB or beyond. */
  readonly largeCount: number;
  /** Lists runs of them: no name of a run comes before one of an earlier run, and within a run they have no order. */
  runs(): Iterable<LocatedEntry[]>;
}

export function formatPackIndex(located: readonly LocatedEntry[], packChecksum: Buffer): Buffer {
  const largeCount = located.filter(({ offset }) => offset >= largeOffset).length;
  return toEnd(formatIndexInSteps({ count: located.length, largeCount, runs: () => [[...located]] }, packChecksum));
}

/** Offsets from here on have a table of their own. */
export const largeOffset = 0x80000000;
/** So many entries, or so many bytes to hash, take about as long as one step of other work on packs. */
const entriesPerStep = 16;
const hashedPerStep = 8192;

/*
 * Index, version 2:  magic 4 · version 4 · fan-out 256×4 · names n×20 · crc n×4 · offsets n×4 · large offsets · 2 checksums
 */
export function* formatIndexInSteps({ count, largeCount, runs }: IndexedEntries, packChecksum: Buffer): Steps<Buffer> {
  const index = Buffer.alloc(8 + 1024 + count * 28 + largeCount * 8 + 40);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  const names = 8 + 1024;
  const [checksums, offsets] = [names + count * 20, names + count * 24];
  let position = 0;
  let large = 0;
  const ofByte = new Uint32Array(256);
  for (const run of runs()) {
    for (const { oid, crc, offset } of run.sort((a, b) => (a.oid < b.oid ? -1 : 1))) {
      index.write(oid, names + position * 20, 'hex');
      index.writeUInt32BE(crc, checksums + position * 4);
      const isLarge = offset >= largeOffset;
      index.writeUInt32BE(isLarge ? largeOffset + large : offset, offsets + position * 4);
      if (isLarge) index.writeBigUInt64BE(BigInt(offset), offsets + count * 4 + 8 * large++);
      ofByte[index[names + position * 20]!]! += 1;
      position += 1;
    }
    if (run.length > 0) yield Math.ceil(run.length / entriesPerStep);
  }
  for (let byte = 0, names = 0; byte < 256; byte++) {
    names += ofByte[byte]!;
    index.writeUInt32BE(names, 8 + byte * 4);
  }
  const end = index.length - 40;
  packChecksum.copy(index, end);
  const hash = createHash('sha1');
  for (let start = 0; start < end + 20; start += hashedPerStep) {
    hash.update(index.subarray(start, Math.min(start + hashedPerStep, end + 20)));
    yield 1;
  }
  hash.digest().copy(index, end + 20);
  return index;
}
