// Makes the index of a pack from the pack alone, as `git index-pack` does. For packs that lost theirs.
// Format: https://git-scm.com/docs/pack-format

import { createHash } from 'node:crypto';
import { constants, inflateSync } from 'node:zlib';
import { MemoryError } from '../../base/errors.ts';
import { maxObjectBytes, maxPackBytes } from '../guard/limits.ts';
import type { WorkBudget } from '../guard/work-budget.ts';
import { BoundedCache } from './bounded-cache.ts';
import { crc32 } from './crc32.ts';
import { applyDelta } from './delta.ts';
import type { Disk } from './disk.ts';
import { corrupt, type GitObject, hashObject } from './object-codec.ts';
import { formatPackIndex, type LocatedEntry } from './pack-format.ts';
import { chunkSizeOf } from './pack-reader.ts';

/** An entry of a pack in memory: an object, or a delta upon another one. */
interface Entry {
  readonly offset: number;
  readonly end: number;
  readonly object: GitObject['type'] | null;
  /** Offset of the base, or its name. */
  readonly base: number | string | null;
  /** What it inflated to; null where that would be too much to keep. */
  readonly data: Buffer | null;
}

/** So much of what entries inflate to is kept until they are named; the others are inflated once more. */
const keptBytes = 64 << 20;

const types = [null, 'commit', 'tree', 'blob', 'tag'] as const;

/** What a pack of others is held to while it is indexed. */
interface IndexOptions {
  /** What may be spent on it. */
  readonly budget?: WorkBudget;
  /** Is given each object once it is named. */
  readonly look?: (oid: string, object: GitObject) => void;
}

/**
 * Gives the bytes of the index of a pack, and how many objects it lists.
 *
 * `readBase` finds bases that are not in the pack. Throws OBJECT_CORRUPT when the pack does not match its checksum, or an entry
 * cannot be read; TOO_LARGE; and what `look` throws.
 */
export function indexPack(
  disk: Disk,
  path: string,
  readBase: (oid: string) => GitObject,
  options: IndexOptions = {},
): { readonly index: Buffer; readonly count: number } {
  const pack = disk.read(path, maxPackBytes) ?? Buffer.alloc(0);
  const damaged = (what: string) => new MemoryError('OBJECT_CORRUPT', `the pack ${what}`, { where: path });
  const isPack = pack.length >= 32 && pack.toString('latin1', 0, 4) === 'PACK' && pack.readUInt32BE(4) === 2;
  if (!isPack) throw damaged('has no head of version 2');
  const checksum = pack.subarray(-20);
  if (!createHash('sha1').update(pack.subarray(0, -20)).digest().equals(checksum))
    throw damaged('does not match its checksum');
  const entries = new Map<number, Entry>();
  let position = 12;
  let kept = 0;
  const { budget } = options;
  for (let count = pack.readUInt32BE(8); count > 0; count--) {
    budget?.spend('objects');
    const { entry, data } = readEntry(pack, position, path);
    budget?.spend('bytes', data.length);
    kept += data.length;
    entries.set(position, kept <= keptBytes ? { ...entry, data } : entry);
    position = entry.end;
  }
  if (position !== pack.length - 20) throw damaged('holds more than it says');
  const located = nameEntries(pack, entries, path, readBase, options);
  return { index: formatPackIndex(located, checksum), count: located.length };
}

/** Names what stands whole first; deltas then find their bases by name, whatever the order in the pack. */
function nameEntries(
  pack: Buffer,
  entries: ReadonlyMap<number, Entry>,
  path: string,
  readBase: (oid: string) => GitObject,
  { budget, look }: IndexOptions,
): LocatedEntry[] {
  const offsets = new Map<string, number>();
  const located: LocatedEntry[] = [];
  const cache = new BoundedCache<GitObject>(64 << 20);
  const objectAt = (offset: number, depth: number): GitObject => {
    const known = cache.get(String(offset));
    if (known) return known;
    const entry = entries.get(offset);
    if (!entry || depth > entries.size || depth > maxDepth) throw corrupt(path);
    const data = entry.data ?? readEntry(pack, offset, path).data;
    if (entry.data === null) budget?.spend('bytes', data.length);
    let object: GitObject;
    if (entry.object !== null) object = { type: entry.object, data };
    else {
      const at = typeof entry.base === 'string' ? offsets.get(entry.base) : entry.base!;
      const base = at === undefined ? readBase(entry.base as string) : objectAt(at, depth + 1);
      object = { type: base.type, data: applyDelta(base.data, data, path, maxObjectBytes) };
      budget?.spend('bytes', object.data.length);
    }
    cache.set(String(offset), object, object.data.length);
    return object;
  };
  // Deltas that wait for a base by its name, so that naming one costs no look at all others.
  const waiting = new Map<string, Entry[]>();
  const ready: Entry[] = [];
  for (const entry of entries.values()) {
    if (typeof entry.base !== 'string') ready.push(entry);
    else if (!waiting.get(entry.base)?.push(entry)) waiting.set(entry.base, [entry]);
  }
  const nameReady = () => {
    for (let position = 0; position < ready.length; position++) {
      const { offset, end } = ready[position]!;
      const object = objectAt(offset, 0);
      const oid = hashObject(object.type, object.data);
      look?.(oid, object);
      offsets.set(oid, offset);
      located.push({ oid, offset, crc: crc32(pack.subarray(offset, end)) });
      for (const entry of waiting.get(oid) ?? []) ready.push(entry);
      waiting.delete(oid);
    }
    ready.length = 0;
  };
  nameReady();
  // What is left has its base elsewhere, or waits for one that has.
  for (let [first] = waiting; first !== undefined; [first] = waiting) {
    ready.push(...first[1]);
    waiting.delete(first[0]);
    nameReady();
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
      chunkSize: chunkSizeOf(size),
      finishFlush: constants.Z_SYNC_FLUSH,
      info: true,
    }) as unknown as { buffer: Buffer; engine: { bytesWritten: number } };
    if (result.buffer.length !== size) throw corrupt(path);
    const end = position + result.engine.bytesWritten;
    return { entry: { offset, end, object, base, data: null }, data: result.buffer };
  } catch (error) {
    throw error instanceof MemoryError ? error : corrupt(path, error);
  }
}
