// Learnt spaces between processes, beside the words they were learnt from. Derived: what is missing or damaged is learnt again, and is
// the same again.
//
//   <folder of the kept words>/<first 16 hex digits of the key>.space
//
//   0   24  "git-memory-space 1\n" and zeros       numbers are as this machine writes them, which the folder's name tells
//   24  20  SHA-1 of all that follows
//   44  32  SHA-256 of fingerprint and key
//   76   4  dimensions, 80  4  number of terms
//   84      vectors: 32-bit floats by term; then the terms, parted by line feeds

import { createHash } from 'node:crypto';
import { messageOf, sweepTemporary } from './cache-folders.ts';
import { type LatentSpace, latentSpace } from './latent-space.ts';
import type { SpaceStore } from './learnt-space.ts';
import { type SegmentCachePlace, segmentFingerprint, wordsFolder } from './segment-cache.ts';

const mark = Buffer.alloc(24);
mark.write('git-memory-space 1\n', 'latin1');
const checksumAt = 24;
const identityAt = 44;
const vectorsAt = 84;
const suffix = '.space';
/** Spaces of so many states are left: the present one, some of the past, and who comes back to them. */
const maxKept = 4;
const maxBytes = 2 ** 28;

const identityOf = (fingerprint: string, key: string): Buffer =>
  createHash('sha256').update(`${fingerprint}\0${key}`).digest();

const checksumOf = (bytes: Buffer): Buffer => createHash('sha1').update(bytes.subarray(identityAt)).digest();

/** Formats a space. */
export function formatSpace({ dimensions, terms, vectors }: LatentSpace, identity: Uint8Array): Buffer {
  const words = Buffer.from(terms.join('\n'));
  const bytes = Buffer.alloc(vectorsAt + vectors.byteLength + words.length);
  mark.copy(bytes);
  bytes.set(identity, identityAt);
  bytes.writeUInt32LE(dimensions, 76);
  bytes.writeUInt32LE(terms.length, 80);
  bytes.set(new Uint8Array(vectors.buffer, vectors.byteOffset, vectors.byteLength), vectorsAt);
  words.copy(bytes, vectorsAt + vectors.byteLength);
  checksumOf(bytes).copy(bytes, checksumAt);
  return bytes;
}

/** Parses a space; undefined when the bytes are not those that were written for this identity. */
export function parseSpace(bytes: Buffer, identity: Uint8Array): LatentSpace | undefined {
  if (bytes.length < vectorsAt || !bytes.subarray(0, mark.length).equals(mark)) return undefined;
  if (!bytes.subarray(checksumAt, identityAt).equals(checksumOf(bytes))) return undefined;
  if (!bytes.subarray(identityAt, 76).equals(identity)) return undefined;
  // What has this checksum was written by the code above.
  const dimensions = bytes.readUInt32LE(76);
  const count = bytes.readUInt32LE(80);
  const vectors = new Float32Array(count * dimensions);
  const wordsAt = vectorsAt + vectors.byteLength;
  new Uint8Array(vectors.buffer).set(bytes.subarray(vectorsAt, wordsAt));
  const terms = count === 0 ? [] : bytes.toString('utf8', wordsAt).split('\n');
  return latentSpace(dimensions, terms, vectors);
}

/** Keeps spaces as files. */
export class SpaceCache implements SpaceStore {
  readonly #place: SegmentCachePlace;
  readonly #fingerprint: string;
  readonly #directory: string;

  constructor(place: SegmentCachePlace, fingerprint = segmentFingerprint()) {
    this.#place = place;
    this.#fingerprint = fingerprint;
    this.#directory = wordsFolder(place.directory, fingerprint);
  }

  load(key: string): LatentSpace | undefined {
    const { disk, logger } = this.#place;
    const path = this.#pathOf(key);
    try {
      const bytes = disk.read(path, maxBytes);
      if (bytes === null) return undefined;
      const space = parseSpace(bytes, identityOf(this.#fingerprint, key));
      if (space !== undefined) return space;
      logger.warn(`${path} is damaged; what it held is learnt again`);
      disk.removeQuietly(path);
    } catch (error) {
      logger.warn(`${path} cannot be read: ${messageOf(error)}`);
    }
    return undefined;
  }

  save(key: string, space: LatentSpace): void {
    const { disk, logger } = this.#place;
    try {
      // The folder is made by whoever keeps the words; a space without them would be of little use.
      if (disk.stat(this.#directory)?.isDirectory !== true) return;
      const bytes = formatSpace(space, identityOf(this.#fingerprint, key));
      // Not synced: a power cut costs some time at most, which the checksum finds out.
      disk.replace(this.#pathOf(key), [bytes], { beside: `${this.#directory}/tmp-`, sync: false });
      sweepTemporary(disk, this.#directory, this.#nameOf(key));
      this.#prune();
    } catch (error) {
      logger.warn(`what was learnt is not kept: ${messageOf(error)}`);
    }
  }

  #nameOf = (key: string): string => `${key.slice(0, 16)}${suffix}`;

  #pathOf = (key: string): string => `${this.#directory}/${this.#nameOf(key)}`;

  #prune(): void {
    const { disk } = this.#place;
    const kept = disk
      .list(this.#directory)
      .filter((name) => name.endsWith(suffix))
      .map((name) => ({
        path: `${this.#directory}/${name}`,
        at: disk.stat(`${this.#directory}/${name}`)?.mtimeNs ?? 0n,
      }))
      .sort((one, other) => (one.at < other.at ? 1 : one.at > other.at ? -1 : 0));
    for (const { path } of kept.slice(maxKept)) disk.removeQuietly(path);
  }
}
