// Pending entries and hand edits as operations: what will be one commit, and what it is called.

import { defined, orElse } from '../base/errors.ts';
import type { Codec, StoredBytes } from './codec.ts';
import type { ObjectDatabase } from './git/object-database.ts';
import type { HandEdits } from './hand-edits.ts';
import type { NewPendingEntry, PendingChange, PendingEntry } from './journal-records.ts';
import { keepsWhatCame } from './merge/keeps-what-came.ts';
import type { FileChange, Operation, OperationKind } from './operation.ts';
import { kindOf } from './records/kind.ts';
import { logFormatOf } from './records/log-readers.ts';

/** A longer run becomes several commits: each names its memories in trailers, and people read them. */
const maxChangesPerCommit = 1000;

/** What says what a pending entry was written upon. */
interface RunContext {
  readonly codec: Codec;
  readonly objects: Pick<ObjectDatabase, 'has' | 'readBlob'>;
}

/** A file as the entries of one commit change it: what stood there before them, and what stands there after the last. */
interface Brought {
  readonly base: () => StoredBytes | null;
  readonly bytes: StoredBytes | null;
}

/**
 * Groups pending entries into operations: neighbours of the same run become one, as long as none takes away what another of them brought.
 * What was acknowledged is in a commit before it goes.
 */
export function operationsOf(
  entries: readonly PendingEntry[],
  { codec, objects }: RunContext,
  subject?: string,
): Operation[] {
  const read = (oid: string) => (objects.has(oid) ? objects.readBlob(oid) : null);
  const operations: Operation[] = [];
  let run: string | null = null;
  let brought = new Map<string, Brought>();
  const settled = new Map<string, StoredBytes | null>();
  for (const entry of entries) {
    const previous = operations.at(-1);
    const isNext = previous && run === entry.run && previous.changes.length < maxChangesPerCommit;
    const takes = ({ path, after }: PendingChange) =>
      brought.has(path) && takesAway(path, brought.get(path)!, after, codec);
    const joins = isNext && !entry.changes.some(takes);
    if (!joins) {
      for (const [path, { bytes }] of brought) settled.set(path, bytes);
      brought = new Map();
    }
    for (const { path, before, after } of entry.changes) {
      const known = settled.get(path);
      const base =
        brought.get(path)?.base ?? (() => (known === undefined && before !== null ? read(before) : (known ?? null)));
      brought.set(path, { base, bytes: after });
    }
    if (joins) {
      const { subject: first, ...rest } = previous;
      operations[operations.length - 1] = {
        ...rest,
        // Entries of one session share their subject; a batch of several writes is described by its changes.
        ...(first !== undefined && first === entry.subject ? { subject: first } : {}),
        name: previous.name === entry.name ? entry.name : 'batch',
        trailers: joinTrailers(previous.trailers, entry.trailers),
        changes: [...previous.changes, ...entry.changes.map(judged)],
        time: entry.time,
      };
      continue;
    }
    run = entry.run;
    operations.push({
      kind: entry.kind,
      name: entry.name,
      trailers: entry.trailers,
      changes: entry.changes.map(judged),
      onConflict: 'later',
      time: entry.time,
      ...defined({ subject: entry.subject }),
      ...(entry.mayRemoveLines ? { mayRemoveCaptures: true } : {}),
      ...(entry.mayBeLong ? { mayBeLong: true } : {}),
      // What the engine wrote was judged, with all that waited, before it was acknowledged.
      ...(entry.isHandEdit ? { isHandEdit: true } : { isJudged: true }),
    });
  }
  if (subject === undefined) return operations;
  return operations.map((operation) => ({ ...operation, subject }));
}

/** Tells whether a version of a file removes what an earlier one brought to `base`, or puts something else in its place. */
export function takesAway(
  path: string,
  { base, bytes: earlier }: Brought,
  later: StoredBytes | null,
  codec: Codec,
): boolean {
  if (earlier === null || kindOf(path) === 'derived') return false;
  // A session grows with each turn: comparing bytes is quick.
  if (later !== null && earlier.equals(later.subarray(0, earlier.length))) return false;
  // Without their key, or where one is damaged, nobody can say what two texts have in common.
  return orElse(() => {
    const before = base();
    return !keepsWhatCame(
      path,
      before && codec.decode(path, before),
      codec.decode(path, earlier),
      // From a file that only lost lines nothing goes when the rest of it does.
      later === null ? Buffer.alloc(0) : codec.decode(path, later),
    );
  }, true);
}

/** What is appended to a log was judged when it was: what came in since, with a later time, is none of its matter. */
const judged = (change: PendingChange): FileChange =>
  logFormatOf(change.path) === null ? change : { ...change, isFormatted: true };

/** What a person wrote, as operations: versions that were staged and changed again first. */
export function handOperations(handEdits: HandEdits): Operation[] {
  return [handEdits.staged, handEdits.changes]
    .filter((changes) => changes.length > 0)
    .map((changes) => ({
      kind: kindOfChanges(changes),
      name: 'edit',
      trailers: [],
      changes,
      onConflict: 'later',
      isHandEdit: true,
    }));
}

function joinTrailers(a: Operation['trailers'], b: Operation['trailers']): Operation['trailers'] {
  const known = new Set(a.map(({ key, value }) => `${key}: ${value}`));
  return [...a, ...b.filter(({ key, value }) => !known.has(`${key}: ${value}`))];
}

/** Changes of knowledge/identity alone are `identity:`, all others `memory:`. */
export const kindOfChanges = (changes: readonly { readonly path: string }[]): OperationKind =>
  changes.every((change) => change.path.startsWith('knowledge/identity/')) ? 'identity' : 'memory';

/** Gives operations that have to wait as entries of the journal, each a run of its own; `now` in milliseconds. */
export function deferredEntries(operations: readonly Operation[], now: number): NewPendingEntry[] {
  return operations.map(({ kind, name, subject, trailers, changes, time = now }, position) => {
    return { run: `deferred:${now}:${position}`, kind, name, ...defined({ subject }), trailers, changes, time };
  });
}

/** Describes changes as a person would list them, in at most 72 characters and with no private text: `2 memories added, people/ana.md changed`. */
export function describeChanges(
  changes: readonly { readonly path: string; before: unknown; after: unknown }[],
): string {
  const groups = new Map<string, string[]>();
  for (const change of changes) {
    const verb = change.before === null ? 'added' : change.after === null ? 'removed' : 'changed';
    const key = `${nounOf(change.path)}|${verb}`;
    groups.set(key, [...(groups.get(key) ?? []), change.path]);
  }
  const parts = [...groups].map(([key, paths]) => {
    const [noun, verb] = key.split('|') as [string, string];
    if (paths.length > 1) return `${paths.length} ${noun === 'memory' ? 'memories' : `${noun}s`} ${verb}`;
    const [path] = paths as [string];
    return `${noun !== 'file' ? `1 ${noun}` : path.length <= 48 ? path : `…${path.slice(-47)}`} ${verb}`;
  });
  if (parts.length <= 3) return parts.join(', ');
  return `${parts.slice(0, 2).join(', ')} and ${parts.length - 2} more kinds of change`;
}

function nounOf(path: string): string {
  const kind = kindOf(path);
  if (kind === 'memory' || kind === 'relation' || kind === 'conversation') return kind;
  if (kind === 'daily') return 'daily note';
  return 'file';
}
