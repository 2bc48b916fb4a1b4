// Refs: strict reading (loose, packed, symbolic), listing, and moving one by compare-and-swap under git's own lock file.

import { attempt, MemoryError, orElse, succeeds } from '../../base/errors.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import { maxLineFileBytes, maxPackedRefsBytes } from '../guard/limits.ts';
import { checkRefName } from '../guard/ref-name.ts';
import { formatSignature, type Signature } from './commit-object.ts';
import type { Disk, FileStat } from './disk.ts';
import { filesBelow } from './files-below.ts';
import { isSameFile } from './index-file.ts';
import { nativelyLocked } from './native-lock.ts';
import { isOid, noOid } from './object-codec.ts';
import { isRefName, parsePackedRefs } from './packed-refs.ts';
import { parseReflog, type ReflogEntry } from './reflog.ts';
import { TipNotes } from './tip-notes.ts';

/** What HEAD says: on a branch (born or not), or detached at a commit. */
type Head = { readonly ref: string } | { readonly oid: string };

export interface RefUpdate {
  readonly ref: string;
  /** What the ref must hold now; `null`: it must not exist. */
  readonly from: string | null;
  /** What it shall hold; `null` removes it. */
  readonly to: string | null;
  /** Goes into the reflog. */
  readonly reason: string;
  readonly identity: Signature;
}

/** What is shown of a branch whose newest commit cannot be read. */
interface StandIn {
  /** Where the branch is; empty where its file does not say. */
  readonly tip: string;
  readonly commit: string;
  /** Says so, and what mends it. */
  readonly damage: MemoryError;
}

export class RefStore {
  readonly disk: Disk;
  private readonly gitDirectory: string;
  readonly commonDirectory: string;
  private readonly temporaryDirectory: string;
  /** Where each branch was when it was moved here last. */
  readonly notes: TipNotes;
  /** Reflogs whose last line this process wrote. */
  private readonly wholeLogs = new Set<string>();
  private packed: { readonly stat: FileStat | null; readonly refs: ReadonlyMap<string, string> } | null = null;
  /** Reflogs that were found to say nothing against packed-refs, as they were. */
  private readonly agreed = new Map<string, string>();

  /** Branches that cannot be read where they are: what is shown in the place of their tip, and why; see store/last-whole.ts. */
  readonly standIns = new Map<string, StandIn>();
  /** Branches that are not here yet, each with the ref that is read in its place: what a remote has of it; see store/known-memory.ts. */
  readonly borrowed = new Map<string, string>();
  /** A lock could not be removed after its ref had moved; {@link removeLeftLocks} is due. */
  hasLeftLock = false;

  /** `temporaryDirectory` must lie on the same file system as the refs; files in it belong to the lock holder. */
  constructor(
    disk: Disk,
    gitDirectory: string,
    commonDirectory: string,
    temporaryDirectory: string,
    notes = new TipNotes(disk, `${commonDirectory}/git-memory/tips`),
  ) {
    this.disk = disk;
    this.gitDirectory = gitDirectory;
    this.commonDirectory = commonDirectory;
    this.temporaryDirectory = temporaryDirectory;
    this.notes = notes;
  }

  /** Reads HEAD of this work tree; throws REF_CORRUPT when it is neither a branch nor an object id. */
  readHead(): Head {
    const path = `${this.gitDirectory}/HEAD`;
    const text = this.disk.readText(path, maxLineFileBytes);
    const symbolic = text === null ? null : parseSymbolic(text, 'HEAD', path);
    if (symbolic?.startsWith('refs/heads/')) return { ref: symbolic };
    const oid = text?.trim() ?? '';
    if (isOid(oid)) return { oid };
    throw refCorrupt('HEAD', `${this.gitDirectory}/HEAD`);
  }

  /**
   * Reads a ref, or `null` when it does not exist.
   *
   * An empty or torn ref file is REF_CORRUPT. To call it absent would silently begin a new history, and an answer from packed-refs would go
   * back to an old one. `HEAD` is what is checked out.
   */
  read(ref: string, depth = 0): string | null {
    if (ref === 'HEAD') {
      const head = this.readHead();
      return 'oid' in head ? head.oid : this.read(head.ref);
    }
    const path = `${this.commonDirectory}/${checkRefName(ref)}`;
    const far = this.borrowed.get(ref);
    const found = () =>
      this.resolve(ref, path, this.readLoose(path), depth) ?? (far === undefined ? null : this.read(far));
    const standIn = this.standIns.get(ref);
    if (standIn === undefined) return found();
    if (orElse(found, '', 'REF_CORRUPT') === standIn.tip) return standIn.commit;
    // It was mended, or moved on.
    this.standIns.delete(ref);
    return this.read(ref, depth);
  }

