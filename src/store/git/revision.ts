// Names of commits, as git has them (gitrevisions(7)) and as a memory adds to them: short names of snapshots, and dates.

import { count } from '../../base/count.ts';
import { MemoryError, orElse, succeeds } from '../../base/errors.ts';
import { formatSeconds, formatTime } from '../../base/time.ts';
import { type MomentOptions, noDay, parseMoment } from '../../language/index.ts';
import { nearestWord, withGuess } from '../records/nearest-word.ts';
import type { Repository } from './repository.ts';

/** What a revision may speak of beside the repository. */
export interface RevisionContext extends MomentOptions {
  /** The branch that `HEAD`, `@` and dates mean, such as `refs/heads/main`. */
  readonly ref: string;
}

/** Where git looks for a short name. */
const gitNamespaces = ['refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'];
/** Where a memory looks then, in this order. */
const memoryNamespaces = ['refs/heads/memory/', 'refs/tags/memory/', 'refs/tags/memory/milestone/'];
const shown = 8;
const maxLength = 1000;
const isoDate = /^\d{4}-\d\d-\d\d(?:[Tt ].*)?$/;

/**
 * Finds the commit that a revision names.
 *
 * ```
 * main  refs/tags/v1  v1  v1-14-g2414721      a branch or tag; a tag of a tag is followed; what `git describe` says
 * before/rewrite                              a snapshot without its `memory/`
 * 2414721                                     the beginning of an id, from four digits, if only one commit has it
 * HEAD  @                                     the newest commit of the branch that is asked
 * main~3  main^2  v1^{}  v1^{commit}          its third first parent; its second parent; the tag's commit
 * 2026-02-16  yesterday  1.week.ago           what the branch was at the end of that day, or at that moment
 * main@{yesterday}  @{1 week ago}             the same of another branch, from its history: no reflog is needed
 * main@{2}  @{-1}                             what the reflog says it was two moves ago; the branch checked out before
 * ```
 *
 * A date is the newest commit on the first-parent line that was there by then.
 *
 * @throws MemoryError NOT_FOUND; AMBIGUOUS, naming the candidates; INVALID_REF for what is no commit; INVALID_DATE; OBJECT_MISSING where
 * a shallow repository ends before it; INVALID_ARGUMENT for no text.
 */
export function resolveRevision(repository: Repository, revision: string, context: RevisionContext): string {
  const commit = resolveState(repository, revision, context);
  if (commit !== null) return commit;
  throw noCommitBy(revision, revision);
}

/** Makes the error for a day or time before the first commit. Commits have no earlier year than 1970; records do. */
export function noCommitBy(when: string, where: string): MemoryError {
  return new MemoryError('NOT_FOUND', `the branch had no commit by ${when}`, {
    where,
    hint: '`git memory log` shows when it begins, from 1970 on; what is older is found by its own day: `git memory recall --until`',
  });
}

/** Does what {@link resolveRevision} does, and gives `null` for a date before the first commit. */
export function resolveState(repository: Repository, revision: string, context: RevisionContext): string | null {
  if (typeof revision !== 'string' || revision === '') {
    const hint = 'Name a commit, branch, tag or date';
    throw new MemoryError('INVALID_ARGUMENT', 'a revision is missing', { where: 'revision', hint });
  }
  if (revision.length > maxLength)
    throw new MemoryError('NOT_FOUND', `no revision is ${revision.length} characters long`, { where: 'revision' });
  const steps = /(?:~\d*|\^\{\w*\}|\^\d*)*$/.exec(revision)![0];
  const name = revision.slice(0, revision.length - steps.length);
  const base = resolveBase(repository, name, revision, context);
  if (base === null) return null;
  let oid = peel(repository, base, revision);
  for (const step of steps.match(/~\d*|\^\{\w*\}|\^\d*/g) ?? []) {
    if (step.endsWith('}')) {
      if (step === '^{}' || step === '^{commit}') continue;
      throw new MemoryError('INVALID_REF', `${revision} names a ${step.slice(2, -1)}, not a commit`, {
        where: revision,
      });
    }
    const count = step.length === 1 ? 1 : Number(step.slice(1));
    if (step.startsWith('~')) for (let i = 0; i < count; i++) oid = parentOf(repository, oid, 1, revision);
    else if (count > 0) oid = parentOf(repository, oid, count, revision);
  }
  return oid;
}

/** Gives the moment that a revision names, in milliseconds, where it names no commit: of a day its end. */
export function momentNamed(repository: Repository, revision: string, context: RevisionContext): number | undefined {
  const isCommit = /^[0-9a-f]{4,40}$/i.test(revision) || findRef(repository, revision, revision) !== null;
  return isCommit && !isoDate.test(revision) ? undefined : parseMoment(revision, context)?.end;
}

