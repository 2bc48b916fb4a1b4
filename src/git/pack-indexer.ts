// Makes the index of a pack from the pack alone, as `git index-pack` does. For packs that lost theirs.
// Format: https://git-scm.com/docs/pack-format

import { createHash } from 'node:crypto';
import { constants, inflateSync } from 'node:zlib';
import { MemoryError } from '../errors.ts';
import { maxObjectBytes } from '../guard/limits.ts';
import { BoundedCache } from './bounded-cache.ts';
import { crc32 } from './crc32.ts';
import { applyDelta } from './delta.ts';
import type { Disk } from './disk.ts';
import { corrupt, type GitObject, hashObject } from './object-codec.ts';
import { formatPackIndex, type LocatedEntry } from './pack-format.ts';

/** An entry of a pack in memory: an object, or a delta upon another one. */
interface Entry {
  readonly offset: number;
  readonly end: number;
  readonly object: GitObject['type'] | null;
  /** Offset of the base, or its name. */
  readonly base: number | string | null;
}

const types = [null, 'commit', 'tree', 'blob', 'tag'] as const;

/**
 * Gives the bytes of the index of a pack, and how many objects it lists.
 *
 * `readBase` finds bases that are not in the pack. Throws OBJECT_CORRUPT when the pack does not match its checksum, or an entry
 * cannot be read; TOO_LARGE.
 */
export function indexPack(
  disk: Disk,
  path: string,
  readBase: (oid: string) => GitObject,
): { readonly index: Buffer; readonly count: number } {
  const pack = disk.read(path) ?? Buffer.alloc(0);
  const damaged = (what: string) => new MemoryError('OBJECT_CORRUPT', `the pack ${what}`, { where: path });
  const isPack = pack.length >= 32 && pack.toString('latin1', 0, 4) === 'PACK' && pack.readUInt32BE(4) === 2;
  if (!isPack) throw damaged('has no head of version 2');
  const checksum = pack.subarray(-20);
  if (!createHash('sha1').update(pack.subarray(0, -20)).digest().equals(checksum)) {
    throw damaged('does not match its checksum');
  }
  const entries = new Map<number, Entry>();
  let position = 12;
  for (let count = pack.readUInt32BE(8); count > 0; count--) {
    const { entry } = readEntry(pack, position, path);
    entries.set(position, entry);
    position = entry.end;
  }
  if (position !== pack.length - 20) throw damaged('holds more than it says');
  const located = nameEntries(pack, entries, path, readBase);
  return { index: formatPackIndex(located, checksum), count: located.length };
}

/** Names what stands whole first; deltas then find their bases by name, whatever the order in the pack. */
function nameEntries(
  pack: Buffer,
  entries: ReadonlyMap<number, Entry>,
  path: string,
  readBase: (oid: string) => GitObject,
): LocatedEntry[] {
  const offsets = new Map<string, number>();
  const located: LocatedEntry[] = [];
  const cache = new BoundedCache<GitObject>(64 << 20);
  const objectAt = (offset: number, depth: number): GitObject => {
    const known = cache.get(String(offset));
    if (known) return known;
    const entry = entries.get(offset);
    if (!entry || depth > entries.size || depth > maxDepth) throw corrupt(path);
    const { data } = readEntry(pack, offset, path);
    let object: GitObject;
    if (entry.object !== null) object = { type: entry.object, data };
    else {
      const at = typeof entry.base === 'string' ? offsets.get(entry.base) : entry.base!;
      const base = at === undefined ? readBase(entry.base as string) : objectAt(at, depth + 1);
      object = { type: base.type, data: applyDelta(base.data, data, path, maxObjectBytes) };
    }
    cache.set(String(offset), object, object.data.length);
    return object;
  };
  const name = (entry: Entry) => {
    const object = objectAt(entry.offset, 0);
    const oid = hashObject(object.type, object.data);
    offsets.set(oid, entry.offset);
    located.push({ oid, offset: entry.offset, crc: crc32(pack.subarray(entry.offset, entry.end)) });
  };
  let rest = [...entries.values()];
  // Each round names the deltas whose bases the round before named.
  while (rest.length > 0) {
    const isReady = ({ base }: Entry) => typeof base !== 'string' || offsets.has(base);
    const ready = rest.filter(isReady);
    for (const entry of ready.length > 0 ? ready : rest) name(entry);
    rest = ready.length > 0 ? rest.filter((entry) => !ready.includes(entry)) : [];
  }
  return located;
}

const maxDepth = 4096;

function readEntry(pack: Buffer, offset: number, path: string): { entry: Entry; data: Buffer } {
  let position = offset;
  const next = () => {
    const byte = pack[position++];
    if (byte === undefined || position > pack.length - 20) throw corrupt(path);
    return byte;
  };
  let byte = next();
  const typeNumber = (byte >> 4) & 7;
  let size = byte & 15;
  for (let shift = 4; byte & 0x80; shift += 7) {
    byte = next();
    size += (byte & 0x7f) * 2 ** shift;
  }
  if (size > maxObjectBytes)
    throw new MemoryError('TOO_LARGE', 'the pack holds an object that is too large', { where: path });
  let base: number | string | null = null;
  if (typeNumber === 6) {
    byte = next();
    let distance = byte & 0x7f;
    while (byte & 0x80) {
      byte = next();
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    base = offset - distance;
    if (base < 12 || base >= offset) throw corrupt(path);
  } else if (typeNumber === 7) {
    base = pack.toString('hex', position, position + 20);
    position += 20;
  }
  const object = types[typeNumber] ?? null;
  if (object === null && base === null) throw corrupt(path);
  try {
    const result = inflateSync(pack.subarray(position, pack.length - 20), {
      maxOutputLength: Math.max(size, 1),
      finishFlush: constants.Z_SYNC_FLUSH,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (result.buffer.length !== size) throw corrupt(path);
    const end = position + result.engine.bytesWritten;
    return { entry: { offset, end, object, base }, data: result.buffer };
  } catch (error) {
    throw error instanceof MemoryError ? error : corrupt(path, error);
  }
}
