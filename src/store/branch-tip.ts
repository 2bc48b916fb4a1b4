// Tells whether a branch is where it was last seen, or moved in a way that is explained. Either it went on from there, or its log tells who
// moved it.

import { MemoryError } from '../base/errors.ts';
import type { ReflogEntry } from './git/reflog.ts';
import type { Repository } from './git/repository.ts';
import { isMade } from './recovery.ts';

/** Tells whether a commit leads to another, however far behind. */
export type LeadsTo = (ancestor: string, descendant: string) => boolean;

/** Where a branch is, and where it was last seen. */
export interface SeenTip {
  /** Full name. */
  readonly ref: string;
  /** Null where nobody noted it. */
  readonly seen: string | null;
  /** Null where the branch is not there. */
  readonly tip: string | null;
}

/** Looks at the note first: it is never ahead of a ref that is read behind it. */
export function seenTip({ refs }: Repository, ref: string): SeenTip {
  const seen = refs.notes.read(ref);
  return { ref, seen, tip: refs.read(ref) };
}

/**
 * Tells whether a branch was lost: by a crash, by a folder that was copied in part, by a file that was taken away.
 *
 * A person moves a branch by git, which notes it in the log of the branch: `reset`, `commit --amend`, `rebase`, `branch -f`, `fetch` and `push` with
 * force. A note that is older than the branch contradicts nothing. No clock is asked.
 */
export function isLost(repository: Repository, { ref, seen, tip }: SeenTip, leadsTo: LeadsTo): boolean {
  if (seen === null || seen === tip) return false;
  if (tip === null) return true;
  if (isMade(repository, tip, { from: null, to: seen })) return false;
  return !isMoved(repository.refs.readLog(ref), seen, tip) && !leadsTo(seen, tip);
}

/** Tells whether a log ends with moves that lead from one commit to another. A line whose move was never made is passed over. */
function isMoved(log: readonly ReflogEntry[], seen: string, tip: string): boolean {
  let at = tip;
  for (const { from, to } of log.toReversed()) {
    if (to === at) at = from;
    else if (from !== at) return false;
    if (at === seen) return true;
  }
  return false;
}

/** Says of damage why the commit cannot be read at which a branch was last seen; empty where it is sound, or simply not there. */
function damageOf({ objects }: Repository, { seen }: SeenTip): string {
  try {
    if (seen !== null) objects.readCommit(seen);
    return '';
  } catch (error) {
    return error instanceof MemoryError && error.code !== 'OBJECT_MISSING' ? `: ${error.message}` : '';
  }
}

/** Says that a branch is lost, and what to do. */
export function branchLost({ ref, seen, tip }: SeenTip, damage = ''): MemoryError {
  const where = tip === null ? 'is gone' : `is at ${tip.slice(0, 12)}`;
  return new MemoryError('BRANCH_LOST', `${ref} ${where}, and was last seen at ${seen?.slice(0, 12)}${damage}`, {
    where: ref,
    hint: 'Nothing was written. `git memory doctor` explains it; `--tip restore` moves the branch back, and `--tip accept` leaves it here',
  });
}

/** Proves that a branch is where it may be before something is written upon it. */
export class TipProof {
  private readonly repository: Repository;
  private readonly ref: string;
  private readonly leadsTo: LeadsTo;
  /** What was found to be explained, since nothing changes that. */
  private explained: SeenTip | null = null;

  constructor(repository: Repository, ref: string, leadsTo: LeadsTo) {
    this.repository = repository;
    this.ref = ref;
    this.leadsTo = leadsTo;
  }

  /** Says that the branch is lost; null when all is well. */
  lost(found = seenTip(this.repository, this.ref)): MemoryError | null {
    const { explained } = this;
    if (explained !== null && explained.seen === found.seen && explained.tip === found.tip) return null;
    if (isLost(this.repository, found, this.leadsTo)) return branchLost(found, damageOf(this.repository, found));
    this.explained = found;
    return null;
  }

  /** Gives the tip to write upon, and notes it where native git has moved it. Throws BRANCH_LOST. */
  tip(): string | null {
    const found = seenTip(this.repository, this.ref);
    const lost = this.lost(found);
    if (lost !== null) throw lost;
    const { seen, tip } = found;
    if (seen !== null && tip !== null && seen !== tip) this.repository.refs.notes.write(this.ref, tip);
    return tip;
  }
}
