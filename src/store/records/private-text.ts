// A private text as git stores it, and the key that it is under as people pass it on.
//
//   git-memory private 1 <key id>\n\0    the id has 16 hex digits; the zero byte makes it no text for git
//   <tag, 16 bytes><ciphertext>          AES-SIV (RFC 5297) under the key, with what stands before as associated data
//
//   gmk1_<48 characters>                 a key: base64url of 32 random bytes and the first 4 of their SHA-256

import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { openSiv, sealSiv } from '../../base/aes-siv.ts';
import { MemoryError } from '../../base/errors.ts';

/** A key, and what follows from it. */
export interface PrivateKey {
  /** 16 hex digits, which say nothing of the key. */
  readonly id: string;
  /** As people pass it on: whoever has it reads everything. */
  readonly text: string;
  /** 64 bytes for AES-SIV. */
  readonly cipher: Buffer;
  /** 32 bytes for names that follow from private texts; see {@link privateNameOf}. */
  readonly names: Buffer;
}

const magic = Buffer.from('git-memory private 1 ');
const headBytes = magic.length + 18;
const tagBytes = 16;
const keyBytes = 32;
const keyForm = /^gmk1_[A-Za-z0-9_-]{48}$/;

/** Tells whether bytes are a private text as it is stored: whether they begin like one. */
export const isSealed = (bytes: Buffer): boolean => keyIdOf(bytes) !== null;

/** Gives the id of the key that a stored text is under; `null` for what is no private text. */
export function keyIdOf(bytes: Buffer): string | null {
  if (bytes.length < headBytes || bytes.compare(magic, 0, magic.length, 0, magic.length) !== 0) return null;
  const rest = bytes.toString('latin1', magic.length, headBytes);
  return /^[0-9a-f]{16}\n\0$/.test(rest) ? rest.slice(0, 16) : null;
}

/**
 * Tells whether bytes were a private text and are none any more: cut behind their head, with other line ends, within marks of a conflict.
 * What says so is no text that anybody wrote, and is never encrypted as one.
 */
export function isMangled(bytes: Buffer): boolean {
  if (isSealed(bytes)) return bytes.length < headBytes + tagBytes;
  for (let at = bytes.indexOf(magic); at >= 0; at = bytes.indexOf(magic, at + 1)) {
    const rest = bytes.toString('latin1', at + magic.length, at + headBytes + 1);
    if (/^[0-9a-f]{16}\r?\n\0/.test(rest) || (at === 0 && /^[0-9a-f]{16}\r?\n/.test(rest))) return true;
  }
  return false;
}

/** Encrypts a text under a key. Equal texts under one key give equal bytes, wherever they stand. */
export function sealText(key: PrivateKey, plain: Buffer): Buffer {
  const head = Buffer.from(`${magic.toString()}${key.id}\n\0`);
  return Buffer.concat([head, sealSiv(key.cipher, [head], plain)]);
}

/** Decrypts a stored text with the key that it names. Throws PRIVATE_DAMAGED for one that was cut or changed. */
export function openText(key: PrivateKey, stored: Buffer, path: string): Buffer {
  const plain = openSiv(key.cipher, [stored.subarray(0, headBytes)], stored.subarray(headBytes));
  if (plain !== null) return plain;
  throw damagedText(path);
}

/** Says that a private text was damaged. */
export function damagedText(path: string): MemoryError {
  return new MemoryError('PRIVATE_DAMAGED', 'a private text was changed or cut: it does not match its key', {
    where: path,
    hint: 'Take an earlier version from history (`git memory log --path`, `git memory undo`), or the file from another copy',
  });
}

/** Makes a key of 32 random bytes. */
export function newKey(random: Buffer): PrivateKey {
  if (random.length !== keyBytes) throw new TypeError(`a key has ${keyBytes} bytes`);
  const checksum = createHash('sha256').update(random).digest().subarray(0, 4);
  const expand = (what: string, bytes: number) =>
    Buffer.from(hkdfSync('sha256', random, '', `git-memory private 1 ${what}`, bytes));
  return {
    id: expand('id', 8).toString('hex'),
    text: `gmk1_${Buffer.concat([random, checksum]).toString('base64url')}`,
    cipher: expand('cipher', 64),
    names: expand('names', 32),
  };
}

/**
 * Gives the 64 hex digits by which something private is named: HMAC-SHA-256 (RFC 2104) under a key of its own. The same on every machine
 * that has the key, while nobody without it can test whether a guess is there.
 */
export const privateNameOf = (key: PrivateKey, text: Uint8Array | string): string =>
  createHmac('sha256', key.names).update(text).digest('hex');

/** Reads a key as people pass it on; `null` where it is none, or mistyped. */
export function parseKey(text: string): PrivateKey | null {
  if (!keyForm.test(text)) return null;
  const key = newKey(Buffer.from(text.slice(5), 'base64url').subarray(0, keyBytes));
  return key.text === text ? key : null;
}
