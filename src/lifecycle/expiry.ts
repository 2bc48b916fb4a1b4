// Memories with an end: what expired is put aside (spec 4, TTL), and stays in the tree with the status archived.

import { count } from '../base/count.ts';
import { formatTime } from '../base/time.ts';
import type { Pass } from './pass.ts';
import { changedMemory } from './record-changes.ts';

/** Plans to archive the active memories whose `expires_at` has passed. */
export const expiry: Pass<void> = {
  name: 'expire',
  plan({ memories, now }) {
    const items = memories.flatMap((stored) => {
      const { id, status, expiresAt } = stored.record;
      if (status !== 'active' || expiresAt === undefined || expiresAt * 1000 > now) return [];
      return [
        {
          action: 'archive',
          ids: [id],
          why: `it expired ${formatTime(expiresAt * 1000)}`,
          changes: [changedMemory(stored, { ...stored.record, status: 'archived' })],
        },
      ];
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'expired memory', 'expired memories')} archived` }),
};
