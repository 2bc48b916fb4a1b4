// How a branch stands to its remote, as far as is known here: nobody is asked.

import { formatTime } from '../base/time.ts';
import { MemoryError } from '../errors.ts';
import { findRemote, seenRef } from '../git/remotes.ts';
import { commitsBeyond } from '../history/merge-base.ts';
import type { BranchStore } from '../store/branch-store.ts';
import { lastSync } from '../sync/last-sync.ts';
import type { SyncState } from '../types.ts';

/** Gives how the branch stands to the remote that `sync` would take; null where there is none, or none that is spoken to. */
export function syncStateOf(store: BranchStore): SyncState | null {
  const { repository, ref } = store;
  try {
    const { name, address } = findRemote(repository);
    const seen = repository.refs.read(seenRef(name, ref));
    const tip = store.tip();
    const count = (of: string, others: string) => commitsBeyond(repository.objects, of, [others]).length;
    const isKnown = seen !== null && tip !== null;
    const last = lastSync(repository, name, ref);
    return {
      remote: name,
      address: address.shown,
      ahead: isKnown ? count(tip, seen) : null,
      behind: isKnown ? count(seen, tip) : null,
      last: last === null ? null : formatTime(last),
    };
  } catch (error) {
    if (error instanceof MemoryError) return null;
    throw error;
  }
}
