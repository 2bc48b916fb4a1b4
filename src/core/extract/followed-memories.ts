// The memories of a branch as an extraction looks at them, kept from one conversation and one run to the next.

import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { MemoryFollower } from '../../store/memory-follower.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { KnownMemories } from './known-memories.ts';

/**
 * Makes what gives the {@link KnownMemories} of a state of one branch, whoever changed it. A look costs what changed since the last, and what
 * it gave before changes with it.
 */
export function followedMemories(catalog: MemoryCatalog): (snapshot: Snapshot) => KnownMemories {
  const known = new KnownMemories();
  const ids = new Map<string, string>();
  /** Where the memory of an id stands: a file that was moved comes in before its old place goes. */
  const places = new Map<string, string>();
  const remove = (path: string): void => {
    const id = ids.get(path);
    if (id === undefined) return;
    ids.delete(path);
    if (places.get(id) !== path) return;
    places.delete(id);
    known.delete(id);
  };
  const follower = new MemoryFollower(catalog, {
    put({ path, record }) {
      if (ids.get(path) !== undefined && ids.get(path) !== record.id) remove(path);
      ids.set(path, record.id);
      places.set(record.id, path);
      if (known.get(record.id) !== record) known.put(record);
    },
    remove,
  });
  return (snapshot) => {
    follower.follow(snapshot);
    return known;
  };
}
