// The few ways in which the engine touches files: read or absent, write new and sync, land by rename, remove.
// Nothing here knows git; every other file of git/ and store/ reaches the file system through a Disk.

import { attempt, isSystemError, MemoryError, orElse, succeeds } from '../../base/errors.ts';
import type { FileSystem } from '../../base/ports.ts';
import { maxWholeFileBytes } from '../guard/limits.ts';
import { unsafeFile } from './file-errors.ts';

interface WriteOptions {
  readonly mode?: number;
  /** Whether it is durable when the call returns; default: as the disk was opened. */
  readonly sync?: boolean;
}

interface ReplaceOptions extends WriteOptions {
  readonly beside?: string;
  readonly removesOld?: boolean;
}

/** What `lstat` tells of a file, in the precision git's index keeps. */
export interface FileStat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly isSymbolicLink: boolean;
  readonly isExecutable: boolean;
  readonly size: number;
  readonly ctimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly dev: bigint;
  readonly ino: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
}

/** What a look at many files needs of each: whether it is as git's index notes. In numbers, which a file system gives at two thirds of the cost. */
export interface QuickStat {
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly size: number;
  /** As {@link millisecondsOf} gives it. */
  readonly mtimeMs: number;
  /** Its last 32 bits. */
  readonly ino: number;
}

/** Gives a time as file systems give it in numbers: milliseconds since the Unix epoch, exact to some quarter of a microsecond. */
export const millisecondsOf = (seconds: number, nanoseconds: number): number => seconds * 1000 + nanoseconds / 1e6;

const inoRange = 2 ** 32;
const beyondAscii = /[^\x00-\x7f]/;
let temporaryCount = 0;

/**
 * Wraps a {@link FileSystem} with a durability policy.
 *
 * With `sync` (the default) a file is synced before it gets its final name and a directory after a name in it changed. So what was
 * acknowledged survives a power cut; without, it survives the death of the process only.
 */
export class Disk {
  readonly fs: FileSystem;
  readonly sync: boolean;
  private readonly known = new Set<string>();
  /** Folders that were seen to be folders. */
  private readonly unlinked = new Set<string>();
  private hasDescriptorPaths: boolean | null = null;
  private mayWrite: (path: string) => boolean = () => true;

  constructor(fs: FileSystem, sync = true) {
    this.fs = fs;
    this.sync = sync;
  }

  /** Has whatever is written, by this disk, ask first: where `mayWrite` says no, the file system refuses with ESTALE. */
  fence(mayWrite: (path: string) => boolean): void {
    this.mayWrite = mayWrite;
  }

  private passFence(path: string, syscall: string): void {
    if (this.mayWrite(path)) return;
    const message = `ESTALE: made of what is gone, ${syscall} '${path}'`;
    throw Object.assign(new Error(message), { code: 'ESTALE', syscall, path });
  }

  /**
   * Reads a whole file; `null` only when it does not exist, never when it cannot be read.
   *
   * A link is not followed, a pipe or device not waited for: both are UNSAFE_FILE, a folder is EISDIR. Throws TOO_LARGE.
   */
  read(path: string, maxBytes = maxWholeFileBytes): Buffer | null {
    let file: { descriptor: number; size: number };
    try {
      file = this.openSized(path, 'r');
    } catch (error) {
      if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return null;
      throw error;
    }
    const { descriptor, size } = file;
    try {
      if (size > maxBytes) {
        throw new MemoryError('TOO_LARGE', `a file has ${size} bytes, and at most ${maxBytes} are read`, {
          where: path,
        });
      }
      return this.readAt(descriptor, 0, size);
    } finally {
      this.fs.closeSync(descriptor);
    }
  }

  readText(path: string, maxBytes?: number): string | null {
    return this.read(path, maxBytes)?.toString('utf8') ?? null;
  }

  /**
   * Opens an ordinary file by its own name: `r`, `r+`, or `a+`, which makes it when it is missing.
   *
   * Throws UNSAFE_FILE when a link, pipe or device has that name, EISDIR for a folder, ENOENT and what else the system says.
   */
  openFile(path: string, mode: 'r' | 'r+' | 'a+'): number {
    return this.openSized(path, mode).descriptor;
  }

