// Reads one pack through its index: binary search by name, whole objects and both kinds of deltas.
// Format: https://git-scm.com/docs/pack-format

import { createHash } from 'node:crypto';
import { constants, inflateSync } from 'node:zlib';
import { attempt, MemoryError } from '../../base/errors.ts';
import { maxDeltaWorkBytes } from '../guard/limits.ts';
import { BoundedCache } from './bounded-cache.ts';
import { crc32 } from './crc32.ts';
import { applyDelta } from './delta.ts';
import type { Disk } from './disk.ts';
import { unsafeFile } from './file-errors.ts';
import {
  compressBound,
  corrupt,
  type GitObject,
  inflateError,
  type ObjectType,
  ownBytes,
  unstored,
} from './object-codec.ts';
import { formatNamedDelta } from './pack-format.ts';
import { findOid, lowerBoundOf } from './sorted-oids.ts';

/** Packs up to this size are read into memory at once; larger ones piece by piece. */
const slurpBytes = 32 << 20;
/** And not before so many reads: a short question needs a few objects of a pack. */
const readsBeforeSlurp = 64;
const maxDeltaDepth = 4096;
/** Where stored bytes of packs that are not held are read to. */
const scratch = Buffer.allocUnsafe(64 << 10);
const types: (ObjectType | null)[] = [null, 'commit', 'tree', 'blob', 'tag'];

/** Remembers inflated delta bases, weighed in bytes; shared by all packs of a repository. */
type DeltaBaseCache = BoundedCache<GitObject, number>;

function keep(cache: DeltaBaseCache, key: number, { type, data }: GitObject): void {
  cache.set(key, { type, data: ownBytes(data) }, data.length);
}

export const newDeltaBaseCache = (): DeltaBaseCache => new BoundedCache(64 << 20);

/** An entry as its pack holds it. `size` is that of the inflated content: the object, or the delta. */
interface StoredEntry {
  /** Its row in the index. */
  readonly position: number;
  readonly offset: number;
  readonly length: number;
  /** 1 to 4 for an object, 6 (OFS_DELTA) or 7 (REF_DELTA). */
  readonly typeNumber: number;
  readonly size: number;
  /** Where the index has the base of a delta; -1 where another pack holds it. */
  readonly base: number;
  /** The name of a base in another pack. */
  readonly farBase: string | null;
}

/** Gives stored bytes of a pack; they hold until the next are asked for. */
type StoredBytesReader = (pack: PackReader, offset: number, length: number) => Buffer;

/** What this process wrote just now: the index, the length of the pack, and its bytes where they are at hand. */
export interface WrittenPack {
  readonly index: Buffer;
  readonly packBytes: number;
  readonly pack?: Buffer;
}

/** How many keys of the cache have been given away: as many to each pack as it has bytes, which stays exact for 9 petabytes. */
let keyCount = 0;

/** Resolves the base of a REF_DELTA, which may lie in another pack. */
type BaseReader = (oid: string) => GitObject;

export class PackReader {
  readonly name: string;
  readonly directory: string;
  readonly count: number;
  readonly packBytes: number;
  private readonly disk: Disk;
  private readonly index: Buffer;
  private readonly path: string;
  private readonly slurpBytes: number;
  private content: Buffer | null = null;
  private descriptor: number | null = null;
  private readCount = 0;
  /** Keys of the cache that all packs share: places in a pack, each pack's above those of the one before. */
  private readonly firstKey: number;

