// Finds the commits that a person means to take back, or to bring back.

import { defined, MemoryError } from '../base/errors.ts';
import type { UndoTarget } from '../base/types.ts';
import type { Commit } from '../store/git/commit-object.ts';
import { isOid } from '../store/git/object-codec.ts';
import type { ObjectDatabase } from '../store/git/object-database.ts';
import type { Repository } from '../store/git/repository.ts';
import { parseMessage } from '../store/guard/message.ts';
import { logOf } from './log.ts';
import { commitsBehind, isAncestor } from './merge-base.ts';
import { reviewHistoryOf } from './verdicts.ts';

/**
 * Passes what names one thing to take back, and gives it without the fields that are undefined. An empty name would select all history.
 * Throws INVALID_ARGUMENT.
 */
export function checkTarget<Target extends UndoTarget>(what: Target): Target {
  const given: Target = typeof what === 'string' ? what : (defined(what) as Target);
  const named: Readonly<Record<string, unknown>> = typeof given === 'string' ? { what: given } : { ...given };
  const blank = Object.keys(named).find((name) => typeof named[name] === 'string' && named[name].trim() === '');
  if (blank === undefined) return given;
  throw new MemoryError('INVALID_ARGUMENT', 'nothing to undo was named', {
    where: blank,
    hint: 'Name a commit, or one of session, run, extractor, agent, redo, verdict, from and to; `git memory log` lists them',
  });
}

/** Finds the commit that a revision names. */
export type Resolve = (revision: string) => string;

/**
 * Lists the commits to take back, newest first; to redo is to take back an undo. Throws NOT_FOUND, INVALID_ARGUMENT, and OBJECT_MISSING
 * for one at which a shallow repository ends: what it changed is not known there.
 */
export function selectCommits(
  repository: Repository,
  tip: string | null,
  target: UndoTarget<number>,
  resolve: Resolve,
): string[] {
  const commits = commitsOf(repository, tip, target, resolve);
  for (const oid of commits) {
    if (!repository.objects.isBoundary(oid)) continue;
    throw new MemoryError('OBJECT_MISSING', `the shallow history ends at ${oid}, so its changes are unknown`, {
      where: oid,
      hint: 'Fetch the rest with `git fetch --unshallow`',
    });
  }
  return commits;
}

function commitsOf(repository: Repository, tip: string | null, target: UndoTarget<number>, resolve: Resolve): string[] {
  if (tip === null) throw new MemoryError('NOT_FOUND', 'there is nothing to undo: the branch has no commit');
  if (typeof target === 'string') return [ancestor(repository, tip, resolve(target), target)];
  if ('redo' in target) return [lastUndo(repository, tip)];
  if ('verdict' in target) return [lastVerdict(repository, tip)];
  if ('from' in target) return selectRange(repository, tip, target.from, target.to, resolve);
  const filter = target;
  const undone = undoneCommits(repository, tip);
  const { commits } = logOf(repository, tip, { ...filter, limit: Number.POSITIVE_INFINITY });
  const found = commits.filter((commit) => commit.operation !== 'undo' && !undone.has(commit.oid));
  if (found.length === 0) {
    const [key, value] = Object.entries(filter)[0]!;
    const then = 'since' in filter || 'until' in filter ? ' of that time' : '';
    throw new MemoryError('NOT_FOUND', `${key} ${value} has no commit${then} left to undo`, { where: key });
  }
  return found.map((commit) => commit.oid);
}

function selectRange(repository: Repository, tip: string, from: string, to: string, resolve: Resolve): string[] {
  const last = ancestor(repository, tip, resolve(to), to);
  const first = ancestor(repository, last, resolve(from), from);
  const range: string[] = [];
  for (const { oid } of walkFirstParents(repository.objects, last)) {
    range.push(oid);
    if (oid === first) return range;
  }
  const hint = 'Undo the merge instead, or its operations one by one';
  throw new MemoryError('INVALID_ARGUMENT', `${from} reached the branch of ${to} by a merge`, { where: from, hint });
}

function ancestor(repository: Repository, tip: string, oid: string, name: string): string {
  if (isAncestor(repository.objects, oid, tip)) return oid;
  const hint = 'Only operations of this branch can be undone; `git memory log` lists them';
  throw new MemoryError('NOT_FOUND', `${name} is not in the history of this branch`, { where: name, hint });
}

/** Collects the commits whose undo stands: taken back, and the taking back not taken back itself. */
export function undoneCommits(repository: Repository, tip: string): Set<string> {
  const undone = new Set<string>();
  // What takes back comes after what it takes back, whatever the clocks told: so each is met when it is known whether it stands.
  for (const oid of commitsBehind(repository.objects, [tip])) {
    if (undone.has(oid)) continue;
    for (const taken of takenBackBy(repository.objects.readCommit(oid))) undone.add(taken);
  }
  return undone;
}

/** Lists the commits that a commit takes back, as its trailers name them. */
export function takenBackBy(commit: Commit): string[] {
  const { trailers } = parseMessage(commit.message);
  return trailers.filter(({ key, value }) => key === 'Undoes' && isOid(value)).map(({ value }) => value);
}

/**
 * Finds the newest undo that stands, whose own undo is a redo; throws NOT_FOUND.
 *
 * What took back an undo is no undo but a redo, what took back a redo is one again, and so on.
 */
function lastUndo(repository: Repository, tip: string): string {
  const { objects } = repository;
  const undone = undoneCommits(repository, tip);
  for (const { oid, commit } of walkFirstParents(objects, tip)) {
    if (undone.has(oid)) continue;
    let steps = 0;
    for (let [taken] = takenBackBy(commit); taken !== undefined; [taken] = takenBackBy(objects.readCommit(taken)))
      steps += 1;
    if (steps % 2 === 1) return oid;
  }
  const hint = '`git memory log --operation undo` lists what was undone';
  throw new MemoryError('NOT_FOUND', 'no undo is left to take back', { where: 'redo', hint });
}

function lastVerdict(repository: Repository, tip: string): string {
  const [last] = reviewHistoryOf(repository, tip).verdicts;
  if (last !== undefined) return last.commit;
  const hint = '`git memory review` shows what waits for one';
  throw new MemoryError('NOT_FOUND', 'no verdict is left to take back', { where: 'verdict', hint });
}

interface WalkedCommit {
  readonly oid: string;
  readonly commit: Commit;
}

/** Walks the first-parent line: what the branch was, step by step. */
function* walkFirstParents(objects: ObjectDatabase, tip: string | null): Generator<WalkedCommit> {
  let oid = tip ?? undefined;
  while (oid !== undefined) {
    const commit = objects.readCommit(oid);
    yield { oid, commit };
    oid = commit.parents[0];
  }
}
