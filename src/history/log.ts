// The log: commits as operations, filtered by what their messages and changed paths say, in the order of `git log`.

import { defined, MemoryError } from '../base/errors.ts';
import { formatSeconds } from '../base/time.ts';
import type { LogEntry, LogFilter, LogResult } from '../base/types.ts';
import type { Repository } from '../store/git/repository.ts';
import { diffTrees, findEntry, type TreeDifference } from '../store/git/tree.ts';
import { isSession, parseMessage, sessionInPath, type Trailer } from '../store/guard/message.ts';
import { type HistoryCatalogue, historyOf } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import { findRename } from './renames.ts';

/** What to list; times in milliseconds. */
interface LogQuery extends Omit<LogFilter, 'path' | 'id' | 'since' | 'until'> {
  /** A file or folder; several are those of any of them. */
  readonly path?: string | readonly string[];
  readonly extractor?: string;
  readonly since?: number;
  readonly until?: number;
}

/**
 * Lists commits that lead to a tip, newest first.
 *
 * With a path they are those of `git log -- <path>`: a merge whose file is that of one parent leads to that parent alone. Looks no
 * further back than the limit asks for. Throws NOT_FOUND for an `after` that is not among them.
 */
export function logOf(repository: Repository, tip: string | null, query: LogQuery): LogResult {
  const catalogue = historyOf(repository);
  const { damage } = catalogue;
  const limit = query.limit ?? 50;
  const commits: LogEntry[] = [];
  let isPast = query.after === undefined;
  const fits = filterOf(query);
  let next: string | undefined;
  for (const number of tip === null ? [] : numbersOf(repository, catalogue, tip, query)) {
    if (!isPast) {
      isPast = catalogue.oidAt(number) === query.after;
      continue;
    }
    const entry = damage.passed(
      () => (fits(catalogue, number) ? entryAt(catalogue, number) : null),
      catalogue.oidAt(number),
    );
    if (entry === null) continue;
    if (commits.length === limit) {
      next = commits.at(-1)!.oid;
      break;
    }
    commits.push(entry);
  }
  catalogue.save();
  if (!isPast) throw new MemoryError('NOT_FOUND', `${query.after} is not in this history`, { where: 'after' });
  return { commits, ...defined({ next }) };
}

/** Describes one commit. */
export function entryOf(repository: Repository, oid: string): LogEntry {
  const catalogue = historyOf(repository);
  return entryAt(catalogue, catalogue.numberOf(oid));
}

function entryAt(catalogue: HistoryCatalogue, number: number): LogEntry {
  const oid = catalogue.oidAt(number);
  const { subject, trailers } = parseMessage(catalogue.messageAt(number));
  return {
    oid,
    parents: catalogue.parentOidsAt(number),
    time: formatSeconds(catalogue.shownTimeAt(number)),
    operation: trailers.find((trailer) => trailer.key === 'Operation')?.value ?? null,
    subject,
    author: catalogue.authorAt(number),
    trailers,
    paths: catalogue.damage.passed(() => catalogue.pathsAt(number), oid) ?? [],
    ...(catalogue.isBoundary(oid) ? { boundary: true } : {}),
  };
}

/** Lists what a commit changed against its first parent, modes as they are stored. */
export function changesOf(repository: Repository, oid: string): TreeDifference[] {
  const { readCommit, readTreeBytes } = repository.objects;
  const commit = readCommit(oid);
  const parent = commit.parents[0];
  return diffTrees(parent === undefined ? null : readCommit(parent).tree, commit.tree, readTreeBytes);
}

/** Walks the numbers of commits that lead to a tip as `git log` does; with a path those that touched it. */
export function numbersOf(
  repository: Repository,
  catalogue: HistoryCatalogue,
  tip: string,
  query: Pick<LogQuery, 'path' | 'follow'>,
): Generator<number> {
  const paths = (typeof query.path === 'string' ? [query.path] : (query.path ?? [])).map((path) =>
    path.replace(/\/$/, ''),
  );
  if (paths.length === 0) return walk(catalogue, tip, everything);
  if (query.follow) return followed(repository, catalogue, tip, paths[0]!);
  return walk(catalogue, tip, simplifier(repository, catalogue, paths));
}

/** What a walk does at a commit. */
interface Walker {
  isShown(number: number): boolean;
  /** Goes back over commits that have one parent and are not shown; without it each is looked at. */
  passOver?(number: number): number;
  /** The parents to go on with, given all of a commit with more than one. */
  parentsOf(number: number, parents: readonly number[]): readonly number[];
}