  /**
   * Opens `<directory>/<name>.idx` and `.pack`; throws OBJECT_CORRUPT when the index is damaged.
   *
   * `written` spares reading back what this process wrote just now; packs larger than `slurpBytes` are read piece by piece.
   */
  constructor(
    disk: Disk,
    directory: string,
    name: string,
    options: { written?: WrittenPack; slurpBytes?: number } = {},
  ) {
    const { written } = options;
    this.disk = disk;
    this.name = name;
    this.directory = directory;
    this.path = `${directory}/${name}.pack`;
    this.slurpBytes = Math.min(slurpBytes, options.slurpBytes ?? slurpBytes);
    this.firstKey = keyCount;
    if (written) {
      this.index = written.index;
      this.content = written.pack ?? null;
      this.packBytes = written.packBytes;
      this.count = written.index.readUInt32BE(8 + 255 * 4);
      keyCount += this.packBytes;
      return;
    }
    const index = disk.read(`${directory}/${name}.idx`);
    const stat = disk.stat(this.path);
    if (index === null || stat === null) throw packGone(this.path);
    if (!stat.isFile) throw unsafeFile(this.path);
    this.index = index;
    this.packBytes = stat.size;
    keyCount += this.packBytes;
    const isVersion2 = index.length >= 1072 && index.readUInt32BE(0) === 0xff744f63 && index.readUInt32BE(4) === 2;
    this.count = isVersion2 ? index.readUInt32BE(8 + 255 * 4) : 0;
    const checksum = index.subarray(index.length - 20);
    const isWhole =
      isVersion2 &&
      index.length >= 1072 + this.count * 28 &&
      this.isFanOutInOrder() &&
      createHash('sha1').update(index.subarray(0, -20)).digest().equals(checksum);
    if (!isWhole) {
      throw new MemoryError('OBJECT_CORRUPT', 'a pack index is damaged or of a version other than 2', {
        where: `${directory}/${name}.idx`,
        hint: '`git memory doctor --fix` makes a new index from the pack beside it',
      });
    }
  }

  /** How much memory the whole pack takes, or will take when it is first read; 0 when it is read piece by piece. */
  get slurpedBytes(): number {
    return this.packBytes <= this.slurpBytes ? this.packBytes : 0;
  }

  private isFanOutInOrder(): boolean {
    let before = 0;
    for (let at = 8; at < 8 + 256 * 4; at += 4) {
      const count = this.index.readUInt32BE(at);
      if (count < before) return false;
      before = count;
    }
    return true;
  }

  close(): void {
    if (this.descriptor !== null) this.disk.fs.closeSync(this.descriptor);
    this.descriptor = null;
    this.content = null;
  }

  /** Lets go of the bytes that are held of the pack where hardly any were read since the last call. */
  releaseUnread(): void {
    if (this.readCount <= readsBeforeSlurp) this.content = null;
    this.readCount = 0;
  }

  oidAt(position: number): string {
    return this.index.toString('hex', 1032 + position * 20, 1052 + position * 20);
  }

  /** The name of an object as 20 bytes, in place. */
  nameAt(position: number): Buffer {
    return this.index.subarray(1032 + position * 20, 1052 + position * 20);
  }

  /** The checksum of an entry. */
  crcAt(position: number): number {
    return this.index.readUInt32BE(1032 + this.count * 20 + position * 4);
  }

  /** Gives the offset of an object in the pack, or -1. */
  find(oid: string): number {
    const position = this.positionOf(Buffer.from(oid, 'hex'));
    return position < 0 ? -1 : this.offsetAt(position);
  }

  /** Gives the row of the index that has a name of 20 bytes, or -1. */
  positionOf(name: Buffer): number {
    return findOid(this.index, 1032, ...this.rangeOf(name[0]!), name);
  }

  /** Lists the names that begin with some hex digits. */
  withPrefix(prefix: string): string[] {
    const found: string[] = [];
    for (let position = this.lowerBound(prefix.padEnd(40, '0')); position < this.count; position++) {
      const oid = this.oidAt(position);
      if (!oid.startsWith(prefix)) break;
      found.push(oid);
    }
    return found;
  }

  private lowerBound(oid: string): number {
    const wanted = Buffer.from(oid, 'hex');
    return lowerBoundOf(this.index, 1032, ...this.rangeOf(wanted[0]!), wanted);
  }

  /** The positions of names that begin with a byte. */
  rangeOf(first: number): [number, number] {
    return [first === 0 ? 0 : this.index.readUInt32BE(4 + first * 4), this.index.readUInt32BE(8 + first * 4)];
  }

  offsetAt(position: number): number {
    const offset = this.index.readUInt32BE(1032 + this.count * 24 + position * 4);
    if (offset < 0x80000000) return offset;
    if (1072 + this.count * 28 + (offset - 0x80000000) * 8 + 8 > this.index.length) throw corrupt(this.oidAt(position));
    return Number(this.index.readBigUInt64BE(1032 + this.count * 28 + (offset - 0x80000000) * 8));
  }

