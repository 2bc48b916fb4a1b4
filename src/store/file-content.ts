// Relates a file of the work tree to what git stores of it. A private text lies open where native git knows how to encrypt it, and encrypted
// everywhere else, so that `git add` never stores an open one.

import { orElse, unreadable } from '../base/errors.ts';
import { withLastLineEnded } from '../base/text.ts';
import { type Codec, openToAll, type PlainBytes, type Privacy, privacyFrom, type StoredBytes } from './codec.ts';
import { readConfigFile } from './git/config-file.ts';
import type { FileStat } from './git/disk.ts';
import { isSameFile } from './git/index-file.ts';
import type { Repository } from './git/repository.ts';
import { maxGitConfigBytes } from './guard/limits.ts';
import { damagedText, isSealed } from './records/private-text.ts';

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
const opened = (codec: Codec, path: string, stored: StoredBytes): PlainBytes | null =>
  orElse(() => codec.decode(path, stored), null, ...unreadable);

// The part of info/attributes that gives private paths to the filter. A file lies open in the work tree only where it stands here.
//
//   # private: knowledge/people/**                                          the glob of memory.yaml
//   "/knowledge/people/**" filter=git-memory diff=git-memory -text          the same for gitattributes(5)

const mark = '# private: ';
const attributes = 'filter=git-memory diff=git-memory -text';

const attributesPathOf = ({ commonDirectory }: Repository): string => `${commonDirectory}/info/attributes`;

/** Lists the globs that stand there. */
export function readPrivateAttributes(repository: Repository): string[] {
  const text = repository.disk.readText(attributesPathOf(repository), maxGitConfigBytes) ?? '';
  return text.split('\n').flatMap((line) => (line.startsWith(mark) ? [line.slice(mark.length)] : []));
}

/** Adds globs that are not there yet; those that are stay, since older states have private texts, too. Tells whether it wrote. */
export function writePrivateAttributes(repository: Repository, patterns: readonly string[]): boolean {
  const known = new Set(readPrivateAttributes(repository));
  const missing = patterns.filter((pattern) => !known.has(pattern) && !/[\n\r]/.test(pattern));
  if (missing.length === 0) return false;
  const path = attributesPathOf(repository);
  const { disk, commonDirectory } = repository;
  const present = disk.readText(path, maxGitConfigBytes) ?? '';
  const lines = missing.flatMap((pattern) => [
    `${mark}${pattern}`,
    `${attributePattern(pattern)} ${attributes}`,
    `${attributePattern(`archive/${pattern}`)} ${attributes}`,
  ]);
  disk.makeDirectory(`${commonDirectory}/info`);
  disk.replace(path, [Buffer.from(`${withLastLineEnded(present)}${lines.join('\n')}\n`)]);
  return true;
}

/** Writes a glob over whole paths as a pattern of gitattributes: from the root on, with its special signs escaped, in quotes. */
function attributePattern(glob: string): string {
  const escaped = `/${glob}`.replace(/[\\[\]]/g, '\\$&');
  return `"${escaped.replace(/[\\"]/g, '\\$&').replaceAll('\t', '\\t')}"`;
}
