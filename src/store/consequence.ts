// What has to change with other files, in the same commit: not made of one state alone, as derived files are, but of what a change did to
// the state before it. Which files, and how, is said by those who know them; here stands only when.

import { newObject } from '../git/object-codec.ts';
import type { Codec, Privacy } from './codec.ts';
import { type StateFiles, withoutPrivate } from './derive.ts';
import { type WrittenFile, writtenUpon } from './derive-pending.ts';
import type { NewPendingEntry } from './journal-records.ts';
import type { FileChange, Operation } from './operation.ts';
import type { Snapshot } from './snapshot.ts';

/** A change of files, as it came out: merged with the present, and without what a rule keeps out. */
export interface StateChange {
  readonly operation: Pick<Operation, 'name' | 'bringsBack'>;
  readonly before: StateFiles;
  readonly after: StateFiles;
  /** What is different. */
  readonly paths: readonly string[];
  /** What is private after it. */
  readonly privacy: Pick<Privacy, 'isPrivate'>;
}

/** What follows from changes, at one time. */
export interface Consequence {
  /** Names the files that may be written because some are; what people did to those by hand goes in first. */
  mayWrite(paths: readonly string[]): readonly string[];
  /** Gives what has to change beside, upon `after`; nothing for most changes. */
  follow(change: StateChange): readonly FileChange[];
}

/** Says what follows from changes upon a state; `now` in milliseconds. */
export type ConsequenceSource = (present: StateFiles, now: number) => Consequence;

/** Nothing follows. */
export const noConsequence: Consequence = { mayWrite: () => [], follow: () => [] };

/** Gives what follows from a change, as it is stored. Without their key private files are not looked at. */
export function followingChanges(
  consequence: Consequence,
  { before, after, ...change }: Omit<StateChange, 'privacy'>,
  codec: Codec,
  privacy: Privacy,
): FileChange[] {
  const readable = (files: StateFiles) => (codec.holdsKeyOf(privacy) ? files : withoutPrivate(files, privacy));
  const changes = consequence.follow({ ...change, before: readable(before), after: readable(after), privacy });
  return changes.map((made) => ({ ...made, after: made.after && codec.encode(made.path, made.after, privacy) }));
}

/** Gives writes that shall wait in the journal with what follows from each. */
export function withConsequences(
  entries: readonly NewPendingEntry[],
  snapshot: Snapshot,
  consequence: Consequence,
  codec: Codec,
): readonly NewPendingEntry[] {
  const written = new Map<string, WrittenFile>();
  return entries.map((entry) => {
    const before = writtenUpon(snapshot, new Map(written), codec);
    const note = ({ path, after }: FileChange): void => {
      written.set(path, { oid: after === null ? null : newObject('blob', after).oid, bytes: after });
    };
    // Objects are named for nothing where nothing can follow.
    if (entries.length === 1 && consequence.mayWrite(entry.changes.map(({ path }) => path)).length === 0) return entry;
    entry.changes.forEach(note);
    const change = {
      operation: entry,
      before,
      after: writtenUpon(snapshot, written, codec),
      paths: entry.changes.map(({ path }) => path),
    };
    const made = followingChanges(consequence, change, codec, snapshot.privacy);
    made.forEach(note);
    return made.length === 0 ? entry : { ...entry, changes: joined(entry.changes, made) };
  });
}

/** One change for each file: what was done to it last, upon what it was first. */
function joined(changes: readonly FileChange[], made: readonly FileChange[]): FileChange[] {
  const first = new Map(changes.map((change) => [change.path, change]));
  for (const change of made) {
    const own = first.get(change.path);
    first.set(change.path, own === undefined ? change : { ...change, before: own.before });
  }
  return [...first.values()];
}
