// Blame by line: from which commit each line of a file is, through renames and merges. Follows blame.c of git 2.47 with its
// defaults, so that the answer is that of `git blame`.
//
//     a commit keeps the lines that none of its parents has; the others are looked for in the parents, in their order:
//     a parent whose file is the same takes all, else what `git diff` says is unchanged goes over

import { type Hunk, LineTable } from '../base/line-diff.ts';
import type { BlameCache, BlamedRange } from './blame-cache.ts';
import type { HistoryCatalogue } from './catalogue.ts';
import { CommitQueue } from './commit-queue.ts';
import type { FileAncestry, FileVersion } from './file-ancestry.ts';
import type { HunkCache } from './hunk-cache.ts';
import { type RevisionLines, revisionHunks, revisionLines } from './revision-lines.ts';

/** What blame needs to know of history, and how it reads a file. */
export interface BlameSources {
  readonly catalogue: HistoryCatalogue;
  readonly ancestry: FileAncestry;
  readonly hunks: HunkCache;
  /** `null` where the lines are followed to children, as `git blame --reverse` does. */
  readonly blames: BlameCache | null;
  read(oid: string, path: string): Buffer;
  /** Takes each version that is looked at, with the lines that are there. */
  readonly passes?: (version: FileVersion, lines: readonly BlamedLines[]) => void;
}

interface BlameTarget {
  /** The file in a commit; `null` when no commit has it yet. */
  readonly version: FileVersion | null;
  readonly path: string;
  /** The text as it is to be blamed, where it is not that of the commit. */
  readonly pending?: Buffer;
  /** Lines `[start, end)` from 0; default all. */
  readonly range?: readonly [number, number];
  /** The range is all lines of the version, so that the answer may be kept. */
  readonly isWhole?: boolean;
}

/** Lines of the file asked about, seen in one commit: `count` of them from `start` there are those from `finalStart` on. */
export interface BlamedLines {
  readonly finalStart: number;
  readonly start: number;
  readonly count: number;
}

/** An answer that took so many versions is worth being kept. */
const keptFrom = 4;

interface Origin extends FileVersion {
  entries: BlamedLines[];
  lines: RevisionLines | null;
}

/** Tells where the lines of a file come from, in their order. Throws OBJECT_MISSING, OBJECT_CORRUPT. */
export const blameLines = (sources: BlameSources, target: BlameTarget): BlamedRange[] =>
  new Scoreboard(sources).blame(target);

class Scoreboard {
  private readonly sources: BlameSources;
  private readonly table = new LineTable();
  private readonly queue = new CommitQueue();
  private readonly origins = new Map<number, Origin[]>();
  private readonly found: BlamedRange[] = [];
  /** The first version that is not that of a parent, and how many there were. */
  private first: Origin | null = null;
  private judgedCount = 0;
  /** Something on the way could not be read. */
  private isPartial = false;

  constructor(sources: BlameSources) {
    this.sources = sources;
  }

  blame({ version, path, pending, range, isWhole }: BlameTarget): BlamedRange[] {
    const origin = version && this.originOf(version);
    const lines = pending && revisionLines(pending, this.table);
    const [start, end] = range ?? [0, (lines ?? this.linesOf(origin!)).numbers.length];
    const first: BlamedLines[] = start < end ? [{ finalStart: start, start, count: end - start }] : [];
    if (!lines) this.hand(origin!, first);
    else if (!origin) this.keep(null, path, first);
    else this.keep(null, path, this.passOn(this.compare(origin, lines), first, origin));
    for (let next = this.queue.pop(); next !== undefined; next = this.queue.pop()) {
      for (let waiting = this.waitingAt(next); waiting; waiting = this.waitingAt(next)) this.judge(waiting);
      this.origins.delete(next);
    }
    const answer = joined(this.found);
    if (isWhole && !this.isPartial && version && this.first?.oid === version.oid && this.judgedCount >= keptFrom)
      this.sources.blames?.add(this.sources.catalogue.oidAt(this.first.number), this.first.path, answer);
    return answer;
  }