function parentOf(repository: Repository, oid: string, place: number, revision: string): string {
  const { parents } = repository.objects.readCommit(oid);
  const parent = parents[place - 1];
  if (parent !== undefined) return parent;
  if (repository.objects.isBoundary(oid)) throw cutOff(revision);
  throw new MemoryError(
    'NOT_FOUND',
    parents.length === 0 ? `${revision} goes back beyond the first commit` : `${revision}: no such parent`,
    { where: revision, hint: '`git memory log` shows how far the history goes' },
  );
}

function resolveBase(repository: Repository, name: string, revision: string, context: RevisionContext): string | null {
  const braces = /^(.*?)@\{([^{}]*)\}$/s.exec(name);
  if (braces) return resolveBraces(repository, braces[1]!, braces[2]!, revision, context);
  if (isoDate.test(name)) return resolveDate(repository, name, context.ref, context);
  const { objects } = repository;
  if (name === 'HEAD' || name === '@') return tipOf(repository, context.ref, revision);
  if (/^[0-9a-f]{40}$/i.test(name) && objects.has(name.toLowerCase())) return name.toLowerCase();
  const ref = findRef(repository, name, revision);
  if (ref !== null) return repository.refs.read(ref);
  const pseudo = /^[A-Z]+_HEAD$/.test(name) ? repository.refs.readPseudo(name) : null;
  if (pseudo !== null) return pseudo;
  const described = /^.+-\d+-g([0-9a-f]{4,40})$/i.exec(name)?.[1];
  const abbreviated = /^[0-9a-f]{4,40}$/i.test(name) ? name : described;
  const found = abbreviated === undefined ? null : resolveAbbreviated(repository, abbreviated.toLowerCase(), revision);
  if (found !== null) return found;
  if (/^[0-9a-f]{40}$/i.test(name) && repository.mark.successorOf(name.toLowerCase()) !== undefined)
    throw repository.mark.purged(name.toLowerCase());
  if (parseMoment(name, context) !== null) return resolveDate(repository, name, context.ref, context);
  throw new MemoryError('NOT_FOUND', `${revision} is not a branch, tag, commit or date`, {
    where: revision,
    hint: withGuess(
      nearRef(repository, name),
      'Dates are written 2026-02-16, 16.2.2026, yesterday, last monday or 3.days.ago; `git memory log` lists commits, `git memory snapshot` tags',
    ),
  });
}

/** The branch or tag that was probably meant; the last part of a name is enough. */
function nearRef(repository: Repository, name: string): string | undefined {
  const names = ['refs/heads/', 'refs/tags/'].flatMap((folder) => {
    // A damaged ref is reported by whatever reads it.
    return orElse(() => repository.refs.list(folder).map(({ ref }) => ref.slice(folder.length)), []);
  });
  const ending = names.filter((candidate) => candidate.endsWith(`/${name}`));
  return ending.length === 1 ? ending[0] : nearestWord(name, names);
}

function tipOf(repository: Repository, ref: string, revision: string): string {
  const tip = repository.refs.read(ref);
  if (tip !== null) return tip;
  throw new MemoryError('NOT_FOUND', `${ref.replace('refs/heads/', '')} has no commit yet`, { where: revision });
}

/** Finds the full name of a ref; throws AMBIGUOUS when git's namespaces hold several that mean different commits. */
function findRef(repository: Repository, name: string, revision: string): string | null {
  const exact = name.startsWith('refs/') && tryRead(repository, name) !== null ? name : null;
  if (exact !== null) return exact;
  const found = gitNamespaces
    .map((namespace) => `${namespace}${name}`)
    .map((ref) => ({ ref, oid: tryRead(repository, ref) }))
    .filter((candidate): candidate is { ref: string; oid: string } => candidate.oid !== null);
  if (new Set(found.map(({ oid }) => peel(repository, oid, revision))).size > 1) {
    const candidates = found.map(({ ref }) => ref).join(', ');
    const hint = 'Give the full name of one';
    throw new MemoryError('AMBIGUOUS', `${name} has several meanings: ${candidates}`, { where: revision, hint });
  }
  if (found.length > 0) return found[0]!.ref;
  for (const namespace of memoryNamespaces) {
    if (tryRead(repository, `${namespace}${name}`) !== null) return `${namespace}${name}`;
  }
  const remoteHead = `refs/remotes/${name}/HEAD`;
  return tryRead(repository, remoteHead) === null ? null : remoteHead;
}

const tryRead = (repository: Repository, ref: string): string | null =>
  orElse(() => repository.refs.read(ref), null, 'INVALID_REF');

