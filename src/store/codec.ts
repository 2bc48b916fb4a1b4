// Stands between the text of a file and the bytes of its blob, which are the same or, at private paths, encrypted. Everything that reads or
// makes texts is on one side; objects, journal, index and remotes are on the other.

import { MemoryError, succeeds } from '../base/errors.ts';
import { matchesGlob } from '../base/glob.ts';
import { sha256Hex } from '../base/hash.ts';
import { oncePer } from '../base/once-per.ts';
import type { ConfigurationReader, ConfiguredState } from './configuration-reader.ts';
import type { SecretPolicy } from './guard/secret-filter.ts';
import type { KeyRing } from './key-ring.ts';
import type { Configuration } from './records/configuration.ts';
import { configurationFiles } from './records/kind.ts';
import {
  damagedText,
  isMangled,
  isSealed,
  keyIdOf,
  openText,
  privateNameOf,
  sealText,
} from './records/private-text.ts';

/**
 * Bytes as git stores them: of a private text the encrypted ones.
 *
 * The mark is for the compiler alone, which refuses these where plain ones are wanted and the other way round. Bytes of unknown meaning go
 * with both.
 */
export type StoredBytes = Buffer & { readonly side?: 'stored' };

/** Bytes as they are read and written by people; see {@link StoredBytes}. */
export type PlainBytes = Buffer & { readonly side?: 'plain' };

/** What a state says of its private texts. */
export interface Privacy {
  /** Globs of paths. */
  readonly patterns: readonly string[];
  /** The id of the key that texts are written under; null where none is named. */
  readonly keyId: string | null;
  /** Tells whether the text at a path is stored encrypted; what lies in archive/ is as private as it was at its own place. */
  isPrivate(path: string): boolean;
}

/** Translates at the store's boundary; both directions are functions of path, bytes, the privacy of a state and the keys that are here. */
export interface Codec {
  /**
   * Plain bytes, or bytes as they were stored under another configuration, to what git stores; default: as the present wants it.
   *
   * Without its key an encrypted text stays as it is. Throws PRIVATE_KEY_MISSING for a plain text at a private path, PRIVATE_DAMAGED for what
   * is left of an encrypted one.
   */
  encode(path: string, bytes: Buffer, privacy?: Privacy): StoredBytes;
  /** What git stores to plain bytes. Throws PRIVATE_KEY_MISSING, PRIVATE_DAMAGED. */
  decode(path: string, stored: StoredBytes): PlainBytes;
  /** Tells whether stored bytes can be decoded here. */
  canDecode(stored: StoredBytes): boolean;
  /** Tells what keeps bytes from being a private text as git shall store it: they lie open, or are damaged; null for a whole one. */
  faultOf(stored: Buffer): 'open' | 'damaged' | null;
  /** What a state says of its private texts. */
  privacyOf(state: ConfiguredState): Privacy;
  /** Tells whether the private texts of a state can be read here; true where nothing is private. */
  holdsKeyOf(privacy: Privacy): boolean;
  /** Takes a state as the present from now on; it is looked at when that is first needed. */
  follow(state: ConfiguredState): void;
  /** Names something private by what it says: hex digits under the key of a state, unkeyed where that is not here to write with. */
  nameOf(text: Uint8Array | string, privacy: Privacy): string;
  /** The privacy of the present. */
  readonly present: Privacy;
}

export const openToAll: Privacy = { patterns: [], keyId: null, isPrivate: () => false };

/** Stores everything as it is. */
export const identityCodec: Codec = {
  encode: (_path, plain) => plain,
  decode: (_path, stored: Buffer) => stored,
  canDecode: () => true,
  faultOf: () => null,
  privacyOf: () => openToAll,
  holdsKeyOf: () => true,
  follow: () => undefined,
  nameOf: sha256Hex,
  present: openToAll,
};

/** What has to be read before anything can be decrypted, or is read by native git, is never private. */
const neverPrivate = new Set([...configurationFiles, '.meta.json', '.gitattributes', '.gitignore']);

/** Gives a write with a subject that quotes nothing of a private conversation; its title would. */
export function withQuietSubject<
  Write extends { kind: string; subject?: string; changes: readonly { path: string }[] },
>(write: Write, privacy: Privacy): Write {
  const isQuoting = write.kind === 'conversation' && write.changes.some(({ path }) => privacy.isPrivate(path));
  return isQuoting ? { ...write, subject: 'a private conversation' } : write;
}

export function privacyFrom(patterns: readonly string[], keyId: string | null): Privacy {
  if (patterns.length === 0) return { ...openToAll, keyId };
  const isPrivate = (path: string): boolean => {
    if (neverPrivate.has(path)) return false;
    const own = path.startsWith('archive/') ? path.slice('archive/'.length) : path;
    return patterns.some((pattern) => matchesGlob(pattern, path) || (own !== path && matchesGlob(pattern, own)));
  };
  return { patterns, keyId, isPrivate };
}

