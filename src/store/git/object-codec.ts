// Git objects as bytes: names (SHA-1), the loose format and the four types. Trees and commits have files of their own.

import crypto, { createHash } from 'node:crypto';
import { constants, deflateSync, inflateSync } from 'node:zlib';
import { MemoryError } from '../../base/errors.ts';

/** Stands where git has no object. */
export const noOid = '0'.repeat(40);

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag';

/** A git object: its type and its content without the header. */
export interface GitObject {
  readonly type: ObjectType;
  readonly data: Buffer;
}

/** An object to be written, with the name it will have. */
export interface NewObject extends GitObject {
  readonly oid: string;
}

/** The empty tree, the base of a first commit's diff. */
export const emptyTreeOid = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

const oidPattern = /^[0-9a-f]{40}$/;

export const isOid = (text: string): boolean => oidPattern.test(text);

// From Node 20.12 on; four times as fast for what is small.
const { hash } = crypto as { hash?: (algorithm: string, data: Uint8Array) => string };
const maxCopiedBytes = 4096;
const scratch = Buffer.alloc(maxCopiedBytes + 32);

/** Computes the name of an object: SHA-1 of `<type> <length>\0<content>`, as 40 hex digits. */
export function hashObject(type: ObjectType, data: Uint8Array): string {
  if (hash !== undefined && data.length <= maxCopiedBytes) {
    const start = scratch.write(`${type} ${data.length}\0`, 'latin1');
    scratch.set(data, start);
    return hash('sha1', scratch.subarray(0, start + data.length));
  }
  return createHash('sha1').update(`${type} ${data.length}\0`).update(data).digest('hex');
}

export function newObject(type: ObjectType, data: Uint8Array): NewObject {
  const buffer = Buffer.isBuffer(data) ? data : Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return { oid: hashObject(type, buffer), type, data: buffer };
}

/**
 * Deflates data quickly. A window and tables no larger than the data (RFC 1950, CINFO) give the same bytes of content. Most of what
 * deflating a small object costs is clearing them.
 */
export function deflate(data: Buffer, level: number = constants.Z_BEST_SPEED): Buffer {
  const windowBits = Math.min(15, Math.max(9, 32 - Math.clz32(data.length)));
  return deflateSync(data, {
    level,
    windowBits,
    memLevel: Math.min(8, windowBits - 6),
    chunkSize: Math.max(64, Math.min(data.length + 64, 16 << 10)),
  });
}

/**
 * Gives the content of a zlib stream (RFC 1950) that is one stored block of `size` bytes, as trees of ids are. Null for any other, and where its
 * checksum does not hold. Setting up an inflater costs ten times as much as such a block does.
 */
export function unstored(deflated: Uint8Array, size: number): Buffer | null {
  const end = storedHead + size;
  if (size > 0xffff || deflated.length < end + 4 || deflated[2] !== 1) return null;
  const head = deflated[0]! * 256 + deflated[1]!;
  const isZlib = (deflated[0]! & 15) === 8 && deflated[0]! <= 0x78 && head % 31 === 0 && (deflated[1]! & 32) === 0;
  const [low, high] = [size & 255, size >> 8];
  const isSize = deflated[3] === low && deflated[4] === high && deflated[5] === 255 - low && deflated[6] === 255 - high;
  if (!isZlib || !isSize) return null;
  // As RFC 1950 has it; of so few bytes the sums stay below 2^53.
  let [one, other] = [1, 0];
  for (let at = storedHead; at < end; at++) {
    one += deflated[at]!;
    other += one;
  }
  const [first, second] = [one % 65_521, other % 65_521];
  const isWhole =
    deflated[end]! * 256 + deflated[end + 1]! === second && deflated[end + 2]! * 256 + deflated[end + 3]! === first;
  return isWhole ? Buffer.from(deflated.subarray(storedHead, end)) : null;
}

