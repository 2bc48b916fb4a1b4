// Adds to entries of the journal what follows from them, so that it can be read before the commit that makes it anew.

import type { Codec } from './codec.ts';
import { type Consequence, followingChanges, noConsequence } from './consequence.ts';
import { type Derivation, derivedFrom, deriveFiles, type StateFiles } from './derive.ts';
import { newObject } from './git/object-codec.ts';
import type { NewPendingEntry } from './journal-records.ts';
import type { FileChange } from './operation.ts';
import type { Snapshot } from './snapshot.ts';
import { changedBelow } from './tree-listing.ts';

/** Gives entries, each upon those before it, with what has to change beside, and then what is made of the files as they are then. */
export function withFollowing<Entry extends Pick<NewPendingEntry, 'name' | 'changes' | 'isHandEdit'>>(
  entries: readonly Entry[],
  snapshot: Snapshot,
  derivations: readonly Derivation[],
  codec: Codec,
  consequence: Consequence = noConsequence,
): readonly Entry[] {
  const written = new Map<string, WrittenFile>();
  const note = ({ path, after }: FileChange): void => {
    written.set(path, { oid: after === null ? null : newObject('blob', after).oid, bytes: after });
  };
  const files = writtenUpon(snapshot, written, codec);
  return entries.map((entry) => {
    const paths = entry.changes.map(({ path }) => path);
    const hasConsequences = consequence.mayWrite(paths).length > 0;
    // Most writes concern nothing that follows, and are not looked into.
    if (entries.length === 1 && !hasConsequences && derivedFrom(derivations, paths).length === 0) return entry;
    const before = hasConsequences ? writtenUpon(snapshot, new Map(written), codec) : files;
    entry.changes.forEach(note);
    const change = { operation: entry, before, after: files, paths };
    const beside = hasConsequences ? followingChanges(consequence, change, codec, snapshot.privacy) : [];
    beside.forEach(note);
    const changes = beside.length === 0 ? entry.changes : joined(entry.changes, beside);
    const derived = deriveFiles(
      derivations,
      files,
      changes.map(({ path }) => path),
      codec,
    )
      .map(({ path, bytes }): FileChange => ({ path, before: files.oidOf(path), after: bytes }))
      .filter(({ before: oid, after }) => newObject('blob', after!).oid !== oid);
    derived.forEach(note);
    return beside.length + derived.length === 0 ? entry : { ...entry, changes: [...changes, ...derived] };
  });
}

/** One change for each file: what was done to it last, upon what it was first. */
function joined(changes: readonly FileChange[], made: readonly FileChange[]): readonly FileChange[] {
  const first = new Map(changes.map((change) => [change.path, change]));
  for (const change of made) {
    const own = first.get(change.path);
    first.set(change.path, own === undefined ? change : { ...change, before: own.before });
  }
  return [...first.values()];
}

/** A file as a write leaves it; null where it is gone. */
interface WrittenFile {
  readonly oid: string | null;
  /** As they are stored. */
  readonly bytes: Buffer | null;
}

/** Gives the files of a state with writes on top; what is written later is seen, too. */
function writtenUpon(snapshot: Snapshot, written: ReadonlyMap<string, WrittenFile>, codec: Codec): StateFiles {
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
    list: (prefix) =>
      changedBelow(
        prefix,
        snapshot.list(prefix),
        [...written].map(([path, { oid }]) => [path, oid]),
      ),
  };
  return files;
}
