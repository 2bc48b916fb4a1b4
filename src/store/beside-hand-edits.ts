// The engine's writes and a person's, in the order in which they were made, each based on what goes before it.

import type { Codec } from './codec.ts';
import { newObject } from './git/object-codec.ts';
import { type HandEdits, isUnedited, someEdits } from './hand-edits.ts';
import type { Journal } from './journal.ts';
import type { NewPendingEntry, PendingEntry } from './journal-records.ts';
import { growAgain, onlyGrows } from './merge/growth.ts';
import { mergeFile } from './merge/merge-file.ts';
import { textOf } from './merge-stored.ts';
import type { FileChange, Operation } from './operation.ts';
import { handOperations } from './runs.ts';
import type { Snapshot } from './snapshot.ts';
import { isMoved } from './typed-appends.ts';

/**
 * Puts hand edits before the planned operations, but for those of files that are pending: they were made upon the pending version. So are
 * those from which something follows in such a file, as `mayWrite` says: what was acknowledged keeps its ids.
 */
export function withHandEdits(
  planned: readonly Operation[],
  handEdits: HandEdits,
  pendingEntries: readonly PendingEntry[],
  said: Pick<Operation, 'mayRemoveMany' | 'subject'>,
  mayWrite: (paths: readonly string[]) => readonly string[],
): Operation[] {
  const pending = new Set(pendingEntries.flatMap((entry) => entry.changes.map(({ path }) => path)));
  const isLater = ({ path }: FileChange) => [path, ...mayWrite([path])].some((one) => pending.has(one));
  const part = (isWanted: (change: FileChange) => boolean) =>
    handOperations(someEdits(handEdits, isWanted)).map((operation) => ({ ...operation, ...said }));
  return [...part((change) => !isLater(change)), ...planned, ...part(isLater)];
}

/**
 * Gives the hand edits that have to be in the journal before anything is planned. A plan then knows them and gives no id twice. The edits
 * are those that came to something else than what lies in the work tree, and those of files that are about to grow.
 */
function beforePlanning(handEdits: HandEdits, growing: ReadonlySet<string>): HandEdits {
  const paths = new Set(
    [...handEdits.staged, ...handEdits.changes]
      .filter((change) => isMoved(change) || growing.has(change.path))
      .map(({ path }) => path),
  );
  return someEdits(handEdits, ({ path }) => paths.has(path));
}

/**
 * Puts into the journal, durable when it returns, what a person typed that a plan has to know; whoever planned plans again then. Gives what was
 * put there.
 */
export function takeIn(
  journal: Journal,
  handEdits: HandEdits,
  growing: ReadonlySet<string>,
  time: number,
): readonly PendingEntry[] {
  const typed = beforePlanning(handEdits, growing);
  return isUnedited(typed) ? [] : journal.append(handEntries(typed, time));
}

/** Gives hand edits as entries of the journal; `time` in milliseconds. */
export function handEntries(handEdits: HandEdits, time: number): NewPendingEntry[] {
  return handOperations(handEdits).map(({ kind, name, trailers, changes }, layer) => ({
    run: `hand:${kind}:${layer}`,
    kind,
    name,
    trailers,
    changes,
    time,
    isHandEdit: true,
  }));
}

/** Bases a write of a whole file that grows, made by somebody who knew it as it was `before`, on what was taken in since. */
export function onTyped(
  entry: NewPendingEntry,
  before: Snapshot | null,
  snapshot: Snapshot,
  codec: Codec,
): NewPendingEntry {
  if (before === null || entry.mayRemoveLines) return entry;
  const changes = entry.changes.map((change) => {
    const { path, after } = change;
    const present = onlyGrows(path) && before.oidOf(path) !== snapshot.oidOf(path) ? snapshot.readText(path) : null;
    const text = after === null || present === null ? undefined : textOf(codec, path, after);
    if (text === undefined || growAgain(path, present, present!, text) !== undefined) return change;
    const grown = growAgain(path, before.readText(path), present!, text);
    return grown === undefined ? change : { ...change, after: codec.encode(path, Buffer.from(grown.text)) };
  });
  return { ...entry, changes };
}

/** Bases a write on the hand edits that go before it; `snapshot` is the state both were made upon. What contradicts is the write's. */
export function onHandEdits(
  entry: NewPendingEntry,
  handEdits: HandEdits,
  snapshot: Snapshot,
  codec: Codec,
): NewPendingEntry {
  const edited = new Map([...handEdits.staged, ...handEdits.changes].map((change) => [change.path, change]));
  if (!entry.changes.some((change) => edited.has(change.path))) return entry;
  const text = (path: string, bytes: Buffer | null) => bytes && codec.decode(path, bytes).toString('utf8');
  const changes = entry.changes.map((change) => {
    const { path } = change;
    const hand = edited.get(path);
    if (!hand) return change;
    const base = change.before === null ? null : snapshot.readBlob(change.before, path).toString('utf8');
    const before = hand.after && newObject('blob', hand.after).oid;
    const merged = mergeFile(path, [base, text(path, hand.after), text(path, change.after)]);
    const isClean = merged.conflicts.length === 0;
    const after = isClean ? merged.merged && codec.encode(path, Buffer.from(merged.merged)) : change.after;
    return { path, before, after: after || null };
  });
  return { ...entry, changes };
}