  /** Gives what a ref means whose own file holds `text`. */
  private resolve(ref: string, path: string, text: string | null, depth = 0): string | null {
    if (text === null) {
      const packed = this.packedRefs().get(ref) ?? null;
      const lost = this.lostBehind(ref, packed);
      if (lost === null) return packed;
      // It may have been packed when its file was looked for, and have moved on, or been packed anew, before the rest was looked at.
      const known = this.packed!.stat;
      const now = this.readLoose(path);
      this.packedRefs();
      if (now !== null || !isSameFile(known, this.packed!.stat)) return this.resolve(ref, path, now, depth);
      throw new MemoryError('REF_CORRUPT', `the file of ${ref} is gone; its log says that it was at ${lost}`, {
        where: path,
        hint: 'Nothing was changed; `git memory doctor --fix` puts it back if that history is complete',
      });
    }
    const symbolic = parseSymbolic(text, ref, path);
    if (symbolic !== null) {
      if (depth >= 5) throw refCorrupt(ref, path);
      return this.read(symbolic, depth + 1);
    }
    const oid = text.endsWith('\n') ? text.slice(0, -1) : text;
    if (!isOid(oid) || oid === noOid) throw refCorrupt(ref, path);
    return oid;
  }

  /** Reads one of git's notes beside HEAD, such as `ORIG_HEAD`; `null` when there is none. */
  readPseudo(name: string): string | null {
    if (!/^[A-Z]+_HEAD$/.test(name)) return null;
    const oid = this.disk.readText(`${this.gitDirectory}/${name}`)?.slice(0, 40) ?? '';
    return isOid(oid) ? oid : null;
  }

  /** Reads the reflog of a ref, or of `HEAD`, oldest move first; empty when there is none. */
  readLog(ref: string): ReflogEntry[] {
    const root = ref === 'HEAD' ? this.gitDirectory : this.commonDirectory;
    const path = `${root}/logs/${ref === 'HEAD' ? ref : checkRefName(ref)}`;
    this.disk.refuseLinks(root, path);
    return parseReflog(this.disk.readText(path) ?? '');
  }

  private readLoose(path: string): string | null {
    this.disk.refuseLinks(this.commonDirectory, path);
    return orElse(() => this.disk.readText(path, maxLineFileBytes), null, 'EISDIR');
  }

  /**
   * Gives where a branch without a file of its own was, by its log, when that is further: the file was lost. Null when all is well.
   *
   * Without this an unborn branch would begin a new history, and a packed one would go back to where it was when it was packed. A
   * log that ends one step ahead proves nothing, since its line is written before the ref moves.
   */
  private lostBehind(ref: string, packed: string | null): string | null {
    if (!ref.startsWith('refs/heads/')) return null;
    const log = `${this.commonDirectory}/logs/${ref}`;
    const stat = this.disk.stat(log);
    if (stat === null || !stat.isFile || stat.size > maxPackedRefsBytes) return null;
    const state = `${stat.ino} ${stat.size} ${stat.mtimeNs} ${packed}`;
    if (this.agreed.get(ref) === state) return null;
    const entries = this.readLog(ref);
    const last = entries.at(-1);
    const isGone = packed === null && last !== undefined && last.from !== noOid && last.to !== noOid;
    const isBehind =
      packed !== null &&
      last !== undefined &&
      last.to !== packed &&
      last.from !== packed &&
      entries.some(({ to }) => to === packed) &&
      stat.mtimeNs > (this.packed?.stat?.mtimeNs ?? 0n);
    if (isGone || isBehind) return last!.to;
    this.agreed.set(ref, state);
    return null;
  }

  /** Lists what packed-refs says, whatever the files of the refs say; throws REPOSITORY_CORRUPT. */
  listPacked(): { ref: string; oid: string }[] {
    return [...this.packedRefs()].map(([ref, oid]) => ({ ref, oid }));
  }

