// The merge of a branch as a whole: what waits goes into history first, then two histories become one commit. Another branch is opened for it: what
// waits there is a part of it, and `into` names who receives.

import { defined, MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import type {
  AcceptableChange,
  BranchComparison,
  CommitResult,
  DropResult,
  FileFault,
  IncomingFindings,
  MergeOptions,
  MergeResult,
  UndoneMerge,
} from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { unfinishedIn } from '../../store/brought.ts';
import { deriveTree } from '../../store/derive.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { publishedTips, rescueFolder } from '../../store/git/remotes.ts';
import { cappedLines, maxNamed, parseMessage } from '../../store/guard/message.ts';
import { emptiedFolder } from '../../store/memory-quota.ts';
import { isMemoryTree } from '../../store/memory-tree.ts';
import type { Operation } from '../../store/operation.ts';
import { fileChangeOf, plannedChanges } from '../../store/planned-change.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { changesOf } from '../log.ts';
import { type MergePlan, planMerge } from '../merge.ts';
import { commitsBeyond, mergeBases } from '../merge-base.ts';
import { refusePurged } from '../purged-history.ts';
import type { UndoTime } from '../undo/undo-events.ts';
import { planBringBack, undoneMergesOf } from '../undo/undone-merges.ts';
import { type BranchScope, branchOf, dropBranch, findBranch, refuseInProject } from './branches.ts';
import { judgeIncoming, refuseIncoming } from './judge-incoming.ts';

/** How a merge is made and what it is called in the history. */
interface MergeCommitSettings {
  /** Which side wins a dispute. Default: the newer one. */
  readonly newer?: 'ours' | 'theirs';
  /** The `Operation` trailer; default `merge`. */
  readonly as?: string;
  /** Adds what follows from what the merge brings, under the lock; default: nothing does. */
  readonly besides?: (snapshot: Snapshot, operation: Operation) => Operation;
  /** Brings back what an undo of an earlier merge took away. Left out where nobody asks for a branch by name, as in a sync. */
  readonly again?: UndoTime;
  /** A remote has it: the ids of its logs stay. */
  readonly isPublished?: boolean;
  /** Judges what the commits bring, but for what is accepted. Left out where the branch is this one's own, as in a sync. */
  readonly accept?: readonly AcceptableChange[];
  /** What a sync kept of this branch comes back also where nothing is in common any more. */
  readonly isKept?: boolean;
}

/**
 * Merges a commit into the branch of a store; `name` is what people call it.
 *
 * Conflicts are settled, and named: the later change stands, the other one in the record or in history. Throws SECRET and UNACCEPTED with
 * `accept`, see {@link judgeIncoming}; MASS_REMOVAL.
 */
export async function mergeCommit(
  store: BranchStore,
  theirs: string,
  name: string,
  allowRemovals: boolean,
  settings: MergeCommitSettings,
): Promise<MergeResult> {
  const { as = 'merge', besides = (_: Snapshot, operation: Operation) => operation } = settings;
  await flushBefore(store);
  let plan: PlannedMerge | null = null;
  const outcome = await store.commit(
    (snapshot) => {
      const tip = snapshot.commit;
      if (tip === null)
        throw new MemoryError('NOT_FOUND', 'the branch has no commit to merge into', { where: store.ref });
      plan = planned(store, tip, theirs, settings);
      if (plan.refused !== undefined) refuseIncoming(plan.refused, name);
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
export function previewMerge(
  store: BranchStore,
  ours: string,
  theirs: string,
  settings: MergeCommitSettings & { readonly allowRemovals?: boolean } = {},
): MergeResult {
  const { readCommit, readTree } = store.repository.objects;
  const plan = planned(store, ours, theirs, settings);
  const { tree } = readCommit(ours);
  const isMemory = isMemoryTree(tree, readTree);
  const isSettled = plan.conflicts.length === 0 || isMemory;
  const isCounted = isMemory && settings.accept !== undefined && settings.allowRemovals !== true;
  const changes = plan.changes.map(({ path, before, after }) => ({
    path,
    before: before?.oid ?? null,
    after: after?.oid ?? null,
  }));
  const removals = isCounted ? emptiedFolder(tree, readTree, changes, store.settings(store.at(ours)).limits) : null;
  const refused =
    removals === null ? plan.refused : { secrets: [], changes: [], ...plan.refused, removals: removals.what };
  return { commit: null, tree: isSettled ? plan.tree : null, ...told({ ...plan, ...defined({ refused }) }) };
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
  readonly faults: readonly FileFault[];
  readonly refused?: IncomingFindings;
}

function told(planned: PlannedMerge): Omit<MergeResult, 'commit' | 'tree'> {
  const { bases, conflicts, isHere, undone, faults, refused } = planned;
  return {
    bases,
    conflicts,
    ...defined({ refused }),
    ...(faults.length > 0 ? { faults } : {}),
    ...(isHere ? { isHere } : {}),
    ...(undone.length > 0 ? { undone } : {}),
  };
}

function planned(
  store: BranchStore,
  ours: string,
  theirs: string,
  { newer, again, accept, isPublished, isKept = false }: MergeCommitSettings,
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
    published: [...(isPublished ? [theirs] : []), ...publishedTips(store.repository, store.ref)],
    ...defined({ newer }),
  });
  const made = new Set([
    ...(back?.made ?? []),
    ...plan.changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])),
  ]);
  const conflicts = [...new Set([...(back?.conflicts ?? []), ...plan.conflicts])];
  if (plan.bases.length > 0 || isKept) {
    const tree = isMemory ? treeWithDerived(store, ours, plan) : plan.tree;
    const isHere = plan.bases[0] === theirs && (back === null || tree === objects.readCommit(ours).tree);
    const told = isHere ? undone.filter((one) => !one.isBroughtBack) : undone;
    const others = [...plan.bases, ours];
    const faults = isMemory ? unfinishedIn(objects, store.codec, theirs, others) : [];
    const found = isMemory && accept !== undefined ? findingsOf(store, ours, theirs, plan.bases, accept) : undefined;
    return { ...plan, tree, conflicts, made, isHere, undone: told, faults, ...defined({ refused: found }) };
  }
  const hint = 'Only branches of the same memory can be merged';
  throw new MemoryError('INVALID_ARGUMENT', 'the two histories have no commit in common', { where: theirs, hint });
}