  /** Reads the object at an offset; `onWork` hears of the bytes that are made on the way. The caller checks its name. */
  readAt(
    offset: number,
    oid: string,
    readBase: BaseReader,
    cache: DeltaBaseCache,
    maxBytes: number,
    onWork?: (bytes: number) => void,
  ): GitObject {
    // Deltas form a chain; it is walked down to a whole object, then applied upwards, without recursion.
    const deltas: { delta: Buffer; key: number }[] = [];
    let position = offset;
    let base: GitObject | undefined;
    let work = 0;
    const count = (bytes: number) => {
      work += bytes;
      if (work > maxDeltaWorkBytes) throw inflateError({ code: 'ERR_BUFFER_TOO_LARGE' }, oid, maxDeltaWorkBytes);
    };
    while (base === undefined) {
      const key = this.firstKey + position;
      base = cache.get(key);
      if (base) break;
      const entry = this.readEntry(position, oid, maxBytes);
      onWork?.(entry.data.length);
      if (entry.type !== null) {
        base = { type: entry.type, data: entry.data };
        if (deltas.length > 0) keep(cache, key, base);
      } else {
        deltas.push({ delta: entry.data, key });
        // Held together until the chain ends, so they count for more than what is made and let go.
        count(entry.data.length * 16);
        if (deltas.length > maxDeltaDepth) throw corrupt(oid);
        if (entry.baseOid !== null) base = readBase(entry.baseOid);
        else if (entry.baseOffset <= 0 || entry.baseOffset >= position) throw corrupt(oid);
        else position = entry.baseOffset;
      }
    }
    for (const { delta, key } of deltas.reverse()) {
      base = { type: base.type, data: applyDelta(base.data, delta, oid, maxBytes) };
      count(base.data.length);
      onWork?.(base.data.length);
      keep(cache, key, base);
    }
    return base;
  }

  /**
   * Lists the entries in the order they stand. Nothing is inflated; the checksum that the index holds of each entry is compared instead.
   * Throws OBJECT_CORRUPT.
   */
  *storedEntries(read: StoredBytesReader): Generator<StoredEntry> {
    const order = this.positionsByOffset();
    for (const [rank, position] of order.entries()) {
      const offset = this.offsetAt(position);
      const end = rank + 1 < order.length ? this.offsetAt(order[rank + 1]!) : this.packBytes - 20;
      const raw = read(this, offset, end - offset);
      if (raw.length < 2 || crc32(raw) !== this.crcAt(position)) throw corrupt(this.oidAt(position));
      const { typeNumber, size, position: start } = parseEntryHeader(raw);
      const stored = { position, offset, length: raw.length, typeNumber, size, base: -1, farBase: null };
      if (typeNumber === 7) {
        const base = this.positionOf(raw.subarray(start, start + 20));
        yield base < 0 ? { ...stored, farBase: raw.toString('hex', start, start + 20) } : { ...stored, base };
      } else if (typeNumber === 6) {
        const wanted = offset - parseDistance(raw, start).distance;
        let [low, high] = [0, rank];
        while (low < high) {
          const middle = (low + high) >>> 1;
          if (this.offsetAt(order[middle]!) < wanted) low = middle + 1;
          else high = middle;
        }
        const base = order[low]!;
        if (this.offsetAt(base) !== wanted) throw corrupt(this.oidAt(position));
        yield { ...stored, base };
      } else yield stored;
    }
  }

  /** Reads stored bytes into a buffer and tells how many there are. For who reads much of a pack once: it is not held for that. */
  readStored(offset: number, into: Buffer): number {
    if (this.content !== null) return this.content.copy(into, 0, offset);
    return this.disk.readInto(this.opened(), offset, into);
  }

  /** Sorts the positions of the index by where their entries stand. */
  private positionsByOffset(): Float64Array {
    const { count } = this;
    // Offset and position as one number each, exact below 2^53, which sort many times as fast as pairs do.
    const isExact = this.packBytes * count < Number.MAX_SAFE_INTEGER;
    const keys = Float64Array.from({ length: count }, (_, position) =>
      isExact ? this.offsetAt(position) * count + position : position,
    );
    if (!isExact) return keys.sort((one, other) => this.offsetAt(one) - this.offsetAt(other));
    keys.sort();
    for (let rank = 0; rank < count; rank++) keys[rank]! %= count;
    return keys;
  }