  /**
   * Lists refs below a prefix such as `refs/tags/memory/`, sorted by name; files with names no ref may have are none. One that cannot be read goes
   * to `leaveOut`, or is thrown: REF_CORRUPT.
   */
  list(prefix: string, leaveOut?: (error: MemoryError) => void): { ref: string; oid: string }[] {
    const found = new Map<string, string>();
    for (const [ref, oid] of this.packedRefs()) if (ref.startsWith(prefix)) found.set(ref, oid);
    const walk = (directory: string) => {
      for (const name of this.disk.list(`${this.commonDirectory}/${directory}`)) {
        const ref = `${directory}/${name}`;
        if (name.endsWith('.lock')) continue;
        if (this.disk.stat(`${this.commonDirectory}/${ref}`)?.isDirectory) walk(ref);
        else if (ref.startsWith(prefix) && isRefName(ref)) {
          const oid = this.readOr(ref, leaveOut);
          if (oid !== null) found.set(ref, oid);
          else found.delete(ref);
        }
      }
    };
    walk(prefix.slice(0, prefix.lastIndexOf('/')));
    for (const [ref, far] of this.borrowed) {
      const oid = ref.startsWith(prefix) && !found.has(ref) ? this.readOr(far, leaveOut) : null;
      if (oid !== null) found.set(ref, oid);
    }
    // A branch that has lost its file is found by its log.
    if (leaveOut !== undefined && prefix.startsWith('refs/heads/')) {
      for (const ref of this.logged(prefix)) if (!found.has(ref)) this.readOr(ref, leaveOut);
    }
    return [...found].map(([ref, oid]) => ({ ref, oid })).sort((a, b) => (a.ref < b.ref ? -1 : 1));
  }

  private logged(prefix: string): string[] {
    const root = `${this.commonDirectory}/logs/`;
    return [...filesBelow(this.disk, `${root}${prefix.slice(0, prefix.lastIndexOf('/'))}`)]
      .map(({ path }) => path.slice(root.length))
      .filter((ref) => ref.startsWith(prefix) && isRefName(ref));
  }

  private readOr(ref: string, leaveOut?: (error: MemoryError) => void): string | null {
    try {
      return this.read(ref);
    } catch (error) {
      if (leaveOut === undefined || !(error instanceof MemoryError) || error.code !== 'REF_CORRUPT') throw error;
      leaveOut(error);
      return null;
    }
  }

  /**
   * Moves, creates or removes a ref if it still holds `from`; returns false when it holds something else.
   *
   * The lock file is a second name of a finished, synced file in our own folder. It appears complete, and a recovery can tell ours from
   * git's by the inode. Waits up to `waitMs` for a lock of somebody else, then throws LOCKED.
   */
  update(update: RefUpdate, waitMs = 2000): boolean {
    const path = `${this.commonDirectory}/${checkRefName(update.ref)}`;
    const lock = `${path}.lock`;
    const folder = path.slice(0, path.lastIndexOf('/'));
    // Which refs there are is not known where it is damaged: git writes nothing then, and neither do we.
    this.packedRefs();
    this.disk.ensureDirectory(this.temporaryDirectory);
    const finished = this.disk.temporaryName(`${this.temporaryDirectory}/ref_${encodeURIComponent(update.ref)}_`);
    this.disk.writeNew(finished, [Buffer.from(`${update.to ?? noOid}\n`)]);
    let isLocked = false;
    try {
      this.waitFor(() => this.takeLock(finished, lock, folder, update.ref), lock, waitMs);
      isLocked = true;
      const text = this.readLoose(path);
      this.refuseSymbolic(update.ref, path, text);
      if (this.resolve(update.ref, path, text) !== update.from) return false;
      if (update.from === null) this.makeRoom(update.ref, path);
      const isBranch = update.ref.startsWith('refs/heads/');
      if (update.to === null) {
        if (isBranch) this.notes.forget(update.ref);
        this.unpack(new Set([update.ref]), waitMs);
        this.disk.remove(path);
        this.disk.remove(`${this.commonDirectory}/logs/${update.ref}`);
        return true;
      }
      this.appendReflog(update);
      this.disk.rename(lock, path);
      isLocked = false;
      this.disk.syncDirectory(folder);
      if (isBranch) this.notes.write(update.ref, update.to);
      return true;
    } finally {
      // Our own file stays with a lock that stays: it tells a recovery whose the lock is.
      if (isLocked && !this.disk.removeQuietly(lock)) this.hasLeftLock = true;
      else this.disk.removeQuietly(finished);
    }
  }

