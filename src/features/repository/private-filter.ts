// What native git is answered when it stores or writes a private file, and when it merges one: by the configuration that lies beside it.

import { isUnreadable, MemoryError, orElse } from '../../base/errors.ts';
import type { KeyStore } from '../../base/ports.ts';
import { PrivateCodec } from '../../store/codec.ts';
import { ConfigurationReader } from '../../store/configuration-reader.ts';
import { hashObject } from '../../store/git/object-codec.ts';
import { KeyRing } from '../../store/key-ring.ts';
import { type DriverIds, type DriverMerge, mergeForGit } from '../../store/merge/driver.ts';
import { isMangled, isSealed, keyIdOf, sealText } from '../../store/records/private-text.ts';

/** Translates for native git. */
export interface PrivateFilter {
  /** The bytes of a file to what git stores. Throws PRIVATE_KEY_MISSING for an open text at a private path. */
  clean(path: string, bytes: Buffer): Buffer;
  /** What git stores to the bytes of the file: as it is stored, without the key, and where it was damaged. */
  smudge(path: string, stored: Buffer): Buffer;
}

/** Makes the filter of a work tree; `read` gives a file at its root, or null. */
export function privateFilter(keys: KeyStore, read: (path: string) => Buffer | null): PrivateFilter {
  const codec = new PrivateCodec(new KeyRing(keys), new ConfigurationReader());
  const state = {
    oidOf(path: string) {
      const bytes = read(path);
      return bytes && hashObject('blob', bytes);
    },
    readBlob: (_oid: string, path: string) => read(path) ?? Buffer.alloc(0),
  };
  return {
    // Another configuration may come between two files, so a mangled ciphertext stays. Git compares by it, too; hook and sync refuse it.
    clean: (path, bytes) => (isMangled(bytes) ? bytes : codec.encode(path, bytes, codec.privacyOf(state))),
    smudge: (path, stored) =>
      orElse(() => codec.decode(path, stored), stored, 'PRIVATE_KEY_MISSING', 'PRIVATE_DAMAGED'),
  };
}

/** Merges versions of one file as {@link mergeForGit} does, encrypted where a side is. Without the key, or damaged, ours stays and git stops. */
export function mergePrivateForGit(
  keys: KeyStore,
  path: string,
  [base, ours, theirs]: readonly [Buffer, Buffer, Buffer],
  ids?: DriverIds,
): DriverMerge {
  if (![base, ours, theirs].some(isSealed)) return mergeForGit(path, base, ours, theirs, ids);
  const ring = new KeyRing(keys);
  const codec = new PrivateCodec(ring, new ConfigurationReader());
  try {
    const [before, mine, other] = [base, ours, theirs].map((bytes) => codec.decode(path, bytes));
    const merged = mergeForGit(path, before!, mine!, other!, ids);
    const keyId = keyIdOf(ours) ?? keyIdOf(theirs);
    const key = keyId === null ? null : ring.find(keyId);
    return key === null ? merged : { ...merged, bytes: sealText(key, merged.bytes) };
  } catch (error) {
    if (!(error instanceof MemoryError) || !isUnreadable(error)) throw error;
    const dispute = error.code === 'PRIVATE_DAMAGED' ? 'a damaged private text' : 'a private text whose key is missing';
    return { bytes: ours, disputes: [dispute], isConflict: true };
  }
}
