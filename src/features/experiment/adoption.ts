// Whether an experiment is in a branch: it was adopted, the adoption may have been taken back, and it can be adopted again.

import { MemoryError } from '../../base/errors.ts';
import { isBehind } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { adoptOperation } from '../../store/experiment-names.ts';
import { ObjectOverlay } from '../../store/git/object-overlay.ts';
import { parseMessage } from '../../store/guard/message.ts';
import type { Operation } from '../../store/operation.ts';
import { fileChangeOf, plannedChanges } from '../../store/planned-change.ts';
import { kindOf } from '../../store/records/kind.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { mergeTrees } from '../../store/tree-merge.ts';

/** The newest adoption of an experiment, and the undo that took it back; null while it stands. */
export interface Adoption {
  readonly commit: string;
  readonly undoneBy: string | null;
}

/** Finds the newest adoption among the first parents of `tip`, down to where the experiment began; null for none. An undone undo took nothing back. */
export function findAdoption(store: BranchStore, tip: string, theirs: string, base: string): Adoption | null {
  const { objects } = store.repository;
  const undoneBy = new Map<string, string>();
  for (let oid: string | undefined = tip; oid !== undefined && oid !== base; ) {
    const { message, parents } = objects.readCommit(oid);
    if (/^(?:Undoes|Operation): /m.test(message)) {
      const { trailers } = parseMessage(message);
      const values = (key: string) => trailers.filter((one) => one.key === key).map(({ value }) => value);
      if (!undoneBy.has(oid))
        for (const target of values('Undoes')) if (!undoneBy.has(target)) undoneBy.set(target, oid);
      const from = parents[1];
      const isAdoption = from !== undefined && values('Operation').includes(adoptOperation);
      if (isAdoption && isBehind(objects, from, [theirs])) return { commit: oid, undoneBy: undoneBy.get(oid) ?? null };
    }
    oid = parents[0];
  }
  return null;
}

/** Brings back what an adoption brought, in one commit; changes since stay. Gives the commit (null: nothing left) and conflicts. Throws LOCKED. */
export async function adoptAgain(
  store: BranchStore,
  { commit, undoneBy }: Adoption,
  name: string,
  besides: (snapshot: Snapshot, operation: Operation) => Operation,
): Promise<{ readonly commit: string | null; readonly conflicts: readonly string[] }> {
  let conflicts: readonly string[] = [];
  const outcome = await store.commit(
    (snapshot) => {
      const operation = planAgain(store, snapshot.commit!, commit, undoneBy!, name);
      conflicts = operation.trailers.map(({ value }) => value);
      return [besides(snapshot, operation)];
    },
    { onBusy: 'fail' },
  );
  if (outcome.conflicts.length === 0) return { commit: outcome.commits[0] ?? null, conflicts };
  throw new MemoryError('CONFLICT', 'the adoption cannot be brought back', { where: outcome.conflicts[0]! });
}

function planAgain(store: BranchStore, tip: string, adoption: string, undo: string, name: string): Operation {
  const objects = new ObjectOverlay(store.repository.objects);
  const treeOf = (oid: string) => objects.readCommit(oid).tree;
  const beforeOf = (oid: string) => treeOf(objects.readCommit(oid).parents[0]!);
  const { trailers } = parseMessage(objects.readCommit(undo).message);
  // An undo of this alone left what was forgotten or edited before it; one of several took back more than is asked for.
  const isAlone = trailers.filter(({ key }) => key === 'Undoes').length === 1;
  const ours = treeOf(tip);
  const way = isAlone
    ? { base: treeOf(undo), theirs: beforeOf(undo) }
    : { base: beforeOf(adoption), theirs: treeOf(adoption) };
  const merged = mergeTrees(
    objects,
    { ...way, ours },
    { by: 'kind', codec: store.codec, newer: 'ours', names: { ours: tip, theirs: name } },
  );
  const made = new Set(merged.changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])));
  return {
    kind: 'merge',
    name: adoptOperation,
    subject: `${name} again`,
    trailers: merged.conflicts.slice(0, 50).map((path) => ({ key: 'Conflict', value: path }) as const),
    // The ledger gets again what it had, by what it says now: a log takes nothing back by a merge.
    changes: plannedChanges(objects, ours, merged.tree, made)
      .map(fileChangeOf)
      .filter(({ path }) => kindOf(path) !== 'ledger'),
    onConflict: 'refuse',
    mayRemoveMany: true,
    bringsBack: true,
    parents: [objects.readCommit(adoption).parents[1]!],
  };
}
