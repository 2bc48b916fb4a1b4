// Writes packs of given entries with their index, format version 2.
// Format: https://git-scm.com/docs/pack-format

import { createHash } from 'node:crypto';
import { isSystemError } from '../errors.ts';
import { crc32 } from './crc32.ts';
import type { Disk } from './disk.ts';
import { deflate, type NewObject, type ObjectType } from './object-codec.ts';

const typeNumbers: Record<ObjectType, number> = { commit: 1, tree: 2, blob: 3, tag: 4 };

/** One object as it stands in a pack: header and deflated content. */
export interface PackEntry {
  readonly oid: string;
  readonly bytes: Buffer;
}

/** Formats one object as a pack entry. */
export function formatPackEntry(object: NewObject): PackEntry {
  // Small trees and commits are mostly object ids, which do not compress; a deflater costs more than they do.
  const isIncompressible = object.type !== 'blob' && object.data.length <= maxStoredBytes;
  const body = isIncompressible ? formatStored(object.data) : deflate(object.data);
  return {
    oid: object.oid,
    bytes: Buffer.concat([formatEntryHeader(typeNumbers[object.type], object.data.length), body]),
  };
}

/** Formats one object as a delta of another that must be in the same pack (REF_DELTA). */
export function formatDeltaEntry(oid: string, baseOid: string, delta: Buffer): PackEntry {
  const head = formatEntryHeader(7, delta.length);
  return { oid, bytes: Buffer.concat([head, Buffer.from(baseOid, 'hex'), deflate(delta)]) };
}

const maxStoredBytes = 1024;

