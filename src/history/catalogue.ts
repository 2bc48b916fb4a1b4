// The history catalogue: what each commit is and changed, found out once ever and kept in git-memory/cache/history.
// Facts hold for a commit id, whatever leads to it, so nothing in here is ever wrong, only absent. Questions bring the tips.

import { MemoryError } from '../base/errors.ts';
import { oncePer } from '../base/once-per.ts';
import { CacheFile } from '../store/cache-file.ts';
import { type DamagedFiles, damagedFilesOf } from '../store/damaged-files.ts';
import type { CommitLinks } from '../store/git/commit-graph.ts';
import type { Repository } from '../store/git/repository.ts';
import { diffTrees, type TreeDifference } from '../store/git/tree.ts';
import { CommitColumns, type CommitFacts, formatColumns } from './commit-facts.ts';
import { differenceAt, type PathDifference, type PathEntry } from './path-finder.ts';

const fileName = 'history';
/** To be raised whenever {@link CommitColumns} or what a fact means changes. */
export const historyVersion = 1;
/** With so many frames in the file, the small ones become one. */
const maxFrames = 32;
/** Frames of so many bytes are always joined. */
const smallFrame = 4096;
/** So many new commits are kept even in the middle of a long question. */
const saveEvery = 20_000;
/** A question about one path reads so many folders at least for later ones, or one for each fourth commit. A small commit changes six. */
const leastFolders = 2400;

export const historyOf = oncePer((repository: Repository) => new HistoryCatalogue(repository));

/**
 * Answers what commits are and did.
 *
 * It fills itself: what is not known is read from git's objects. A question about one path reads no more than the folders on its way, as
 * native git does. All changes of a commit are found out when somebody asks for them, or by `save`, a part at a time. `save` keeps what was
 * found for later processes; whoever asks a question calls it at the end, and nothing that writes to the memory does. Commits also have
 * numbers, for walks of many: they hold as long as the catalogue lives. At a shallow boundary a commit has no parents and changes as a root
 * has, as in git.
 *
 * All methods throw OBJECT_MISSING, OBJECT_CORRUPT when the repository lacks what is asked.
 */
export class HistoryCatalogue {
  readonly damage: DamagedFiles;
  private readonly repository: Repository;
  private readonly file: CacheFile;
  private readonly segments: Segment[] = [];
  private segmentCount = 0;
  private frameCount = 0;
  private isLoaded = false;
  /** What this process found out, numbered after the segments. */
  private readonly fresh: FreshCommit[] = [];
  private readonly freshNumbers = new Map<string, number>();
  /** Those that are not in the file. */
  private unsaved: FreshCommit[] = [];
  private completeCount = 0;
  private foldersRead = 0;

  constructor(repository: Repository) {
    this.repository = repository;
    this.damage = damagedFilesOf(repository);
    this.file = new CacheFile(repository, fileName, historyVersion);
  }

  /** Gives all that is known of a commit. */
  of(oid: string): CommitFacts {
    const number = this.numberOf(oid);
    const segment = this.segmentOf(number);
    return segment ? segment.columns.factsAt(number - segment.base) : this.freshFacts(this.freshAt(number));
  }

  /** Lists the files in which a commit differs from its first parent; a root from nothing. */
  changesOf(oid: string): readonly TreeDifference[] {
    return this.changesAt(this.numberOf(oid));
  }

  /** Lists the files in which a merge differs from one of its parents, by its place, from 0. */
  changesAgainst(oid: string, parent: number): readonly TreeDifference[] {
    if (parent === 0) return this.changesOf(oid);
    const number = this.numberOf(oid);
    const other = this.parentsAt(number)[parent];
    return other === undefined ? [] : this.differences(this.treeAt(other), this.treeAt(number));
  }

  /** Whether a commit's parents are cut off because the repository is shallow there. */
  isBoundary(oid: string): boolean {
    return this.repository.objects.isBoundary(oid);
  }

  /** Keeps what was found for later processes; a file system that refuses costs time only. */
  save(folders = leastFolders): void {
    this.completeSome(folders);
    this.keepComplete();
  }

  /** Finds out all changes of the commits that lead to one, and keeps them. */
  complete(tip: string | null): void {
    const numbers = new Set(tip === null ? [] : [this.numberOf(tip)]);
    // A set goes on with what is added to it.
    for (const number of numbers) for (const parent of this.parentsAt(number)) numbers.add(parent);
    this.save(Number.POSITIVE_INFINITY);
  }

