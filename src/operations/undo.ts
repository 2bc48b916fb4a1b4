// Undo as a whole: what is pending is committed first, then the inverse is planned under the lock and committed.

import { MemoryError } from '../errors.ts';
import { checkPath } from '../guard/path.ts';
import { changesOf } from '../history/log.ts';
import { planUndo, type Resolve, selectCommits } from '../history/undo.ts';
import type { BranchStore } from '../store/branch-store.ts';
import type { MemoryCatalog } from '../store/memory-catalog.ts';
import type { UndoOptions, UndoResult, UndoTarget } from '../types.ts';

/** Takes operations back, or says what stands in the way; see {@link UndoResult}. */
export async function undoOperations(
  store: BranchStore,
  catalog: MemoryCatalog,
  resolve: Resolve,
  what: UndoTarget,
  options: UndoOptions,
): Promise<UndoResult> {
  if (what === null || what === undefined || what === '') {
    throw new MemoryError('INVALID_ARGUMENT', 'what to undo is missing', {
      where: 'what',
      hint: 'Name a commit, session or run; `git memory log` lists them',
    });
  }
  if (options.onto !== undefined && !options.dryRun) {
    throw new MemoryError('INVALID_ARGUMENT', 'onto goes with dryRun only', { where: 'onto' });
  }
  const paths = options.paths?.map((path) => checkPath(path));
  if (options.dryRun) return previewUndo(store, resolve, what, options.onto, paths);
  const flushed = await store.flush();
  if (flushed.isJournalled) {
    throw new MemoryError('LOCKED', 'another program holds the git index', {
      where: flushed.skipped[0]!.path,
      hint: 'Finish or close the running git command and repeat the call',
    });
  }
  let commits: string[] = [];
  const outcome = await store.commit(
    () => {
      commits = selectCommits(store.repository, store.tip(), what, resolve);
      return [{ ...planUndo(store.repository, commits, paths), mayRemoveMany: options.allowRemovals === true }];
    },
    { onBusy: 'fail' },
  );
  const [commit] = outcome.commits;
  // Nothing to change: it had been taken back already, by hand or by the same undo before.
  if (commit === undefined) {
    const tree = outcome.conflicts.length > 0 ? null : outcome.tree;
    return { undone: [], commit: null, tree, conflicts: outcome.conflicts, derived: [] };
  }
  return { undone: commits, commit, tree: outcome.tree, conflicts: [], derived: derivedFrom(store, catalog, commit) };
}

function previewUndo(
  store: BranchStore,
  resolve: Resolve,
  what: UndoTarget,
  onto: string | undefined,
  paths: readonly string[] | undefined,
): UndoResult {
  const { repository } = store;
  const tip = onto === undefined ? store.tip() : resolve(onto);
  // Onto another commit, the operation need not be in its history.
  const commits =
    onto !== undefined && typeof what === 'string' ? [resolve(what)] : selectCommits(repository, tip, what, resolve);
  const build = store.preview(tip, [{ ...planUndo(repository, commits, paths), mayRemoveMany: true }]);
  const isRefused = build.refused.length > 0;
  return {
    undone: isRefused ? [] : commits,
    commit: null,
    tree: isRefused ? null : build.tree,
    conflicts: build.refused,
    derived: [],
  };
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
