// The point of no return: objects, work tree and journal stand ready, the ref moves, and everything follows it.
// The order of steps is here. Each step syncs its own files: git/pack-writer.ts, journal.ts, git/refs.ts; git/disk.ts calls fsync.
// Callers are commit-attempt.ts, advance.ts and features/doctor/tips.ts; a purge has an order of its own in purge-record.ts. The steps are numbered
// in docs/architecture/object-pipeline.md, and test/faults/sweep.test.ts breaks each.

import { defined, MemoryError } from '../base/errors.ts';
import type { Build } from './build.ts';
import type { CriticalSection, CriticalSectionDependencies } from './critical-section.ts';
import { asMemoryError } from './git/file-errors.ts';
import type { PendingEntry } from './journal-records.ts';
import type { Moment, StagedProjection, WorkTree } from './projection.ts';

export interface Publication {
  /** Commits and their objects; at least one. */
  readonly build: Build;
  /** The tip it was built upon. */
  readonly from: string | null;
  /** Pending entries that the commits hold. */
  readonly covers: readonly PendingEntry[];
  /** The work tree that follows the branch; null when it is checked out nowhere. */
  readonly workTree: WorkTree | null;
  /** When its files were looked at; null with it. */
  readonly since: Moment | null;
  /** Paths that stay as they are in the work tree. */
  readonly blocked: ReadonlySet<string>;
}

/** Git holds the lock of a ref for less than that; whoever holds it for longer is waited for outside the critical section. */
const maxRefWaitMs = 50;

/**
 * Publishes commits within the critical section. `busy`: native git holds its index, or the branch; `retry`: the branch moved on; nothing happened then.
 *
 * Throws IO and what the disk says; an error from behind the move of the ref says that the commit is made.
 */
export function publish(
  place: Pick<CriticalSectionDependencies, 'repository' | 'ref' | 'journal'> & {
    section: Pick<CriticalSection, 'needsRecovery' | 'warn'>;
  },
  { build, from, covers, workTree, since, blocked }: Publication,
): 'done' | 'busy' | 'retry' {
  const { repository, ref, journal, section } = place;
  // The log of HEAD is that of the work tree in which the branch is checked out.
  const { refs } = workTree?.repository ?? repository;
  if (since?.isLocked || repository.disk.exists(refs.lockOf(ref))) return 'busy';
  section.needsRecovery = true;
  const release = repository.objects.write(build.objects);
  let staged: StagedProjection | null = null;
  let isLocked = false;
  let isMarked = false;
  const to = build.tip!;
  const mark = { id: to, from, to, covers: covers.map((entry) => entry.sequence) };
  const forget = (outcome: 'busy' | 'retry') => {
    if (staged) workTree!.abandon(staged, isLocked);
    if (isMarked) journal.done(mark.id, false);
    release();
    section.needsRecovery = refs.hasLeftLock;
    return outcome;
  };
  if (workTree) staged = workTree.stage([...build.touched.values()], mark, blocked, since!);
  if (covers.length > 0) {
    journal.mark(mark);
    isMarked = true;
  }
  if (staged) {
    const state = workTree!.lock(staged, false, since!);
    if (state !== 'locked') return forget(state === 'busy' ? 'busy' : 'retry');
    isLocked = true;
  }
  const { message, committer } = repository.objects.readCommit(to);
  const reason = `git-memory: ${message.split('\n', 1)[0]}`;
  try {
    if (!refs.update({ ref, from, to, reason, identity: committer }, maxRefWaitMs)) return forget('retry');
  } catch (error) {
    if (error instanceof MemoryError && error.code === 'LOCKED') return forget('busy');
    throw error;
  }
  try {
    if (staged) workTree!.finish(staged);
    if (isMarked) journal.done(mark.id, true);
    release();
  } catch (error) {
    throw isMade(to, error);
  }
  try {
    repository.packKeeper.step();
    section.needsRecovery = false;
  } catch (error) {
    // The commit is made, whatever becomes of the housekeeping; the next call sweeps up what this one left.
    section.warn(`small packs could not be rolled into larger ones: ${error}`);
  }
  return 'done';
}

/** Tells the caller of a failure behind the point of no return that the commit stands, so that he does not make it twice. */
function isMade(commit: string, cause: unknown): unknown {
  const error = asMemoryError(cause);
  if (!(error instanceof MemoryError)) return cause;
  return new MemoryError(error.code, `the commit ${commit} is made, but what follows it failed: ${error.what}`, {
    ...defined({ where: error.where }),
    hint: 'The commit is safe, so do not repeat the call; the next call updates files and index',
    cause,
  });
}
