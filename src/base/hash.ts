// Digests as lower-case hexadecimal. What is hashed, and why, is decided by the callers.

import * as crypto from 'node:crypto';

/** Five times as quick for what is short; Node 20.0 to 20.11 lack it. */
const atOnce = (crypto as Partial<Pick<typeof crypto, 'hash'>>).hash;

/** Names things by what they say, as hex digits: {@link sha256Hex}, or one that only who has a key can compute. */
export type NameHash = (text: Uint8Array | string) => string;

/** Computes the SHA-256 of bytes, or of a text's UTF-8 bytes, as 64 lower-case hexadecimal digits. */
export function sha256Hex(data: Uint8Array | string): string {
  return atOnce === undefined ? crypto.createHash('sha256').update(data).digest('hex') : atOnce('sha256', data, 'hex');
}
