// The work tree and git's index as a projection of the checked-out branch: staged before the ref moves, placed after.
//
//   stage files, and a finished index whose name says which commits it leads from and to → publish it as index.lock
//   → (ref moves) → rename files into place → rename index.lock to index → remove the other name
//
// A kill at any point leaves native git either untouched or locked out by a complete index.lock, which a recovery renames.
// The name needs no sync of its own: it is older than index.lock in the same folder, so that no crash keeps only the latter.

import { succeeds } from '../base/errors.ts';
import type { PlainBytes, StoredBytes } from './codec.ts';
import { asStored, type FileContent } from './file-content.ts';
import { type Disk, type FileStat, millisecondsOf, type QuickStat } from './git/disk.ts';
import { type IndexChange, IndexFile, isSameFile, readIndex } from './git/index-file.ts';
import { hashObject } from './git/object-codec.ts';
import type { Repository } from './git/repository.ts';
import { walkTree } from './git/tree.ts';
import { maxRawBytes } from './guard/limits.ts';
import { isSealed } from './records/private-text.ts';
import { isToldFromItsEnd, isTorn, type ProjectedFile, type StagedFile, WorkTreeFiles } from './work-tree-files.ts';

/** A projection that is ready to be published. */
export interface StagedProjection {
  readonly files: readonly StagedFile[];
  /** Our finished index file. */
  readonly index: string;
}

/** The commits between which a projection leads. */
export interface ProjectionStep {
  readonly from: string | null;
  readonly to: string;
}

/** What native git changes before and after it changes files: who looks at those twice knows whether it was at work in between. */
export interface Moment {
  readonly head: string;
  /** The branch was checked out there. */
  readonly isCheckedOut: boolean;
  readonly index: FileStat | null;
  /** Somebody writes the index, and maybe the files. */
  readonly isLocked: boolean;
}

/** A projection that a dead process began. */
interface LeftProjection extends ProjectionStep {
  readonly index: string;
}

const leftIndexName = /^git-memory-index_([0-9a-f]{40})_([0-9a-f]{40})_\d+_[0-9a-z]+_\d+$/;
/** Where a step leads that ends in no commit: to an index, in which a merge is resolved. */
export const noCommit = '0'.repeat(40);

/** A file written so shortly ago may have been written again within one tick of the file system's clock. */
const racyNs = 50_000_000n;
/** Between an index that a checkout has written and its move of HEAD lie milliseconds. */
const settlingMs = 1_000;
/** Files that go so shortly after HEAD moved may have gone with it. */
const headQuietMs = 60_000;
/** Moves of HEAD that change no files: commits. */
const keepsFiles = /^(?:git-memory|commit)\b/;

/** What git's index says of a file, and when that was written. */
interface Indexed {
  readonly index: IndexFile;
  readonly indexStat: FileStat | null;
  readonly entry: ReturnType<IndexFile['find']>;
}

/** Gives an index that lists a commit, with nothing known of the files in the work tree: git looks at each of them once. */
export function indexOf({ objects }: Pick<Repository, 'objects'>, commit: string | null): IndexFile {
  const changes = new Map<string, IndexChange>();
  const tree = commit === null ? null : objects.readCommit(commit).tree;
  for (const { path, mode, oid } of walkTree(tree, objects.readTree)) {
    changes.set(path, { oid, isExecutable: mode === '100755', stat: null, mode: Number.parseInt(mode, 8) });
  }
  return IndexFile.empty.with(changes);
}

export class WorkTree {
  /** As seen from this work tree: HEAD, its log and the index are its own. */
  readonly repository: Repository;
  readonly files: WorkTreeFiles;
  private readonly disk: Disk;
  private readonly ref: string;
  private readonly indexPath: string;
  private readonly lockPath: string;
  private cache: { index: IndexFile; stat: FileStat | null } | null = null;
  private pendingIndex: IndexFile | null = null;
  /**
   * Files that had to be read and were as the index says. In a copy of a repository that is each one, until the index knows their stats.
   */
  private readonly verified = new Map<string, { oid: string; stat: FileStat }>();

