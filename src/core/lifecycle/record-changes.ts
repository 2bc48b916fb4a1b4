// Changes of records and files, as passes plan them: formatted once, with the blob they expect to find.

import type { MemoryRecord, RelationRecord } from '../../base/types/stored-types.ts';
import type { Stored } from '../../store/memory-catalog.ts';
import type { FileChange } from '../../store/operation.ts';
import { archivePage } from '../../store/records/knowledge-items.ts';
import { formatMemory, memoryPath } from '../../store/records/memory-record.ts';
import { formatRelation, relationPath } from '../../store/records/relation-record.ts';
import type { Snapshot } from '../../store/snapshot.ts';

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

/** Makes a file be a text, or with `null` be gone. */
export function changedFile(snapshot: Snapshot, path: string, text: string | null): FileChange {
  return { path, before: snapshot.oidOf(path), after: text === null ? null : Buffer.from(text) };
}

/** Puts lines that leave a file below its name and the day into the archive. */
export function archivedLines(snapshot: Snapshot, path: string, day: string, lines: readonly string[]): FileChange {
  const page = `archive/${path}`;
  return changedFile(snapshot, page, archivePage(snapshot.readText(page), path, day, lines));
}

/** Takes a record out of the tree. */
export const removed = ({ path, oid }: Stored<unknown>): FileChange => ({ path, before: oid, after: null });
