// The merge of a branch as a whole: what waits goes into history first, then two histories become one commit.

import { oneLine } from '../base/text.ts';
import { MemoryError } from '../errors.ts';
import { parseMessage } from '../guard/message.ts';
import { type MergePlan, planMerge } from '../history/merge.ts';
import { commitsBeyond } from '../history/merge-base.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { deriveTree } from '../store/derive.ts';
import { isMemoryTree } from '../store/memory-tree.ts';
import type { Operation } from '../store/operation.ts';
import { fileChangeOf, plannedChanges } from '../store/planned-change.ts';
import type { Snapshot } from '../store/snapshot.ts';
import { refusePurged } from '../sync/purged-history.ts';
import type { MergeResult } from '../types.ts';
import { flushBefore } from './flush-before.ts';

const maxNamed = 50;

/** How a merge is made and what it is called in the history. */
export interface MergeCommitSettings {
  /** Which side stands in a dispute. Default: the newer one. */
  readonly newer?: 'ours' | 'theirs';
  /** The `Operation` trailer; default `merge`. */
  readonly as?: string;
  /** Adds what follows from what the merge brings, under the lock; default: nothing does. */
  readonly besides?: (snapshot: Snapshot, operation: Operation) => Operation;
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
  { newer, as = 'merge', besides = (_, operation) => operation }: MergeCommitSettings = {},
): Promise<MergeResult> {
  await flushBefore(store);
  let plan: MergePlan | null = null;
  const outcome = await store.commit(
    (snapshot) => {
      const tip = snapshot.commit;
      if (tip === null) {
        throw new MemoryError('NOT_FOUND', 'there is nothing to merge into: the branch has no commit', {
          where: store.ref,
        });
      }
      plan = planned(store, tip, theirs, newer);
      return plan.bases[0] === theirs
        ? []
        : [
            besides(snapshot, {
              ...mergeOperation(store, tip, theirs, name, plan),
              name: as,
              mayRemoveMany: allowRemovals,
            }),
          ];
    },
    { onBusy: 'fail' },
  );
  const { bases, conflicts } = plan!;
  return { commit: outcome.commits[0] ?? null, tree: outcome.tree, bases, conflicts };
}

/**
 * Tells what a merge would give, in any repository. In one without a memory, files merge as git merges them, and a conflict leaves no tree.
 */
export function previewMerge(store: BranchStore, ours: string, theirs: string): MergeResult {
  const { readCommit, readTree } = store.repository.objects;
  const { bases, conflicts, tree } = planned(store, ours, theirs);
  const isSettled = conflicts.length === 0 || isMemoryTree(readCommit(ours).tree, readTree);
  return { commit: null, tree: isSettled ? tree : null, bases, conflicts };
}

function planned(store: BranchStore, ours: string, theirs: string, newer?: MergeCommitSettings['newer']): MergePlan {
  const { objects } = store.repository;
  const isMemory = isMemoryTree(objects.readCommit(ours).tree, objects.readTree);
  if (isMemory) refusePurged(objects, ours, commitsBeyond(objects, theirs, [ours]), theirs);
  const plan = planMerge(objects, ours, theirs, {
    by: isMemory ? 'kind' : 'line',
    codec: store.codec,
    ...(newer === undefined ? {} : { newer }),
  });
  if (plan.bases.length > 0) return isMemory ? { ...plan, tree: treeWithDerived(store, ours, plan) } : plan;
  throw new MemoryError('INVALID_ARGUMENT', 'the two histories have nothing in common', {
    where: theirs,
    hint: 'Only branches of the same memory can be merged',
  });
}

/** What follows from logs is made of what the merge makes of them. */
function treeWithDerived({ derivations, repository, codec }: BranchStore, ours: string, plan: MergePlan): string {
  return deriveTree(derivations, plan.objects, repository.objects.readCommit(ours).tree, plan.tree, codec);
}

function mergeOperation(store: BranchStore, tip: string, theirs: string, name: string, plan: MergePlan): Operation {
  const { objects } = store.repository;
  const made = new Set(plan.changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])));
  const brought = commitsBeyond(objects, theirs, [tip]);
  const subjects = brought.map((oid) => `- ${parseMessage(objects.readCommit(oid).message).subject}`);
  const { conflicts } = plan;
  const renamed = plan.renamed.map(
    ({ side, from, to }) => `- ${from} of ${side === 'ours' ? 'this branch' : oneLine(name, 60)} is ${to} now`,
  );
  return {
    kind: 'merge',
    name: 'merge',
    subject: oneLine(name, 60),
    body: [
      ...capped(subjects, 'operations'),
      ...capped(renamed, 'new ids'),
      ...(conflicts.length > maxNamed ? capped(conflicts, 'conflicts') : []),
    ].join('\n'),
    trailers: conflicts.slice(0, maxNamed).map((path) => ({ key: 'Conflict', value: path }) as const),
    changes: plannedChanges(plan.objects, objects.readCommit(tip).tree, plan.tree, made).map(fileChangeOf),
    onConflict: 'later',
    mayRemoveCaptures: true,
    bringsBack: true,
    parents: [theirs],
  };
}

function capped(lines: readonly string[], what: string): string[] {
  return lines.length <= maxNamed
    ? [...lines]
    : [...lines.slice(0, maxNamed), `- and ${lines.length - maxNamed} more ${what}`];
}