/** What a configuration says of private texts. */
const privacyIn = oncePer((configuration: Pick<Configuration, 'private' | 'privateUnder'>) =>
  privacyFrom(configuration.private, configuration.privateUnder ?? null),
);

/** Gives what becomes of secrets at a path: a private text keeps them, for nobody reads it without the key. */
export const secretsAt = (path: string, privacy: Privacy, policy: SecretPolicy): SecretPolicy =>
  privacy.isPrivate(path) ? { ...policy, mode: 'off' } : policy;

/** Tells what a change does with secrets that its file may hold, by how that is stored before and after; see `RuleOptions.secrecy`. */
export function secrecyOf(before: StoredBytes | null, after: StoredBytes | null): 'kept' | 'opened' | 'ordinary' {
  if (after === null) return 'ordinary';
  if (isSealed(after)) return 'kept';
  return before !== null && isSealed(before) ? 'opened' : 'ordinary';
}

/** Tells whether two states keep the same texts private under the same key. */
export const isSamePrivacy = (left: Privacy, right: Privacy): boolean =>
  left.keyId === right.keyId && left.patterns.join('\n') === right.patterns.join('\n');

/** Encrypts the texts of private paths with keys that lie outside the repository. */
export class PrivateCodec implements Codec {
  private readonly keys: KeyRing;
  private readonly configurations: ConfigurationReader;
  private state: ConfiguredState | null = null;
  private current: Privacy = openToAll;

  constructor(keys: KeyRing, configurations: ConfigurationReader) {
    this.keys = keys;
    this.configurations = configurations;
  }

  get present(): Privacy {
    if (this.state === null) return this.current;
    this.current = this.privacyOf(this.state);
    this.state = null;
    return this.current;
  }

  follow(state: ConfiguredState): void {
    this.state = state;
  }

  privacyOf(state: ConfiguredState): Privacy {
    try {
      return privacyIn(this.configurations.of(state));
    } catch (error) {
      // A state whose configuration cannot be read says nothing of its own; what was known last is the safer guess.
      if (error instanceof MemoryError && error.code === 'INVALID_CONFIG') return this.current;
      throw error;
    }
  }

  holdsKeyOf({ patterns, keyId }: Privacy): boolean {
    return patterns.length === 0 || (keyId !== null && this.keys.find(keyId) !== null);
  }

  nameOf(text: Uint8Array | string, { keyId }: Privacy): string {
    const key = keyId === null ? null : this.keys.find(keyId);
    return key === null ? sha256Hex(text) : privateNameOf(key, text);
  }

  canDecode(stored: StoredBytes): boolean {
    const id = keyIdOf(stored);
    return id === null || this.keys.find(id) !== null;
  }

  faultOf(stored: Buffer): 'open' | 'damaged' | null {
    if (isMangled(stored)) return 'damaged';
    if (!isSealed(stored)) return 'open';
    return succeeds(() => this.canDecode(stored) && this.decode('', stored), 'PRIVATE_DAMAGED') ? null : 'damaged';
  }

  encode(path: string, bytes: Buffer, privacy: Privacy = this.present): StoredBytes {
    const under = keyIdOf(bytes);
    // What is not private is stored as it reads.
    if (!privacy.isPrivate(path))
      return under !== null && this.canDecode(bytes) ? (this.decode(path, bytes) as Buffer) : bytes;
    if (under !== null && (under === privacy.keyId || !this.canDecode(bytes))) return bytes;
    if (under === null && isMangled(bytes)) throw damagedText(path);
    const key = privacy.keyId === null ? null : this.keys.find(privacy.keyId);
    if (key !== null) return sealText(key, under === null ? bytes : this.decode(path, bytes));
    if (under !== null) return bytes;
    throw privacy.keyId === null
      ? new MemoryError('PRIVATE_KEY_MISSING', 'this path is private, but memory.yaml names no key', {
          where: path,
          hint: 'Nothing was written. Create a key with `git memory key new`',
        })
      : missingKey(path, privacy.keyId);
  }

  decode(path: string, stored: StoredBytes): PlainBytes {
    const id = keyIdOf(stored);
    if (id === null) return stored as Buffer;
    const key = this.keys.find(id);
    if (key === null) throw missingKey(path, id);
    return openText(key, stored, path);
  }
}

function missingKey(path: string, id: string): MemoryError {
  return new MemoryError('PRIVATE_KEY_MISSING', `this path is private, but its key ${id} is not on this machine`, {
    where: path,
    hint: 'Print it on the other machine with `git memory key show`, then run `git memory key import` here or set GIT_MEMORY_KEY',
  });
}

/** Gives what a private text may be shown as where its key is missing: nothing; other bytes as they are. */
export const readableOr = (codec: Codec, path: string, stored: StoredBytes): PlainBytes | null =>
  isSealed(stored) && !codec.canDecode(stored) ? null : codec.decode(path, stored);