  /** Throws when the repository is bare. */
  constructor(repository: Repository, ref: string, content: FileContent = asStored) {
    if (repository.workTree === null) throw new Error('a bare repository has no work tree');
    this.files = new WorkTreeFiles(repository, repository.workTree, content);
    this.repository = repository;
    this.disk = repository.disk;
    this.ref = ref;
    this.indexPath = `${repository.gitDirectory}/index`;
    this.lockPath = `${this.indexPath}.lock`;
  }

  isCheckedOut(): boolean {
    const head = this.repository.refs.readHead();
    return 'ref' in head && head.ref === this.ref;
  }

  /**
   * Reads git's index, from memory when the file is the one we saw last. `since` is the look that a caller took a moment ago, and saves
   * another. The caller goes on only if it is still that index, as {@link lock} tells.
   */
  index(since?: Moment): { index: IndexFile; stat: FileStat | null } {
    const stat = since === undefined ? this.disk.stat(this.indexPath) : since.index;
    if (!this.cache || !isSameFile(stat, this.cache.stat)) this.cache = readIndex(this.disk, this.indexPath);
    return this.cache;
  }

  /**
   * Puts an index that is damaged aside and makes one of a commit; gives where it was put, null where it can be read. What somebody
   * staged is in the old one alone. Git itself does nothing with such an index but replace it.
   */
  renewIndex(tip: string): string | null {
    if (!this.isIndexDamaged()) return null;
    const { temporaryDirectory, ownDirectory } = this.repository;
    const aside = this.disk.temporaryName(`${ownDirectory}/quarantine/index_`);
    this.disk.makeDirectory(`${ownDirectory}/quarantine`);
    this.disk.ensureDirectory(temporaryDirectory);
    const made = this.disk.temporaryName(`${temporaryDirectory}/index_`);
    this.disk.writeNew(made, indexOf(this.repository, tip).format());
    this.disk.rename(this.indexPath, aside);
    this.disk.rename(made, this.indexPath);
    this.cache = null;
    return aside;
  }

  /** The work tree as {@link renewIndex} would leave it, for who writes nothing; null where the index can be read. */
  foreseen(tip: string): WorkTree | null {
    if (!this.isIndexDamaged()) return null;
    const tree = new WorkTree(this.repository, this.ref, this.files.content);
    tree.cache = { index: indexOf(this.repository, tip), stat: this.disk.stat(this.indexPath) };
    return tree;
  }

  private isIndexDamaged(): boolean {
    return !succeeds(() => this.index(), 'REPOSITORY_CORRUPT');
  }

  /**
   * Looks at a file: its stat, the id of what git would store of it, and maybe its text; `null` when there is none. No link is followed.
   *
   * A caller that looks at many gives the index that it has, and what that says of the file.
   */
  inspect(
    path: string,
    known?: FileStat,
    indexed?: Indexed,
  ): { stat: FileStat; oid: string | null; bytes: PlainBytes | null } | null {
    const stat = known ?? this.files.stat(path);
    if (stat === null) return null;
    if (!stat.isFile) return { stat, oid: null, bytes: null };
    const { index, indexStat, entry } = indexed ?? this.indexed(path);
    if (entry && entry !== 'unmerged' && indexStat && index.isUnchanged(entry.position, stat, indexStat.mtimeNs)) {
      return { stat, oid: entry.oid, bytes: null };
    }
    const isSettled = BigInt(Date.now()) * 1_000_000n - stat.mtimeNs > racyNs;
    const placed = isSettled ? this.files.placedAs(path, stat) : null;
    if (placed !== null) return { stat, oid: placed, bytes: null };
    // Nothing that may not enter is read: a person's film, or a file of zeros without end.
    if (stat.size > maxRawBytes) return { stat, oid: null, bytes: null };
    const bytes = this.files.readRaw(path);
    if (bytes === null) return null;
    const oid = hashObject('blob', this.files.storedOr(path, bytes));
    if (isSettled && entry && entry !== 'unmerged' && entry.oid === oid) this.verified.set(path, { oid, stat });
    return { stat, oid, bytes: this.files.content.toPlain(path, bytes) };
  }

