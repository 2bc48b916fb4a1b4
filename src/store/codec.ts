// What stands between the text of a file and the bytes of its blob: nothing, or encryption for private paths.

/** Translates at the store's boundary; both directions are pure functions of path and bytes. */
export interface Codec {
  /** Plain bytes to what git stores. */
  encode(path: string, plain: Buffer): Buffer;
  /** What git stores to plain bytes. */
  decode(path: string, stored: Buffer): Buffer;
}

/** Stores everything as it is. */
export const identityCodec: Codec = { encode: (_path, plain) => plain, decode: (_path, stored) => stored };
