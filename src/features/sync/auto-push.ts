// Syncs by itself where memory.yaml says `auto_push`: behind a commit, and before the memory is closed.

import { MemoryError, orElse } from '../../base/errors.ts';
import type { SyncResult } from '../../base/types.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import { findRemote, seenRef } from '../../store/git/remotes.ts';

export interface AutoPushDependencies {
  readonly store: BranchStore;
  readonly isWanted: () => boolean;
  readonly sync: (signal: AbortSignal) => Promise<SyncResult>;
  readonly warn: (line: string) => void;
}

/** Whether a remote has all of a branch, as far as is known here: nobody is asked. Throws what {@link findRemote} throws. */
export function isPushed(store: BranchStore, remote?: string): boolean {
  const { name } = findRemote(store.repository, remote);
  return store.repository.refs.read(seenRef(name, store.ref)) === store.tip() && store.pending().length === 0;
}

/** A remote that does not answer must not hold up the end of a command for long. */
const patienceMs = 15_000;

/** Makes what pushes by itself. */
export function autoPushOf({ store, isWanted, sync, warn }: AutoPushDependencies) {
  let running: Promise<void> | null = null;
  const push = async (): Promise<void> => {
    try {
      // Where there is no remote, nothing is tried; `status` says so.
      if (!isWanted() || orElse(() => isPushed(store), true, 'NOT_FOUND', 'AMBIGUOUS')) return;
      const { state, why, warnings = [] } = await sync(AbortSignal.timeout(patienceMs));
      for (const line of warnings) warn(`auto_push: ${line}`);
      if (state === 'offline') warn(`auto_push: ${why}`);
    } catch (error) {
      const isLate = error instanceof Error && error.name === 'TimeoutError';
      const why = error instanceof MemoryError ? error.message : isLate ? 'the remote takes too long' : String(error);
      warn(`auto_push: ${why}`);
    }
  };
  /** Begins a sync unless one runs or nothing would go. Never fails: what could not be done is a word to the logger. */
  const begin = (): Promise<void> => {
    running ??= push().finally(() => {
      running = null;
    });
    return running;
  };
  return {
    begin,
    /** Waits for a sync that runs, and pushes what is not pushed yet. */
    async finish(): Promise<void> {
      await running;
      await begin();
    },
  };
}
