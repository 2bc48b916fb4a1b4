// The merge of a branch as a whole: what waits goes into history first, then two histories become one commit. Another branch is opened for it: what
// waits there is a part of it, and `into` names who receives.

import { oneLine } from '../base/text.ts';
import { MemoryError } from '../errors.ts';
import { parseMessage } from '../guard/message.ts';
import { changesOf } from '../history/log.ts';
import { type MergePlan, planMerge } from '../history/merge.ts';
import { commitsBeyond, mergeBases } from '../history/merge-base.ts';
import { refusePurged } from '../history/purge/purged-history.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { deriveTree } from '../store/derive.ts';
import { isMemoryTree } from '../store/memory-tree.ts';
import type { Operation } from '../store/operation.ts';
import { fileChangeOf, plannedChanges } from '../store/planned-change.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { BranchComparison, CommitResult, DropResult, MergeOptions, MergeResult, UndoneMerge } from '../types.ts';
import type { UndoTime } from '../undo/undo-events.ts';
import { planBringBack, undoneMergesOf } from '../undo/undone-merges.ts';
import { flushBefore } from '../write/flush-before.ts';
import { type BranchScope, branchOf, dropBranch, findBranch, refuseInProject } from './branches.ts';

const maxNamed = 50;

/** How a merge is made and what it is called in the history. */
export interface MergeCommitSettings {
  /** Which side wins a dispute. Default: the newer one. */
  readonly newer?: 'ours' | 'theirs';
  /** The `Operation` trailer; default `merge`. */
  readonly as?: string;
  /** Adds what follows from what the merge brings, under the lock; default: nothing does. */
  readonly besides?: (snapshot: Snapshot, operation: Operation) => Operation;
  /** Brings back what an undo of an earlier merge took away. Left out where nobody asks for a branch by name, as in a sync. */
  readonly again?: UndoTime;
}

/**
 * Merges a commit into the branch of a store; `name` is what people call it.
 *
 * Conflicts are settled, and named: the later change stands, the other one in the record or in history.
 */
export async function mergeCommit(
  store: BranchStore,
  theirs: string,
  name: string,
  allowRemovals: boolean,
  { newer, as = 'merge', besides = (_, operation) => operation, again }: MergeCommitSettings = {},
): Promise<MergeResult> {
  await flushBefore(store);
  let plan: PlannedMerge | null = null;
  const outcome = await store.commit(
    (snapshot) => {
      const tip = snapshot.commit;
      if (tip === null) {
        throw new MemoryError('NOT_FOUND', 'the branch has no commit to merge into', {
          where: store.ref,
        });
      }
      plan = planned(store, tip, theirs, newer, again);
      if (plan.isHere) return [];
      const operation = mergeOperation(store, tip, theirs, name, plan);
      return [besides(snapshot, { ...operation, name: as, mayRemoveMany: allowRemovals })];
    },
    { onBusy: 'fail' },
  );
  return { commit: outcome.commits[0] ?? null, tree: outcome.tree, ...told(plan!) };
}

/**
 * Tells what a merge would give, in any repository. In one without a memory, files merge as git merges them, and a conflict leaves no tree.
 */
export function previewMerge(store: BranchStore, ours: string, theirs: string, again?: UndoTime): MergeResult {
  const { readCommit, readTree } = store.repository.objects;
  const plan = planned(store, ours, theirs, undefined, again);
  const isSettled = plan.conflicts.length === 0 || isMemoryTree(readCommit(ours).tree, readTree);
  return { commit: null, tree: isSettled ? plan.tree : null, ...told(plan) };
}

/** Compares a branch with ours: what each has that the other has not, what a merge would change, and where it would contradict. */
export function compareBranches(store: BranchStore, ours: string, theirs: string): BranchComparison {
  const { repository } = store;
  const { objects } = repository;
  const bases = mergeBases(objects, [ours], [theirs]);
  const ahead = commitsBeyond(objects, theirs, [ours]);
  const paths = new Set(ahead.flatMap((oid) => changesOf(repository, oid).map(({ path }) => path)));
  return {
    commit: theirs,
    bases,
    ahead,
    behind: commitsBeyond(objects, ours, [theirs]),
    paths: [...paths].sort(),
    conflicts: bases.length === 0 ? [] : previewMerge(store, ours, theirs).conflicts,
  };
}

/** A merge, with what it brings back. */
interface PlannedMerge extends MergePlan {
  readonly isHere: boolean;
  readonly undone: readonly UndoneMerge[];
  /** Blobs that no commit has. */
  readonly made: ReadonlySet<string>;
}

