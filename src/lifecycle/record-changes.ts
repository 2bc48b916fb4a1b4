// Changes of records, as passes plan them: formatted once, with the blob they expect to find.

import { formatMemory, memoryPath } from '../records/memory-record.ts';
import { formatRelation, relationPath } from '../records/relation-record.ts';
import type { MemoryRecord, RelationRecord } from '../records/types.ts';
import type { Stored } from '../store/memory-catalog.ts';
import type { FileChange } from '../store/operation.ts';

/** Makes a memory that is not there yet. */
export function addedMemory(record: MemoryRecord): FileChange {
  return { path: memoryPath(record.id), before: null, after: Buffer.from(formatMemory(record)), isFormatted: true };
}

/** Makes a relation that is not there yet. */
export function addedRelation(record: RelationRecord): FileChange {
  return { path: relationPath(record.id), before: null, after: Buffer.from(formatRelation(record)), isFormatted: true };
}

/** Changes a memory where it stands. */
export function changedMemory(stored: Stored<MemoryRecord>, record: MemoryRecord): FileChange {
  return { path: stored.path, before: stored.oid, after: Buffer.from(formatMemory(record)), isFormatted: true };
}

/** Takes a record out of the tree. */
export function removed({ path, oid }: Stored<unknown>): FileChange {
  return { path, before: oid, after: null };
}
