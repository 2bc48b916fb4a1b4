// The epoch of a memory: how often something was purged from its history. Memories of different epochs never merge.

import { isJsonObject, parseJson } from '../base/canonical-json.ts';
import { MemoryError } from '../errors.ts';
import type { ObjectReader } from '../git/object-overlay.ts';
import { findEntry } from '../git/tree.ts';
import { metaPath } from '../records/storage-meta.ts';

/** Reads the epoch of a commit: `epoch` of `.meta.json`, and 0 where nothing was ever purged. */
export function epochOf(objects: Pick<ObjectReader, 'readCommit' | 'readTree' | 'readBlob'>, commit: string): number {
  const entry = findEntry(objects.readCommit(commit).tree, metaPath, objects.readTree);
  if (entry === null || entry.mode === '40000') return 0;
  try {
    const meta = parseJson(objects.readBlob(entry.oid).toString('utf8'), metaPath);
    const epoch = isJsonObject(meta) ? meta.epoch : undefined;
    return Number.isSafeInteger(epoch) && (epoch as number) > 0 ? (epoch as number) : 0;
  } catch (error) {
    if (error instanceof MemoryError) return 0;
    throw error;
  }
}
