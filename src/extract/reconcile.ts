// Reconsolidation of notes (spec 4): which notes a newer memory takes back. Episodes stay as told.

import { takeTurns } from '../base/take-turns.ts';
import type { Said } from '../claims/said.ts';
import type { MemoryRecord } from '../records/types.ts';
import { memoryKindOf } from './classify.ts';
import { KnownMemories } from './known-memories.ts';

/** A note and the memory that holds in its place. */
export interface Reconciliation {
  readonly old: MemoryRecord;
  readonly by: MemoryRecord;
}

/** Tells whether a memory is a note: by what it was classified as, else by what it says. */
export function isNote({ memoryKind, content, category, meta }: MemoryRecord): boolean {
  return (memoryKind ?? memoryKindOf(content, category, meta.tags)) === 'note';
}

/**
 * Finds the active notes that another active memory takes back, each with the newest that does; in the order in which they were made.
 *
 * Extraction does so for what it makes. Here it is done for all pairs, of two machines, imports and edits. The judgement is the same: the newer
 * one is read where `saidOf` finds it, with what was said around it. Of thousands that takes seconds, and others work in between.
 */
export async function reconcileNotes(
  records: Iterable<MemoryRecord>,
  saidOf: (record: MemoryRecord) => Said | undefined,
  signal?: AbortSignal,
): Promise<Reconciliation[]> {
  const active = [...records].filter(({ status }) => status === 'active' || status === 'promoted');
  const known = new KnownMemories(active);
  const found = new Map<string, Reconciliation>();
  const turn = takeTurns();
  for (const record of active) {
    for (const old of known.compared(record, saidOf(record))) {
      await turn();
      signal?.throwIfAborted();
      if (old === null || !isNote(old)) continue;
      const other = found.get(old.id)?.by;
      const isNewer =
        other === undefined ||
        record.createdAt > other.createdAt ||
        (record.createdAt === other.createdAt && record.id > other.id);
      if (isNewer) found.set(old.id, { old, by: record });
    }
  }
  return [...found.values()].sort((a, b) => a.old.createdAt - b.old.createdAt || (a.old.id < b.old.id ? -1 : 1));
}
