// What is committed at once: an entry of a log, a capture. Inside a project it waits in the journal for a commit on request.

import { defined } from '../../base/errors.ts';
import type { Clock } from '../../base/ports.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { NewPendingEntry } from '../../store/journal-records.ts';
import type { Operation } from '../../store/operation.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/**
 * Commits what `plan` makes of the present, if anything; gives the commit, or null for what waits in the journal. The plan is called again
 * when the branch moved on, or a person had appended something by hand. `runOf` names the entry in the journal, after the plan was made.
 */
export async function recordNow(
  { store, clock, isImmediate }: { readonly store: BranchStore; readonly clock: Clock; readonly isImmediate: boolean },
  plan: (snapshot: Snapshot) => Operation | null,
  runOf: () => string,
): Promise<string | null> {
  const operations = (snapshot: Snapshot) => [plan(snapshot) ?? []].flat();
  if (!isImmediate) {
    await store.append((snapshot) => operations(snapshot).map((one) => waitingEntry(one, runOf(), clock.now())));
    return null;
  }
  const { commits, isJournalled } = await store.commit(operations, { onBusy: 'journal' });
  return isJournalled ? null : (commits.at(-1) ?? null);
}

/** Makes of an operation the entry of the journal that waits in its place. */
export function waitingEntry(operation: Operation, run: string, time: number): NewPendingEntry {
  const { kind, name, subject, trailers, changes, mayRemoveMany, mayRemoveCaptures, mayBeLong } = operation;
  const allowed = {
    mayRemoveMany: mayRemoveMany || undefined,
    mayRemoveLines: mayRemoveCaptures || undefined,
    mayBeLong: mayBeLong || undefined,
  };
  return { run, kind, name, ...defined({ subject }), trailers, changes, time, ...defined(allowed) };
}
