// Questions to a part of a memory that look beside it, to its history and state. This file decides which are answered, and what of the answer
// is left out.

import { MemoryError } from '../../base/errors.ts';
import type { LogResult, StatusResult } from '../../base/types.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { StoreScope } from '../../store/scope.ts';
import type { Snapshot } from '../../store/snapshot.ts';

interface ScopedState {
  readonly scope: StoreScope | null;
  readonly catalog: MemoryCatalog;
}

/** Throws NOT_FOUND for a path or id that is not to be seen in a state; without a scope everything is. */
export function checkSeen({ scope, catalog }: ScopedState, snapshot: Snapshot, pathOrId: string): void {
  if (scope === null || scope.covers(pathOrId) || snapshot.oidOf(pathOrId) !== null) return;
  if (pathOrId.includes('/')) {
    const hint = 'Ask for what is in it, or open the memory without a scope';
    throw new MemoryError('NOT_FOUND', `${pathOrId} is not in the scope of this memory`, { where: pathOrId, hint });
  }
  catalog.find(snapshot, pathOrId);
}

/** Throws READ_ONLY for a question that no part of a memory answers; without a scope all are answered. */
export function refuseInScope({ scope }: Pick<ScopedState, 'scope'>, what: string): void {
  if (scope === null) return;
  throw new MemoryError('READ_ONLY', `${what} is not answered within a scope, for it looks at the whole memory`, {
    where: what,
    hint: 'Open the memory without a scope',
  });
}

/** Gives the folder or file to ask about: the one that was named, or those of the scope. Throws NOT_FOUND. */
export function askedWithin(
  state: ScopedState,
  snapshot: Snapshot,
  path: string | undefined,
): readonly string[] | undefined {
  if (path !== undefined) {
    checkSeen(state, snapshot, path);
    return [path];
  }
  if (state.scope === null) return undefined;
  const records = ['memories/', 'relations/'].flatMap((folder) => [...snapshot.list(folder).keys()]);
  // No path at all would ask for everything.
  return [...state.scope.paths, ...records, 'memories/none'];
}

/** Leaves out of an answer what its commits did beside the scope: paths, and the words and trailers of those that did something there. */
export function withoutOthers<Answer extends Pick<LogResult, 'commits'>>(
  { scope }: Pick<ScopedState, 'scope'>,
  snapshot: Snapshot,
  log: Answer,
): Answer {
  if (scope === null) return log;
  const isSeen = (path: string) => scope.covers(path) || snapshot.oidOf(path) !== null;
  const commits = log.commits.map((entry) => {
    const paths = entry.paths.filter(isSeen);
    if (paths.length === entry.paths.length) return entry;
    return { ...entry, paths, subject: entry.operation ?? 'a change', trailers: [] };
  });
  return { ...log, commits };
}

type Status = Omit<StatusResult, 'directory' | 'placement' | 'branch' | 'ranking' | 'keeping'>;

/** Leaves out of a status what is beside the scope. */
export function statusWithin(scope: StoreScope, snapshot: Snapshot, status: Status): Status {
  const isSeen = ({ path }: { readonly path: string }) => scope.covers(path) || snapshot.oidOf(path) !== null;
  const { sync: _, pending, edited, openSessions, ...rest } = status;
  return {
    ...rest,
    pending: pending.filter(isSeen),
    edited: edited.filter(isSeen),
    openSessions: openSessions.filter((path) => isSeen({ path })),
    warnings: [],
  };
}
