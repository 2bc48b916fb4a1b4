// Walks commits: newest first, each once, whatever the merges.

import type { Commit } from '../git/commit-object.ts';
import type { ObjectDatabase } from '../git/object-database.ts';

/** One commit on a walk. */
export interface WalkedCommit {
  readonly oid: string;
  readonly commit: Commit;
}

/**
 * Walks all commits that lead to `tips`, by committer time, newest first; equal times keep the order in which they were met.
 *
 * A parent is met after its child, so a clock that was wrong delays a branch and never loses or repeats a commit.
 */
export function* walkCommits(objects: ObjectDatabase, tips: readonly string[]): Generator<WalkedCommit> {
  const seen = new Set<string>();
  const queue: (WalkedCommit & { readonly order: number })[] = [];
  let order = 0;
  const enqueue = (oid: string) => {
    if (seen.has(oid)) return;
    seen.add(oid);
    const item = { oid, commit: objects.readCommit(oid), order: order++ };
    let low = 0;
    let high = queue.length;
    // Kept with the newest last, where taking it away is cheap.
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = queue[middle]!;
      const difference = other.commit.committer.time - item.commit.committer.time;
      if (difference < 0 || (difference === 0 && other.order > item.order)) low = middle + 1;
      else high = middle;
    }
    queue.splice(low, 0, item);
  };
  for (const tip of tips) enqueue(tip);
  for (let item = queue.pop(); item !== undefined; item = queue.pop()) {
    yield { oid: item.oid, commit: item.commit };
    for (const parent of item.commit.parents) enqueue(parent);
  }
}

/** Walks the first-parent line: what the branch was, step by step. */
export function* walkFirstParents(objects: ObjectDatabase, tip: string | null): Generator<WalkedCommit> {
  let oid = tip ?? undefined;
  while (oid !== undefined) {
    const commit = objects.readCommit(oid);
    yield { oid, commit };
    oid = commit.parents[0];
  }
}
