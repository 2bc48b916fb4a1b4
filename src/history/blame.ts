// Blame: from which commit each line of a file is, through renames and merges. Follows blame.c of git 2.47 with its defaults, so that
// the answer is that of `git blame`.
//
//     a commit keeps the lines that none of its parents has; the others are looked for in the parents, in their order:
//     a parent whose file is the same takes all, else what `git diff` says is unchanged goes over

import { type Hunk, LineTable } from '../base/line-diff.ts';
import type { ObjectDatabase } from '../git/object-database.ts';
import { findEntry } from '../git/tree.ts';
import type { HistoryCatalogue } from './catalogue.ts';
import { canonicalMode } from './commit-facts.ts';
import { CommitQueue } from './commit-queue.ts';
import { findRename } from './renames.ts';
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

/** What to blame: a file of a commit, or a text that is to follow it. */
export interface BlameTarget {
  readonly commit: string | null;
  readonly path: string;
  /** The text, where it is not that of the commit. */
  readonly bytes?: Buffer;
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
interface Origin {
  readonly number: number;
  readonly path: string;
  readonly oid: string;
  entries: Entry[];
  lines: RevisionLines | null;
}

/** Tells where the lines of a file come from, in their order. The file must exist. Throws OBJECT_MISSING, OBJECT_CORRUPT. */
export function blameFile(catalogue: HistoryCatalogue, objects: ObjectDatabase, target: BlameTarget): BlamedRange[] {
  return new Scoreboard(catalogue, objects).blame(target);
}

class Scoreboard {
  private readonly catalogue: HistoryCatalogue;
  private readonly objects: ObjectDatabase;
  private readonly table = new LineTable();
  private readonly queue = new CommitQueue();
  private readonly origins = new Map<number, Origin[]>();
  private readonly changeOf = new Map<string, ReturnType<HistoryCatalogue['changesOfFile']>>();
  private readonly found: BlamedRange[] = [];

  constructor(catalogue: HistoryCatalogue, objects: ObjectDatabase) {
    this.catalogue = catalogue;
    this.objects = objects;
  }

  blame({ commit, path, bytes, range }: BlameTarget): BlamedRange[] {
    const number = commit === null ? null : this.catalogue.numberOf(commit);
    const oid = number === null ? null : this.blobAt(number, path);
    const text = bytes ?? this.objects.readBlob(oid!);
    const lines = revisionLines(text, this.table);
    const [start, end] = range ?? [0, lines.numbers.length];
    const first: Entry[] = start < end ? [{ finalStart: start, start, count: end - start }] : [];
    if (bytes === undefined) {
      const origin = this.originOf(number!, path, oid!);
      origin.lines = lines;
      this.hand(origin, first);
    } else this.keep(null, path, oid === null ? first : this.passOn(lines, first, this.originOf(number!, path, oid)));
    for (let next = this.queue.pop(); next !== undefined; next = this.queue.pop()) {
      for (let waiting = this.waitingAt(next); waiting; waiting = this.waitingAt(next)) this.judge(waiting);
      this.origins.delete(next);
    }
    return joined(this.found);
  }

  private waitingAt(number: number): Origin | undefined {
    return this.origins.get(number)?.find((origin) => origin.entries.length > 0);
  }

  /** Hands what it can to the parents; the commit keeps the rest. */
  private judge(origin: Origin): void {
    const { number, path, oid } = origin;
    let entries = origin.entries;
    origin.entries = [];
    const parents = this.parentOrigins(number, path, oid);
    if (!Array.isArray(parents)) {
      parents.lines ??= origin.lines;
      this.hand(parents, entries);
      return;
    }
    for (const parent of parents) {
      if (entries.length === 0) return;
      origin.lines ??= this.linesOf(origin);
      entries = this.passOn(origin.lines, entries, parent);
    }
    this.keep(this.catalogue.oidAt(number), path, entries);
  }

  /** Finds the file in the parents: the one parent whose file is the same, or those to compare with. */
  private parentOrigins(number: number, path: string, oid: string): Origin | Origin[] {
    const parents = this.catalogue.parentsAt(number);
    const found: (Origin | undefined)[] = parents.map(() => undefined);
    const finders = [
      (place: number) => this.sameName(number, place, path, oid),
      (place: number) => this.otherName(number, place, path),
    ];
    for (const find of finders) {
      for (const [place, parent] of parents.entries()) {
        if (found[place]) continue;
        const source = find(place);
        if (source === null) continue;
        if (source.oid === oid) return this.originOf(parent, source.path, oid);
        // A parent with the same text as an earlier one has nothing to add.
        if (!found.slice(0, place).some((earlier) => earlier?.oid === source.oid)) {
          found[place] = this.originOf(parent, source.path, source.oid);
        }
      }
    }
    return found.filter((origin) => origin !== undefined);
  }

  private sameName(number: number, place: number, path: string, oid: string): { path: string; oid: string } | null {
    if (place === 0) {
      let changeOf = this.changeOf.get(path);
      if (!changeOf) {
        changeOf = this.catalogue.changesOfFile(path);
        this.changeOf.set(path, changeOf);
      }
      const change = changeOf(number);
      if (change === null) return { path, oid };
      return change.before && kindOf(change.before.mode) === kindOf(change.after?.mode)
        ? { path, oid: change.before.oid }
        : null;
    }
    const parent = this.catalogue.parentsAt(number)[place]!;
    const [before, after] = [this.entryAt(parent, path), this.entryAt(number, path)];
    return before && kindOf(canonicalMode(before.mode)) === kindOf(after ? canonicalMode(after.mode) : undefined)
      ? { path, oid: before.oid }
      : null;
  }

  private otherName(number: number, place: number, path: string): { path: string; oid: string } | null {
    return findRename(this.objects, this.catalogue.changesAgainst(this.catalogue.oidAt(number), place), path);
  }

  private entryAt(number: number, path: string) {
    const entry = findEntry(this.catalogue.treeAt(number), path, this.objects.readTree);
    return entry?.mode === '40000' ? null : entry;
  }

  private blobAt(number: number, path: string): string | null {
    return this.entryAt(number, path)?.oid ?? null;
  }

  private originOf(number: number, path: string, oid: string): Origin {
    const origins = this.origins.get(number) ?? [];
    const known = origins.find((origin) => origin.path === path);
    if (known) return known;
    const origin: Origin = { number, path, oid, entries: [], lines: null };
    origins.push(origin);
    this.origins.set(number, origins);
    return origin;
  }

  private hand(origin: Origin, entries: readonly Entry[]): void {
    if (entries.length === 0) return;
    if (!this.waitingAt(origin.number)) this.queue.push(origin.number, this.catalogue.timeAt(origin.number));
    origin.entries.push(...entries);
  }

  private linesOf(origin: Origin, like?: RevisionLines): RevisionLines {
    origin.lines ??= revisionLines(this.objects.readBlob(origin.oid), this.table, like);
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

/** Files, links and submodules are different things under one name. */
function kindOf(mode: string | undefined): string | undefined {
  return mode?.startsWith('100') ? '100' : mode;
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
