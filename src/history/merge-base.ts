// Where two histories part: their best common ancestors. More than one where branches were merged into each other (criss-cross).

import type { ObjectReader } from '../git/object-overlay.ts';

type Commits = Pick<ObjectReader, 'readCommit'>;

/** Marks of a commit: which sides reach it, and whether a common ancestor does, so that it is not a best one itself. */
const left = 1;
const right = 2;
const stale = 4;

/**
 * Finds the best common ancestors of two commits, those that are not ancestors of another one, in the order of git-merge-base(1), `--all`:
 * newest first, of the same second as they were met.
 *
 * Each side may be several commits, as the parents of a merge that is only thought of. Histories that have nothing in common have none.
 */
export function mergeBases(objects: Commits, ours: readonly string[], theirs: readonly string[]): string[] {
  const walk = new PaintedWalk(objects);
  for (const oid of ours) walk.paint(oid, left);
  for (const oid of theirs) walk.paint(oid, right);
  const candidates = new Set<string>();
  for (let oid = walk.next(); oid !== undefined; oid = walk.next()) {
    let marks = walk.marksOf(oid);
    if (marks === (left | right)) {
      candidates.add(oid);
      marks |= stale;
    }
    for (const parent of objects.readCommit(oid).parents) walk.paint(parent, marks);
  }
  const best = [...candidates].filter((oid) => (walk.marksOf(oid) & stale) === 0);
  const timeOf = (oid: string): number => objects.readCommit(oid).committer.time;
  return best
    .filter((oid) => !best.some((other) => other !== oid && isAncestor(objects, oid, other)))
    .sort((a, b) => timeOf(b) - timeOf(a));
}

/** Tells whether a commit is reached from another; every commit is from itself. */
export function isAncestor(objects: Commits, ancestor: string, descendant: string): boolean {
  const seen = new Set([descendant]);
  const open = [descendant];
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (oid === ancestor) return true;
    for (const parent of objects.readCommit(oid).parents) {
      if (seen.has(parent)) continue;
      seen.add(parent);
      open.push(parent);
    }
  }
  return false;
}

/**
 * Lists what is reached from a commit and from none of others, newest first where clocks were right; where one was wrong, a commit that
 * others reach may be listed too.
 */
export function commitsBeyond(objects: Commits, tip: string, others: readonly string[]): string[] {
  const walk = new PaintedWalk(objects);
  walk.paint(tip, left);
  for (const oid of others) walk.paint(oid, stale);
  const met: string[] = [];
  let oldest = Number.POSITIVE_INFINITY;
  // What is as new as one of them may yet lead to it.
  for (let oid = walk.next(oldest); oid !== undefined; oid = walk.next(oldest)) {
    const marks = walk.marksOf(oid);
    if (marks === left) {
      met.push(oid);
      oldest = Math.min(oldest, objects.readCommit(oid).committer.time);
    }
    for (const parent of objects.readCommit(oid).parents) walk.paint(parent, marks);
  }
  return [...new Set(met)].filter((oid) => walk.marksOf(oid) === left);
}

/**
 * Walks commits newest first, as long as one that is not stale is waiting.
 *
 * A commit whose marks grew is walked again: with a clock that was wrong it may have been met before what leads to it.
 */
class PaintedWalk {
  private readonly objects: Commits;
  private readonly marks = new Map<string, number>();
  /** Waiting commits, the newest last. */
  private readonly queue: { readonly oid: string; readonly time: number }[] = [];
  private readonly queued = new Set<string>();
  private fresh = 0;

  constructor(objects: Commits) {
    this.objects = objects;
  }

  marksOf(oid: string): number {
    return this.marks.get(oid) ?? 0;
  }

  paint(oid: string, marks: number): void {
    const before = this.marksOf(oid);
    const after = before | marks;
    if (after === before) return;
    this.marks.set(oid, after);
    if (!this.queued.has(oid)) {
      this.insert(oid);
      if ((after & stale) === 0) this.fresh += 1;
    } else if ((before & stale) === 0 && (after & stale) !== 0) this.fresh -= 1;
  }

  /** Takes the newest waiting commit; when all are stale only as long as it is not older than `notBefore`, in seconds. */
  next(notBefore = Number.POSITIVE_INFINITY): string | undefined {
    if (this.fresh === 0 && !((this.queue.at(-1)?.time ?? Number.NEGATIVE_INFINITY) >= notBefore)) return undefined;
    const item = this.queue.pop();
    if (item === undefined) return undefined;
    this.queued.delete(item.oid);
    if ((this.marksOf(item.oid) & stale) === 0) this.fresh -= 1;
    return item.oid;
  }

  private insert(oid: string): void {
    const time = this.objects.readCommit(oid).committer.time;
    let [low, high] = [0, this.queue.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      // Of the same second, what came first goes first.
      if ((this.queue[middle]?.time ?? 0) < time) low = middle + 1;
      else high = middle;
    }
    this.queue.splice(low, 0, { oid, time });
    this.queued.add(oid);
  }
}