  private keepComplete(): void {
    const complete = this.unsaved.filter((fresh) => fresh.changes !== null);
    if (complete.length === 0) return;
    this.unsaved = this.unsaved.filter((fresh) => fresh.changes === null);
    this.completeCount = 0;
    const news = complete.filter(({ oid }) => !this.isBoundary(oid)).map((fresh) => this.freshFacts(fresh));
    if (news.length === 0) return;
    if (this.frameCount < maxFrames) {
      this.file.append(formatColumns(news));
      this.frameCount += 1;
      return;
    }
    // Read again, for others may have appended; what they and we found is the same for the same commit. Frames that are larger than all
    // behind them stay as they are. So a long history is not written anew for each handful of commits.
    const payloads = this.file.read();
    let kept = payloads.length;
    for (let bytes = 0; kept > 0 && payloads[kept - 1]!.length <= 2 * bytes + smallFrame; kept--) {
      bytes += payloads[kept - 1]!.length;
    }
    const joined = new Map(news.map((facts) => [facts.oid, facts]));
    for (const columns of columnsOf(payloads.slice(kept))) {
      for (let position = 0; position < columns.count; position++) {
        const oid = columns.oidAt(position);
        if (!joined.has(oid)) joined.set(oid, columns.factsAt(position));
      }
    }
    this.file.replace([...payloads.slice(0, kept), formatColumns([...joined.values()])]);
    this.frameCount = kept + 1;
  }

  /** Finds out the changes of some commits that nobody asked for all changes of. */
  private completeSome(folders: number): void {
    const end = this.foldersRead + Math.max(folders, (this.unsaved.length - this.completeCount) / 4);
    for (const fresh of this.unsaved) {
      if (fresh.changes !== null) continue;
      if (this.foldersRead >= end) return;
      try {
        this.findChanges(fresh);
      } catch (error) {
        // A tree that nobody asked for is missing, damaged or too large: that is the answer to another question.
        if (error instanceof MemoryError) return;
        throw error;
      }
    }
  }

  // ── by number ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Gives the number of a commit, reading its objects where that is new. */
  numberOf(oid: string): number {
    this.load();
    const known = this.freshNumbers.get(oid);
    if (known !== undefined) return known;
    if (!this.isBoundary(oid)) {
      for (const { base, columns } of this.segments) {
        const position = columns.find(oid);
        if (position >= 0) return base + position;
      }
    }
    return this.discover(oid);
  }

  oidAt(number: number): string {
    const segment = this.segmentOf(number);
    return segment ? segment.columns.oidAt(number - segment.base) : this.freshAt(number).oid;
  }

  treeAt(number: number): string {
    const segment = this.segmentOf(number);
    return segment ? segment.columns.treeAt(number - segment.base) : this.freshAt(number).links.tree;
  }

  /** Gives the committer time of a commit, seconds since the Unix epoch. */
  timeAt(number: number): number {
    const segment = this.segmentOf(number);
    return segment ? segment.columns.time[number - segment.base]! : this.freshAt(number).links.time;
  }

  /** Gives the committer time as the commit itself tells it, for showing it. */
  shownTimeAt(number: number): number {
    const segment = this.segmentOf(number);
    if (segment) return segment.columns.time[number - segment.base]!;
    return this.repository.objects.readCommit(this.freshAt(number).oid).committer.time;
  }

  authorAt(number: number): string {
    const segment = this.segmentOf(number);
    if (segment) return segment.columns.authorAt(number - segment.base);
    return this.repository.objects.readCommit(this.freshAt(number).oid).author.name;
  }

  /** Lists the ids of a commit's parents. */
  parentOidsAt(number: number): readonly string[] {
    const segment = this.segmentOf(number);
    return segment ? segment.columns.parentsAt(number - segment.base) : this.freshAt(number).links.parents;
  }

  messageAt(number: number): string {
    const segment = this.segmentOf(number);
    return segment
      ? segment.columns.messageAt(number - segment.base)
      : this.repository.objects.readCommit(this.freshAt(number).oid).message;
  }

  /** Lists the files that a commit changed against its first parent. */
  pathsAt(number: number): readonly string[] {
    const segment = this.segmentOf(number);
    if (segment) return segment.columns.pathsAt(number - segment.base);
    return this.freshChanges(this.freshAt(number)).map(({ path }) => path);
  }

