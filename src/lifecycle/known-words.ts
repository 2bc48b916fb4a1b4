// What memories say by now, in the form in which lines of knowledge can be compared with them.

import { normaliseForHash } from '../base/text.ts';
import type { MemoryRecord } from '../records/types.ts';
import type { Stored } from '../store/memory-catalog.ts';

/** Memories by their words. */
export interface KnownWords {
  /** The memory that says these words, as it was made last; undefined if none does. */
  of(key: string): MemoryRecord | undefined;
  /** Whether these words were put aside for later ones, and no active memory says them. */
  isSuperseded(key: string): boolean;
}

/** Indexes memories by {@link normaliseForHash} of what they say. */
export function knownWords(memories: readonly Stored<MemoryRecord>[]): KnownWords {
  const byKey = new Map<string, MemoryRecord>();
  const rank = ({ status }: MemoryRecord) => (status === 'superseded' ? 0 : status === 'archived' ? 1 : 2);
  for (const { record } of memories) {
    const key = normaliseForHash(record.content);
    const other = byKey.get(key);
    if (other === undefined || rank(record) >= rank(other)) byKey.set(key, record);
  }
  return { of: (key) => byKey.get(key), isSuperseded: (key) => byKey.get(key)?.status === 'superseded' };
}