  /**
   * Tells of a quick look whether a file is the blob that is expected there, in the work tree and in git's index. Where it says no, it may
   * be so all the same. Paths are quickest in the order of the index.
   */
  untouched(since?: Moment): (path: string, stat: QuickStat, expected: string | undefined) => boolean {
    const { index, stat: indexStat } = this.index(since);
    if (indexStat === null) return () => false;
    const billion = 1_000_000_000n;
    const writtenMs = millisecondsOf(Number(indexStat.mtimeNs / billion), Number(indexStat.mtimeNs % billion));
    let next = 0;
    return (path, stat, expected) => {
      const position = index.positionOf(path, next);
      if (position < 0) return false;
      next = position + 1;
      return index.oidAt(position) === expected && index.isUntouched(position, stat, writtenMs);
    };
  }

  private indexed(path: string): Indexed {
    const { index, stat } = this.index();
    return { index, indexStat: stat, entry: index.find(path) };
  }

  /** Looks at what tells whether native git is at work. */
  moment(): Moment {
    const head = this.repository.refs.readHead();
    return {
      head: JSON.stringify(head),
      isCheckedOut: 'ref' in head && head.ref === this.ref,
      index: this.disk.stat(this.indexPath),
      isLocked: this.isIndexLocked(),
    };
  }

  /** Tells whether native git may have changed files since a moment, or is about to. */
  hasMoved(since: Moment): boolean {
    const now = this.moment();
    return since.isLocked || now.isLocked || since.head !== now.head || !isSameFile(since.index, now.index);
  }

  /**
   * Tells whether native git has just written the index for another commit, or for a merge, and said nothing of it yet. A checkout, a reset
   * and a commit move HEAD after that, and a merge that stops notes what it merges. `tip`: what HEAD leads to.
   */
  isSettling(tip: string | null, since?: Moment): boolean {
    const { index, stat } = this.index(since);
    if (stat === null || tip === null) return false;
    if (Math.abs(Date.now() - Number(stat.mtimeNs / 1_000_000n)) > settlingMs) return false;
    return index.tree === null ? index.hasUnmerged : index.tree !== this.repository.objects.readCommit(tip).tree;
  }

  /** Tells whether HEAD of this work tree went elsewhere a moment ago, or to and fro: with it files come and go. */
  hasHeadMovedLately(): boolean {
    const last = this.repository.refs.readLog('HEAD').findLast(({ message }) => !keepsFiles.test(message));
    return last !== undefined && Math.abs(Date.now() - last.time * 1000) < headQuietMs;
  }

  /** Reads what a person staged; `null` when git has not written it (an intent to add). */
  readStaged(oid: string): StoredBytes | null {
    return this.repository.objects.has(oid) ? this.repository.objects.readBlob(oid) : null;
  }

  isIndexLocked(): boolean {
    return this.disk.exists(this.lockPath);
  }

