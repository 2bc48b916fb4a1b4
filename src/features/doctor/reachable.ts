// Walks everything that commits lead to and reads it, object by object: each is checked against its name as it is read.

import { MemoryError } from '../../base/errors.ts';
import { hasRefusedTime, lastSecond } from '../../store/git/commit-object.ts';
import type { GitObject } from '../../store/git/object-codec.ts';
import type { Repository } from '../../store/git/repository.ts';

/** An object that something leads to and that cannot be read. */
export interface Unreadable {
  readonly oid: string;
  readonly type: GitObject['type'];
  /** The path that leads to it; empty for commits and root trees. */
  readonly path: string;
  /** The commit it belongs to. */
  readonly commit: string;
  readonly error: MemoryError;
}

export interface Reached {
  readonly commits: number;
  readonly trees: number;
  readonly blobs: number;
  readonly bytes: number;
}

/** Where a walk stops looking further, so that doctor answers in seconds. */
export interface WalkLimits {
  readonly maxObjects: number;
  readonly maxBytes: number;
}

/** Reads what a set of tips leads to, newest commits first; `next` does a piece of it and tells whether there is more. */
export class ReachableWalk {
  readonly unreadable: Unreadable[] = [];
  readonly seen = new Set<string>();
  /** Commits of after the year 9999, with their times in seconds. */
  readonly oddTimes: { readonly commit: string; readonly time: number }[] = [];
  /** Commits whose author's or committer's time git calls corrupt. */
  readonly refusedTimes: string[] = [];
  private readonly counts = { commits: 0, trees: 0, blobs: 0, bytes: 0 };
  private readonly commits: string[];
  private readonly entries: { oid: string; type: 'tree' | 'blob'; path: string; commit: string }[] = [];
  private readonly repository: Repository;
  private readonly limits: WalkLimits;

  constructor(repository: Repository, tips: readonly string[], limits: WalkLimits) {
    this.repository = repository;
    this.limits = limits;
    this.commits = [...new Set(tips)];
    for (const tip of this.commits) this.seen.add(tip);
  }

  get reached(): Reached {
    return this.counts;
  }

  /** Whether a limit was met before the end. */
  get isCut(): boolean {
    return this.isFull() && (this.commits.length > 0 || this.entries.length > 0);
  }

  /** Reads up to `count` objects; returns false when all is read, or a limit was met. */
  next(count: number): boolean {
    for (let step = 0; step < count; step++) {
      if (this.isFull()) return false;
      // All of a commit before the next one, so that what was looked at is whole commits.
      const entry = this.entries.pop();
      if (entry !== undefined) this.readEntry(entry);
      else {
        const commit = this.commits.shift();
        if (commit === undefined) return false;
        this.readCommit(commit);
      }
    }
    return true;
  }

  private isFull(): boolean {
    return this.seen.size > this.limits.maxObjects || this.counts.bytes > this.limits.maxBytes;
  }

  private readCommit(oid: string): void {
    this.attempt({ oid, type: 'commit', path: '', commit: oid }, () => {
      const commit = this.repository.objects.readCommit(this.repository.objects.peelToCommit(oid));
      this.counts.commits += 1;
      const { time } = commit.committer;
      const isBeyond = [commit.author.time, time].some((one) => one < 0 || one > lastSecond);
      if (isBeyond && hasRefusedTime(this.repository.objects.read(oid).data)) this.refusedTimes.push(oid);
      else if (time > lastSecond) this.oddTimes.push({ commit: oid, time });
      this.push({ oid: commit.tree, type: 'tree', path: '', commit: oid });
      for (const parent of commit.parents) {
        if (this.seen.has(parent)) continue;
        this.seen.add(parent);
        this.commits.push(parent);
      }
    });
  }

  private readEntry(entry: { oid: string; type: 'tree' | 'blob'; path: string; commit: string }): void {
    const { objects } = this.repository;
    this.attempt(entry, () => {
      if (entry.type === 'blob') {
        this.counts.bytes += objects.read(entry.oid).data.length;
        this.counts.blobs += 1;
        return;
      }
      this.counts.trees += 1;
      for (const { mode, name, oid } of objects.readTree(entry.oid)) {
        // A submodule's commit lies in another repository.
        if (mode === '160000') continue;
        const path = entry.path === '' ? name : `${entry.path}/${name}`;
        this.push({ oid, type: mode === '40000' ? 'tree' : 'blob', path, commit: entry.commit });
      }
    });
  }

  private push(entry: { oid: string; type: 'tree' | 'blob'; path: string; commit: string }): void {
    if (this.seen.has(entry.oid)) return;
    this.seen.add(entry.oid);
    this.entries.push(entry);
  }

  private attempt(what: Omit<Unreadable, 'error'>, read: () => void): void {
    try {
      read();
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      this.unreadable.push({ ...what, error });
    }
  }
}

/** Tells whether a commit and everything it leads to can be read; looks at no more than doctor does without `--all`. */
export function isWhole(repository: Repository, commit: string): boolean {
  const walk = new ReachableWalk(repository, [commit], defaultLimits);
  while (walk.unreadable.length === 0 && walk.next(100));
  return walk.unreadable.length === 0;
}

/** A memory of ten thousand operations, in a second or two. */
export const defaultLimits: WalkLimits = { maxObjects: 50_000, maxBytes: 256 << 20 };
