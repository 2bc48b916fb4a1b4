// The texts of the records of a table, in a file beside it.

import { type CachePlace, isRefusal } from './cache-file.ts';
import { isDamage } from './damaged-files.ts';
import { crc32 } from './git/crc32.ts';
import { maxWholeFileBytes } from './guard/limits.ts';

/** Texts that follow one another are read so many bytes at once, and written so. */
export const blockBytes = 1 << 17;

/** Where a text begins, how long it is, and its checksum. */
export interface Place {
  readonly begin: number;
  readonly length: number;
  readonly check: number;
}

/** The file of what records say, and the name that tells it from one that took its place. */
export class Texts {
  readonly name: string;
  readonly path: string;
  private readonly place: CachePlace;
  private block: { readonly begin: number; readonly bytes: Buffer } | null = null;

  constructor(place: CachePlace, path: string, name: string) {
    this.place = place;
    this.path = path;
    this.name = name;
  }

  /** Reads the bytes of one record; null where they are not there any more, or others. */
  read({ begin, length, check }: Place): Buffer | null {
    const known = this.block;
    const follows = known !== null && begin >= known.begin && begin <= known.begin + known.bytes.length;
    if (!(follows && begin + length <= known.begin + known.bytes.length)) {
      const bytes = this.readBytes(begin, follows || known === null ? Math.max(length, blockBytes) : length);
      if (bytes === null) return null;
      this.block = { begin, bytes };
    }
    const { begin: from, bytes } = this.block!;
    const text = bytes.subarray(begin - from, begin - from + length);
    return text.length === length && crc32(text) === check ? text : null;
  }

  /** Gives all of them as they lie; null where they are not there any more, or others. */
  all(): Buffer | null {
    const bytes = attempt(() => this.place.disk.read(this.path, maxWholeFileBytes));
    return bytes?.toString('hex', 0, this.name.length / 2) === this.name ? bytes : null;
  }

  private readBytes(begin: number, length: number): Buffer | null {
    const { disk } = this.place;
    return attempt(() => disk.inFile(this.path, 'r', (descriptor) => disk.readAt(descriptor, begin, length)));
  }
}

/** Gives null where the disk refuses: that must not fail a question whose answer is known. What is damaged goes through. */
export function attempt<T>(action: () => T): T | null {
  try {
    return action();
  } catch (error) {
    if (isRefusal(error) && !isDamage(error)) return null;
    throw error;
  }
}