  /**
   * Prepares files and index; touches nothing that anyone else can see.
   *
   * A `blocked` path has a hand edit that could not enter: the file stays as the person left it, and shows as modified.
   */
  stage(
    files: readonly ProjectedFile[],
    step: ProjectionStep,
    blocked: ReadonlySet<string> = new Set(),
    since?: Moment,
  ): StagedProjection {
    const staged: StagedFile[] = [];
    const { index: before, stat: beforeStat } = this.index(since);
    const changes = new Map<string, IndexChange>();
    try {
      for (const file of files) {
        if (blocked.has(file.path)) {
          const { oid, isExecutable } = file;
          // An unfinished merge stays unfinished.
          if (before.find(file.path) === 'unmerged') continue;
          changes.set(file.path, oid === null ? null : { oid, isExecutable, stat: null });
          continue;
        }
        if (file.bytes === null || file.oid === null) {
          staged.push({ ...file, staged: null });
          changes.set(file.path, null);
          continue;
        }
        const found = this.files.stat(file.path);
        // Of another size it says something else, whatever that is. Only of an encrypted text the size says nothing.
        const mayBeThere = found !== null && (found.size === file.bytes.length || isSealed(file.bytes));
        const indexed = () => ({ index: before, indexStat: beforeStat, entry: before.find(file.path) });
        const present = mayBeThere ? this.inspect(file.path, found, indexed()) : null;
        const isThere = present?.oid === file.oid && this.files.isShown(file.path, file.bytes);
        const source = isThere ? null : this.files.stage(file.path, file.bytes, found);
        staged.push({ ...file, staged: source });
        const stat = source === null ? present!.stat : this.disk.stat(source);
        changes.set(file.path, { oid: file.oid, isExecutable: file.isExecutable, stat });
      }
      // After all are written: the first sync then carries most of the others' data, and the rest cost little. Captures,
      // ledgers and records need none: what a power cut leaves of them is their beginning, known as such and written again.
      for (const { path, staged: source } of staged) {
        if (source !== null && !isToldFromItsEnd(path)) this.disk.syncFile(source);
      }
      this.pendingIndex = this.withVerified(before).with(changes);
      const name = `git-memory-index_${step.from ?? noCommit}_${step.to}_`;
      const index = this.disk.temporaryName(`${this.repository.gitDirectory}/${name}`);
      this.disk.writeNew(index, this.pendingIndex.format());
      return { files: staged, index };
    } catch (error) {
      this.files.discard(staged);
      throw error;
    }
  }

  /** The index, with the present stats of files that were read and found to be what it says. They need not be read again. */
  private withVerified(index: IndexFile): IndexFile {
    const stats = [...this.verified].flatMap(([path, { oid, stat }]) => {
      const entry = index.find(path);
      return entry && entry !== 'unmerged' && entry.oid === oid ? [[entry.position, stat] as const] : [];
    });
    return stats.length === 0 ? index : index.withStats(stats);
  }

  /**
   * Takes git's index lock with the finished index as its content.
   *
   * `busy`: somebody else holds it. `changed`: stage again. The index is not the one that was staged upon, or was another one when the
   * files were looked at. Or another branch is checked out, unless that is no matter.
   */
  lock(projection: StagedProjection, isAnyHead = false, since?: Moment): 'locked' | 'busy' | 'changed' {
    const before = since === undefined ? this.cache!.stat : since.index;
    if (since?.isLocked) return 'changed';
    if (!this.disk.publish(projection.index, this.lockPath)) return 'busy';
    try {
      if (isSameFile(this.disk.stat(this.indexPath), before) && (isAnyHead || this.isCheckedOut())) return 'locked';
    } catch (error) {
      this.disk.removeQuietly(this.lockPath);
      throw error;
    }
    this.disk.remove(this.lockPath);
    return 'changed';
  }

  /**
   * Brings the files in place and lets the index follow; call after the ref has moved. `isForGood`: no commit holds what they say, so that
   * each is durable when it returns.
   */
  finish(projection: StagedProjection, isForGood = false): void {
    // What goes makes room first: a folder may become a file, and a file a folder.
    this.files.removeAll(projection.files.filter(({ bytes }) => bytes === null).map(({ path }) => path));
    for (const file of projection.files) if (file.staged !== null) this.files.placeStaged(file);
    if (isForGood) this.files.syncPlaced(projection.files);
    // Not synced: a power cut that undoes this rename also undoes the removal after it, and recovery renames again.
    this.disk.rename(this.lockPath, this.indexPath);
    if (isForGood) this.disk.syncDirectory(this.repository.gitDirectory);
    this.disk.remove(projection.index);
    const stat = this.disk.stat(this.indexPath);
    this.cache = this.pendingIndex && stat ? { index: this.pendingIndex, stat } : null;
    this.pendingIndex = null;
    this.verified.clear();
  }

