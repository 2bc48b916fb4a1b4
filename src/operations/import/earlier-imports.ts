// What earlier imports made of a path: the version to compare with, where it tells an edit of here from a change over there.

import { logOf } from '../../history/log.ts';
import { undoneCommits } from '../../history/undo.ts';
import type { BranchStore } from '../../store/branch-store.ts';
import type { Snapshot } from '../../store/snapshot.ts';

/** The `Operation` trailer of imports. */
export const importName = 'import';

/** The imports of a history that nobody took back. */
export class EarlierImports {
  private readonly store: BranchStore;
  private readonly commit: string | null;
  private newestOf: Map<string, string> | null = null;
  private readonly snapshots = new Map<string, Snapshot>();

  constructor(store: BranchStore, commit: string | null) {
    this.store = store;
    this.commit = commit;
  }

  /** The newest import of each path, found when it is first asked for. */
  private get newest(): ReadonlyMap<string, string> {
    this.newestOf ??= this.find();
    return this.newestOf;
  }

  private find(): Map<string, string> {
    const newest = new Map<string, string>();
    const { repository } = this.store;
    const { commits } = logOf(repository, this.commit, { operation: importName, limit: Number.POSITIVE_INFINITY });
    if (commits.length === 0) return newest;
    const undone = undoneCommits(repository, this.commit!);
    for (const { oid, paths } of commits) {
      if (!undone.has(oid)) for (const path of paths) if (!newest.has(path)) newest.set(path, oid);
    }
    return newest;
  }

  /** Tells whether an import made or changed a path. */
  has(path: string): boolean {
    return this.newest.has(path);
  }

  /** Gives a file as the newest import of it left it; undefined if none did, or it left none. */
  textOf(path: string): string | undefined {
    const commit = this.newest.get(path);
    if (commit === undefined) return undefined;
    let snapshot = this.snapshots.get(commit);
    if (snapshot === undefined) {
      snapshot = this.store.at(commit);
      this.snapshots.set(commit, snapshot);
    }
    return snapshot.readText(path) ?? undefined;
  }
}
