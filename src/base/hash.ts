// Digests as lower-case hexadecimal. What is hashed, and why, is decided by the callers.

import * as crypto from 'node:crypto';

/** Five times as quick for what is short; Node 20.0 to 20.11 lack it. */
const atOnce = (crypto as Partial<Pick<typeof crypto, 'hash'>>).hash;

/** Names things by what they say, as hex digits: {@link sha256Hex}, or one that only who has a key can compute. */
export type NameHash = (text: Uint8Array | string) => string;

/** Computes the SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export const sha256Hex = (data: Uint8Array | string): string =>
  atOnce === undefined ? crypto.createHash('sha256').update(data).digest('hex') : atOnce('sha256', data, 'hex');

/** Hashes the characters of a text that are no blanks, to 53 bits (cyrb53 by bryc, public domain). */
export function wordsHash(text: string): number {
  let one = 0xdeadbeef;
  let two = 0x41c6ce57;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code <= 32) continue;
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & two) + (one >>> 0);
}