  /** Moving what a symbolic ref points to would move another branch than the one that was named. */
  private refuseSymbolic(ref: string, path: string, text: string | null): void {
    const target = parseSymbolic(text ?? '', ref, path);
    if (target === null) return;
    const hint = `Open the branch ${target.replace('refs/heads/', '')} itself`;
    throw new MemoryError('UNSUPPORTED_REPOSITORY', `${ref} is only another name for ${target}`, { where: path, hint });
  }

  /**
   * Removes lock files that a dead process of ours left: those that are second names of its files in our folder.
   *
   * Must be called under the repository lock, when every file in that folder is left over.
   */
  removeLeftLocks(): void {
    for (const name of this.disk.list(this.temporaryDirectory)) {
      const ref = decodeRef(/^ref_(.+)_\d+_[0-9a-z]+_\d+$/.exec(name)?.[1] ?? '');
      if (ref === null) continue;
      const lock = `${this.commonDirectory}/${ref}.lock`;
      const own = this.disk.stat(`${this.temporaryDirectory}/${name}`);
      const present = this.disk.stat(lock);
      if (own && present && own.ino === present.ino && own.dev === present.dev) this.disk.remove(lock);
    }
    this.hasLeftLock = false;
  }

  /** Gives a ref a file again whose own was lost or damaged, without asking what it held; for repairs under the repository lock. */
  restore(ref: string, oid: string): void {
    const path = `${this.commonDirectory}/${checkRefName(ref)}`;
    const folder = path.slice(0, path.lastIndexOf('/'));
    this.disk.refuseLinks(this.commonDirectory, path);
    this.disk.makeDirectory(folder);
    const lock = `${path}.lock`;
    this.disk.writeNew(lock, [Buffer.from(`${oid}\n`)]);
    this.disk.rename(lock, path);
    this.disk.syncDirectory(folder);
  }

  /** Where git's lock of a ref stands while somebody moves it. */
  lockOf(ref: string): string {
    return `${this.commonDirectory}/${checkRefName(ref)}.lock`;
  }

  /** Points HEAD at a branch; used when a repository is made. */
  writeHead(ref: string): void {
    const path = `${this.gitDirectory}/HEAD`;
    this.disk.replace(path, [Buffer.from(`ref: ${checkRefName(ref)}\n`)]);
    this.disk.syncDirectory(this.gitDirectory);
  }

  private takeLock(finished: string, lock: string, folder: string, ref: string): boolean {
    try {
      return this.disk.publish(finished, lock);
    } catch (error) {
      // The folder is not there yet, or `git pack-refs` has removed it with its last ref.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ENOTDIR')
        throw error;
      this.makeRefDirectory(folder, ref);
      return this.disk.publish(finished, lock);
    }
  }

  /** A ref cannot stand where a folder of refs is, or below another ref; empty folders of packed refs are in the way. */
  private makeRoom(ref: string, path: string): void {
    const below = this.list(`${ref}/`)[0]?.ref;
    const parts = ref.split('/');
    const above = parts.slice(2, -1).map((_, count) => parts.slice(0, count + 3).join('/'));
    const other = below ?? above.find((name) => this.read(name) !== null);
    if (other !== undefined) {
      const hint = 'Choose another name';
      throw new MemoryError('INVALID_REF', `${ref} cannot exist beside ${other}`, { where: ref, hint });
    }
    this.removeEmptyFolders(path);
  }

  private removeEmptyFolders(path: string): void {
    if (!this.disk.stat(path)?.isDirectory) return;
    for (const name of this.disk.list(path)) this.removeEmptyFolders(`${path}/${name}`);
    this.disk.fs.rmdirSync(path);
  }

