// What expired or faded is put aside: it stays in the tree with the status archived, until decay-gc.ts takes it.

import { count } from '../../base/count.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { type Stored, vitalsOf } from '../../store/memory-catalog.ts';
import { ageingOf, daysInArchive } from './ageing.ts';
import type { Pass, PassItem } from './pass.ts';
import { changedMemory } from './record-changes.ts';

const daySeconds = 86_400;

/** Plans to archive the active memories that {@link ageingOf} has a reason for. */
export const expiry: Pass<void> = {
  name: 'expire',
  plan({ memories, now, configuration }) {
    const items = memories.flatMap((stored) => {
      const ageing = ageingOf(vitalsOf(stored), now, configuration);
      return ageing?.stage === 'archive' ? [archived(stored, now, ageing.why)] : [];
    });
    return { items, left: [] };
  },
  describe: (items) => ({ subject: `${count(items.length, 'memory', 'memories')} archived` }),
};

function archived(stored: Stored<MemoryRecord>, now: number, why: string): PassItem {
  const expiresAt = Math.floor(now / 1000) + daysInArchive * daySeconds;
  const changes = [changedMemory(stored, { ...stored.record, status: 'archived', expiresAt })];
  return { action: 'archive', ids: [stored.record.id], why, changes };
}
