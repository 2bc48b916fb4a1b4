// How a branch stands to its remote, as far as is known here: nobody is asked.

import { MemoryError } from '../../base/errors.ts';
import { formatTime } from '../../base/time.ts';
import type { SyncState } from '../../base/types.ts';
import { commitsBeyond } from '../../history/index.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { findRemote, seenRef } from '../../store/git/remotes.ts';
import { lastSync } from '../sync/index.ts';

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