  private makeRefDirectory(folder: string, ref: string): void {
    try {
      this.disk.makeDirectory(folder);
    } catch (error) {
      if (!['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
      const hint = 'Choose another name';
      throw new MemoryError('INVALID_REF', `${ref} cannot exist below another ref`, { where: ref, hint });
    }
  }

  private waitFor(attempt: () => boolean, lock: string, waitMs: number): void {
    const deadline = monotonicMs() + waitMs;
    while (!attempt()) {
      if (monotonicMs() > deadline) throw nativelyLocked(this, lock, 'another program holds a ref');
      pause(2 + Math.random() * 6);
    }
  }

  private packedRefs(): ReadonlyMap<string, string> {
    const path = `${this.commonDirectory}/packed-refs`;
    const stat = this.disk.stat(path);
    if (this.packed === null || !isSameFile(stat, this.packed.stat)) {
      const text = stat === null ? null : this.disk.readText(path, maxPackedRefsBytes);
      this.packed = { stat, refs: text === null ? new Map() : parsePackedRefs(text, path) };
    }
    return this.packed.refs;
  }

  /** Takes lines out of packed-refs; what else is said of these refs, by files of their own, stays. Throws LOCKED. */
  unpack(refs: ReadonlySet<string>, waitMs = 2000): void {
    const packed = this.packedRefs();
    if (![...refs].some((ref) => packed.has(ref))) return;
    const path = `${this.commonDirectory}/packed-refs`;
    const lock = `${path}.lock`;
    this.waitFor(
      () => {
        const lines = (this.disk.readText(path) ?? '').split('\n');
        const kept: string[] = [];
        for (let i = 0; i < lines.length; i++) {
          if (!refs.has(lines[i]!.slice(41))) kept.push(lines[i]!);
          // The line after an annotated tag says what it peels to and goes with it.
          else if (lines[i + 1]?.startsWith('^')) i += 1;
        }
        return succeeds(() => this.disk.writeNew(lock, [Buffer.from(kept.join('\n'))]), 'EEXIST');
      },
      lock,
      waitMs,
    );
    this.disk.rename(lock, path);
    this.disk.syncDirectory(this.commonDirectory);
  }

  private appendReflog(update: RefUpdate): void {
    const reason = update.reason.replace(/[\n\r\0]+/g, ' ');
    const line = `${update.from ?? noOid} ${update.to} ${formatSignature(update.identity)}\t${reason}\n`;
    if (update.ref.startsWith('refs/heads/')) this.appendLine(`${this.commonDirectory}/logs/${update.ref}`, line);
    const head = this.readHead();
    if ('ref' in head && head.ref === update.ref) this.appendLine(`${this.gitDirectory}/logs/HEAD`, line);
  }

  private appendLine(path: string, line: string): void {
    this.disk.refuseLinks(this.commonDirectory, path);
    const folder = path.slice(0, path.lastIndexOf('/'));
    this.disk.ensureDirectory(folder);
    let descriptor: number;
    try {
      descriptor = this.disk.openFile(path, 'a+');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      // Reflogs are the user's to delete, also while we live.
      this.disk.makeDirectory(folder);
      descriptor = this.disk.openFile(path, 'a+');
    }
    try {
      // A line torn by a crash must not swallow the next one; after one of our own it is whole.
      const isTorn = !this.wholeLogs.has(path) && this.endsTorn(descriptor);
      this.wholeLogs.delete(path);
      this.disk.writeAll(descriptor, Buffer.from(isTorn ? `\n${line}` : line));
      this.wholeLogs.add(path);
    } finally {
      this.disk.fs.closeSync(descriptor);
    }
  }

  private endsTorn(descriptor: number): boolean {
    const size = this.disk.fs.fstatSync(descriptor).size;
    return size > 0 && this.disk.readAt(descriptor, size - 1, 1)[0] !== 0x0a;
  }
}

function parseSymbolic(text: string, ref: string, where: string): string | null {
  const target = /^ref:[ \t]*(.+?)\s*$/.exec(text)?.[1];
  if (target === undefined) return null;
  // A hostile HEAD must not make us read a file outside the refs, nor show what it holds.
  if (!isRefName(target)) throw refCorrupt(ref, where);
  return target;
}

/** Reads a ref's name from the name of a file of ours; `null` when it is none. */
export function decodeRef(encoded: string): string | null {
  // Not percent-encoded text, or no name of a ref: not a file of ours.
  return attempt(() => checkRefName(decodeURIComponent(encoded)), null);
}

function refCorrupt(ref: string, where: string): MemoryError {
  return new MemoryError('REF_CORRUPT', `${ref} holds neither an object id nor the name of a ref`, {
    where,
    hint: 'Nothing was changed; `git reflog` and `git memory doctor` show where it pointed last',
  });
}

/** Waits without giving up the turn: a critical section must not be interleaved. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}
