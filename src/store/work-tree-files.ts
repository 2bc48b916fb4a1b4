// The files of a work tree: read, placed by rename, removed, and no link followed. What git's index says of them is no matter here.

import { isSystemError, MemoryError, orElse, unreadable } from '../base/errors.ts';
import { keptIn } from '../base/once-per.ts';
import type { PlainBytes, StoredBytes } from './codec.ts';
import type { FileContent } from './file-content.ts';
import type { Disk, FileStat, QuickStat } from './git/disk.ts';
import { unsafeFile } from './git/file-errors.ts';
import { isSameFile } from './git/index-file.ts';
import { hashObject } from './git/object-codec.ts';
import type { Repository } from './git/repository.ts';
import { maxRawBytes } from './guard/limits.ts';
import { isGitName } from './guard/path.ts';
import { kindOf } from './records/kind.ts';
import { isSealed } from './records/private-text.ts';

/** What a path shall be in the work tree; `null` bytes: gone. */
export interface ProjectedFile {
  readonly path: string;
  readonly bytes: StoredBytes | null;
  readonly oid: string | null;
  readonly isExecutable: boolean;
}

/** A file that is ready to be placed. */
export interface StagedFile extends ProjectedFile {
  /** Where the bytes lie in our own folder; null when the work tree has them already, or the file goes. */
  readonly staged: string | null;
}

/** Tells the files whose beginning alone is never what a person may want: captures and ledgers only grow, records are JSON. */
export const isToldFromItsEnd = (path: string): boolean =>
  path.startsWith('raw/') || ['memory', 'relation', 'ledger'].includes(kindOf(path));

/**
 * Tells whether a file is what a power cut leaves of one that was not synced: nothing, or the beginning.
 *
 * Only captures and ledgers, which never shrink, and records, whose beginning is none, are judged by their beginning. A person may well cut
 * the end off any other file.
 */
export function isTorn(path: string, present: Buffer, expected: Buffer): boolean {
  if (present.length >= expected.length) return false;
  return present.length === 0 || (isToldFromItsEnd(path) && expected.subarray(0, present.length).equals(present));
}

/**
 * Where private files lie, in the open, until they are placed: in the work tree, where they will, and nowhere in the git directory. The folder
 * hides itself from native git, and is gone when nothing waits.
 */
const openFolder = '.git-memory-open';

/** Removes what waits to be placed in the open, and the folder; links are not followed, and what cannot go stays for the next one. */
export function clearOpenFolder(disk: Disk, root: string): void {
  try {
    const isThere = disk.inFolder(root, [openFolder], false, (folder) => {
      for (const name of disk.list(folder)) disk.removeQuietly(`${folder}/${name}`);
      return true;
    });
    if (isThere === true) disk.fs.rmdirSync(`${root}/${openFolder}`);
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof MemoryError)) throw error;
  }
}

export class WorkTreeFiles {
  /** The folder of the work tree. */
  readonly root: string;
  /** What files say and what git stores of it. */
  readonly content: FileContent;
  private readonly disk: Disk;
  /** Where a file lies until it is placed; on the same file system. */
  private readonly temporaryDirectory: string;
  /** How many files wait in {@link openFolder} to be placed. */
  private waitingOpen = 0;
  /** Pending files as they were placed: what still has that stat need not be read to be known. */
  private readonly placed = new Map<string, { oid: string; stat: FileStat }>();

  constructor(
    { disk, temporaryDirectory }: Pick<Repository, 'disk' | 'temporaryDirectory'>,
    root: string,
    content: FileContent,
  ) {
    this.disk = disk;
    this.temporaryDirectory = temporaryDirectory;
    this.root = root;
    this.content = content;
  }

  absolute(path: string): string {
    return `${this.root}/${path}`;
  }

  /**
   * Gives what git would store. What it may not store, for want of a key or since it is damaged, stays as it is. That equals nothing that
   * git has, unless git has just that.
   */
  storedOr(path: string, bytes: Buffer): StoredBytes {
    return orElse(() => this.content.toStored(path, bytes), bytes, ...unreadable);
  }

  /** Reads what a file of the work tree says and nothing behind a link; `null` when there is none. */
  readFile(path: string): PlainBytes | null {
    const bytes = this.readRaw(path);
    return bytes && this.content.toPlain(path, bytes);
  }