/** Two bytes of zlib, then a last block that is stored: its kind, its length, and that inverted. */
const storedHead = 7;

/** Formats an object the way `objects/xx/…` holds it: header and content, deflated. */
export function formatLoose(object: GitObject): Buffer {
  const header = Buffer.from(`${object.type} ${object.data.length}\0`);
  return deflate(Buffer.concat([header, object.data]));
}

/**
 * Parses a loose object and checks that it is the one its name says.
 *
 * Throws OBJECT_CORRUPT when it is not, TOO_LARGE when it would inflate to more than `maxBytes`.
 */
export function parseLoose(bytes: Uint8Array, oid: string, maxBytes: number): GitObject {
  const inflated = inflateLoose(bytes, oid, maxBytes);
  const space = inflated.indexOf(0x20);
  const end = inflated.indexOf(0);
  const type = inflated.toString('latin1', 0, space);
  const data = inflated.subarray(end + 1);
  if (data.length > maxBytes) throw inflateError({ code: 'ERR_BUFFER_TOO_LARGE' }, oid, maxBytes);
  if (space < 0 || end < space || !isObjectType(type) || hashObject(type, data) !== oid) throw corrupt(oid);
  return { type, data };
}

/** What many bytes may inflate to is looked up first: a bomb says how large it is, or is stopped when it has lied. */
function inflateLoose(bytes: Uint8Array, oid: string, maxBytes: number): Buffer {
  if (bytes.length <= peekedBytes) {
    try {
      return inflateSync(bytes, { maxOutputLength: maxBytes + maxHeaderBytes });
    } catch (error) {
      throw inflateError(error, oid, maxBytes);
    }
  }
  try {
    const start = inflateSync(bytes.subarray(0, firstBytes), { finishFlush: constants.Z_SYNC_FLUSH });
    const size = Number(/^[a-z]+ (\d{1,15})\0/.exec(start.toString('latin1', 0, maxHeaderBytes))?.[1] ?? Number.NaN);
    if (size > maxBytes) throw inflateError({ code: 'ERR_BUFFER_TOO_LARGE' }, oid, maxBytes);
    if (Number.isNaN(size)) throw corrupt(oid);
    return inflateSync(bytes, { maxOutputLength: size + maxHeaderBytes });
  } catch (error) {
    throw error instanceof MemoryError ? error : corrupt(oid, error);
  }
}

/** Type, a space, a decimal length and NUL. */
const maxHeaderBytes = 32;
/** A deflated block begins with its code tables, of up to some 300 bytes, before anything can be read. They inflate to 1 MiB at most. */
const firstBytes = 1024;
/** Up to this many bytes inflate to 16 MiB at most, which needs no look ahead. */
const peekedBytes = 16 << 10;

/** Gives what zlib needs at most for `size` bytes, with its header. */
export const compressBound = (size: number): number => size + (size >>> 12) + (size >>> 14) + (size >>> 25) + 64;

const isObjectType = (text: string): text is ObjectType =>
  text === 'commit' || text === 'tree' || text === 'blob' || text === 'tag';

export function corrupt(oid: string, cause?: unknown): MemoryError {
  return new MemoryError('OBJECT_CORRUPT', `object ${oid} is damaged`, {
    where: oid,
    hint: 'Run `git memory doctor`; writing the same content again repairs it',
    cause,
  });
}

export function inflateError(error: unknown, oid: string, maxBytes: number): MemoryError {
  if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
    return new MemoryError('TOO_LARGE', `object ${oid} is larger than ${maxBytes} bytes`, { where: oid });
  return corrupt(oid, error);
}

/** Node cuts small bytes out of blocks of 8 KiB, and a piece that stays keeps its block: it gets bytes of its own. */
export function ownBytes(bytes: Buffer): Buffer {
  return bytes.buffer.byteLength > 2 * bytes.length ? Buffer.from(new Uint8Array(bytes).buffer) : bytes;
}
