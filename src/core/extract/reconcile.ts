// Reconciliation (spec 4): which open claims say otherwise of the same. It names them; a person, an agent or a model decides.

import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { isOpen, mayHoldTogether } from '../../store/claims/claim.ts';
import { isActive, KnownMemories } from './known-memories.ts';

/** Two open claims of one subject and attribute, both given by somebody; `by` was said later. */
export interface Contradiction {
  readonly old: MemoryRecord;
  readonly by: MemoryRecord;
}

/**
 * Finds the open claims that are another value of what a newer claim tells, each with the newest of them. They come in the order in which
 * they were made.
 *
 * A write of such a claim ends the older one. Two stay open where two machines, an import or an edit by hand brought them together.
 */
export function contradictionsAmong(records: Iterable<MemoryRecord>): Contradiction[] {
  const active = [...records].filter((record) => isActive(record) && isOpen(record));
  const known = new KnownMemories(active);
  return active
    .flatMap((old): Contradiction[] => {
      const [by] = known
        .otherValues(old)
        .filter((other) => isLater(other, old) && mayHoldTogether(other, old))
        .sort((one, other) => (isLater(one, other) ? -1 : 1));
      return by === undefined ? [] : [{ old, by }];
    })
    .sort((a, b) => (isLater(a.old, b.old) ? 1 : -1));
}

const isLater = (one: MemoryRecord, other: MemoryRecord): boolean =>
  one.createdAt === other.createdAt ? one.id > other.id : one.createdAt > other.createdAt;
