// One attempt to put writes into the journal, under the lock. They are made of the present, joined with what people typed, judged, and
// durable at the end.

import { defined, MemoryError } from '../base/errors.ts';
import { handEntries, onHandEdits, onTyped, takeIn } from './beside-hand-edits.ts';
import type { BranchParts } from './branch-parts.ts';
import { type ChangeLimits, checkChange, mostPendingBytes } from './change-rules.ts';
import { type Codec, secrecyOf, withQuietSubject } from './codec.ts';
import { isReplacing } from './damaged-files.ts';
import { withFollowing } from './follow-pending.ts';
import { newObject } from './git/object-codec.ts';
import { withoutSecrets } from './guard/secret-filter.ts';
import { isUnedited } from './hand-edits.ts';
import type { NewPendingEntry, PendingEntry } from './journal-records.ts';
import { checkMemoryCount, checkRemovals, isCounted } from './memory-quota.ts';
import { onlyGrows } from './merge/growth.ts';
import { checkPlace } from './name-clash.ts';
import type { FileChange } from './operation.ts';
import { logFormatOf } from './records/log-readers.ts';
import type { Snapshot } from './snapshot.ts';

/** Makes writes of the present. */
export type MakeEntries = (snapshot: Snapshot) => readonly NewPendingEntry[];

/**
 * Appends what `make` makes of the present upon a tip. A hand edit of a touched file goes in first and the write is merged with it. Where
 * it is an addition to a file that grows, `make` is called again and gets it as a part of the present. `before`: the present without such
 * additions, once they were taken in.
 *
 * Throws QUOTA, MASS_REMOVAL, and what a rule says. Gives what was appended, and the limits that it was held to.
 */
export function attemptAppend(
  branch: BranchParts,
  tip: string | null,
  make: MakeEntries,
  before: Snapshot | null = null,
): { readonly entries: readonly PendingEntry[]; readonly limits: ChangeLimits } {
  const { checkout, codec, journal, placing } = branch;
  const standing = checkout.renewed(tip, branch.section);
  const snapshot = branch.snapshotAt(tip, before === null);
  const entries = make(snapshot).map((entry) => onTyped(encodedEntry(entry, codec), before, snapshot, codec));
  const now = branch.clock.now();
  const consequence = branch.consequenceUpon(snapshot, now);
  const planned = withFollowing(entries, snapshot, branch.derivations, codec, consequence);
  const paths = planned.flatMap(({ changes }) => changes.map(({ path }) => path));
  const handEdits = checkout.handEditsOf(standing, snapshot, paths);
  if (before === null && !isUnedited(handEdits)) {
    const present = branch.snapshotAt(tip, false);
    const taken = takeIn(journal, handEdits, new Set(paths.filter((path) => onlyGrows(path))), now);
    placing.add(taken);
    if (taken.length > 0) return attemptAppend(branch, tip, make, present);
  }
  const { limits } = branch.settings(snapshot);
  const written = [
    ...handEntries(handEdits, now),
    ...planned.map((entry) => onHandEdits(entry, handEdits, snapshot, codec)),
  ].map((entry) => checkedEntry(entry, snapshot, codec, limits));
  checkQuota(branch, tip, planned, limits);
  const appended = journal.append(written);
  placing.add(written);
  // Inside a project people work with the files; elsewhere they can follow a moment later, outside the caller's time.
  if (checkout.isProject) placing.place();
  else placing.schedule();
  return { entries: appended, limits };
}

/** Gives a write as it is stored: what waits in the journal is no more open than what is committed. */
function encodedEntry(entry: NewPendingEntry, codec: Codec): NewPendingEntry {
  if (codec.present.patterns.length === 0) return entry;
  const changes = entry.changes.map((change) => ({
    ...change,
    after: change.after && codec.encode(change.path, change.after),
  }));
  return withQuietSubject({ ...entry, changes }, codec.present);
}

/** Checks a write by the change rules, and gives it with a subject and trailers that tell no secret. Throws what a rule says. */
function checkedEntry(entry: NewPendingEntry, snapshot: Snapshot, codec: Codec, limits: ChangeLimits): NewPendingEntry {
  for (const { path, after } of entry.changes) {
    const isLost = isReplacing(path, () => snapshot.isReadable(path) && snapshot.read(path));
    const before = !isLost && snapshot.isReadable(path) ? snapshot.read(path) : null;
    const stored = snapshot.oidOf(path);
    const secrecy = secrecyOf(stored === null || isLost ? null : snapshot.readStored(stored, path), after);
    const mayRemoveCaptures = entry.mayRemoveLines === true && logFormatOf(path) !== null;
    checkChange(
      { path, before, after: after && codec.decode(path, after) },
      { limits, mayRemoveCaptures, mayBeLong: entry.mayBeLong === true, secrecy },
    );
    if (stored === null && after !== null) checkPlace(path, snapshot.inTheWayOf(path));
  }
  const clean = (line: string) => withoutSecrets(line, limits.secrets);
  return {
    ...entry,
    ...defined({ subject: entry.subject === undefined ? undefined : clean(entry.subject) }),
    trailers: entry.trailers.map(({ key, value }) => ({ key, value: clean(value) })),
  };
}

/** Throws QUOTA when too much waits already or the memories become too many, MASS_REMOVAL when too many would go with the next commit. */
function checkQuota(
  { repository: { objects }, journal }: BranchParts,
  tip: string | null,
  planned: readonly NewPendingEntry[],
  limits: ChangeLimits,
): void {
  const { count, bytes } = journal;
  if (count >= limits.maxPendingWrites || bytes >= mostPendingBytes) {
    throw new MemoryError('QUOTA', `${count} writes of ${bytes} bytes wait for a commit; that is the limit`, {
      where: 'limits.pending_writes',
      hint: 'Commit them (`git memory commit`), or raise limits.pending_writes in memory.yaml',
    });
  }
  if (tip === null) return;
  const { tree } = objects.readCommit(tip);
  const changes = (named: (after: Buffer) => string) =>
    [...journal.pending(), ...planned].flatMap((entry) =>
      entry.changes.map((change) => ({ ...change, after: change.after && named(change.after) })),
    );
  const isWanted = (isKind: (change: FileChange) => boolean) =>
    planned.some((entry) => entry.changes.some((change) => isKind(change)));
  const isNewMemory = ({ path, before }: FileChange) => before === null && path.startsWith('memories/');
  const mostAdded = isWanted(isNewMemory) ? count + planned.length : 0;
  checkMemoryCount(tree, objects.readTree, mostAdded, () => changes(() => ''), limits);
  const isRemoval =
    isWanted(({ path, after }) => after === null && isCounted(path)) && !planned.every((entry) => entry.mayRemoveMany);
  if (!isRemoval) return;
  const oidOf = (after: Buffer) => newObject('blob', after).oid;
  checkRemovals(tree, objects.readTree, changes(oidOf), limits);
}
