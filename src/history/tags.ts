// Snapshots: tags below refs/tags/memory/. A tag never moves.

import { dayOf, formatTime, isoWeek } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';
import { checkRefName } from '../guard/ref-name.ts';
import type { BranchStore } from '../store/branch-store.ts';
import type { SnapshotResult } from '../types.ts';

/**
 * Gives the tag that a person means (spec 5 §3.4).
 *
 * `daily` and `weekly` are those of the day; `before/…`, `extract/…` and the like stay as they are; any other name is a
 * milestone. Throws INVALID_ARGUMENT.
 */
export function tagOf(name: string, now: number, timeZone: string): string {
  if (typeof name !== 'string' || name === '') {
    throw new MemoryError('INVALID_ARGUMENT', 'a snapshot needs a name', { where: 'name' });
  }
  const day = dayOf(now, timeZone);
  if (name === 'daily') return `memory/daily/${day}`;
  if (name === 'weekly') return `memory/weekly/${isoWeek(day)}`;
  const short = name.replace(/^memory\//, '');
  return /^(?:daily|weekly|before|milestone|extract)\//.test(short) ? `memory/${short}` : `memory/milestone/${short}`;
}

/** Tags a commit; the same tag on the same commit again is no error. Throws ALREADY_EXISTS, INVALID_REF, LOCKED. */
export async function createTag(store: BranchStore, tag: string, commit: string): Promise<SnapshotResult> {
  const { refs, objects } = store.repository;
  const ref = checkRefName(`refs/tags/${tag}`);
  const taken = () =>
    new MemoryError('ALREADY_EXISTS', `the snapshot ${tag} is there already`, {
      where: tag,
      hint: 'Tags never move; choose another name',
    });
  const present = refs.read(ref);
  if (present === commit) return { tag, commit };
  const identity = objects.readCommit(commit).committer;
  const reason = `snapshot ${tag}`;
  const isMade = present === null && (await store.updateRef({ ref, from: null, to: commit, reason, identity }));
  if (!isMade) throw taken();
  return { tag, commit };
}

/** Lists snapshots, oldest commit first. */
export function listTags(repository: Repository): { tag: string; commit: string; time: string }[] {
  const { refs, objects } = repository;
  return refs
    .list('refs/tags/memory/')
    .map(({ ref, oid }) => {
      const commit = objects.peelToCommit(oid);
      const time = formatTime(objects.readCommit(commit).committer.time * 1000);
      return { tag: ref.replace('refs/tags/', ''), commit, time };
    })
    .sort((a, b) => (a.time < b.time ? -1 : a.time > b.time ? 1 : 0));
}