  /** Hands what it can to the parents; the commit keeps the rest. */
  private judge(origin: Origin): void {
    let entries = origin.entries;
    origin.entries = [];
    const commit = this.sources.catalogue.oidAt(origin.number);
    this.sources.passes?.(origin, entries);
    const known = this.sources.blames?.of(commit, origin.path);
    if (known) {
      this.answerFrom(known, entries);
      return;
    }
    const { damage } = this.sources.catalogue;
    const before = damage.passed(() => this.sources.ancestry.before(origin), commit);
    // Nobody knows what was there before: the lines stay with the oldest commit that shows them.
    if (before === null) {
      this.isPartial = true;
      this.keep(commit, origin.path, entries);
      return;
    }
    if ('same' in before) {
      const same = this.originOf(before.same);
      same.lines ??= origin.lines;
      this.hand(same, entries);
      return;
    }
    this.first ??= origin;
    this.judgedCount += 1;
    for (const version of before.different) {
      if (entries.length === 0) return;
      const parent = this.originOf(version);
      const find = () => this.compare(parent, this.linesOf(origin));
      const between = () => this.sources.hunks.between(parent.oid, origin.oid, find);
      const hunks = damage.passed(between, this.sources.catalogue.oidAt(parent.number), parent.path);
      if (hunks === null) this.isPartial = true;
      else entries = this.passOn(hunks, entries, parent);
    }
    this.keep(commit, origin.path, entries);
  }

  /** Takes what is known of all lines of a version for those that are looked for. */
  private answerFrom(known: readonly BlamedRange[], entries: readonly BlamedLines[]): void {
    for (const { finalStart, start, count } of entries) {
      for (const range of known) {
        const [from, to] = [Math.max(start, range.start), Math.min(start + count, range.start + range.count)];
        if (from >= to) continue;
        this.found.push({
          start: finalStart + from - start,
          count: to - from,
          commit: range.commit,
          originalPath: range.originalPath,
          originalStart: range.originalStart + from - range.start,
        });
      }
    }
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

  private hand(origin: Origin, entries: readonly BlamedLines[]): void {
    if (entries.length === 0) return;
    if (!this.waitingAt(origin.number)) {
      const time = this.sources.catalogue.timeAt(origin.number);
      this.queue.push(origin.number, this.sources.blames === null ? -time : time);
    }
    origin.entries.push(...entries);
  }

  private linesOf(origin: Origin, like?: RevisionLines): RevisionLines {
    origin.lines ??= revisionLines(this.sources.read(origin.oid, origin.path), this.table, like);
    return origin.lines;
  }

  private compare(parent: Origin, lines: RevisionLines): readonly Hunk[] {
    return revisionHunks(this.linesOf(parent, lines), lines, this.table);
  }

  /** Hands a parent the lines that it has, and gives back the others. */
  private passOn(hunks: readonly Hunk[], entries: readonly BlamedLines[], parent: Origin): BlamedLines[] {
    const { kept, passed } = divide(entries, hunks);
    this.hand(parent, passed);
    return kept;
  }

  private keep(commit: string | null, path: string, entries: readonly BlamedLines[]): void {
    for (const { finalStart, start, count } of entries)
      this.found.push({ start: finalStart, count, commit, originalPath: path, originalStart: start });
  }
}
/** Cuts entries where hunks begin and end; lines in a hunk are the child's, all others are in the parent too. */
function divide(
  entries: readonly BlamedLines[],
  hunks: readonly Hunk[],
): { kept: BlamedLines[]; passed: BlamedLines[] } {
  const kept: BlamedLines[] = [];
  const passed: BlamedLines[] = [];
  // The first hunk that ends behind the entry, and how far the parent's lines are from the child's before it.
  let next = 0;
  let shift = 0;
  for (const entry of isSorted(entries) ? entries : [...entries].sort((a, b) => a.start - b.start)) {
    const end = entry.start + entry.count;
    while (next < hunks.length && hunks[next]!.afterEnd <= entry.start) shift = shiftBehind(hunks[next++]!);
    let place = entry.start;
    let index = next;
    let here = shift;
    while (place < end) {
      const hunk = hunks[index];
      const common = hunk === undefined ? end : Math.min(end, hunk.afterStart);
      if (common > place) {
        passed.push(part(entry, place, common, here));
        place = common;
      }
      if (hunk === undefined || place === end) break;
      const changed = Math.min(end, hunk.afterEnd);
      if (changed > place) {
        kept.push(part(entry, place, changed, 0));
        place = changed;
      }
      here = shiftBehind(hunk);
      index += 1;
    }
  }
  return { kept, passed };
}

function isSorted(entries: readonly BlamedLines[]): boolean {
  for (let i = 1; i < entries.length; i++) if (entries[i - 1]!.start > entries[i]!.start) return false;
  return true;
}

const shiftBehind = (hunk: Hunk): number => hunk.beforeEnd - hunk.afterEnd;

function part(entry: BlamedLines, from: number, to: number, shift: number): BlamedLines {
  if (shift === 0 && to - from === entry.count) return entry;
  return { finalStart: entry.finalStart + from - entry.start, start: from + shift, count: to - from };
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