  /** Opens a file as {@link openFile} does, for as long as `use` takes. */
  inFile<T>(path: string, mode: 'r' | 'r+' | 'a+', use: (descriptor: number) => T): T {
    const descriptor = this.openFile(path, mode);
    try {
      return use(descriptor);
    } finally {
      this.fs.closeSync(descriptor);
    }
  }

  private openSized(path: string, mode: 'r' | 'r+' | 'a+'): { descriptor: number; size: number } {
    let descriptor: number;
    if (mode !== 'r') this.passFence(path, 'open');
    try {
      descriptor = this.fs.openSync(path, this.flagsOf(mode), 0o666);
    } catch (error) {
      // EMLINK: the same of other systems. ENXIO: a socket.
      if (isSystemError(error, 'ELOOP', 'EMLINK', 'ENXIO')) throw unsafeFile(path, error);
      throw error;
    }
    try {
      const stat = this.fs.fstatSync(descriptor);
      if (stat.isFile()) return { descriptor, size: stat.size };
      if (!stat.isDirectory()) throw unsafeFile(path);
      throw Object.assign(new Error(`EISDIR: illegal operation on a directory, read '${path}'`), {
        code: 'EISDIR',
        syscall: 'read',
        path,
      });
    } catch (error) {
      this.fs.closeSync(descriptor);
      throw error;
    }
  }

  /** A port without the bits of open(2) gets the word: there, a link is followed. */
  private flagsOf(mode: 'r' | 'r+' | 'a+'): string | number {
    const { constants } = this.fs;
    if (typeof constants?.O_RDONLY !== 'number') return mode;
    const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
    const access = { r: O_RDONLY, 'r+': O_RDWR, 'a+': O_RDWR | O_APPEND | O_CREAT }[mode];
    return access | O_NOFOLLOW | O_NONBLOCK;
  }

  /**
   * Gives `use` a path to a folder below `root` that names that folder and no other, whatever becomes of the names above it.
   *
   * Each folder is opened by its own name, without following a link, and the next is looked up in it. On Linux `/proc/self/fd/<n>/<name>`
   * does what openat(2) does. Elsewhere each is looked at just before, which leaves a moment in which somebody may put a link there. `make`
   * makes what is missing; without it, `null` is the answer when something is.
   *
   * Throws UNSAFE_FILE when a link or a file stands where a folder should, or a name is not one.
   */
  inFolder<T>(root: string, names: readonly string[], make: boolean, use: (folder: string) => T): T | null {
    if (names.some((name) => name === '' || name === '.' || name === '..'))
      throw unsafeFile(`${root}/${names.join('/')}`);
    this.hasDescriptorPaths ??=
      typeof this.fs.constants?.O_DIRECTORY === 'number' && this.stat('/proc/self/fd')?.isDirectory === true;
    return this.hasDescriptorPaths
      ? this.inOpenFolder(root, names, make, use)
      : this.inSeenFolder(root, names, make, use);
  }

