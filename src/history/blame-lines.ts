// Blame by line: from which commit each line of a file is, through renames and merges. Follows blame.c of git 2.47 with its
// defaults, so that the answer is that of `git blame`.
//
//     a commit keeps the lines that none of its parents has; the others are looked for in the parents, in their order:
//     a parent whose file is the same takes all, else what `git diff` says is unchanged goes over

import { type Hunk, LineTable } from '../base/line-diff.ts';
import type { HistoryCatalogue } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import type { FileAncestry, FileVersion } from './file-ancestry.ts';
import { type RevisionLines, revisionHunks, revisionLines } from './revision-lines.ts';

/** A run of lines that come from one commit. Lines count from 0. */
export interface BlamedRange {
  readonly start: number;
  readonly count: number;
  /** `null`: of the text that was given, and of no commit. */
  readonly commit: string | null;
  readonly originalPath: string;
  readonly originalStart: number;
}

/** What blame needs to know of history, and how it reads a file. */
export interface BlameSources {
  readonly catalogue: HistoryCatalogue;
  readonly ancestry: FileAncestry;
  read(oid: string, path: string): Buffer;
}

/** What to blame. */
export interface BlameTarget {
  /** The file in a commit; `null` when no commit has it yet. */
  readonly version: FileVersion | null;
  readonly path: string;
  /** The text as it is to be blamed, where it is not that of the commit. */
  readonly pending?: Buffer;
  /** Lines `[start, end)` from 0; default all. */
  readonly range?: readonly [number, number];
}

/** Lines of the file asked about, seen in one commit: `count` of them from `start` there are those from `finalStart` on. */
interface Entry {
  readonly finalStart: number;
  readonly start: number;
  readonly count: number;
}

/** A file in a commit that may have brought lines. */
interface Origin extends FileVersion {
  entries: Entry[];
  lines: RevisionLines | null;
}

/** Tells where the lines of a file come from, in their order. Throws OBJECT_MISSING, OBJECT_CORRUPT. */
export function blameLines(sources: BlameSources, target: BlameTarget): BlamedRange[] {
  return new Scoreboard(sources).blame(target);
}

class Scoreboard {
  private readonly sources: BlameSources;
  private readonly table = new LineTable();
  private readonly queue = new CommitQueue();
  private readonly origins = new Map<number, Origin[]>();
  private readonly found: BlamedRange[] = [];

  constructor(sources: BlameSources) {
    this.sources = sources;
  }

  blame({ version, path, pending, range }: BlameTarget): BlamedRange[] {
    const origin = version && this.originOf(version);
    const lines = pending === undefined ? this.linesOf(origin!) : revisionLines(pending, this.table);
    const [start, end] = range ?? [0, lines.numbers.length];
    const first: Entry[] = start < end ? [{ finalStart: start, start, count: end - start }] : [];
    if (pending === undefined) this.hand(origin!, first);
    else this.keep(null, path, origin ? this.passOn(lines, first, origin) : first);
    for (let next = this.queue.pop(); next !== undefined; next = this.queue.pop()) {
      for (let waiting = this.waitingAt(next); waiting; waiting = this.waitingAt(next)) this.judge(waiting);
      this.origins.delete(next);
    }
    return joined(this.found);
  }

  /** Hands what it can to the parents; the commit keeps the rest. */
  private judge(origin: Origin): void {
    let entries = origin.entries;
    origin.entries = [];
    const before = this.sources.ancestry.before(origin);
    if ('same' in before) {
      const same = this.originOf(before.same);
      same.lines ??= origin.lines;
      this.hand(same, entries);
      return;
    }
    for (const version of before.different) {
      if (entries.length === 0) return;
      entries = this.passOn(this.linesOf(origin), entries, this.originOf(version));
    }
    this.keep(this.sources.catalogue.oidAt(origin.number), origin.path, entries);
  }

  private waitingAt(number: number): Origin | undefined {
    return this.origins.get(number)?.find((origin) => origin.entries.length > 0);
  }

  private originOf(version: FileVersion): Origin {
    const origins = this.origins.get(version.number) ?? [];
    const known = origins.find((origin) => origin.path === version.path);
    if (known) return known;
    const origin: Origin = { ...version, entries: [], lines: null };
    origins.push(origin);
    this.origins.set(version.number, origins);
    return origin;
  }

  private hand(origin: Origin, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    if (!this.waitingAt(origin.number)) this.queue.push(origin.number, this.sources.catalogue.timeAt(origin.number));
    origin.entries.push(...entries);
  }

  private linesOf(origin: Origin, like?: RevisionLines): RevisionLines {
    origin.lines ??= revisionLines(this.sources.read(origin.oid, origin.path), this.table, like);
    return origin.lines;
  }

  /** Hands a parent the lines that it has, and gives back the others. */
  private passOn(lines: RevisionLines, entries: readonly Entry[], parent: Origin): Entry[] {
    const hunks = revisionHunks(this.linesOf(parent, lines), lines, this.table);
    const { kept, passed } = divide(entries, hunks);
    this.hand(parent, passed);
    return kept;
  }

  private keep(commit: string | null, path: string, entries: readonly Entry[]): void {
    for (const { finalStart, start, count } of entries) {
      this.found.push({ start: finalStart, count, commit, originalPath: path, originalStart: start });
    }
  }
}
/** Cuts entries where hunks begin and end; lines in a hunk are the child's, all others stand in the parent too. */
function divide(entries: readonly Entry[], hunks: readonly Hunk[]): { kept: Entry[]; passed: Entry[] } {
  const kept: Entry[] = [];
  const passed: Entry[] = [];
  const part = (entry: Entry, from: number, to: number, shift: number): Entry => ({
    finalStart: entry.finalStart + from - entry.start,
    start: from + shift,
    count: to - from,
  });
  for (const entry of entries) {
    const end = entry.start + entry.count;
    let place = entry.start;
    for (let index = firstHunkBehind(hunks, place); place < end; index++) {
      const hunk = hunks[index];
      // How far the parent's lines are from the child's before this hunk.
      const previous = hunks[index - 1];
      const shift = previous ? previous.beforeEnd - previous.afterEnd : 0;
      const common = Math.min(end, hunk?.afterStart ?? end);
      if (common > place) passed.push(part(entry, place, common, shift));
      place = Math.max(place, common);
      if (!hunk) break;
      const changed = Math.min(end, hunk.afterEnd);
      if (changed > place) kept.push(part(entry, place, changed, 0));
      place = Math.max(place, changed);
    }
  }
  return { kept, passed };
}

/** Gives the first hunk that ends behind a line of the child. */
function firstHunkBehind(hunks: readonly Hunk[], line: number): number {
  let low = 0;
  let high = hunks.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (hunks[middle]!.afterEnd <= line) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sorts by line and joins what follows one another in both files. */
function joined(ranges: readonly BlamedRange[]): BlamedRange[] {
  const result: BlamedRange[] = [];
  for (const range of [...ranges].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (
      last &&
      last.commit === range.commit &&
      last.originalPath === range.originalPath &&
      last.start + last.count === range.start &&
      last.originalStart + last.count === range.originalStart
    ) {
      result[result.length - 1] = { ...last, count: last.count + range.count };
    } else result.push(range);
  }
  return result;
}
