// What waits in the batch goes into history before an operation that looks back at it.

import { MemoryError } from '../errors.ts';
import type { BranchStore } from '../store/branch-store.ts';

/** Commits what is pending; throws LOCKED when another program holds the git index. */
export async function flushBefore(store: BranchStore): Promise<void> {
  const flushed = await store.flush();
  if (!flushed.isJournalled) return;
  throw new MemoryError('LOCKED', 'another program holds the git index', {
    where: flushed.skipped[0]!.path,
    hint: 'Finish or close the running git command and repeat the call',
  });
}