  /** Reads the bytes of a file as they lie there; `null` when there is none. Throws TOO_LARGE. */
  readRaw(path: string): Buffer | null {
    return this.atPath(path, false, (absolute) => this.disk.read(absolute, maxRawBytes));
  }

  /** Gives `use` a path to a file's place that leads nowhere else, even if somebody changes folders into links meanwhile. */
  private atPath<T>(path: string, make: boolean, use: (absolute: string) => T): T | null {
    const names = path.split('/');
    const name = names.pop()!;
    if (name === '' || name === '.' || name === '..' || isGitName(names[0] ?? name)) throw unsafeFile(path);
    return this.disk.inFolder(this.root, names, make, (folder) => use(`${folder}/${name}`));
  }

  /** `lstat` that answers `null` when a folder above is a symbolic link: what lies behind it is not ours. */
  stat(path: string): FileStat | null {
    if (this.linkAbove(path) !== null) return null;
    return this.disk.stat(this.absolute(path));
  }

  /** Gives the folder above a path that is a symbolic link, if one is. */
  linkAbove(path: string): string | null {
    for (let end = path.indexOf('/'); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      const stat = this.disk.stat(this.absolute(folder));
      if (stat === null) return null;
      if (stat.isSymbolicLink) return folder;
    }
    return null;
  }

  /** Gives the id of a pending file that was placed and still has the stat that it had then; `null` otherwise. */
  placedAs(path: string, stat: FileStat): string | null {
    const placed = this.placed.get(path);
    return placed && isSameFile(placed.stat, stat) ? placed.oid : null;
  }

  /** Writes one file without the index: the projection of a pending write. What is there and only grows is added to. */
  place(file: ProjectedFile): void {
    if (!this.append(file))
      this.placeStaged({ ...file, staged: file.bytes === null ? null : this.stage(file.path, file.bytes) });
    const stat = file.oid === null ? null : this.disk.stat(this.absolute(file.path));
    if (stat && file.oid !== null) this.placed.set(file.path, { oid: file.oid, stat });
    else this.placed.delete(file.path);
  }

  /** Like {@link place}, and durable: for what nobody will look at again once the journal has forgotten it. */
  placeForGood(file: ProjectedFile): void {
    this.place(file);
    if (file.bytes !== null) this.disk.syncFile(this.absolute(file.path));
    this.disk.syncDirectory(this.folderOf(file.path));
  }

  /** The folder that holds a file, or what is left above one that is gone. */
  private folderOf(path: string): string {
    let folder = this.absolute(path);
    do folder = folder.slice(0, folder.lastIndexOf('/'));
    while (folder !== this.root && !this.disk.exists(folder));
    return folder;
  }

  /** Makes durable what was placed, and that it is where it is. */
  syncPlaced(files: readonly StagedFile[]): void {
    for (const { path, staged } of files) {
      if (staged !== null && isToldFromItsEnd(path)) this.disk.syncFile(this.absolute(path));
    }
    for (const folder of new Set(files.map(({ path }) => this.folderOf(path)))) this.disk.syncDirectory(folder);
  }

  private append({ path, bytes }: ProjectedFile): boolean {
    const placed = this.placed.get(path);
    if (!placed || bytes === null || placed.stat.size >= bytes.length || isSealed(bytes)) return false;
    const stat = this.stat(path);
    if (!stat?.isFile || !isSameFile(placed.stat, stat)) return false;
    if (hashObject('blob', bytes.subarray(0, stat.size)) !== placed.oid) return false;
    const added = this.atPath(path, false, (absolute) => {
      this.disk.inFile(absolute, 'a+', (descriptor) => this.disk.writeAll(descriptor, bytes.subarray(stat.size)));
      return true;
    });
    return added === true;
  }

  /** Writes a file beside the work tree, not synced, and gives its path. Throws INVALID_PATH where a link is in its way. */
  stage(path: string, bytes: StoredBytes, found: FileStat | null = null): string {
    // Where a file was found a moment ago no link stands above it; what comes into the way since is met without following it.
    const link = found === null ? this.linkAbove(path) : null;
    if (link !== null) {
      const hint = 'Replace the link by a folder; the engine does not write through links';
      throw new MemoryError('INVALID_PATH', `${link} is a symbolic link in the work tree`, { where: path, hint });
    }
    const shown = this.content.toFile(path, bytes);
    const isOpen = isSealed(bytes) && !isSealed(shown);
    const folder = isOpen ? this.enterOpenFolder() : this.temporaryDirectory;
    if (!isOpen) this.disk.ensureDirectory(folder);
    const staged = this.disk.temporaryName(`${folder}/file_`);
    try {
      this.disk.writeNew(staged, [shown], { sync: false });
    } catch (error) {
      this.leaveOpenFolder(staged);
      throw error;
    }
    return staged;
  }

