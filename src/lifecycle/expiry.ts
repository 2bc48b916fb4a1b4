// Memories with an end: what expired is put aside (spec 4, TTL), and stays in the tree with the status archived.

import { count } from '../base/count.ts';
import { formatTime } from '../base/time.ts';
import type { Pass } from './pass.ts';
import { archivedMemory } from './record-changes.ts';

/** Plans to archive the active memories whose `expires_at` has passed. */
export const expiry: Pass<void> = {
  name: 'expire',
  plan({ memories, now }) {
    const items = memories.flatMap((stored) => {
      const { status, expiresAt } = stored.record;
      if (status !== 'active' || expiresAt === undefined || expiresAt * 1000 > now) return [];
      return [archivedMemory(stored, `it expired ${formatTime(expiresAt * 1000)}`)];
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'expired memory', 'expired memories')} archived` }),
};
