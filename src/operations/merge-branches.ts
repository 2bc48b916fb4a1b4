// Merges that need another branch open: what waits there is a part of it, and `into` names who receives.

import type { BranchStore } from '../store/branch-store.ts';
import type { CommitResult, DropResult, MergeOptions, MergeResult } from '../types.ts';
import { type BranchScope, branchOf, dropBranch, findBranch, refuseInProject } from './branches.ts';
import { mergeCommit, previewMerge } from './merge.ts';
import type { UndoTime } from './undo-events.ts';

/** A branch of the memory, open for writing. */
export interface OpenBranch {
  readonly store: BranchStore;
  commit(): Promise<CommitResult>;
  merge(theirs: string, options: MergeOptions): Promise<MergeResult>;
  close(): Promise<void>;
  /** Lets go of it without committing anything. */
  dispose(): void;
}

export interface BranchAccess {
  readonly scope: BranchScope;
  readonly store: BranchStore;
  /** Finds the commit that a revision names. */
  resolve(revision: string): string;
  /** The time zone of the memory, in which the days of its logs begin. */
  readonly timeZone: string;
  open(name: string): Promise<OpenBranch>;
}

/** Tells what {@link mergeInto} would do; throws as it does. */
export function previewMergeInto(access: BranchAccess, theirs: string, into?: string): MergeResult {
  const { store, resolve } = access;
  return previewMerge(store, resolve(into ?? 'HEAD'), resolve(theirs), timeOf(access));
}

/** Merges a branch, tag or commit into the open branch, or into `into`; throws as {@link mergeCommit}, and NOT_FOUND. */
export async function mergeInto(access: BranchAccess, theirs: string, options: MergeOptions): Promise<MergeResult> {
  const { scope, store, resolve, open } = access;
  const { into } = options;
  const allowRemovals = options.allowRemovals === true;
  refuseInProject(scope, 'git merge');
  if (into !== undefined && branchOf(scope, into) !== store.ref) {
    return using(await open(into), (other) => other.merge(theirs, { allowRemovals }));
  }
  const ref = findBranch(scope, theirs);
  // What was acknowledged there is a part of that branch.
  if (ref !== null && ref !== store.ref) await using(await open(theirs), (other) => other.commit());
  return mergeCommit(store, resolve(ref ?? theirs), theirs, allowRemovals, { again: timeOf(access) });
}

function timeOf({ scope, timeZone }: BranchAccess): UndoTime {
  return { now: scope.now, timeZone };
}

/** Ends a branch; throws as {@link dropBranch}. */
export async function dropNamed({ scope, open }: BranchAccess, name: string, force: boolean): Promise<DropResult> {
  const other = await open(name);
  try {
    return await dropBranch(scope, other.store, force);
  } finally {
    other.dispose();
  }
}

async function using<T>(other: OpenBranch, act: (other: OpenBranch) => Promise<T>): Promise<T> {
  try {
    return await act(other);
  } finally {
    await other.close();
  }
}
