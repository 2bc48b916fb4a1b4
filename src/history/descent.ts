// Blame in reverse: up to which commit the lines of a file went on, as `git blame --reverse <commit>..<tip>` tells it.

import type { Repository } from '../store/git/repository.ts';
import { diffTrees } from '../store/git/tree.ts';
import type { BlamedRange } from './blame-cache.ts';
import { type BlamedLines, blameLines } from './blame-lines.ts';
import { type HistoryCatalogue, historyOf } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import { FileAncestry, type FileVersion } from './file-ancestry.ts';
import { generationsOf } from './generations.ts';
import { hunksOf } from './hunk-cache.ts';
import { findRename } from './renames.ts';

/** Lines `[start, end)` from 0. */
type LineRange = readonly [start: number, end: number];

/**
 * The commits behind a tip and what each leads to, walked down from the tip as far as a question needs.
 *
 * All methods throw OBJECT_MISSING, OBJECT_CORRUPT, TOO_LARGE when the repository cannot tell.
 */
export class Descent {
  readonly catalogue: HistoryCatalogue;
  readonly ancestry: FileAncestry;
  private readonly repository: Repository;
  private readonly generations;
  /** Each commit that was met, with its children. */
  private readonly children = new Map<number, number[]>();
  private readonly waiting = new CommitQueue();
  private known: { readonly generation: number; readonly later: readonly number[] } | null = null;

  constructor(repository: Repository, tip: string) {
    this.repository = repository;
    this.catalogue = historyOf(repository);
    this.generations = generationsOf(repository.objects);
    this.ancestry = new FileAncestry(this.catalogue, repository.objects, (number) => this.childrenAt(number));
    this.meet(this.catalogue.numberOf(tip));
  }

  /** Tells whether a commit is the tip, or behind it. */
  reaches(commit: string): boolean {
    const number = this.catalogue.numberOf(commit);
    if (this.children.has(number)) return true;
    this.walkTo(this.generations.of(commit));
    return this.children.has(number);
  }

  /** Gives how far a commit is from its roots: all that it leads to are of later generations. */
  generationOf(commit: string): number {
    return this.generations.of(commit);
  }

  /** Lists the children of a commit that lead to the tip, oldest first. */
  childrenOf(commit: string): string[] {
    return this.childrenAt(this.catalogue.numberOf(commit)).map((number) => this.catalogue.oidAt(number));
  }

  /** Lists all that a commit leads to on the way to the tip, each behind what leads to it. */
  after(commit: string): string[] {
    const seen = new Set<number>();
    const open = new CommitQueue();
    const found: string[] = [];
    for (let place = this.catalogue.numberOf(commit); ; ) {
      for (const child of this.childrenAt(place)) {
        if (seen.has(child)) continue;
        seen.add(child);
        open.push(child, -this.generations.of(this.catalogue.oidAt(child)));
      }
      const next = open.pop();
      if (next === undefined) return found;
      place = next;
      found.push(this.catalogue.oidAt(place));
    }
  }

  /** Lists the commits behind the tip that are of a later generation than one of them; all for `null`. */
  later(commit: string | null): readonly number[] {
    const generation = commit === null ? 0 : this.generationOf(commit);
    if (this.known?.generation === generation) return this.known.later;
    this.walkTo(generation);
    const isLater = (number: number) => this.generations.of(this.catalogue.oidAt(number)) > generation;
    this.known = { generation, later: [...this.children.keys()].filter(isLater) };
    return this.known.later;
  }

  /** Gives the commit of the latest generation, which leads to none of the others. */
  latest(numbers: readonly number[]): number {
    const generationOf = (number: number) => this.generations.of(this.catalogue.oidAt(number));
    return numbers.reduce((latest, number) => (generationOf(number) > generationOf(latest) ? number : latest));
  }

  /**
   * Tells for lines of a file in which commit each is seen last, and where there: in the tip if nothing touched it.
   *
   * `passes` takes each version on the way, oldest first, with the lines that are in it. The commit leads to the tip.
   */
  lastSeen(commit: string, path: string, range: LineRange | null, passes?: Passes): BlamedRange[] {
    const { catalogue, ancestry, repository } = this;
    const sources = {
      catalogue,
      ancestry,
      hunks: hunksOf(repository),
      blames: null,
      read: (oid: string) => repository.objects.readBlob(oid),
      ...(passes && { passes }),
    };
    return blameLines(sources, { version: ancestry.at(commit, path), path, ...(range && { range }) });
  }

  private childrenAt(number: number): readonly number[] {
    // Whatever leads back to a commit is of a later generation.
    this.walkTo(this.generations.of(this.catalogue.oidAt(number)));
    const children = this.children.get(number) ?? [];
    if (children.length < 2) return children;
    // Git lists them in this order, and the first one that has a line takes it.
    return [...children].sort((a, b) => this.catalogue.timeAt(a) - this.catalogue.timeAt(b));
  }

  private walkTo(generation: number): void {
    while ((this.waiting.rank ?? 0) > generation) {
      const number = this.waiting.pop()!;
      for (const parent of this.catalogue.parentsAt(number)) {
        if (!this.children.has(parent)) this.meet(parent);
        this.children.get(parent)!.push(number);
      }
    }
  }

  private meet(number: number): void {
    this.children.set(number, []);
    this.waiting.push(number, this.generations.of(this.catalogue.oidAt(number)));
  }
}

export type Passes = (version: FileVersion, lines: readonly BlamedLines[]) => void;

/** Finds what a file of one commit is called in another that lacks its name; `null` where none is like it. */
export function renamedPath(repository: Repository, from: string, path: string, to: string): string | null {
  const { objects } = repository;
  const [before, after] = [to, from].map((commit) => objects.readCommit(commit).tree);
  return findRename(objects, diffTrees(before!, after!, objects.readTreeBytes), path)?.path ?? null;
}