  private enterOpenFolder(): string {
    const folder = this.absolute(openFolder);
    this.disk.inFolder(this.root, [openFolder], true, (opened) => {
      const rules = `${opened}/.gitignore`;
      if (!this.disk.exists(rules)) this.disk.writeNew(rules, [Buffer.from('*\n')], { sync: false });
    });
    this.waitingOpen += 1;
    return folder;
  }

  /** A file that was staged is placed or gone; with the last one the folder goes, too. */
  private leaveOpenFolder(staged: string): void {
    if (!staged.startsWith(`${this.absolute(openFolder)}/`)) return;
    this.waitingOpen -= 1;
    if (this.waitingOpen > 0) return;
    const isLast = this.disk.list(this.absolute(openFolder)).every((name) => name === '.gitignore');
    if (isLast) clearOpenFolder(this.disk, this.root);
  }

  /** Tells whether the file lies there as it is to be shown. One that is not private does whenever git would store the same of it. */
  isShown(path: string, stored: StoredBytes): boolean {
    return !isSealed(stored) || this.readRaw(path)?.equals(this.content.toFile(path, stored)) === true;
  }

  /** Removes what was written and shall not be placed. */
  discard(files: readonly StagedFile[]): void {
    for (const { staged } of files) if (staged !== null) this.discardOne(staged);
  }

  private discardOne(staged: string): void {
    this.disk.removeQuietly(staged);
    this.leaveOpenFolder(staged);
  }

  /** The commit is made: where a link has come into the way since, the file stays away, and shows as missing. */
  placeStaged(file: StagedFile): void {
    const { path, staged } = file;
    try {
      if (staged !== null) {
        this.atPath(path, true, (absolute) => this.disk.rename(staged, absolute));
        this.leaveOpenFolder(staged);
      } else if (file.bytes === null) {
        this.atPath(path, false, (absolute) => this.disk.remove(absolute));
        this.removeEmptyFolders(path);
      }
    } catch (error) {
      if (!(error instanceof MemoryError) || error.code !== 'UNSAFE_FILE') throw error;
      if (staged !== null) this.discardOne(staged);
    }
  }

  /** Removes files; each folder is entered and tidied up once, however many of its files go. */
  removeAll(paths: readonly string[]): void {
    const inFolders = new Map<string, string[]>();
    for (const path of paths) {
      const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
      keptIn(inFolders, folder, () => []).push(path);
    }
    for (const inFolder of inFolders.values()) {
      try {
        this.atPath(inFolder[0]!, false, (absolute) => {
          const folder = absolute.slice(0, absolute.lastIndexOf('/') + 1);
          for (const path of inFolder) this.disk.remove(folder + path.slice(path.lastIndexOf('/') + 1));
        });
        this.removeEmptyFolders(inFolder[0]!);
      } catch (error) {
        // As in placeStaged: what lies behind a link is not ours.
        if (!(error instanceof MemoryError) || error.code !== 'UNSAFE_FILE') throw error;
      }
    }
  }

  /** Removes the folders above a file that is gone, up to the first that holds something. */
  removeEmptyFolders(path: string): void {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      try {
        this.atPath(path.slice(0, end), false, (absolute) => this.disk.fs.rmdirSync(absolute));
      } catch (error) {
        // Not empty, or not ours to remove: git leaves such folders too. What is gone was removed by somebody who died then.
        if (!isSystemError(error, 'ENOENT')) return;
      }
    }
  }

  /** Visits the files below a folder of the work tree, by paths relative to its root; links are neither followed nor visited. */
  walk(folder: string, visit: (path: string, stat: QuickStat) => void): void {
    const stat = this.disk.quickStat(this.absolute(folder));
    if (stat?.isFile) visit(folder, stat);
    if (!stat?.isDirectory) return;
    for (const name of this.disk.list(this.absolute(folder)).sort()) {
      if (name !== '.git') this.walk(`${folder}/${name}`, visit);
    }
  }
}