  private inOpenFolder<T>(root: string, names: readonly string[], make: boolean, use: (folder: string) => T): T | null {
    const { O_RDONLY = 0, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = this.fs.constants ?? {};
    const enter = (path: string, flags = O_NOFOLLOW) => this.fs.openSync(path, O_RDONLY | O_DIRECTORY | flags);
    let descriptor = -1;
    try {
      descriptor = enter(root, 0);
      for (const name of names) {
        const path = `/proc/self/fd/${descriptor}/${name}`;
        let next: number;
        try {
          next = enter(path);
        } catch (error) {
          if (!isSystemError(error, 'ENOENT')) throw error;
          if (!make) return null;
          this.makeOneDirectory(path);
          next = enter(path);
        }
        this.fs.closeSync(descriptor);
        descriptor = next;
      }
      return use(`/proc/self/fd/${descriptor}`);
    } catch (error) {
      if (isSystemError(error, 'ENOTDIR', 'ELOOP')) throw unsafeFile(`${root}/${names.join('/')}`, error);
      throw error;
    } finally {
      if (descriptor >= 0) this.fs.closeSync(descriptor);
    }
  }

  private makeOneDirectory(path: string): void {
    try {
      this.fs.mkdirSync(path);
    } catch (error) {
      if (!isSystemError(error, 'EEXIST')) throw error;
    }
  }

  private inSeenFolder<T>(root: string, names: readonly string[], make: boolean, use: (folder: string) => T): T | null {
    let folder = root;
    for (const name of names) {
      folder = `${folder}/${name}`;
      const stat = this.stat(folder);
      if (stat !== null && !stat.isDirectory) throw unsafeFile(folder);
      if (stat === null && !make) return null;
      if (stat === null) this.makeDirectory(folder);
    }
    return use(folder);
  }

  /** Lists the names in a directory, composed (NFC) where the file system takes both forms for one; an absent directory is empty. */
  list(path: string): string[] {
    const names = orElse(() => this.fs.readdirSync(path) as string[], [], 'ENOENT', 'ENOTDIR');
    return names.map((name) => this.composed(path, name, names));
  }

  /** macOS lists what was made as `é` as `e` and an accent; trees and refs have the name that was given. */
  private composed(path: string, name: string, names: readonly string[]): string {
    if (!beyondAscii.test(name)) return name;
    const other = name.normalize('NFC');
    return other === name || names.includes(other) || !this.exists(`${path}/${other}`) ? name : other;
  }

  stat(path: string): FileStat | null {
    const stat = foundAt(() => this.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false }));
    if (stat === undefined) return null;
    return {
      isFile: stat.isFile(),
      isDirectory: stat.isDirectory(),
      isSymbolicLink: stat.isSymbolicLink(),
      isExecutable: (stat.mode & 0o100n) !== 0n,
      size: Number(stat.size),
      ctimeNs: stat.ctimeNs,
      mtimeNs: stat.mtimeNs,
      dev: stat.dev,
      ino: stat.ino,
      uid: stat.uid,
      gid: stat.gid,
    };
  }

  /** Looks at one of many files; no link is followed. */
  quickStat(path: string): QuickStat | null {
    const stat = foundAt(() => this.fs.lstatSync(path, { throwIfNoEntry: false }));
    if (stat === undefined) return null;
    const { size, mtimeMs, ino } = stat;
    return { isFile: stat.isFile(), isDirectory: stat.isDirectory(), size, mtimeMs, ino: ino % inoRange };
  }

  exists(path: string): boolean {
    return this.stat(path) !== null;
  }

  /** Makes a directory and those above it; returns whether it was missing. `mode` is that of all that are made. */
  makeDirectory(path: string, mode = 0o777): boolean {
    try {
      return this.fs.mkdirSync(path, { recursive: true, mode }) !== undefined;
    } catch (error) {
      if (isSystemError(error, 'EEXIST') && this.stat(path)?.isDirectory) return false;
      throw error;
    }
  }

  /**
   * Passes a path below `root` if none of its folders is a link; missing ones are none. Each folder is looked at once.
   *
   * For the git directory, where links would be put before we come; {@link inFolder} is for places where others are at work.
   */
  refuseLinks(root: string, path: string): void {
    for (let end = path.indexOf('/', root.length + 1); end >= 0; end = path.indexOf('/', end + 1)) {
      const folder = path.slice(0, end);
      if (this.unlinked.has(folder)) continue;
      const stat = this.stat(folder);
      if (stat === null) return;
      if (!stat.isDirectory) throw unsafeFile(folder);
      this.unlinked.add(folder);
    }
  }

  /** Makes a directory that nobody removes while we live; only the first call per directory asks the file system. */
  ensureDirectory(path: string): void {
    if (this.known.has(path)) return;
    this.makeDirectory(path);
    this.known.add(path);
  }

  /** Gives a name that no other file of this directory has or had. */
  temporaryName(prefix: string): string {
    temporaryCount += 1;
    return `${prefix}${process.pid}_${Date.now().toString(36)}_${temporaryCount}`;
  }

  /** Writes a file that must not exist yet, synced; what was written is removed again when that fails. */
  writeNew(path: string, chunks: Iterable<Uint8Array>, options: WriteOptions = {}): void {
    const mode = options.mode ?? 0o644;
    const isReadOnly = (mode & 0o200) === 0;
    this.passFence(path, 'open');
    const descriptor = this.fs.openSync(path, 'wx', isReadOnly ? mode | 0o200 : mode);
    let isComplete = false;
    try {
      for (const chunk of chunks) this.writeAll(descriptor, chunk);
      // Afterwards: memfs refuses to create a file for writing that may not be written.
      if (isReadOnly) this.fs.fchmodSync(descriptor, mode);
      if (options.sync ?? this.sync) this.fs.fsyncSync(descriptor);
      isComplete = true;
    } finally {
      try {
        this.fs.closeSync(descriptor);
      } finally {
        if (!isComplete) this.removeQuietly(path);
      }
    }
  }

  /**
   * Makes a file, or replaces it whole. It is written beside under another name and renamed, so that a reader sees the old or the new one.
   *
   * `beside` is how the other name begins, on the same file system; default `<path>_`. `removesOld` takes the old one away ahead of the
   * rename. ext4 and others flush what replaces a file, and a note that may be lost is not worth that. A crash may undo the rename;
   * {@link syncDirectory} makes it durable. Else as {@link writeNew}.
   */
  replace(
    path: string,
    chunks: readonly Uint8Array[],
    { beside = `${path}_`, removesOld = false, ...options }: ReplaceOptions = {},
  ): void {
    const temporary = this.temporaryName(beside);
    this.writeNew(temporary, chunks, options);
    try {
      if (removesOld) this.remove(path);
      this.rename(temporary, path);
    } catch (error) {
      this.removeQuietly(temporary);
      throw error;
    }
  }

  /** Writes all bytes at the current position of a descriptor; a short write is continued. */
  writeAll(descriptor: number, bytes: Uint8Array): void {
    let offset = 0;
    while (offset < bytes.length) offset += this.fs.writeSync(descriptor, bytes, offset, bytes.length - offset);
  }

  /** Reads `length` bytes at `position`; fewer only at the end of the file. */
  readAt(descriptor: number, position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    return buffer.subarray(0, this.readInto(descriptor, position, buffer));
  }

  /** Fills a buffer from `position` on and tells how many bytes there were; fewer only at the end of the file. */
  readInto(descriptor: number, position: number, buffer: Buffer): number {
    let offset = 0;
    while (offset < buffer.length) {
      const count = this.fs.readSync(descriptor, buffer, offset, buffer.length - offset, position + offset);
      if (count === 0) break;
      offset += count;
    }
    return offset;
  }

  rename(from: string, to: string): void {
    this.passFence(to, 'rename');
    this.fs.renameSync(from, to);
  }

  /** Removes a file; returns whether it was there. */
  remove(path: string): boolean {
    return succeeds(() => this.fs.unlinkSync(path), 'ENOENT', 'ENOTDIR');
  }

  /** Removes a file that nobody misses if it stays; returns whether it is gone. */
  removeQuietly(path: string): boolean {
    // A left-over temporary file is swept by the next recovery; the failure that led here is the one to report.
    return attempt(() => {
      this.remove(path);
      return true;
    }, false);
  }

  /** Makes the content of a file durable. */
  syncFile(path: string): void {
    if (!this.sync) return;
    const descriptor = this.fs.openSync(path, 'r+');
    try {
      this.fs.fsyncSync(descriptor);
    } finally {
      this.fs.closeSync(descriptor);
    }
  }

  /** Makes names in a directory durable. Windows cannot sync directories and needs no such call. */
  syncDirectory(path: string): void {
    if (!this.sync) return;
    let descriptor: number;
    try {
      descriptor = this.fs.openSync(path, 'r');
    } catch (error) {
      if (isSystemError(error, 'EPERM', 'EISDIR', 'EACCES') && process.platform === 'win32') return;
      throw error;
    }
    try {
      this.fs.fsyncSync(descriptor);
    } catch (error) {
      // Not every file system syncs directories (EINVAL), and memory-backed ones have nothing to sync.
      if (!isSystemError(error, 'EINVAL', 'EPERM', 'EISDIR', 'EBADF', 'ENOTSUP')) throw error;
    } finally {
      this.fs.closeSync(descriptor);
    }
  }

  /**
   * Publishes a finished file under a second name unless that name is taken: link(2), atomic and complete.
   *
   * Returns false when the name is taken. File systems without hard links get an exclusive copy. It is complete only after it was written;
   * readers of locks treat an incomplete one as held.
   */
  publish(finished: string, name: string): boolean {
    try {
      this.fs.linkSync(finished, name);
      return true;
    } catch (error) {
      if (isSystemError(error, 'EEXIST')) return false;
      if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EOPNOTSUPP')) throw error;
    }
    return succeeds(() => this.writeNew(name, [this.read(finished) ?? Buffer.alloc(0)]), 'EEXIST');
  }
}

/** Undefined where a look finds nothing. What has a name that is too long here cannot be there; a tree of git may hold it. */
const foundAt = <Stat>(look: () => Stat): Stat | undefined =>
  orElse(look, undefined, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG');