  changesAt(number: number): readonly TreeDifference[] {
    const segment = this.segmentOf(number);
    return segment ? segment.columns.changesAt(number - segment.base) : this.freshChanges(this.freshAt(number));
  }

  /** Counts the files that a commit changed. */
  changeCountAt(number: number): number {
    const segment = this.segmentOf(number);
    if (!segment) return this.freshChanges(this.freshAt(number)).length;
    const { base, columns } = segment;
    return columns.changeStart[number - base + 1]! - columns.changeStart[number - base]!;
  }

  parentsAt(number: number): readonly number[] {
    const segment = this.repository.objects.isShallow ? null : this.segmentOf(number);
    if (segment) {
      const { base, columns } = segment;
      const from = columns.parentStart[number - base]!;
      const end = columns.parentStart[number - base + 1]!;
      // Walks come here for every commit: one parent of the same frame is what nearly all have.
      if (end === from + 1 && columns.parents[from]! < columns.count) return [base + columns.parents[from]!];
      if (end === from) return [];
    }
    // By name: where the repository is shallow, a parent known from before may have been cut off since.
    return this.parentOidsAt(number).flatMap((oid) => this.damage.passed(() => this.numberOf(oid), oid) ?? []);
  }

  /** Gives the number of the parent of a commit that has one, else -1. */
  private onlyParentAt(number: number): number {
    const segment = this.repository.objects.isShallow ? null : this.segmentOf(number);
    if (segment) {
      const { base, columns } = segment;
      const from = columns.parentStart[number - base]!;
      if (columns.parentStart[number - base + 1]! !== from + 1) return -1;
      if (columns.parents[from]! < columns.count) return base + columns.parents[from]!;
    }
    const parents = this.parentsAt(number);
    return parents.length === 1 ? parents[0]! : -1;
  }

  /** Goes back, from a commit on, over those that have one parent and hold nothing that is wanted. */
  passOver(number: number, isWanted: (number: number) => boolean): number {
    for (let place = number; ; ) {
      if (isWanted(place)) return place;
      const parent = this.onlyParentAt(place);
      if (parent < 0) return place;
      place = parent;
    }
  }

  /**
   * Prepares the question whether a commit changed a file, or anything below a folder, against its first parent.
   *
   * The answer takes numbers, also of commits that are found out later.
   */
  changesOfPath(path: string): (number: number) => boolean {
    this.load();
    const folder = `${path}/`;
    const isTouched = new Uint8Array(this.segmentCount);
    for (const { base, columns } of this.segments) {
      const file = columns.pathNumber(path);
      const [from, to] = columns.pathsWith(folder);
      if (file < 0 && from === to) continue;
      const { changePath } = columns;
      for (let index = 0; index < changePath.length; index++) {
        const changed = changePath[index]!;
        if (changed === file || (changed >= from && changed < to)) isTouched[base + columns.commitOfChange(index)] = 1;
      }
    }
    const differenceAt = this.differencesOfPath(path);
    return (number) => {
      if (number < this.segmentCount) return isTouched[number] === 1;
      const { changes } = this.freshAt(number);
      if (changes !== null) return changes.some((change) => change.path === path || change.path.startsWith(folder));
      const isChanged = () => {
        const difference = differenceAt(number);
        if (difference === null) return false;
        const { before, after } = difference;
        if (isFile(before) || isFile(after)) return true;
        // Two folders that differ in nothing but how old modes are written are the same.
        return this.differences(before?.oid ?? null, after?.oid ?? null).length > 0;
      };
      return this.damage.passed(isChanged, this.oidAt(number)) ?? false;
    };
  }

  /** Prepares the question what a commit did to one file, against its first parent; `null` when nothing. */
  changesOfFile(path: string): (number: number) => TreeDifference | null {
    this.load();
    const numbers = this.segments.map(({ columns }) => columns.pathNumber(path));
    const differenceAt = this.differencesOfPath(path);
    return (number) => {
      if (number >= this.segmentCount) {
        const { changes } = this.freshAt(number);
        if (changes !== null) return changes.find((change) => change.path === path) ?? null;
        const difference = differenceAt(number);
        const [before, after] = [fileOf(difference?.before), fileOf(difference?.after)];
        return before === null && after === null ? null : { path, before, after };
      }
      const index = this.segmentIndexOf(number);
      const { base, columns } = this.segments[index]!;
      const wanted = numbers[index]!;
      if (wanted < 0) return null;
      const end = columns.changeStart[number - base + 1]!;
      for (let change = columns.changeStart[number - base]!; change < end; change++) {
        if (columns.changePath[change] === wanted) return columns.changeAt(change);
      }
      return null;
    };
  }

