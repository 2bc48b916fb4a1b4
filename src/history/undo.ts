// Undo: finds the commits that a person means and plans their inverse as one operation.

import { MemoryError } from '../errors.ts';
import { isOid } from '../git/object-codec.ts';
import type { Repository } from '../git/repository.ts';
import { parseMessage } from '../guard/message.ts';
import type { FileChange, Operation } from '../store/operation.ts';
import type { UndoTarget } from '../types.ts';
import { changesOf, logOf } from './log.ts';
import { walkFirstParents } from './walk.ts';

/** Finds the commit that a revision names. */
export type Resolve = (revision: string) => string;

/** Lists the commits to take back, newest first; throws NOT_FOUND, INVALID_ARGUMENT. */
export function selectCommits(
  repository: Repository,
  tip: string | null,
  target: UndoTarget,
  resolve: Resolve,
): string[] {
  if (tip === null) throw new MemoryError('NOT_FOUND', 'there is nothing to undo: the branch has no commit');
  if (typeof target === 'string') return [ancestor(repository, tip, resolve(target), target)];
  if ('from' in target) return selectRange(repository, tip, target.from, target.to, resolve);
  const filter = target;
  const undone = undoneCommits(repository, tip);
  const { commits } = logOf(repository, tip, { ...filter, limit: Number.POSITIVE_INFINITY });
  const found = commits.filter((commit) => commit.operation !== 'undo' && !undone.has(commit.oid));
  if (found.length === 0) {
    const [key, value] = Object.entries(filter)[0]!;
    throw new MemoryError('NOT_FOUND', `no commit of ${key} ${value} is left to undo`, { where: key });
  }
  return found.map((commit) => commit.oid);
}

function selectRange(repository: Repository, tip: string, from: string, to: string, resolve: Resolve): string[] {
  const last = ancestor(repository, tip, resolve(to), to);
  const first = ancestor(repository, last, resolve(from), from);
  const range: string[] = [];
  for (const { oid } of walkFirstParents(repository.objects, last)) {
    range.push(oid);
    if (oid === first) break;
  }
  return range;
}

function ancestor(repository: Repository, tip: string, oid: string, name: string): string {
  for (const walked of walkFirstParents(repository.objects, tip)) if (walked.oid === oid) return oid;
  throw new MemoryError('NOT_FOUND', `${name} is not on the first-parent line of this branch`, {
    where: name,
    hint: 'Only operations of this branch can be undone; `git memory log` lists them',
  });
}

/** Collects the commits whose undo stands: taken back, and the taking back not taken back itself. */
function undoneCommits(repository: Repository, tip: string): Set<string> {
  const undone = new Set<string>();
  for (const { oid, commit } of walkFirstParents(repository.objects, tip)) {
    if (undone.has(oid)) continue;
    for (const { key, value } of parseMessage(commit.message).trailers) {
      if (key === 'Undoes' && isOid(value)) undone.add(value);
    }
  }
  return undone;
}

/**
 * Plans the inverse of commits, given newest first: before and after swapped, in that order.
 *
 * Applied to the tip it merges three ways with what happened since; a contradiction refuses the whole operation.
 */
export function planUndo(repository: Repository, commits: readonly string[], paths?: readonly string[]): Operation {
  const { readBlob, readCommit } = repository.objects;
  const changes: FileChange[] = [];
  for (const oid of commits) {
    if (readCommit(oid).parents.length > 1) {
      throw new MemoryError('INVALID_ARGUMENT', 'a merge cannot be undone as a whole', {
        where: oid,
        hint: 'Undo the operations it brought one by one; `git memory log` lists them',
      });
    }
    for (const change of changesOf(repository, oid)) {
      if (paths && !paths.includes(change.path)) continue;
      const after = change.before === null ? null : readBlob.call(repository.objects, change.before.oid);
      changes.push({ path: change.path, before: change.after?.oid ?? null, after });
    }
  }
  const subjects = commits.map((oid) => subjectOf(parseMessage(readCommit(oid).message).subject));
  return {
    kind: 'undo',
    name: 'undo',
    subject: commits.length === 1 ? subjects[0]! : `${commits.length} operations, from ${subjects.at(-1)}`,
    body: commits.length === 1 ? '' : listOf(subjects),
    trailers: commits.map((oid) => ({ key: 'Undoes', value: oid }) as const),
    changes,
    onConflict: 'refuse',
    mayRemoveCaptures: true,
  };
}

/** Undoing an undo brings something back, and undoing that takes it away again; the subject says which. */
function subjectOf(subject: string): string {
  const undone = /^undo: (bring back )?(.*)$/s.exec(subject);
  if (!undone) return subject;
  return undone[1] === undefined ? `bring back ${undone[2]}` : undone[2]!;
}

function listOf(subjects: readonly string[]): string {
  const lines = subjects.slice(0, 50).map((subject) => `- ${subject}`);
  if (subjects.length > lines.length) lines.push(`- and ${subjects.length - lines.length} more`);
  return lines.join('\n');
}