/** Judges what commits bring by the rules of the branch that receives them; undefined where nothing speaks against it. */
function findingsOf(
  store: BranchStore,
  ours: string,
  theirs: string,
  bases: readonly string[],
  accepted: readonly AcceptableChange[],
): IncomingFindings | undefined {
  const { secrets } = store.settings(store.at(ours)).limits;
  const { objects } = store.repository;
  const found = judgeIncoming({ objects, codec: store.codec, ours, theirs, bases, secrets, accepted });
  return found.secrets.length + found.changes.length === 0 ? undefined : found;
}

/** What follows from logs is made of what the merge makes of them. */
const treeWithDerived = ({ derivations, repository, codec }: BranchStore, ours: string, plan: MergePlan): string =>
  deriveTree(derivations, plan.objects, repository.objects.readCommit(ours).tree, plan.tree, codec);

function mergeOperation(store: BranchStore, tip: string, theirs: string, name: string, plan: PlannedMerge): Operation {
  const { objects } = store.repository;
  const brought = commitsBeyond(objects, theirs, [tip]);
  const subjects = brought.map((oid) => `- ${parseMessage(objects.readCommit(oid).message).subject}`);
  const { conflicts, made } = plan;
  const back = plan.undone.filter(({ isBroughtBack }) => isBroughtBack);
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
      ...newIds(plan.renamed, oneLine(name, 60)),
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

/** Lists new ids in the body of a commit; `theirs` is what people call the other side. */
export function newIds(renamed: MergePlan['renamed'], theirs: string): string[] {
  const nameOf = { ours: 'this branch', theirs };
  const lines = renamed.map(({ side, from, to }) => `- ${from} of ${nameOf[side]} is ${to} now`);
  return cappedLines(lines, 'new ids');
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

/** Tells what {@link mergeInto} would do, and why it would refuse. */
export function previewMergeInto(
  access: BranchAccess,
  theirs: string,
  { into, accept, allowRemovals }: MergeOptions,
): MergeResult {
  const { store, resolve } = access;
  const ours = resolve(into ?? 'HEAD');
  return previewMerge(store, ours, resolve(theirs), {
    ...settingsOf(access, theirs, accept),
    allowRemovals: allowRemovals === true,
  });
}

/**
 * Merges a branch, tag or commit into the open branch, or into `into`; throws as {@link mergeCommit}, and NOT_FOUND.
 *
 * Each is judged, also an experiment of this machine: nothing that a commit says of itself proves who wrote it.
 */
export async function mergeInto(access: BranchAccess, theirs: string, options: MergeOptions): Promise<MergeResult> {
  const { scope, store, resolve, open } = access;
  const { into, accept = [] } = options;
  const allowRemovals = options.allowRemovals === true;
  refuseInProject(scope, 'git merge');
  if (into !== undefined && branchOf(scope, into) !== store.ref)
    return using(await open(into), (other) => other.merge(theirs, { allowRemovals, accept }));
  const ref = findBranch(scope, theirs);
  // What was acknowledged there is a part of that branch.
  if (ref !== null && ref !== store.ref) await using(await open(theirs), (other) => other.commit());
  return mergeCommit(store, resolve(ref ?? theirs), theirs, allowRemovals, settingsOf(access, theirs, accept));
}

/** What a sync kept of this branch is its own, and as little judged as what a sync brings. */
function settingsOf(access: BranchAccess, theirs: string, accept: MergeOptions['accept']): MergeCommitSettings {
  const isKept = theirs.startsWith(rescueFolder) && access.scope.repository.refs.read(theirs) !== null;
  return {
    again: { now: access.scope.now, timeZone: access.timeZone },
    ...(isKept ? { isKept } : { accept: accept ?? [] }),
  };
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