  /** Gives bytes that hold until the next are asked for. */
  private window(offset: number, length: number): Buffer {
    this.readCount += 1;
    if (this.content === null && this.packBytes <= this.slurpBytes && this.readCount > readsBeforeSlurp) {
      this.content = this.disk.read(this.path);
      if (this.content === null) throw packGone(this.path);
      if (this.descriptor !== null) this.disk.fs.closeSync(this.descriptor);
      this.descriptor = null;
    }
    if (this.content !== null) return this.content.subarray(offset, Math.min(offset + length, this.content.length));
    const wanted = Math.max(0, Math.min(length, this.packBytes - offset));
    const into = wanted > scratch.length ? Buffer.allocUnsafe(wanted) : scratch.subarray(0, wanted);
    return into.subarray(0, this.disk.readInto(this.opened(), offset, into));
  }

  private opened(): number {
    try {
      this.descriptor ??= this.disk.openFile(this.path, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw packGone(this.path);
      throw error;
    }
    return this.descriptor;
  }

  private readEntry(offset: number, oid: string, maxBytes: number) {
    let wanted = 4096;
    for (;;) {
      const bytes = this.window(offset, wanted);
      if (bytes.length < 2) throw corrupt(oid);
      const { typeNumber, size, position: headerEnd } = parseEntryHeader(bytes);
      let position = headerEnd;
      if (size > maxBytes) throw inflateError({ code: 'ERR_BUFFER_TOO_LARGE' }, oid, maxBytes);
      let baseOffset = 0;
      let baseOid: string | null = null;
      if (typeNumber === 6) {
        const { distance, end } = parseDistance(bytes, position);
        baseOffset = offset - distance;
        position = end;
      } else if (typeNumber === 7) {
        baseOid = bytes.toString('hex', position, position + 20);
        position += 20;
      }
      const type = types[typeNumber] ?? null;
      if (type === null && typeNumber !== 6 && typeNumber !== 7) throw corrupt(oid);
      const isAll = offset + bytes.length >= this.packBytes;
      const deflated = bytes.subarray(position);
      if (!isAll && deflated.length < compressBound(size)) {
        wanted = position + compressBound(size);
        continue;
      }
      try {
        const result =
          unstored(deflated, size) ??
          inflateSync(deflated, {
            maxOutputLength: Math.max(size, 1),
            chunkSize: chunkSizeOf(size),
            finishFlush: constants.Z_SYNC_FLUSH,
          });
        if (result.length !== size) throw corrupt(oid);
        return { type, data: result, baseOffset, baseOid };
      } catch (error) {
        if (error instanceof MemoryError) throw error;
        throw corrupt(oid, error);
      }
    }
  }
}

/** Makes an entry that says how far back its base lies (OFS_DELTA) one that names it (REF_DELTA), which holds wherever it comes to stand. */
export function namingItsBase(raw: Buffer, baseOid: string): Buffer {
  const { size, position } = parseEntryHeader(raw);
  return formatNamedDelta(size, baseOid, raw.subarray(parseDistance(raw, position).end));
}

/** Inflates the object of a whole entry; null where it cannot be. */
export function inflateStored(raw: Buffer): Buffer | null {
  const { size, position } = parseEntryHeader(raw);
  return attempt(() => {
    const data = inflateSync(raw.subarray(position), {
      maxOutputLength: Math.max(size, 1),
      chunkSize: chunkSizeOf(size),
    });
    return data.length === size ? data : null;
  }, null);
}

/** Results are kept in caches, and one of zlib's usual chunks would be kept with each. */
export const chunkSizeOf = (size: number) => Math.min(Math.max(size + 1, 64), 64 << 10);

/** Parses type and size: 3 and 4 bits in the first byte, 7 bits of size in each further one, high bit = more follow. */
function parseEntryHeader(bytes: Buffer): { typeNumber: number; size: number; position: number } {
  let position = 0;
  let byte = bytes[position++]!;
  const typeNumber = (byte >> 4) & 7;
  let size = byte & 15;
  for (let shift = 4; byte & 0x80; shift += 7) {
    byte = bytes[position++] ?? 0;
    size += (byte & 0x7f) * 2 ** shift;
  }
  return { typeNumber, size, position };
}

/** Parses how far back the base of a delta lies: 7 bits in each byte, highest first, high bit = more follow. Each further byte adds one. */
function parseDistance(bytes: Buffer, start: number): { distance: number; end: number } {
  let position = start;
  let byte = bytes[position++] ?? 0;
  let distance = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes[position++] ?? 0;
    distance = (distance + 1) * 128 + (byte & 0x7f);
  }
  return { distance, end: position };
}

const packGone = (path: string): MemoryError =>
  new MemoryError('OBJECT_MISSING', 'a pack disappeared while it was read', { where: path });
