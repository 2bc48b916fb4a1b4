// Watching a branch: which files of it changed, whoever wrote them. It looks at the ref and the journal now and then, and asks
// the system for no notice. So every file system will do, and nothing stays behind when it stops.

import type { Logger } from '../../base/ports.ts';
import type { MemoryChange } from '../../base/types.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { changesBetween } from './searcher.ts';

export interface WatchDependencies {
  /** The present; `isLive`: to be looked at once. */
  readonly present: (isLive: boolean) => Snapshot;
  readonly logger: Logger;
  readonly everyMs: number;
  readonly onChange: (change: MemoryChange) => void;
}

/** A look at a branch again and again. */
export interface Watch {
  /** Looks now, and tells what changed since the last look. */
  look(): void;
  stop(): void;
}

/** Begins to look at a branch until it is stopped; keeps no process alive. */
export function watchOf({ present, onChange, logger, everyMs }: WatchDependencies): Watch {
  let seen = present(false);
  let isFailing = false;
  const look = (): void => {
    let change: MemoryChange;
    try {
      if (present(true).version === seen.version) return;
      const [before, after] = [seen, present(false)];
      seen = after;
      change = { commit: after.commit, paths: changedPaths(before, after) };
      isFailing = false;
    } catch (error) {
      // A damaged journal, say: the next one to ask or write gets an error of its own.
      if (!isFailing) logger.warn(`changes cannot be watched: ${String(error)}`);
      isFailing = true;
      return;
    }
    onChange(change);
  };
  const timer = setInterval(look, everyMs);
  timer.unref();
  return { look, stop: () => clearInterval(timer) };
}

/** The files that are not what they were; null where the state before is gone, as after a purge. */
function changedPaths(before: Snapshot, after: Snapshot): string[] | null {
  try {
    const changes = changesBetween(before, after);
    if (changes === null) return null;
    const changed = [...changes].filter(([path, oid]) => before.listedOidOf(path) !== oid);
    return changed.map(([path]) => path).sort();
  } catch {
    return null;
  }
}
