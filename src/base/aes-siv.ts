// AES-SIV, deterministic authenticated encryption: RFC 5297, https://www.rfc-editor.org/rfc/rfc5297. The block cipher is Node's own.
//
//   associated data, plain text ──► S2V with the first half of the key ──► V, 16 bytes ──┐
//   plain text ──► AES-CTR with the second half, counting from V with two bits cleared ──┴─► V | ciphertext

import { createCipheriv, timingSafeEqual } from 'node:crypto';

const blockBytes = 16;
const zero = Buffer.alloc(blockBytes);

/**
 * Encrypts; the same key, associated data and plain text give the same bytes, and nobody without the key learns more than that and the length.
 *
 * `key`: 32, 48 or 64 bytes; each half is an AES key. Gives 16 bytes more than `plain` has.
 */
export function sealSiv(key: Buffer, associated: readonly Buffer[], plain: Buffer): Buffer {
  const { mac, counter } = halves(key);
  const tag = s2v(mac, associated, plain);
  return Buffer.concat([tag, crypt(counter, tag, plain)]);
}

/** Decrypts what {@link sealSiv} made; null where any of it, the key or the associated data are others. */
export function openSiv(key: Buffer, associated: readonly Buffer[], sealed: Buffer): Buffer | null {
  if (sealed.length < blockBytes) return null;
  const { mac, counter } = halves(key);
  const tag = sealed.subarray(0, blockBytes);
  const plain = crypt(counter, tag, sealed.subarray(blockBytes));
  return timingSafeEqual(s2v(mac, associated, plain), tag) ? plain : null;
}

function halves(key: Buffer): { mac: Buffer; counter: Buffer } {
  if (![32, 48, 64].includes(key.length)) throw new TypeError('an AES-SIV key has 32, 48 or 64 bytes');
  return { mac: key.subarray(0, key.length / 2), counter: key.subarray(key.length / 2) };
}

function crypt(key: Buffer, tag: Buffer, bytes: Buffer): Buffer {
  const start = Buffer.from(tag);
  start[8]! &= 0x7f;
  start[12]! &= 0x7f;
  return createCipheriv(`aes-${key.length * 8}-ctr`, key, start).update(bytes);
}

/** Makes one block of any number of texts, so that no two rows of texts share it: section 2.4. */
function s2v(key: Buffer, associated: readonly Buffer[], plain: Buffer): Buffer {
  let state = cmac(key, zero);
  for (const text of associated) state = xor(doubled(state), cmac(key, text));
  if (plain.length < blockBytes) return cmac(key, xor(doubled(state), padded(plain)));
  const last = Buffer.from(plain);
  const end = last.length - blockBytes;
  for (let i = 0; i < blockBytes; i++) last[end + i]! ^= state[i]!;
  return cmac(key, last);
}

/** CMAC as the last block of a CBC encryption: RFC 4493, section 2.4. */
function cmac(key: Buffer, text: Buffer): Buffer {
  const cipher = `aes-${key.length * 8}`;
  const once = doubled(createCipheriv(`${cipher}-ecb`, key, null).setAutoPadding(false).update(zero));
  const isWhole = text.length > 0 && text.length % blockBytes === 0;
  const start = isWhole ? text.length - blockBytes : text.length - (text.length % blockBytes);
  const rest = text.subarray(start);
  const last = isWhole ? xor(rest, once) : xor(padded(rest), doubled(once));
  const chain = createCipheriv(`${cipher}-cbc`, key, zero).setAutoPadding(false);
  chain.update(text.subarray(0, start));
  return chain.update(last);
}

function padded(rest: Buffer): Buffer {
  const block = Buffer.alloc(blockBytes);
  rest.copy(block);
  block[rest.length] = 0x80;
  return block;
}

/** Multiplies by x in GF(2^128): one bit to the left, and what falls out comes back as 0x87. */
function doubled(block: Buffer): Buffer {
  const result = Buffer.alloc(blockBytes);
  for (let i = 0; i < blockBytes; i++) result[i] = ((block[i]! << 1) | ((block[i + 1] ?? 0) >> 7)) & 0xff;
  if (block[0]! & 0x80) result[blockBytes - 1]! ^= 0x87;
  return result;
}

function xor(left: Buffer, right: Buffer): Buffer {
  const result = Buffer.alloc(blockBytes);
  for (let i = 0; i < blockBytes; i++) result[i] = left[i]! ^ right[i]!;
  return result;
}
