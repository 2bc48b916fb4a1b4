// The log: commits as operations, filtered by what their trailers and changed paths say.

import { formatTime } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { diffTrees, findEntry, type TreeDifference } from '../git/tree.ts';
import { parseMessage } from '../guard/message.ts';
import type { LogEntry, LogResult } from '../types.ts';
import { type WalkedCommit, walkCommits } from './walk.ts';

/** What to list; times in milliseconds. */
export interface LogQuery {
  readonly path?: string;
  readonly operation?: string;
  /** Path or id of a session, as the `Session` trailer names it. */
  readonly session?: string;
  readonly agent?: string;
  readonly extractor?: string;
  readonly run?: string;
  readonly since?: number;
  readonly until?: number;
  readonly limit?: number;
  readonly after?: string;
}

/** Lists commits that lead to a tip, newest first. */
export function logOf(repository: Repository, tip: string | null, query: LogQuery): LogResult {
  const limit = query.limit ?? 50;
  if (tip === null) return { commits: [] };
  const commits: LogEntry[] = [];
  let isPast = query.after === undefined;
  for (const walked of walkCommits(repository.objects, [tip])) {
    if (!isPast) {
      isPast = walked.oid === query.after;
      continue;
    }
    if (!fits(repository, walked, query)) continue;
    if (commits.length === limit) return { commits, next: commits.at(-1)!.oid };
    commits.push(entryOf(repository, walked));
  }
  if (!isPast) {
    throw new MemoryError('NOT_FOUND', `${query.after} is not in this history`, { where: 'after' });
  }
  return { commits };
}

/** Describes one commit. */
export function entryOf(repository: Repository, { oid, commit }: WalkedCommit): LogEntry {
  const message = parseMessage(commit.message);
  return {
    oid,
    parents: commit.parents,
    time: formatTime(commit.committer.time * 1000),
    operation: message.trailers.find((trailer) => trailer.key === 'Operation')?.value ?? null,
    subject: message.subject,
    author: commit.author.name,
    trailers: message.trailers,
    paths: changesOf(repository, oid).map((change) => change.path),
  };
}

/** Lists what a commit changed against its first parent. */
export function changesOf(repository: Repository, oid: string): TreeDifference[] {
  const { readCommit, readTree } = repository.objects;
  const commit = readCommit(oid);
  const parent = commit.parents[0];
  return diffTrees(parent === undefined ? null : readCommit(parent).tree, commit.tree, readTree);
}

/** Tells whether a `Session` trailer means a session given by path or id. */
export function isSession(trailer: string, session: string): boolean {
  return trailer === session || trailer.split('/').at(-1)?.includes(session) === true;
}

function fits(repository: Repository, walked: WalkedCommit, query: LogQuery): boolean {
  const time = walked.commit.committer.time * 1000;
  if (query.since !== undefined && time < query.since) return false;
  if (query.until !== undefined && time > query.until) return false;
  const wanted: [string, string | undefined][] = [
    ['Operation', query.operation],
    ['Agent', query.agent],
    ['Extractor', query.extractor],
    ['Run', query.run],
  ];
  if (query.session !== undefined || wanted.some(([, value]) => value !== undefined)) {
    const { trailers } = parseMessage(walked.commit.message);
    for (const [key, value] of wanted) {
      if (value === undefined) continue;
      const isFound = trailers.some(
        (trailer) =>
          trailer.key === key &&
          (trailer.value === value || (key === 'Extractor' && trailer.value.split('@')[0] === value)),
      );
      if (!isFound) return false;
    }
    const { session } = query;
    if (session !== undefined && !trailers.some(({ key, value }) => key === 'Session' && isSession(value, session))) {
      return false;
    }
  }
  return query.path === undefined || touches(repository, walked, query.path);
}

/** Tells whether a commit changed a file or anything below a folder: its entry differs from that of every parent. */
function touches(repository: Repository, { commit }: WalkedCommit, path: string): boolean {
  const { readCommit, readTree } = repository.objects;
  const name = path.replace(/\/$/, '');
  const here = findEntry(commit.tree, name, readTree);
  if (commit.parents.length === 0) return here !== null;
  return commit.parents.every((parent) => findEntry(readCommit(parent).tree, name, readTree)?.oid !== here?.oid);
}