function told({ bases, conflicts, isHere, undone }: PlannedMerge): Omit<MergeResult, 'commit' | 'tree'> {
  return { bases, conflicts, ...(isHere ? { isHere } : {}), ...(undone.length > 0 ? { undone } : {}) };
}

function planned(
  store: BranchStore,
  ours: string,
  theirs: string,
  newer?: MergeCommitSettings['newer'],
  again?: UndoTime,
): PlannedMerge {
  const { objects } = store.repository;
  const isMemory = isMemoryTree(objects.readCommit(ours).tree, objects.readTree);
  if (isMemory) refusePurged(objects, ours, commitsBeyond(objects, theirs, [ours]), theirs);
  const undone = isMemory && again !== undefined ? undoneMergesOf(objects, ours, theirs) : [];
  const wanted = undone.filter(({ isBroughtBack }) => isBroughtBack);
  const back = wanted.length === 0 ? null : planBringBack(store, ours, wanted, again!);
  const plan = planMerge(back?.objects ?? objects, back?.commit ?? ours, theirs, {
    by: isMemory ? 'kind' : 'line',
    codec: store.codec,
    ...(newer === undefined ? {} : { newer }),
  });
  const made = new Set([...(back?.made ?? []), ...madeBy(plan)]);
  const conflicts = [...new Set([...(back?.conflicts ?? []), ...plan.conflicts])];
  if (plan.bases.length > 0) {
    const tree = isMemory ? treeWithDerived(store, ours, plan) : plan.tree;
    const isHere = plan.bases[0] === theirs && (back === null || tree === objects.readCommit(ours).tree);
    const told = isHere ? undone.filter((one) => !one.isBroughtBack) : undone;
    return { ...plan, tree, conflicts, made, isHere, undone: told };
  }
  throw new MemoryError('INVALID_ARGUMENT', 'the two histories have no commit in common', {
    where: theirs,
    hint: 'Only branches of the same memory can be merged',
  });
}

/** What follows from logs is made of what the merge makes of them. */
function treeWithDerived({ derivations, repository, codec }: BranchStore, ours: string, plan: MergePlan): string {
  return deriveTree(derivations, plan.objects, repository.objects.readCommit(ours).tree, plan.tree, codec);
}

function madeBy({ changes }: MergePlan): string[] {
  return changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : []));
}

function mergeOperation(store: BranchStore, tip: string, theirs: string, name: string, plan: PlannedMerge): Operation {
  const { objects } = store.repository;
  const brought = commitsBeyond(objects, theirs, [tip]);
  const subjects = brought.map((oid) => `- ${parseMessage(objects.readCommit(oid).message).subject}`);
  const { conflicts, made } = plan;
  const back = plan.undone.filter(({ isBroughtBack }) => isBroughtBack);
  const renamed = plan.renamed.map(
    ({ side, from, to }) => `- ${from} of ${side === 'ours' ? 'this branch' : oneLine(name, 60)} is ${to} now`,
  );
  return {
    kind: 'merge',
    name: 'merge',
    subject: `${oneLine(name, 60)}${brought.length === 0 && back.length > 0 ? ' again' : ''}`,
    body: [
      ...cappedLines(subjects, 'operations'),
      ...back.map(
        ({ merge, undoneBy }) =>
          `- what ${merge.slice(0, 12)} brought is here again; ${undoneBy.slice(0, 12)} had undone it`,
      ),
      ...cappedLines(renamed, 'new ids'),
      ...(conflicts.length > maxNamed ? cappedLines(conflicts, 'conflicts') : []),
    ].join('\n'),
    trailers: [
      ...back.map(({ undoneBy }) => ({ key: 'Undoes', value: undoneBy }) as const),
      ...conflicts.slice(0, maxNamed).map((path) => ({ key: 'Conflict', value: path }) as const),
    ],
    changes: plannedChanges(plan.objects, objects.readCommit(tip).tree, plan.tree, made).map(fileChangeOf),
    onConflict: 'later',
    mayRemoveCaptures: true,
    bringsBack: true,
    parents: [theirs],
  };
}

/** Lists lines in the body of a commit, and of many how many more there are. */
export function cappedLines(lines: readonly string[], what: string): string[] {
  return lines.length <= maxNamed
    ? [...lines]
    : [...lines.slice(0, maxNamed), `- and ${lines.length - maxNamed} more ${what}`];
}

/** A branch of the memory, open for writing. */
export interface OpenBranch {
  /** @internal */
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

/** Ends a branch; throws as `branches.drop` does. */
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