  /** Prepares the question how a commit and its first parent differ at one path, reading the folders on its way alone. */
  private differencesOfPath(path: string): (number: number) => PathDifference | null {
    const { readTreeBytes } = this.repository.objects;
    return (number) => {
      // By name, since a parent that is lost is not the same as none.
      const [parent] = this.parentOidsAt(number);
      const before = parent === undefined ? null : this.treeAt(this.numberOf(parent));
      return differenceAt(path, before, this.treeAt(number), readTreeBytes);
    };
  }

  /** Lists the paths below a folder that any known commit touched, whether it leads to a tip or not. */
  pathsBelow(folder: string, isWanted: (path: string) => boolean): Set<string> {
    this.load();
    const found = new Set<string>();
    for (const { columns } of this.segments) {
      const [from, to] = columns.pathsWith(folder);
      for (let number = from; number < to; number++) {
        const path = columns.pathAt(number);
        if (isWanted(path)) found.add(path);
      }
    }
    for (const { path } of this.fresh.flatMap((fresh) => this.freshChanges(fresh))) {
      if (path.startsWith(folder) && isWanted(path)) found.add(path);
    }
    return found;
  }

  private segmentOf(number: number): Segment | null {
    return number >= this.segmentCount ? null : this.segments[this.segmentIndexOf(number)]!;
  }

  private segmentIndexOf(number: number): number {
    let index = this.segments.length - 1;
    while (this.segments[index]!.base > number) index -= 1;
    return index;
  }

  private freshAt(number: number): FreshCommit {
    return this.fresh[number - this.segmentCount]!;
  }

  private freshChanges(fresh: FreshCommit): readonly TreeDifference[] {
    if (fresh.changes !== null) return fresh.changes;
    const changes = this.findChanges(fresh);
    if (this.completeCount >= saveEvery) this.keepComplete();
    return changes;
  }

  private findChanges(fresh: FreshCommit): readonly TreeDifference[] {
    const { tree, parents } = fresh.links;
    const before = parents[0] === undefined ? null : this.repository.objects.linksOf(parents[0]).tree;
    fresh.changes = this.differences(before, tree);
    this.completeCount += 1;
    return fresh.changes;
  }

  private freshFacts(fresh: FreshCommit): CommitFacts {
    const { tree, parents } = fresh.links;
    const { author, committer, message } = this.repository.objects.readCommit(fresh.oid);
    const changes = this.freshChanges(fresh);
    // The commit graph of native git keeps 34 bits of a time, so that one beyond the year 2514 is another there.
    return { oid: fresh.oid, tree, parents, time: committer.time, author: author.name, message, changes };
  }

  private load(): void {
    if (this.isLoaded) return;
    this.isLoaded = true;
    for (const columns of columnsOf(this.file.read())) {
      this.segments.push({ base: this.segmentCount, columns });
      this.segmentCount += columns.count;
    }
    this.frameCount = this.segments.length;
  }

  private discover(oid: string): number {
    const number = this.segmentCount + this.fresh.length;
    const fresh = { oid, links: this.repository.objects.linksOf(oid), changes: null };
    this.fresh.push(fresh);
    this.unsaved.push(fresh);
    this.freshNumbers.set(oid, number);
    return number;
  }

  private differences(before: string | null, after: string | null): TreeDifference[] {
    return diffTrees(before, after, (oid) => {
      this.foldersRead += 1;
      return this.repository.objects.readTreeBytes(oid);
    });
  }
}

function columnsOf(payloads: readonly Buffer[]): CommitColumns[] {
  const found: CommitColumns[] = [];
  for (const payload of payloads) {
    try {
      found.push(new CommitColumns(payload));
    } catch (error) {
      // Of a machine with the other order of bytes; it is made anew.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return found;
}

/** A commit that was read by this process. */
interface FreshCommit {
  readonly oid: string;
  readonly links: CommitLinks;
  /** `null` as long as nobody asked for all of them. */
  changes: readonly TreeDifference[] | null;
}

interface Segment {
  readonly base: number;
  readonly columns: CommitColumns;
}

const isFile = (entry: PathEntry | null): boolean => entry !== null && entry.mode !== '40000';

function fileOf(entry: PathEntry | null | undefined): TreeDifference['before'] {
  return entry && entry.mode !== '40000' ? entry : null;
}
