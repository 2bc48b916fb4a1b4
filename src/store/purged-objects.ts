// Keeps for a while which objects a purge took out: a `git gc` that ran beside it may put them back when it ends, long after.
//
//     git-memory/dropped      <object>\n …      ids alone; merged with each purge, removed when it is two days old

import { MemoryError } from '../base/errors.ts';
import { isOid } from './git/object-codec.ts';
import { dropReturned, isReturned } from './git/pack-purge.ts';
import type { Repository } from './git/repository.ts';

/** Where the list stands, below the folder of ours. */
export const droppedName = 'dropped';

/** A collection that began before a purge has ended by then. */
const watchedMs = 2 * 86_400_000;

/** Formats the list with what a further purge takes out. */
export function formatDropped(repository: Repository, dropped: Iterable<string>): Buffer {
  const all = new Set([...readDropped(repository), ...dropped]);
  return Buffer.from([...all].map((oid) => `${oid}\n`).join(''));
}

/** Tells whether something that was purged is in a pack again, or lies loose. */
export function hasReturned(repository: Repository): boolean {
  const dropped = readDropped(repository);
  return dropped.size > 0 && isReturned(repository, dropped);
}

/**
 * Takes out what came back, and forgets the list when its time is over. Call it under the repository lock, with nothing half done.
 *
 * Gives what it did or could not do, a sentence each; nothing in the usual case.
 */
export function settleDropped(repository: Repository): string[] {
  const { disk, ownDirectory, objects } = repository;
  const dropped = readDropped(repository);
  if (dropped.size === 0) return [];
  objects.rescanPacks();
  try {
    if (isReturned(repository, dropped)) {
      dropReturned(repository, dropped);
      return ['took out again what a purge had removed and a collection of git beside it had brought back'];
    }
  } catch (error) {
    // A pack that is damaged, or too large: told, and tried again by the next, but no reason to refuse what anybody writes.
    if (!(error instanceof MemoryError)) throw error;
    return [`what was purged is in a pack again: ${error.message}`];
  }
  const path = `${ownDirectory}/${droppedName}`;
  const since = disk.stat(path)?.mtimeNs ?? 0n;
  if (BigInt(Date.now() - watchedMs) * 1_000_000n > since) disk.remove(path);
  return [];
}

function readDropped({ disk, ownDirectory }: Repository): ReadonlySet<string> {
  const text = disk.readText(`${ownDirectory}/${droppedName}`) ?? '';
  return new Set(text.split('\n').filter(isOid));
}
