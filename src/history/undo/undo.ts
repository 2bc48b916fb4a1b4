// Undo as a whole: what is pending is committed first, then the inverse is planned under the lock and committed.

import { MemoryError, orElse } from '../../base/errors.ts';
import { formatSeconds } from '../../base/time.ts';
import type { UndoOptions, UndoResult, UndoTarget } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { checkChange } from '../../store/change-rules.ts';
import type { Codec } from '../../store/codec.ts';
import { deriveTree } from '../../store/derive.ts';
import { adoptOperation } from '../../store/experiment-names.ts';
import { flushBefore } from '../../store/flush-before.ts';
import { diffTrees } from '../../store/git/tree.ts';
import { checkAgentOperation } from '../../store/guard/agent-door.ts';
import { parseMessage } from '../../store/guard/message.ts';
import { checkPath } from '../../store/guard/path.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { isMemoryTree } from '../../store/memory-tree.ts';
import { plannedChanges } from '../../store/planned-change.ts';
import { attachmentsNamedIn } from '../../store/records/attachment-lines.ts';
import { kindOf } from '../../store/records/kind.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { planInverse, type UndoPlan, undoOperation } from '../inverse.ts';
import { changesOf } from '../log.ts';
import { type Resolve, selectCommits } from '../undo-targets.ts';
import { keepEvents, type UndoTime } from './undo-events.ts';

/** Takes operations back, or names what prevents it; see {@link UndoResult}. */
export async function undoOperations(
  store: BranchStore,
  catalog: MemoryCatalog,
  resolve: Resolve,
  what: UndoTarget<number>,
  options: UndoOptions,
  when: UndoTime,
): Promise<UndoResult> {
  if (options.onto !== undefined && !options.dryRun)
    throw new MemoryError('INVALID_ARGUMENT', 'onto goes with dryRun only', { where: 'onto' });
  const paths = options.paths?.map((path) => checkPath(path.replace(/\/$/, '')));
  if (options.dryRun) return previewUndo(store, resolve, what, options.onto, paths, when);
  await flushBefore(store);
  let commits: string[] = [];
  let plan: UndoPlan | null = null;
  const outcome = await store.commit(
    () => {
      const tip = store.tip();
      commits = selectCommits(store.repository, tip, what, resolve);
      plan = checkedPlan(store, tip!, commits, paths, when);
      if (plan.conflicts.length > 0) return [];
      const operation = undoOperation(store.repository.objects, commits, plan);
      // Of a session, or a run, all is meant, however much it brought.
      const isSession = typeof what === 'object' && ('session' in what || 'run' in what);
      // What an adoption brought came instead of something else, which comes back.
      const isAdopted = commits.every((oid) => isOf(store.repository, oid, adoptOperation));
      const isAskedFor = options.allowRemovals === true || isSession || isAdopted;
      // A verdict that left everything as it was is taken back by saying so.
      const mayBeEmpty = commits.every((oid) => isBareVerdict(store.repository, oid));
      return [{ ...operation, mayRemoveMany: isAskedFor, mayBeEmpty }];
    },
    { onBusy: 'fail' },
  );
  const conflicts = [...plan!.conflicts, ...outcome.conflicts];
  const [commit] = outcome.commits;
  // Nothing to change: it had been taken back already, by hand or by the same undo before.
  if (commit === undefined) {
    const tree = conflicts.length > 0 ? null : outcome.tree;
    return { undone: [], subjects: [], times: [], commit: null, tree, conflicts, derived: [] };
  }
  const derived = derivedFrom(store, catalog, commit);
  return { undone: commits, ...described(store, commits), commit, tree: outcome.tree, conflicts: [], derived };
}

/** Says of commits what they are called, and when they were made. */
function described({ repository }: BranchStore, commits: readonly string[]): Pick<UndoResult, 'subjects' | 'times'> {
  const read = commits.map((oid) => repository.objects.readCommit(oid));
  return {
    subjects: read.map(({ message }) => parseMessage(message).subject),
    times: read.map(({ committer }) => formatSeconds(committer.time)),
  };
}

/** A purge leaves nothing to bring back; undoing its commit would only take the receipt and the epoch away. */
function refusePurges({ repository }: BranchStore, commits: readonly string[]): void {
  const purged = commits.find((oid) => isOf(repository, oid, 'purge'));
  if (purged === undefined) return;
  const hint = 'You can undo earlier operations one by one, under their new ids';
  throw new MemoryError('PURGED', 'a purge cannot be undone: its content no longer exists', { where: purged, hint });
}

function isOf({ objects }: BranchStore['repository'], oid: string, operation: string): boolean {
  const { trailers } = parseMessage(objects.readCommit(oid).message);
  return trailers.some(({ key, value }) => key === 'Operation' && value === operation);
}

function isBareVerdict({ objects }: BranchStore['repository'], oid: string): boolean {
  const { tree, parents, message } = objects.readCommit(oid);
  const isBare = parents.length === 1 && objects.readCommit(parents[0]!).tree === tree;
  return isBare && parseMessage(message).trailers.some(({ key }) => key === 'Verdict');
}