  /** Takes back what {@link stage} and {@link lock} did. */
  abandon(projection: StagedProjection, isLocked: boolean): void {
    const { ino } = this.disk.stat(projection.index) ?? {};
    if (isLocked) this.disk.removeQuietly(this.lockPath);
    this.files.discard(projection.files);
    // Where the lock could not be removed, its other name tells a recovery that it is ours.
    if (ino === undefined || this.disk.stat(this.lockPath)?.ino !== ino) this.disk.removeQuietly(projection.index);
    this.pendingIndex = null;
  }

  /** Lists the projections that were begun and not finished; under the lock they are those of the dead, or of a failure. */
  left(): LeftProjection[] {
    return this.disk.list(this.repository.gitDirectory).flatMap((name) => {
      const match = leftIndexName.exec(name);
      if (!match) return [];
      const from = match[1] === noCommit ? null : match[1]!;
      return [{ index: `${this.repository.gitDirectory}/${name}`, from, to: match[2]! }];
    });
  }

  /**
   * Finishes what a dead process began after its ref had moved.
   *
   * A file that a person changed since is left alone: it is a hand edit. One that was removed comes back by a power cut, maybe without
   * its end. When our index.lock is gone, removed by somebody who
   * thought it stale, the entries that still are the old ones are written anew.
   */
  recover(
    left: LeftProjection,
    files: readonly (ProjectedFile & { readonly before: string | null })[],
    isProjection: (path: string, oid: string) => boolean,
  ): void {
    for (const file of files) {
      const found = this.inspect(file.path);
      const present = found?.oid ?? null;
      // What is no file, or too large to be one of ours, was put there by somebody.
      const isUntouched =
        found === null ||
        (present !== null &&
          (present === file.before || isProjection(file.path, present) || this.isTornBefore(file, found.bytes)));
      if (present !== file.oid && isUntouched) this.files.place(file);
      else if (found === null) this.files.removeEmptyFolders(file.path);
    }
    if (this.isOurLock(left.index)) {
      this.disk.rename(this.lockPath, this.indexPath);
      this.disk.syncDirectory(this.repository.gitDirectory);
    } else this.renewEntries(files, left);
    this.disk.remove(left.index);
    this.cache = null;
  }

  private isTornBefore({ path, before }: { path: string; before: string | null }, present: Buffer | null): boolean {
    const { objects } = this.repository;
    return (
      present !== null && before !== null && objects.isWhole(before) && isTorn(path, present, objects.readBlob(before))
    );
  }

  private renewEntries(
    files: readonly (ProjectedFile & { readonly before: string | null })[],
    step: ProjectionStep,
  ): void {
    const { index } = this.index();
    const stale = files.filter((file) => {
      const entry = index.find(file.path);
      return entry !== 'unmerged' && file.before !== file.oid && (entry?.oid ?? null) === file.before;
    });
    this.renew(stale, step);
  }

  /** Gives files the entries that the index lacks; leaves it as it is, and says false, while somebody else writes it. */
  renew(files: readonly ProjectedFile[], step: ProjectionStep): boolean {
    if (files.length === 0) return true;
    if (this.isIndexLocked()) return false;
    const staged = this.stage(files, step);
    const isLocked = this.lock(staged) === 'locked';
    if (isLocked) this.finish(staged);
    else this.abandon(staged, false);
    return isLocked;
  }

  /** Removes what a dead process left whose ref never moved. */
  forget(left: LeftProjection): void {
    if (this.isOurLock(left.index)) this.disk.remove(this.lockPath);
    this.disk.remove(left.index);
    this.cache = null;
  }

  /** Tells whether index.lock is a second name of that file of ours. */
  private isOurLock(index: string): boolean {
    const own = this.disk.stat(index);
    const lock = this.disk.stat(this.lockPath);
    return own !== null && lock !== null && own.ino === lock.ino && own.dev === lock.dev;
  }
}
