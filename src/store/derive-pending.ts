// What follows from writes that wait: entries of the journal carry it along, so that it can be read before the commit that makes it anew.

import { newObject } from '../git/object-codec.ts';
import type { Codec } from './codec.ts';
import { type Derivation, derivedFrom, deriveFiles, type StateFiles } from './derive.ts';
import type { NewPendingEntry } from './journal-records.ts';
import type { FileChange } from './operation.ts';
import type { Snapshot } from './snapshot.ts';

/** Gives entries with what follows from each. */
export function withDerived(
  entries: readonly NewPendingEntry[],
  snapshot: Snapshot,
  derivations: readonly Derivation[],
  codec: Codec,
): readonly NewPendingEntry[] {
  const written = new Map<string, WrittenFile>();
  const note = ({ path, after }: FileChange): void => {
    written.set(path, { oid: after === null ? null : newObject('blob', after).oid, bytes: after });
  };
  const files = writtenUpon(snapshot, written, codec);
  return entries.map((entry) => {
    const paths = entry.changes.map(({ path }) => path);
    // Most writes concern nothing that follows, and are not looked into.
    if (entries.length === 1 && derivedFrom(derivations, paths).length === 0) return entry;
    entry.changes.forEach(note);
    const made = deriveFiles(derivations, files, paths, codec);
    const changes = made
      .map(({ path, bytes }): FileChange => ({ path, before: files.oidOf(path), after: bytes }))
      .filter(({ before, after }) => newObject('blob', after!).oid !== before);
    changes.forEach(note);
    return changes.length === 0 ? entry : { ...entry, changes: [...entry.changes, ...changes] };
  });
}

/** A file as a write leaves it; null where it is gone. */
export interface WrittenFile {
  readonly oid: string | null;
  /** As they are stored. */
  readonly bytes: Buffer | null;
}

/** Gives the files of a state with writes on top; what is written later is seen, too. */
export function writtenUpon(snapshot: Snapshot, written: ReadonlyMap<string, WrittenFile>, codec: Codec): StateFiles {
  const files: StateFiles = {
    oidOf: (path) => (written.has(path) ? written.get(path)!.oid : snapshot.oidOf(path)),
    readText(path) {
      const own = written.get(path);
      if (own === undefined) return snapshot.readText(path);
      return own.bytes === null ? null : codec.decode(path, own.bytes).toString('utf8');
    },
    readBlob(oid, path) {
      const own = written.get(path);
      return own?.oid === oid && own.bytes !== null ? codec.decode(path, own.bytes) : snapshot.readBlob(oid, path);
    },
    list(prefix) {
      const listing = snapshot.list(prefix);
      for (const [path, { oid }] of written) {
        if (!path.startsWith(prefix)) continue;
        if (oid === null) listing.delete(path);
        else listing.set(path, oid);
      }
      return listing;
    },
  };
  return files;
}