/** Formats a zlib stream of one stored block (RFC 1950, RFC 1951 §3.2.4): header, length, its complement, data, Adler-32. */
export function formatStored(data: Buffer): Buffer {
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
export function formatEntryHeader(typeNumber: number, size: number): Buffer {
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

/** Where packs are written. */
export interface PackPlace {
  readonly packDirectory: string;
  /** Folder of ours for files on their way, on the same file system. */
  readonly temporaryDirectory: string;
  /** Where the text of our `.keep` files stands. */
  readonly keepFile: string;
}

/**
 * Writes entries as one pack and returns its name with what was written.
 *
 * A `.keep` comes first: a `git repack -a -d` beside us that listed the packs before our ref moved would otherwise drop these
 * objects as unreachable. The caller removes it with {@link releasePack} once a ref leads to them. Nor may the pack have the name
 * of one that is there, which may be on such a list already. Files on their way lie in a folder of ours, since `git prune` removes
 * every `tmp_*` of the objects folder. The index is renamed last, since git sees a pack only through it.
 */
export function writePack(
  disk: Disk,
  place: PackPlace,
  entries: readonly PackEntry[],
): { readonly name: string; readonly index: Buffer; readonly pack: Buffer } {
  const { packDirectory, temporaryDirectory, keepFile } = place;
  const unique = new Map(entries.map((entry) => [entry.oid, entry]));
  const { pack, index, checksum } = formatPack([...unique.values()]);
  disk.ensureDirectory(packDirectory);
  disk.ensureDirectory(temporaryDirectory);
  const name = freeName(disk, packDirectory, checksum);
  const base = `${packDirectory}/${name}`;
  const temporaryPack = disk.temporaryName(`${temporaryDirectory}/pack_`);
  const temporaryIndex = disk.temporaryName(`${temporaryDirectory}/idx_`);
  try {
    disk.writeNew(temporaryPack, [pack], { mode: 0o444 });
    disk.writeNew(temporaryIndex, [index], { mode: 0o444 });
    keepPack(disk, base, keepFile);
    disk.rename(temporaryPack, `${base}.pack`);
    disk.rename(temporaryIndex, `${base}.idx`);
    disk.syncDirectory(packDirectory);
  } catch (error) {
    for (const path of [temporaryPack, temporaryIndex]) disk.removeQuietly(path);
    try {
      removeUnfinished(disk, base);
    } catch {
      // The disk still refuses; a recovery knows it by its `.keep`.
    }
    throw error;
  }
  return { name, index, pack };
}

/**
 * Moves a finished pack and its index, which lie on the same file system, to where packs are; gives its name. As with {@link writePack}
 * a `.keep` stands beside it until {@link releasePack}.
 */
export function adoptPack(
  disk: Disk,
  place: PackPlace,
  files: { readonly pack: string; readonly index: string },
): string {
  const { packDirectory, keepFile } = place;
  disk.ensureDirectory(packDirectory);
  for (const path of [files.pack, files.index]) disk.syncFile(path);
  const descriptor = disk.openFile(files.pack, 'r');
  let name: string;
  try {
    const size = disk.fs.fstatSync(descriptor).size;
    name = freeName(disk, packDirectory, disk.readAt(descriptor, size - 20, 20));
  } finally {
    disk.fs.closeSync(descriptor);
  }
  const base = `${packDirectory}/${name}`;
  try {
    keepPack(disk, base, keepFile);
    disk.rename(files.pack, `${base}.pack`);
    disk.rename(files.index, `${base}.idx`);
    disk.syncDirectory(packDirectory);
  } catch (error) {
    try {
      removeUnfinished(disk, base);
    } catch {
      // As above.
    }
    throw error;
  }
  return name;
}

/**
 * Removes a pack whose objects are all in another one.
 *
 * Its index goes first, since git and we see a pack through it, and lies in our folder meanwhile: should we die in between, it tells
 * a recovery what is ours to remove. A `.keep` would tell that too, and have a `git repack` leave these objects out of its new pack.
 */
export function dropPack(disk: Disk, { packDirectory, temporaryDirectory }: PackPlace, name: string): void {
  const base = `${packDirectory}/${name}`;
  const aside = `${temporaryDirectory}/${droppedPrefix}${name}`;
  disk.rename(`${base}.idx`, aside);
  for (const path of [`${base}.rev`, `${base}.pack`, aside]) disk.remove(path);
}

const droppedPrefix = 'dropped_';

/** Finishes what {@link dropPack} began. */
export function finishDrops(disk: Disk, { packDirectory, temporaryDirectory }: PackPlace): void {
  for (const name of disk.list(temporaryDirectory)) {
    const base = `${packDirectory}/${name.slice(droppedPrefix.length)}`;
    if (!name.startsWith(droppedPrefix) || disk.exists(`${base}.idx`)) continue;
    for (const suffix of ['rev', 'pack']) disk.remove(`${base}.${suffix}`);
  }
}

/** Removes a pack whose writer did not come to its index, which nobody can have read from, and its `.keep`. */
export function removeUnfinished(disk: Disk, base: string): void {
  if (!disk.exists(`${base}.idx`)) disk.remove(`${base}.pack`);
  disk.remove(`${base}.keep`);
}

/** Git names a pack by its checksum and asks nothing of the name; the same objects written again get another one. */
function freeName(disk: Disk, packDirectory: string, checksum: Buffer): string {
  for (let attempt = 0; ; attempt++) {
    const id = attempt === 0 ? checksum : createHash('sha1').update(checksum).update(String(attempt)).digest();
    const name = `pack-${id.toString('hex')}`;
    if (!['pack', 'idx', 'keep'].some((suffix) => disk.exists(`${packDirectory}/${name}.${suffix}`))) return name;
  }
}

/** Marks the reason of our `.keep` files, by which a recovery tells them from those of people. */
export const keepReason = 'git-memory: objects of an operation in progress\n';

/** A link to one synced file: even after a power cut it holds its reason, by which a recovery knows it as ours. */
function keepPack(disk: Disk, base: string, keepFile: string): void {
  try {
    disk.publish(keepFile, `${base}.keep`);
    return;
  } catch (error) {
    if (!isSystemError(error, 'ENOENT')) throw error;
  }
  disk.makeDirectory(keepFile.slice(0, keepFile.lastIndexOf('/')));
  const temporary = disk.temporaryName(`${keepFile}_`);
  disk.writeNew(temporary, [Buffer.from(keepReason)]);
  disk.rename(temporary, keepFile);
  disk.publish(keepFile, `${base}.keep`);
}

/** Lets native git repack a pack again. */
export function releasePack(disk: Disk, packDirectory: string, name: string): void {
  disk.remove(`${packDirectory}/${name}.keep`);
}

/** Formats a whole pack; the checksum is its last twenty bytes. */
export function formatPack(entries: readonly PackEntry[]): { pack: Buffer; index: Buffer; checksum: Buffer } {
  const header = Buffer.alloc(12);
  header.write('PACK', 'latin1');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(entries.length, 8);
  const hash = createHash('sha1').update(header);
  const located: { oid: string; offset: number; crc: number }[] = [];
  let offset = header.length;
  for (const entry of entries) {
    hash.update(entry.bytes);
    located.push({ oid: entry.oid, offset, crc: crc32(entry.bytes) });
    offset += entry.bytes.length;
  }
  const checksum = hash.digest();
  const pack = Buffer.concat([header, ...entries.map((entry) => entry.bytes), checksum]);
  return { pack, index: formatPackIndex(located, checksum), checksum };
}

/** Where an object stands in a pack, and the checksum of its entry there. */
export interface LocatedEntry {
  readonly oid: string;
  readonly offset: number;
  readonly crc: number;
}

/*
 * Index, version 2:  magic 4 · version 4 · fan-out 256×4 · names n×20 · crc n×4 · offsets n×4 · large offsets · 2 checksums
 */
export function formatPackIndex(located: LocatedEntry[], packChecksum: Buffer): Buffer {
  located.sort((a, b) => (a.oid < b.oid ? -1 : 1));
  const count = located.length;
  const large = located.filter((entry) => entry.offset >= 0x80000000);
  const index = Buffer.alloc(8 + 1024 + count * 28 + large.length * 8 + 40);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  const fanOut = new Uint32Array(256);
  for (const entry of located) fanOut[Number.parseInt(entry.oid.slice(0, 2), 16)]! += 1;
  let total = 0;
  for (let byte = 0; byte < 256; byte++) {
    total += fanOut[byte]!;
    index.writeUInt32BE(total, 8 + byte * 4);
  }
  let position = 8 + 1024;
  for (const entry of located) position += index.write(entry.oid, position, 'hex');
  for (const entry of located) position = index.writeUInt32BE(entry.crc, position);
  let largeCount = 0;
  for (const entry of located) {
    position = index.writeUInt32BE(entry.offset < 0x80000000 ? entry.offset : 0x80000000 + largeCount++, position);
  }
  for (const entry of large) position = index.writeBigUInt64BE(BigInt(entry.offset), position);
  position += packChecksum.copy(index, position);
  createHash('sha1').update(index.subarray(0, position)).digest().copy(index, position);
  return index;
}
