// Commits the batch before an operation that looks back at it.

import { MemoryError } from '../base/errors.ts';
import type { BranchStore } from './branch-store.ts';
import type { CommitOutcome } from './operation.ts';

/** Commits what is pending; throws LOCKED when another program holds the git index, or a merge of native git is not finished. */
export async function flushBefore(store: BranchStore): Promise<void> {
  refuseJournalled(await store.flush());
}

/** Throws LOCKED, with the reason, for an outcome that is no commit because native git is at work. */
export function refuseJournalled({ isJournalled, skipped: [reason] }: CommitOutcome): void {
  if (!isJournalled) return;
  const hint = 'Finish the native git command there (a merge, an open commit editor) and repeat the call';
  throw new MemoryError('LOCKED', reason!.why, { where: reason!.path, hint });
}
