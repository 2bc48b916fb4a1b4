// What a file of the work tree says, and what git stores of it: a private text lies open where native git has been told how to encrypt it,
// and encrypted everywhere else, so that `git add` never stores an open one.

import { MemoryError } from '../errors.ts';
import { readConfigFile } from '../git/config-file.ts';
import type { FileStat } from '../git/disk.ts';
import { isSameFile } from '../git/index-file.ts';
import type { Repository } from '../git/repository.ts';
import { damagedText, isSealed } from '../records/private-text.ts';
import { type Codec, openToAll, type PlainBytes, type Privacy, privacyFrom, type StoredBytes } from './codec.ts';
import { readPrivateAttributes } from './private-attributes.ts';

/** Translates between the bytes of files and of blobs. */
export interface FileContent {
  /** Stored bytes to those of the file. */
  toFile(path: string, stored: StoredBytes): Buffer;
  /** Bytes of the file to stored ones. Throws PRIVATE_KEY_MISSING, PRIVATE_DAMAGED where they may not be stored as they are. */
  toStored(path: string, bytes: Buffer): StoredBytes;
  /** Bytes of the file to the text that they mean, as far as that can be known here. */
  toPlain(path: string, bytes: Buffer): PlainBytes;
}

/** Files are what git stores. */
export const asStored: FileContent = {
  toFile: (_path, stored) => stored,
  toStored: (_path, bytes) => bytes,
  toPlain: (_path, bytes) => bytes,
};

/** The name of the filter in git's configuration and attributes. */
export const filterName = 'git-memory';

/** Gives the content of the files of a repository; git's configuration is read again when it changes. */
export function contentOf(repository: Repository, codec: Codec): FileContent {
  let known: { stats: readonly (FileStat | null)[]; installed: Privacy } | null = null;
  const { disk, commonDirectory } = repository;
  const installed = (): Privacy => {
    const stats = ['config', 'info/attributes'].map((name) => disk.stat(`${commonDirectory}/${name}`));
    if (known === null || !stats.every((stat, at) => isSameFile(stat, known!.stats[at]!))) {
      known = {
        stats,
        installed: hasFilter(repository) ? privacyFrom(readPrivateAttributes(repository), null) : openToAll,
      };
    }
    return known.installed;
  };
  return {
    toFile: (path, stored) =>
      isSealed(stored) && installed().isPrivate(path) ? (opened(codec, path, stored) ?? stored) : stored,
    toStored(path, bytes) {
      const stored = codec.encode(path, bytes);
      // What somebody did to an encrypted text nobody can read, so that it says nothing that could be meant.
      if (isSealed(bytes) && codec.faultOf(bytes) === 'damaged') throw damagedText(path);
      return stored;
    },
    toPlain: (path, bytes) => (isSealed(bytes) ? (opened(codec, path, bytes) ?? bytes) : bytes),
  };
}

/** Tells whether native git encrypts and decrypts with us in this repository. */
export function hasFilter({ disk, commonDirectory }: Repository): boolean {
  const path = `${commonDirectory}/config`;
  return readConfigFile(disk, path).has(`filter.${filterName}.process`);
}

/** Null where the key is missing or the text was damaged: the file then shows what git has. */
function opened(codec: Codec, path: string, stored: StoredBytes): PlainBytes | null {
  try {
    return codec.decode(path, stored);
  } catch (error) {
    if (error instanceof MemoryError && ['PRIVATE_KEY_MISSING', 'PRIVATE_DAMAGED'].includes(error.code)) return null;
    throw error;
  }
}
