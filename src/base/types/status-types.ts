// The state of a memory, and how somebody hears of a change.

import type { Placement } from './basics-types.ts';
import type { SyncState } from './sync-types.ts';

export interface StatusResult {
  readonly directory: string;
  readonly placement: Placement;
  readonly branch: string;
  readonly commit: string | null;
  readonly time: string | null;
  readonly files: number;
  readonly memories: number;
  readonly conversations: number;
  readonly pending: readonly { readonly path: string; readonly operation: string }[];
  /** What people changed in the work tree and no commit has yet; `why` it will not get into the next one. */
  readonly edited: readonly { readonly path: string; readonly why?: string }[];
  readonly openSessions: readonly string[];
  /**
   * What ranks beside words, and how many texts have no vector of it yet. The embedder is null where words alone rank, with `why` where one was
   * wanted.
   */
  readonly ranking: { readonly embedder: string | null; readonly missing: number; readonly why?: string };
  /**
   * What scores turns beside the scorers of the package when something is extracted. Null for those alone, with `why` where one was wanted that is
   * not there.
   */
  readonly keeping: { readonly scorer: string | null; readonly why?: string };
  /** Absent where there is no remote. */
  readonly sync?: SyncState;
  /**
   * What language models were asked on this machine in the last 31 days; absent where nothing was. They are by day, by what asked and by
   * model, the newest day first.
   */
  readonly models?: readonly {
    readonly day: string;
    /** `extract`, `maintain` or `topics`. */
    readonly by: string;
    /** Absent in what an earlier version noted. */
    readonly model?: string;
    /** In US dollars, where the model tells it. */
    readonly costUsd?: number;
    readonly calls: number;
    /** Tokens. */
    readonly input: number;
    readonly output: number;
  }[];
  readonly warnings: readonly string[];
}

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
