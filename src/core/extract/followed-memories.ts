// The memories of a branch as an extraction looks at them, kept from one conversation and one run to the next.

import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import { MemoryFollower } from '../../store/memory-follower.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { KnownMemories } from './known-memories.ts';

/** {@link KnownMemories} of one branch, whatever state it is in by now and whoever changed it: a look costs what changed since the last. */
export class FollowedMemories {
  private readonly known = new KnownMemories();
  private readonly ids = new Map<string, string>();
  /** Where the memory of an id stands: a file that was moved comes in before its old place goes. */
  private readonly places = new Map<string, string>();
  private readonly follower: MemoryFollower;

  constructor(catalog: MemoryCatalog) {
    this.follower = new MemoryFollower(catalog, {
      put: ({ path, record }) => {
        if (this.ids.get(path) !== undefined && this.ids.get(path) !== record.id) this.remove(path);
        this.ids.set(path, record.id);
        this.places.set(record.id, path);
        if (this.known.get(record.id) !== record) this.known.put(record);
      },
      remove: (path) => this.remove(path),
    });
  }

  /** Gives the memories of a state; they change with the next look. */
  at(snapshot: Snapshot): KnownMemories {
    this.follower.follow(snapshot);
    return this.known;
  }

  private remove(path: string): void {
    const id = this.ids.get(path);
    if (id === undefined) return;
    this.ids.delete(path);
    if (this.places.get(id) !== path) return;
    this.places.delete(id);
    this.known.delete(id);
  }
}
