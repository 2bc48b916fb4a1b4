// What a watcher learns of a change that somebody made.

/** How often a branch is looked at. */
export interface WatchOptions {
  /** Milliseconds between two looks, 50 or more; default 1000. */
  readonly everyMs?: number;
}

/** What changed on a branch since the last look. */
export interface MemoryChange {
  /** The newest commit; null before the first. */
  readonly commit: string | null;
  /** Files that were added, changed or removed, committed or not, in order of path; null where that is no longer known. */
  readonly paths: readonly string[] | null;
}

/** A watch that goes on until it is stopped or the memory is closed. */
export interface MemoryWatch {
  /** Looks now instead of in a moment. */
  look(): void;
  stop(): void;
}
