// Keeps what is known of all memories in step with a branch: from one look to the next only what changed is taken in.

import type { MemoryRecord } from '../base/types/stored-types.ts';
import type { MemoryCatalog, Stored } from './memory-catalog.ts';
import type { Snapshot } from './snapshot.ts';

/** What a listener learns of memories as they come, change and go. */
interface MemoryListener {
  /** A memory is new, or another than before; told again of one that did not change. */
  put(stored: Stored<MemoryRecord>): void;
  /** There is no memory at a path, whether or not there was one. */
  remove(path: string): void;
}

/** Follows the memories of one branch for one listener; the first look tells of all. */
export class MemoryFollower {
  private readonly catalog: MemoryCatalog;
  private readonly listener: MemoryListener;
  private readonly told = new Set<string>();
  private base: Snapshot | null = null;
  /** Blob ids of what was pending at the last look. */
  private readonly overlaid = new Map<string, string | null>();

  constructor(catalog: MemoryCatalog, listener: MemoryListener) {
    this.catalog = catalog;
    this.listener = listener;
  }

  /** Takes the first look in turns with others; {@link follow} then has little left to do. Ends where another look came first. */
  async begin(snapshot: Snapshot, turn: () => Promise<void> | undefined): Promise<void> {
    if (this.base !== null) return;
    for (const stored of this.catalog.stored(snapshot)) {
      await turn();
      if (this.base !== null) return;
      this.put(stored);
    }
    this.base = snapshot.withoutOverlay();
  }

  /** Tells what changed since the last look. */
  follow(snapshot: Snapshot): void {
    if (this.base === null) {
      this.beginAgain(snapshot);
    } else if (this.base.tree !== snapshot.tree) {
      const changes = snapshot.diffFrom(this.base);
      if (changes === null) this.beginAgain(snapshot);
      else for (const { path } of changes) this.refresh(snapshot, path);
    }
    const pending = snapshot.overlay?.files ?? new Map<string, { oid: string | null }>();
    for (const [path, { oid }] of pending) {
      if (!this.overlaid.has(path) || this.overlaid.get(path) !== oid) this.refresh(snapshot, path);
      this.overlaid.set(path, oid);
    }
    // What waited may have been committed, or taken back.
    for (const path of this.overlaid.keys()) {
      if (pending.has(path)) continue;
      this.refresh(snapshot, path);
      this.overlaid.delete(path);
    }
    this.base = snapshot.withoutOverlay();
  }

  /** Takes back what the listener learnt of a history that is gone, and tells all that is there again. */
  private beginAgain(snapshot: Snapshot): void {
    for (const path of this.told) this.listener.remove(path);
    this.told.clear();
    for (const stored of this.catalog.stored(snapshot)) this.put(stored);
  }

  private put(stored: Stored<MemoryRecord>): void {
    this.told.add(stored.path);
    this.listener.put(stored);
  }

  private refresh(snapshot: Snapshot, path: string): void {
    if (!path.startsWith('memories/')) return;
    const stored = this.catalog.storedAt(snapshot, path);
    if (stored !== null) this.put(stored);
    else this.listener.remove(path);
  }
}
