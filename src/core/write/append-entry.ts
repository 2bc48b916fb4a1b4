// An entry of an append-only log as a call: planned under the lock, so that its id is the next one, and committed at once.

import type { BranchStore } from '../../store/branch-store.ts';
import type { Operation } from '../../store/operation.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** An entry with the operation that appends it. */
export interface PlannedEntry<Value extends { readonly id: string }> {
  readonly value: Value;
  readonly operation: Operation;
}

export interface AppendedEntry<Value> {
  /** As it is in the log now. */
  readonly value: Value;
  /** Null when git's index was busy and inside a project: durable in the journal. */
  readonly commit: string | null;
}

/** Appends what `plan` makes of the present; it is called again when the branch moved on, or a person had appended something by hand. */
export async function appendEntry<Value extends { readonly id: string }>(
  {
    store,
    now,
    isImmediate,
  }: { readonly store: BranchStore; readonly now: () => number; readonly isImmediate: boolean },
  plan: (snapshot: Snapshot) => PlannedEntry<Value>,
): Promise<AppendedEntry<Value>> {
  let value: Value | undefined;
  const operationUpon = (snapshot: Snapshot): Operation => {
    const planned = plan(snapshot);
    value = planned.value;
    return planned.operation;
  };
  if (!isImmediate) {
    await store.append((snapshot) => {
      const { kind, name, subject, trailers, changes } = operationUpon(snapshot);
      const heading = subject === undefined ? {} : { subject };
      return [{ run: `${name}:${value!.id}`, kind, name, ...heading, trailers, changes, time: now() }];
    });
    return { value: value!, commit: null };
  }
  const outcome = await store.commit((snapshot) => [operationUpon(snapshot)], { onBusy: 'journal' });
  const [commit] = outcome.commits.slice(-1);
  return { value: value!, commit: outcome.isJournalled ? null : (commit ?? null) };
}