/** Walks commits by committer time, newest first, each once; of equal times the one met first. A parent is met after its child. */
function* walk(catalogue: HistoryCatalogue, tip: string, walker: Walker): Generator<number> {
  const queue = new CommitQueue();
  const seen = new Set<number>();
  const first = catalogue.numberOf(tip);
  seen.add(first);
  for (let next: number | undefined = first; next !== undefined; ) {
    const number: number = next;
    const all = catalogue.parentsAt(number);
    const parents = all.length < 2 ? all : walker.parentsOf(number, all);
    if (walker.isShown(number)) yield number;
    // Most of history is one line, which needs no queue.
    if (parents.length === 1 && queue.size === 0) {
      next = walker.passOver?.(parents[0]!) ?? parents[0]!;
      if (seen.has(next)) return;
      seen.add(next);
      continue;
    }
    for (const parent of parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      queue.push(parent, catalogue.timeAt(parent));
    }
    next = queue.pop();
  }
}

const everything: Walker = { isShown: () => true, parentsOf: (_, parents) => parents };

/** Leaves out what did not touch the paths, as git's history simplification does: a merge follows the first parent that is the same. */
function simplifier(repository: Repository, catalogue: HistoryCatalogue, paths: readonly string[]): Walker {
  const touches = paths.map((path) => catalogue.changesOfPath(path));
  const isTouched = (number: number) => touches.some((touch) => touch(number));
  const isSame = (number: number, parent: number): boolean => {
    const isSameAt = (path: string) => {
      const { readTree } = repository.objects;
      const here = findEntry(catalogue.treeAt(number), path, readTree);
      const there = findEntry(catalogue.treeAt(parent), path, readTree);
      return here?.oid === there?.oid && here?.mode === there?.mode;
    };
    return catalogue.damage.passed(() => paths.every(isSameAt), catalogue.oidAt(number)) ?? false;
  };
  /** Merges that are the same as one of their parents. */
  const idle = new Set<number>();
  return {
    passOver: (number) => catalogue.passOver(number, isTouched),
    isShown: (number) => !idle.has(number) && (isTouched(number) || catalogue.parentsAt(number).length > 1),
    parentsOf: (number, parents) => {
      const same = parents.find((parent, place) => (place === 0 ? !isTouched(number) : isSame(number, parent)));
      if (same === undefined) return parents;
      idle.add(number);
      return [same];
    },
  };
}

/**
 * Follows one file as `git log --follow` does: where it was added, it goes on under the name of the file it was renamed or
 * copied from. Merges are passed over. From then on the older name counts on all lines of history, which is git's shortcut.
 */
function* followed(repository: Repository, catalogue: HistoryCatalogue, tip: string, path: string): Generator<number> {
  let name = path;
  let touches = catalogue.changesOfPath(name);
  let changeAt = catalogue.changesOfFile(name);
  for (const number of walk(catalogue, tip, everything)) {
    const parents = catalogue.parentsAt(number);
    if (parents.length > 1 || !touches(number)) continue;
    yield number;
    const parent = parents[0];
    const find = () => {
      if (parent === undefined || changeAt(number)?.before !== null) return null;
      const changes = catalogue.changesAt(number);
      // Where the file took the place of a folder, git does not look further.
      if (changes.some((change) => change.path.startsWith(`${name}/`))) return null;
      return findRename(repository.objects, changes, name, { tree: catalogue.treeAt(parent) });
    };
    const source = catalogue.damage.passed(find, catalogue.oidAt(number));
    if (source === null) continue;
    name = source.path;
    touches = catalogue.changesOfPath(name);
    changeAt = catalogue.changesOfFile(name);
  }
}

/** Makes the part of a query that looks at one commit alone. */
function filterOf(query: LogQuery): (catalogue: HistoryCatalogue, number: number) => boolean {
  const { since, until, session } = query;
  const text = query.text?.toLowerCase();
  const wanted = (
    [
      ['Operation', query.operation],
      ['Agent', query.agent],
      ['Extractor', query.extractor],
      ['Run', query.run],
    ] as const
  ).filter(([, value]) => value !== undefined);
  return (catalogue, number) => {
    const time = catalogue.timeAt(number) * 1000;
    if (since !== undefined && time < since) return false;
    if (until !== undefined && time > until) return false;
    if (text === undefined && session === undefined && wanted.length === 0) return true;
    const message = catalogue.messageAt(number);
    if (text !== undefined && !message.toLowerCase().includes(text)) return false;
    if (session === undefined && wanted.length === 0) return true;
    // Reading trailers costs most; a message without a word of theirs, which no folding tears apart, cannot have them.
    if (!wanted.every(([, value]) => message.includes(value!.split(' ', 1)[0]!))) return false;
    const names = session === undefined ? [] : [session.split(' ', 1)[0]!, sessionInPath(session)];
    if (session !== undefined && !names.some((one) => message.includes(one))) return false;
    const { trailers } = parseMessage(message);
    const has = (key: string, isWanted: (value: string) => boolean) =>
      trailers.some((trailer: Trailer) => trailer.key === key && isWanted(trailer.value));
    return (
      wanted.every(([key, value]) =>
        has(key, (found) => found === value || (key === 'Extractor' && found.split('@')[0] === value)),
      ) &&
      (session === undefined || has('Session', (found) => isSession(found, session)))
    );
  };
}
