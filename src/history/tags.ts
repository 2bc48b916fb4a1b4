// Snapshots: tags below refs/tags/memory/. A tag never moves.

import { MemoryError, orElse } from '../base/errors.ts';
import { dayOf, formatSeconds, isoWeek } from '../base/time.ts';
import type { SnapshotResult } from '../base/types.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { damagedFilesOf } from '../store/damaged-files.ts';
import type { Repository } from '../store/git/repository.ts';
import { checkRefName } from '../store/guard/ref-name.ts';

/**
 * Gives the tag that a person means (spec 5 §3.4).
 *
 * `daily` and `weekly` are those of the day; `before/…`, `extract/…` and the like stay as they are; any other name is a
 * milestone. Throws INVALID_ARGUMENT.
 */
export function tagOf(name: string, now: number, timeZone: string): string {
  if (typeof name !== 'string' || name === '')
    throw new MemoryError('INVALID_ARGUMENT', 'a snapshot needs a name', { where: 'name' });
  const day = dayOf(now, timeZone);
  if (name === 'daily') return `memory/daily/${day}`;
  if (name === 'weekly') return `memory/weekly/${isoWeek(day)}`;
  const short = name.replace(/^memory\//, '');
  return /^(?:daily|weekly|before|milestone|extract)\//.test(short) ? `memory/${short}` : `memory/milestone/${short}`;
}

/** Tags that are made again and again, and only where something changed since the last one. */
const periodic = /^memory\/(?:daily|weekly)\//;

/**
 * Tags a commit, unless a tag of its kind says the same already.
 *
 * ```
 * memory/daily/2026-02-16       not made while the last daily one has the same tree; that one is the answer
 * memory/weekly/2026-W07
 * memory/before/rewrite         a taken name gets the machine behind it, then a number: before/rewrite-laptop, …-laptop-2
 * ```
 *
 * Throws ALREADY_EXISTS for the tag of a day or week that stands elsewhere, INVALID_REF, LOCKED.
 */
export async function createTag(
  store: BranchStore,
  tag: string,
  commit: string,
  machine: string,
): Promise<SnapshotResult> {
  const { repository } = store;
  const { refs, objects } = repository;
  const kind = periodic.exec(tag)?.[0];
  const treeOf = (oid: string) => objects.readCommit(oid).tree;
  if (kind !== undefined) {
    const last = listTags(repository, `refs/tags/${kind}`).at(-1);
    if (last !== undefined && treeOf(last.commit) === treeOf(commit))
      return { tag: last.tag, commit: last.commit, isNew: false };
  }
  const identity = objects.readCommit(commit).committer;
  for (const name of kind === undefined ? namesFor(tag, machine) : [tag]) {
    const ref = checkRefName(`refs/tags/${name}`);
    const present = refs.read(ref);
    if (present !== null && objects.peelToCommit(present) === commit) return { tag: name, commit, isNew: false };
    const reason = `snapshot ${name}`;
    const isMade = present === null && (await store.updateRef({ ref, from: null, to: commit, reason, identity }));
    if (isMade) return { tag: name, commit, isNew: true };
  }
  const hint = 'Tags never move; choose another name';
  throw new MemoryError('ALREADY_EXISTS', `the snapshot ${tag} is there already`, { where: tag, hint });
}

const maxNumber = 1000;

function* namesFor(tag: string, machine: string): Generator<string> {
  yield tag;
  // What a ref name cannot hold, a host name hardly has.
  const suffix = machine.replace(/[^A-Za-z0-9-]+/g, '-').replace(/^-+|-+$/g, '') || 'machine';
  yield `${tag}-${suffix}`;
  for (let number = 2; number < maxNumber; number += 1) yield `${tag}-${suffix}-${number}`;
}

/** Lists snapshots, oldest commit first, without tags of what is no commit. What cannot be read is passed over, and the answer names it. */
export function listTags(
  repository: Repository,
  prefix = 'refs/tags/memory/',
): { tag: string; commit: string; time: string }[] {
  const { objects } = repository;
  const damage = damagedFilesOf(repository);
  return damage
    .refs(prefix)
    .flatMap(({ ref, oid }) => {
      const commit = damage.passed(() => orElse(() => objects.peelToCommit(oid), null, 'INVALID_REF'), oid);
      const seconds = commit === null ? null : damage.passed(() => objects.readCommit(commit).committer.time, commit);
      return commit === null || seconds === null ? [] : { tag: ref.replace('refs/tags/', ''), commit, seconds };
    })
    .sort((a, b) => a.seconds - b.seconds)
    .map(({ seconds, ...tag }) => ({ ...tag, time: formatSeconds(seconds) }));
}
