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

/** Looks at a branch again and again until it is stopped; keeps no process alive. */
export class Watch {
  private readonly dependencies: WatchDependencies;
  private readonly timer: NodeJS.Timeout;
  private seen: Snapshot;
  private isFailing = false;

  constructor(dependencies: WatchDependencies) {
    this.dependencies = dependencies;
    this.seen = dependencies.present(false);
    this.timer = setInterval(() => this.look(), dependencies.everyMs);
    this.timer.unref();
  }

  /** Looks now, and tells what changed since the last look. */
  look(): void {
    const { present, onChange, logger } = this.dependencies;
    let change: MemoryChange;
    try {
      if (present(true).version === this.seen.version) return;
      const [before, after] = [this.seen, present(false)];
      this.seen = after;
      change = { commit: after.commit, paths: changedPaths(before, after) };
      this.isFailing = false;
    } catch (error) {
      // A damaged journal, say: the next one to ask or write gets an error of its own.
      if (!this.isFailing) logger.warn(`changes cannot be watched: ${String(error)}`);
      this.isFailing = true;
      return;
    }
    onChange(change);
  }

  stop(): void {
    clearInterval(this.timer);
  }
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
