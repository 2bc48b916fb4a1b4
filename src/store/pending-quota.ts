// How much may wait for a commit, and how much of a memory the next commit may take away.

import { MemoryError } from '../errors.ts';
import type { TreeEntry } from '../git/tree.ts';
import type { ChangeLimits } from './change-rules.ts';
import type { Journal } from './journal.ts';
import type { NewPendingEntry } from './journal-records.ts';
import { checkMemoryCount, checkRemovals } from './memory-quota.ts';
import type { FileChange } from './operation.ts';

/**
 * Judges writes that are about to join those that wait, on top of `tree`, that of the tip.
 *
 * Throws QUOTA when too much waits already or the memories become too many, MASS_REMOVAL when too many would go with the next commit.
 */
export function checkPending(
  journal: Journal,
  planned: readonly NewPendingEntry[],
  {
    tree,
    readTree,
    limits,
  }: { tree: string | null; readTree: (oid: string) => readonly TreeEntry[]; limits: ChangeLimits },
): void {
  const { count, bytes } = journal;
  if (count >= limits.maxPendingWrites || bytes >= limits.maxPendingBytes) {
    throw new MemoryError('QUOTA', `${count} writes of ${bytes} bytes wait for a commit, and no more may`, {
      where: 'limits.pending_writes',
      hint: 'Commit them (`git memory commit`), or raise limits.pending_writes and limits.pending_bytes in memory.yaml',
    });
  }
  if (tree === null) return;
  const changes = () =>
    [...journal.pending(), ...planned].flatMap((entry) =>
      entry.changes.map((change) => ({ ...change, after: change.after === null ? null : '' })),
    );
  const isWanted = (isKind: (change: FileChange) => boolean) =>
    planned.some((entry) => entry.changes.some((change) => change.path.startsWith('memories/') && isKind(change)));
  const mostAdded = isWanted(({ before }) => before === null) ? count + planned.length : 0;
  checkMemoryCount(tree, readTree, mostAdded, changes, limits);
  const isRemoval = isWanted(({ after }) => after === null) && !planned.every((entry) => entry.mayRemoveMany);
  if (isRemoval) checkRemovals(tree, readTree, changes(), limits);
}
