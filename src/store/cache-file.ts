// A file of derived data under git-memory/cache/: versioned, checksummed, grown by appending, disposable at any moment.
//
//     frame*    frame = length u32 LE | first 8 bytes of SHA-1(name, version, length, what stands for the payload) | payload
//
// A payload stands for itself, one of 1 MiB or more for its CRC-32: each question reads tables, and SHA-1 takes three times as long.
// Each frame stands for itself, so that processes may append at the same time and after one another's rewrites. Whatever is
// torn, flipped or of another version ends the reading there; the next append leaves a whole file behind.

import { createHash } from 'node:crypto';
import { isSystemError, MemoryError } from '../base/errors.ts';
import { crc32 } from './git/crc32.ts';
import type { Disk } from './git/disk.ts';
import { privateMode } from './git/permissions.ts';

const headBytes = 12;
const largeBytes = 2 ** 20;

/** What {@link CacheFile} needs of a repository. */
export interface CachePlace {
  readonly disk: Disk;
  readonly ownDirectory: string;
}

/**
 * Keeps payloads that can be made again at any time.
 *
 * Nothing here is synced, and a file system that refuses costs time only: `append` and `replace` return false then. Payloads of
 * another `version` are not seen. Make a new version whenever what shapes the payloads changes.
 */
export class CacheFile {
  readonly path: string;
  private readonly disk: Disk;
  private readonly seed: string;
  /** Bytes of the file that were whole when it was read; `null` before. */
  private wholeBytes: number | null = null;
  private isWhole = false;
  private isMissing = false;

  /** `name` is a file name of `[a-z0-9-]`. */
  constructor(place: CachePlace, name: string, version: number) {
    this.disk = place.disk;
    this.path = `${place.ownDirectory}/cache/${name}`;
    this.seed = `${name} ${version}\0`;
  }

  /** Reads the payloads that are whole, in the order in which they were appended. */
  read(): Buffer[] {
    const payloads: Buffer[] = [];
    let bytes: Buffer | null;
    let isMissing = false;
    try {
      bytes = this.disk.read(this.path);
      isMissing = bytes === null;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      bytes = null;
    }
    let position = 0;
    while (bytes !== null && position + headBytes <= bytes.length) {
      const length = bytes.readUInt32LE(position);
      const end = position + headBytes + length;
      if (end > bytes.length) break;
      const payload = bytes.subarray(position + headBytes, end);
      if (!this.checksum(payload).equals(bytes.subarray(position + 4, position + headBytes))) break;
      payloads.push(payload);
      position = end;
    }
    this.wholeBytes = position;
    this.isWhole = bytes === null ? isMissing : position === bytes.length;
    this.isMissing = isMissing;
    return payloads;
  }

  /** Adds a payload at the end; a damaged file is replaced by what was whole of it. */
  append(payload: Uint8Array): boolean {
    if (this.wholeBytes === null) this.read();
    if (!this.isWhole) return this.replace([...this.read(), payload]);
    return this.attempt(() => {
      if (this.isMissing) this.disk.makeDirectory(this.path.slice(0, this.path.lastIndexOf('/')), privateMode);
      this.isMissing = false;
      // One call, so that another process's frame is not in the middle of it.
      this.disk.inFile(this.path, 'a+', (descriptor) => this.disk.writeAll(descriptor, this.frame(payload)));
    });
  }

  /** Writes the file anew, by rename. */
  replace(payloads: readonly Uint8Array[]): boolean {
    return this.attempt(() => {
      const folder = this.path.slice(0, this.path.lastIndexOf('/'));
      this.disk.makeDirectory(folder, privateMode);
      const prefix = `${this.path}.new_`;
      // What a process left that died here. One that lives loses its attempt, which costs time only.
      for (const name of this.disk.list(folder)) {
        if (`${folder}/${name}`.startsWith(prefix)) this.disk.remove(`${folder}/${name}`);
      }
      const frames = payloads.map((payload) => this.frame(payload));
      this.disk.replace(this.path, frames, { beside: prefix, sync: false });
      this.isWhole = true;
    });
  }

  private attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      // A full or read-only disk must not fail a question whose answer is known.
      if (!isRefusal(error)) throw error;
      this.wholeBytes = null;
      return false;
    }
  }

  private frame(payload: Uint8Array): Buffer {
    const frame = Buffer.allocUnsafe(headBytes + payload.length);
    frame.writeUInt32LE(payload.length);
    this.checksum(payload).copy(frame, 4);
    frame.set(payload, headBytes);
    return frame;
  }

  private checksum(payload: Uint8Array): Buffer {
    const bytes = payload.length < largeBytes ? payload : Uint32Array.of(crc32(payload));
    return createHash('sha1').update(`${this.seed}${payload.length}\0`).update(bytes).digest().subarray(0, 8);
  }
}

/** Tells a disk that refuses, and what is no file of ours (a link, a folder, far too large), from a mistake in the program. */
export const isRefusal = (error: unknown): boolean => isSystemError(error) || error instanceof MemoryError;
