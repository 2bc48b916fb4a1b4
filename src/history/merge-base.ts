// Finds the best common ancestors of histories, what one has beyond others, and whether one is behind another. Walks go by generation and ask no
// clock. So a commit is met after all that it leads to, and what is known of it then is all there is.

import { CommitQueue } from './commit-queue.ts';
import { type Commits, generationsOf } from './generations.ts';

/** Marks of a commit: which sides reach it, and whether a common ancestor does, so that it is not a best one itself. */
const left = 1;
const right = 2;
const stale = 4;

/**
 * Finds the best common ancestors of two commits, those that are not ancestors of another one, newest first as git-merge-base(1), `--all`,
 * lists them. Their clocks decide nothing but the order.
 *
 * Each side may be several commits, as the parents of a merge that is only thought of. Histories that have nothing in common have none.
 */
export function mergeBases(objects: Commits, ours: readonly string[], theirs: readonly string[]): string[] {
  const walk = new PaintedWalk(objects);
  for (const oid of ours) walk.paint(oid, left);
  for (const oid of theirs) walk.paint(oid, right);
  const best: string[] = [];
  for (let oid = walk.next(); oid !== undefined; oid = walk.next()) {
    let marks = walk.marksOf(oid);
    if (marks === (left | right)) {
      best.push(oid);
      marks |= stale;
    }
    for (const parent of objects.readCommit(oid).parents) walk.paint(parent, marks);
  }
  const timeOf = (oid: string): number => objects.readCommit(oid).committer.time;
  return best.length < 2 ? best : best.sort((a, b) => timeOf(b) - timeOf(a));
}

/** Tells whether a commit is reached from another; every commit is from itself. */
export const isAncestor = (objects: Commits, ancestor: string, descendant: string): boolean =>
  isBehind(objects, ancestor, [descendant]);

/** Tells whether a commit is one of the tips, or leads to one. */
export function isBehind(objects: Commits, commit: string, tips: readonly string[]): boolean {
  if (tips.includes(commit)) return true;
  const generations = generationsOf(objects).begin();
  const first = generations.of(commit);
  const seen = new Set<string>();
  const open: string[] = [];
  const meet = (oid: string): boolean => {
    if (oid === commit) return true;
    if (!seen.has(oid) && generations.of(oid) > first) open.push(oid);
    seen.add(oid);
    return false;
  };
  for (const oid of tips) meet(oid);
  for (let oid = open.pop(); oid !== undefined; oid = open.pop()) {
    if (objects.readCommit(oid).parents.some(meet)) return true;
  }
  return false;
}

/** Lists what is reached from a commit and from none of others, each before all that leads to it. */
export function commitsBeyond(objects: Commits, tip: string, others: readonly string[]): string[] {
  const walk = new PaintedWalk(objects);
  walk.paint(tip, left);
  for (const oid of others) walk.paint(oid, stale);
  const beyond: string[] = [];
  for (let oid = walk.next(); oid !== undefined; oid = walk.next()) {
    const marks = walk.marksOf(oid);
    if (marks === left) beyond.push(oid);
    for (const parent of objects.readCommit(oid).parents) walk.paint(parent, marks);
  }
  return beyond;
}

/** Lists all commits that lead to others, and those, each before all that leads to it. */
export function commitsBehind(objects: Commits, tips: readonly string[]): string[] {
  const walk = new PaintedWalk(objects);
  for (const oid of tips) walk.paint(oid, left);
  const behind: string[] = [];
  for (let oid = walk.next(); oid !== undefined; oid = walk.next()) {
    behind.push(oid);
    for (const parent of objects.readCommit(oid).parents) walk.paint(parent, left);
  }
  return behind;
}

/**
 * Walks commits from the latest generation on, as long as one that is not stale is waiting.
 *
 * All that a commit leads to is of a later generation, so that its marks are whole when it is met.
 */
class PaintedWalk {
  private readonly generations;
  private readonly marks = new Map<string, number>();
  private readonly queue = new CommitQueue<string>();
  private fresh = 0;

  constructor(objects: Commits) {
    this.generations = generationsOf(objects).begin();
  }

  marksOf(oid: string): number {
    return this.marks.get(oid) ?? 0;
  }

  paint(oid: string, marks: number): void {
    const before = this.marks.get(oid);
    const after = (before ?? 0) | marks;
    if (after === before) return;
    this.marks.set(oid, after);
    const isFresh = (after & stale) === 0;
    if (before === undefined) {
      this.queue.push(oid, this.generations.of(oid));
      if (isFresh) this.fresh += 1;
    } else if (!isFresh && (before & stale) === 0) this.fresh -= 1;
  }

  next(): string | undefined {
    if (this.fresh === 0) return undefined;
    const oid = this.queue.pop();
    if (oid !== undefined && (this.marksOf(oid) & stale) === 0) this.fresh -= 1;
    return oid;
  }
}
