// Promises that nobody came back to (spec 4, commitment decay): put aside by status, and kept in the tree.

import { count } from '../base/count.ts';
import { dayOf } from '../base/time.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { Pass } from './pass.ts';
import { archivedMemory } from './record-changes.ts';

const dayMs = 86_400_000;

/**
 * When a promise was last alive, in milliseconds: made, repeated or used, or the day on which it is due. Of one that nobody used
 * `last_used` is when it was read: an old conversation that is imported today keeps no promise alive.
 */
export function lastAliveOf({ createdAt, lastUsed, useCount, due }: MemoryRecord): number {
  const end = due === undefined ? 0 : Date.parse(due) + dayMs;
  return Math.max(createdAt * 1000, useCount === 0 ? 0 : lastUsed * 1000, end);
}

/** Plans to archive the active commitments of which nothing was heard for `commitments.days`; those marked P0 stay. */
export const commitmentDecay: Pass<void> = {
  name: 'commitments',
  plan({ memories, now, configuration: { commitments, timezone } }) {
    const old = memories.filter(
      ({ record }) =>
        record.status === 'active' &&
        record.category === 'commitment' &&
        now - lastAliveOf(record) > commitments.days * dayMs,
    );
    const isKept = ({ meta }: MemoryRecord): boolean => meta.tags.includes('P0');
    return {
      items: old
        .filter(({ record }) => !isKept(record))
        .map((stored) =>
          archivedMemory(stored, `nothing was heard of it since ${dayOf(lastAliveOf(stored.record), timezone)}`),
        ),
      left: old.filter(({ record }) => isKept(record)).map(({ record }) => ({ id: record.id, why: 'it is P0' })),
    };
  },
  describe: (items) => ({ subject: `${count(items.length, 'old commitment')} archived` }),
};