/** The text between the braces of `@{…}`: a number of moves, a branch so many checkouts ago, or a date. */
function resolveBraces(
  repository: Repository,
  name: string,
  inside: string,
  revision: string,
  context: RevisionContext,
): string | null {
  const isHead = name === '' || name === '@' || name === 'HEAD';
  const ref = isHead ? context.ref : findRef(repository, name, revision);
  if (ref === null)
    throw new MemoryError('NOT_FOUND', `${name} is not a branch`, { where: revision, hint: '`git branch` lists them' });
  if (/^\d{1,9}$/.test(inside))
    return resolveMove(repository, name === 'HEAD' ? 'HEAD' : ref, Number(inside), revision);
  if (/^-\d{1,9}$/.test(inside) && name === '') return resolveCheckout(repository, -Number(inside), revision);
  if (['u', 'upstream', 'push'].includes(inside.toLowerCase())) {
    const hint = 'Name the branch itself, such as origin/main';
    throw new MemoryError('INVALID_REF', `${revision} needs the configuration of a remote`, { where: revision, hint });
  }
  return resolveDate(repository, inside, ref, context, revision);
}

function resolveMove(repository: Repository, ref: string, moves: number, revision: string): string {
  const log = repository.refs.readLog(ref);
  const current = ref === 'HEAD' ? null : repository.refs.read(ref);
  if (moves === 0 && current !== null) return current;
  const entry = log[log.length - 1 - moves]?.to ?? (moves === log.length ? log[0]?.from : undefined);
  if (entry !== undefined && !/^0+$/.test(entry)) return entry;
  throw new MemoryError('NOT_FOUND', `the reflog of ${ref} has ${count(log.length, 'entry', 'entries')}`, {
    where: revision,
    hint: 'A reflog belongs to one machine and forgets old moves; a date such as @{yesterday} asks the history',
  });
}

function resolveCheckout(repository: Repository, back: number, revision: string): string {
  const moves = repository.refs.readLog('HEAD').flatMap(({ message }) => {
    const from = /^checkout: moving from (\S+) to /.exec(message)?.[1];
    return from === undefined ? [] : [from];
  });
  const name = back > 0 ? moves[moves.length - back] : undefined;
  const ref = name === undefined ? null : findRef(repository, name, revision);
  const oid = ref === null ? null : repository.refs.read(ref);
  if (oid !== null) return oid;
  if (name !== undefined && /^[0-9a-f]{40}$/.test(name)) return name;
  throw new MemoryError('NOT_FOUND', `the reflog knows of ${moves.length} checkouts`, { where: revision });
}

function resolveDate(
  repository: Repository,
  text: string,
  ref: string,
  context: RevisionContext,
  revision = text,
): string | null {
  const moment = parseMoment(text, context);
  if (moment === null) throw noDay(text, revision);
  return commitAt(repository, tipOf(repository, ref, revision), moment.end, revision);
}

/**
 * Finds the newest commit on the first-parent line that was there by a time, in milliseconds; `null` when none was.
 *
 * @throws MemoryError OBJECT_MISSING when a shallow repository ends before that time.
 */
export function commitAt(repository: Repository, tip: string | null, time: number, where?: string): string | null {
  let oid = tip ?? undefined;
  while (oid !== undefined) {
    const commit = repository.objects.readCommit(oid);
    if (commit.committer.time * 1000 <= time) return oid;
    if (repository.objects.isBoundary(oid)) throw cutOff(where ?? formatTime(time));
    oid = commit.parents[0];
  }
  return null;
}

function cutOff(revision: string): MemoryError {
  return new MemoryError('OBJECT_MISSING', `${revision} is older than the history of this shallow repository`, {
    where: revision,
    hint: 'Fetch the rest with `git fetch --unshallow`',
  });
}

/** Finds the commit that begins with some digits; `null` when no object does. Other kinds of objects do not make it ambiguous. */
function resolveAbbreviated(repository: Repository, prefix: string, revision: string): string | null {
  const found = repository.objects.withPrefix(prefix);
  const commits = found.filter((oid) => isCommitish(repository, oid));
  if (commits.length === 1) return commits[0]!;
  if (found.length === 0) return null;
  if (commits.length === 0) throw new MemoryError('INVALID_REF', `${prefix} is not a commit`, { where: revision });
  const candidates = commits.slice(0, shown).map((oid) => describe(repository, oid));
  const more = commits.length > shown ? ` and ${commits.length - shown} more` : '';
  throw new MemoryError('AMBIGUOUS', `${prefix} fits ${commits.length} commits: ${candidates.join('; ')}${more}`, {
    where: revision,
    hint: 'Give more digits',
  });
}

const isCommitish = (repository: Repository, oid: string): boolean =>
  succeeds(() => repository.objects.peelToCommit(oid), 'INVALID_REF');

function describe(repository: Repository, oid: string): string {
  const { message, committer } = repository.objects.readCommit(repository.objects.peelToCommit(oid));
  const subject = (message.split('\n', 1)[0] ?? '').slice(0, 50);
  return `${oid.slice(0, 12)} (${formatSeconds(committer.time).split('T', 1)[0]} ${subject})`;
}

function peel(repository: Repository, oid: string, revision: string): string {
  try {
    return repository.objects.peelToCommit(oid);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_REF') throw error;
    throw new MemoryError('INVALID_REF', `${revision} does not name a commit`, { where: revision, cause: error });
  }
}
