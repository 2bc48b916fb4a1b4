// What is where: branch, counts, what is pending, what needs attention.

import { MemoryError } from '../../base/errors.ts';
import { formatSeconds, formatTime } from '../../base/time.ts';
import type { IntegrityResult, StatusResult, SyncState } from '../../base/types.ts';
import { modelUse } from '../../core/extract/model-cache.ts';
import { commitsBeyond } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { resolveHint } from '../../store/checkout.ts';
import { configurationWarnings } from '../../store/configuration-reader.ts';
import { openFolders } from '../../store/git/permissions.ts';
import { findRemote, seenRef } from '../../store/git/remotes.ts';
import { extentAt, isMemoryPath } from '../../store/hand-edits.ts';
import type { PendingEntry } from '../../store/journal-records.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { lastSync } from '../sync/index.ts';

/** Gives how the branch stands to the remote that `sync` would take; null where there is none, or none that is spoken to. */
export function syncStateOf(store: BranchStore): SyncState | null {
  const { repository, ref } = store;
  try {
    const { name, address } = findRemote(repository);
    const seen = repository.refs.read(seenRef(name, ref));
    const tip = store.tip();
    const count = (of: string, others: string) => commitsBeyond(repository.objects, of, [others]).length;
    const isKnown = seen !== null && tip !== null;
    const last = lastSync(repository, name, ref);
    return {
      remote: name,
      address: address.shown,
      ahead: isKnown ? count(tip, seen) : null,
      behind: isKnown ? count(seen, tip) : null,
      last: last === null ? null : formatTime(last),
    };
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
}

const mostProblems = 5;
const conversations = 'raw/conversations/';

/** Gives the state of a branch without what only its opener knows; in a project the code's files are not counted. */
export function statusOf(
  store: BranchStore,
  catalog: MemoryCatalog,
  snapshot: Snapshot,
  integrity: IntegrityResult,
  { isProject, isPushed }: { readonly isProject: boolean; readonly isPushed: boolean },
): Omit<StatusResult, 'directory' | 'placement' | 'branch' | 'ranking' | 'keeping'> {
  const { repository } = store;
  const { commit } = snapshot;
  const extent = extentAt(isProject, snapshot);
  const paths = [...snapshot.listStored('', true).keys()].filter((path) => !isProject || isMemoryPath(path, extent));
  const pending = store.pending();
  const edits = lookForEdits(store);
  const count = (prefix: string) => paths.filter((path) => path.startsWith(prefix)).length;
  const sync = isProject ? null : syncStateOf(store);
  const models = modelUse(repository);
  return {
    commit,
    time: commit === null ? null : formatSeconds(repository.objects.readCommit(commit).committer.time),
    files: paths.length,
    memories: count('memories/'),
    conversations: count(conversations),
    pending: pending.flatMap((entry) => entry.changes.map(({ path }) => ({ path, operation: entry.name }))),
    edited: edits.files,
    openSessions: openSessions(snapshot, pending),
    ...(sync === null ? {} : { sync }),
    ...(models.length === 0 ? {} : { models }),
    warnings: [
      ...(store.lost === null ? [] : [store.lost.message]),
      ...edits.problems,
      ...configurationWarnings(snapshot),
      ...(isPushed && !isProject && sync === null
        ? ['auto_push has no remote to push to: `git memory sync ADDRESS` gives it one']
        : []),
      ...store.keptProblems().map(({ path, why }) => `${path}: ${why}; the next commit puts it back`),
      ...unfinishedWarnings(store),
      ...catalog.problems(snapshot).map(({ path, why }) => `${path}: ${why}`),
      ...logWarnings(integrity),
      ...store.damages.map((copy) => `a damaged part of the journal was kept as ${copy}`),
      ...openFolders(repository).map((folder) => `any user of this machine may put files into ${folder}`),
    ],
  };
}

function unfinishedWarnings({ unfinished }: BranchStore): string[] {
  if (unfinished === null) return [];
  return [`a ${unfinished.name} of native git is not finished, and what is written waits for it: ${resolveHint}`];
}

function logWarnings({ checks }: IntegrityResult): string[] {
  const problems = checks.flatMap((check) => check.problems);
  const shown = problems
    .slice(0, mostProblems)
    .map(({ path, line, why }) => `${path}${line === undefined ? '' : `:${line}`} ${why}`);
  const more = problems.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more in the logs; see \`git memory ledger check\``];
}

/** A work tree or index that cannot be read is worth a warning: the answer can say nevertheless what the memory holds. */
function lookForEdits(store: BranchStore): { files: StatusResult['edited']; problems: string[] } {
  try {
    return store.handEdits();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { files: [], problems: [`edits by hand cannot be told: ${error.what}`] };
  }
}

/** A session is open until the head of its transcript says when it ended. */
function openSessions(snapshot: Snapshot, pending: readonly PendingEntry[]): string[] {
  const candidates = new Set(pending.flatMap((entry) => entry.changes.map(({ path }) => path)));
  return [...candidates].filter((path) => {
    if (!path.startsWith(conversations) || !snapshot.isReadable(path)) return false;
    const head = snapshot.readText(path)?.split('\n---\n', 1)[0] ?? '';
    return head !== '' && !/^ended: /m.test(head);
  });
}