function previewUndo(
  store: BranchStore,
  resolve: Resolve,
  what: UndoTarget<number>,
  onto: string | undefined,
  paths: readonly string[] | undefined,
  when: UndoTime,
): UndoResult {
  const { repository } = store;
  const tip = onto === undefined ? store.tip() : resolve(onto);
  // Onto another commit, the operation need not be in its history.
  const commits =
    onto !== undefined && typeof what === 'string' ? [resolve(what)] : selectCommits(repository, tip, what, resolve);
  const { tree, conflicts } = checkedPlan(store, tip!, commits, paths, when);
  const isRefused = conflicts.length > 0;
  const undone = isRefused ? [] : commits;
  return { undone, ...described(store, undone), commit: null, tree: isRefused ? null : tree, conflicts, derived: [] };
}

/** Plans the inverse on top of a commit; a file that would break a rule of the memory is a conflict. */
function checkedPlan(
  store: BranchStore,
  tip: string,
  commits: readonly string[],
  paths: readonly string[] | undefined,
  when: UndoTime,
): UndoPlan {
  const { codec, repository } = store;
  const { readCommit, readTree } = repository.objects;
  refusePurges(store, commits);
  const { tree } = readCommit(tip);
  const isMemory = isMemoryTree(tree, readTree);
  const inverse = planInverse(repository.objects, tree, commits, {
    by: isMemory ? 'kind' : 'line',
    codec,
    name: tip,
    ...(paths === undefined
      ? {}
      : { isWanted: (path) => paths.some((part) => path === part || path.startsWith(`${part}/`)) }),
  });
  if (!isMemory) return inverse;
  const whole = keepEvents(inverse, store.at(tip), codec, when);
  // A caller that names a path means it.
  const kept = paths === undefined ? keepNamedAttachments(whole, store.at(tip), codec, commits.at(-1)) : whole;
  const plan = withDerived(kept, store, tree);
  if (!isMemoryTree(plan.tree, plan.objects.readTree)) {
    throw new MemoryError('INVALID_ARGUMENT', 'the first commit of a memory cannot be undone', {
      where: commits.at(-1)!,
      hint: 'Name later operations, or paths',
    });
  }
  checkAgentOperation(plan.changes.map(({ path }) => path));
  const snapshot = store.at(tip);
  const { limits } = store.settings(snapshot);
  const broken = plan.changes.flatMap(({ path, bytes, isMade }) => {
    if (!isMade || bytes === null) return [];
    return orElse(() => {
      const after = codec.decode(path, bytes);
      checkChange({ path, before: snapshot.read(path), after }, { limits, isKnown: true, mayRemoveCaptures: true });
      return [];
    }, [path]);
  });
  return { ...plan, conflicts: [...plan.conflicts, ...broken] };
}

/** Makes anew in a plan what follows from the logs that it changes. */
function withDerived(plan: UndoPlan, { derivations, codec }: BranchStore, before: string): UndoPlan {
  const { objects } = plan;
  const tree = deriveTree(derivations, objects, before, plan.tree, codec);
  if (tree === plan.tree) return plan;
  const made = new Set(plan.changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])));
  return { ...plan, tree, changes: plannedChanges(objects, before, tree, made) };
}

/** Lists memories whose source is a capture that a commit took away. */
function derivedFrom(store: BranchStore, catalog: MemoryCatalog, commit: string): string[] {
  const removed = new Set(
    changesOf(store.repository, commit)
      .filter((change) => change.after === null && change.path.startsWith('raw/'))
      .map((change) => change.path),
  );
  if (removed.size === 0) return [];
  return [...catalog.all(store.snapshot())]
    .filter(([, record]) => (record.sources ?? []).some((source) => removed.has(source.path)))
    .map(([path]) => path);
}

/**
 * Gives a plan in which no attachment goes that is still named. `oldest` is the first of the commits that are taken back. No older
 * transcript can name what came with it or later, so none is read.
 */
function keepNamedAttachments(plan: UndoPlan, present: Snapshot, codec: Codec, oldest: string | undefined): UndoPlan {
  const going = new Set(
    plan.changes.filter(({ path, after }) => after === null && path.startsWith('attachments/')).map(({ path }) => path),
  );
  if (going.size === 0 || oldest === undefined) return plan;
  const { objects } = plan;
  const parent = objects.readCommit(oldest).parents[0];
  const before = parent === undefined ? null : objects.readCommit(parent).tree;
  const kept = new Set<string>();
  for (const { path, after } of diffTrees(before, plan.tree, objects.readTreeBytes)) {
    if (after === null || kindOf(path) !== 'conversation') continue;
    const text = codec.decode(path, objects.readBlob(after.oid)).toString('utf8');
    for (const named of attachmentsNamedIn(text)) if (going.has(named)) kept.add(named);
  }
  if (kept.size === 0) return plan;
  const edits = new Map(
    [...kept].map((path) => [path, { mode: '100644' as const, oid: present.oidOf(path)! }] as const),
  );
  const tree = objects.editTree(plan.tree, edits);
  const made = new Set(plan.changes.flatMap(({ after, isMade }) => (after !== null && isMade ? [after.oid] : [])));
  return { ...plan, tree, changes: plannedChanges(objects, present.tree, tree, made) };
}
