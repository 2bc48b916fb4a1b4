// The repository lock: one writer at a time across processes, taken over only from a process that is surely dead.

import { attempt, MemoryError } from '../../base/errors.ts';
import { monotonicMs } from '../../base/monotonic.ts';
import type { Processes, ProcessIdentity } from '../../base/ports.ts';
import type { Disk, FileStat } from './disk.ts';
import { privateMode } from './permissions.ts';

/** What a lock file says of its holder: who, and a word that no other holder ever used. */
interface Holder extends ProcessIdentity {
  readonly nonce: string;
}

/** A lock appears complete; only where a file system has no links it is written, within a moment. */
const maxWritingMs = 2_000;

/** Locks of this process that were released, though their files may still be there. */
const letGo = new Set<string>();

/**
 * Is held by at most one process at a time.
 *
 *     locks/<nonce>   written once per process: who we are      lock   a hard link to the holder's file
 *
 * Linking makes the lock appear complete, with its content, or not at all. A process replaces a dead holder's lock while it holds a second
 * lock named after the dead holder's nonce. So of several that saw the same dead holder exactly one replaces it, and none removes the
 * successor's.
 */
export class ProcessLock {
  readonly nonce: string;
  private readonly disk: Disk;
  private readonly path: string;
  private readonly own: string;
  private readonly processes: Processes;
  private isPrepared = false;
  private written: FileStat | null = null;
  private isHeld = false;

  /** `directory` is created when needed and must lie on one file system. */
  constructor(disk: Disk, directory: string, processes: Processes, nonce: string) {
    this.disk = disk;
    this.path = `${directory}/lock`;
    this.own = `${directory}/locks/${nonce}`;
    this.nonce = nonce;
    this.processes = processes;
  }

  /** Makes another lock of the same process, in another folder. */
  beside(directory: string): ProcessLock {
    return new ProcessLock(this.disk, directory, this.processes, `${this.nonce}b`);
  }

  /**
   * Tries once; returns `null` when somebody else holds it, else the nonce of the dead holder it was taken from, if any.
   *
   * Throws when called while held by this object: a critical section never nests.
   */
  tryAcquire(): { takenFrom: string | null } | null {
    if (this.isHeld) throw new Error('the repository lock does not nest');
    this.prepare();
    let result: { takenFrom: string | null } | null;
    try {
      result = this.tryAcquireAt(this.path);
    } catch (error) {
      // Our own file is gone, swept by hand: the next attempt writes it again.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      this.isPrepared = false;
      result = null;
    }
    this.isHeld = result !== null;
    if (this.isHeld) letGo.delete(this.nonce);
    return result;
  }

  /** Waits up to `timeoutMs`; throws LOCKED with the name of the holder. */
  acquire(timeoutMs: number): Promise<{ takenFrom: string | null }> {
    return this.retry(timeoutMs, () => this.tryAcquire());
  }

  /**
   * Runs a section while holding the lock, after waiting for it as {@link acquire} does.
   *
   * Taking the lock, the section and letting go are one step without a gap. Calls of one process that come at the same time follow one
   * another.
   */
  async hold<T>(timeoutMs: number, section: (takenFrom: string | null) => T): Promise<T> {
    const { value } = await this.retry(timeoutMs, () => {
      const result = this.tryAcquire();
      if (result === null) return null;
      try {
        return { value: section(result.takenFrom) };
      } finally {
        this.release();
      }
    });
    return value;
  }

  /** Holds the lock through long work, once nobody else does; where that takes minutes, the work is done all the same. */
  async through<T>(timeoutMs: number, work: () => Promise<T>): Promise<T> {
    await this.acquire(timeoutMs).catch(() => null);
    try {
      return await work();
    } finally {
      this.release();
    }
  }

  private async retry<T>(timeoutMs: number, attemptOnce: () => T | null): Promise<T> {
    const deadline = monotonicMs() + timeoutMs;
    for (let attempt = 0; ; attempt++) {
      const result = attemptOnce();
      if (result !== null) return result;
      if (monotonicMs() > deadline) throw this.lockedError(timeoutMs);
      // Jitter keeps several waiters from meeting at every attempt; short at first, since a section takes milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * Math.min(4 + attempt, 12)));
    }
  }

  /**
   * Lets go, and never fails. The next operation of this process removes a lock file that cannot be removed now (no descriptors left, say).
   * Nobody in this process takes it for held.
   */
  release(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    letGo.add(this.nonce);
    if (this.isOwn()) this.disk.removeQuietly(this.path);
  }

  /** Not after a takeover by mistake (a process table that lied); yes when the file cannot be looked at. */
  private isOwn(): boolean {
    try {
      const stat = this.disk.stat(this.path);
      if (stat === null) return false;
      // The lock is a second name of our own file; where there are no links, it says the same.
      const { written } = this;
      const isLink = stat.ino === written?.ino && stat.dev === written.dev && stat.mtimeNs === written.mtimeNs;
      return isLink || this.readHolder(this.path)?.nonce === this.nonce;
    } catch {
      // No descriptor left to read with: removing needs none, and a lock that is not ours was never seen.
      return true;
    }
  }

  /** Withdraws our own file; call once no lock will be wanted any more. */
  dispose(): void {
    this.release();
    if (this.isPrepared) this.disk.removeQuietly(this.own);
    this.isPrepared = false;
  }

  /** Removes what dead processes left: their holder files, and rights to replace a lock; call while holding the lock. */
  sweep(): void {
    const holders = this.own.slice(0, this.own.lastIndexOf('/'));
    const folder = this.path.slice(0, this.path.lastIndexOf('/'));
    const named = this.disk.list(holders).map((name) => `${holders}/${name}`);
    const rights = this.disk
      .list(folder)
      .filter((name) => name.startsWith('lock.'))
      .map((name) => `${folder}/${name}`);
    for (const path of [...named, ...rights]) {
      const holder = this.readHolder(path);
      // A process may die while it writes who it is. It holds nothing then.
      const isForsaken = holder === null && named.includes(path) && !this.isBeingWritten(path);
      if (isForsaken || (holder !== null && holder.nonce !== this.nonce && this.isGone(holder))) this.disk.remove(path);
    }
  }

  private isBeingWritten(path: string): boolean {
    const stat = this.disk.stat(path);
    return stat === null || Date.now() - Number(stat.mtimeNs / 1_000_000n) < maxWritingMs;
  }

  /** Dead, or of this process and done with the lock. */
  private isGone(holder: Holder): boolean {
    return letGo.has(holder.nonce) || this.processes.stateOf(holder) === 'dead';
  }

  private prepare(): void {
    if (this.isPrepared) return;
    const holder: Holder = { ...this.processes.self, nonce: this.nonce };
    this.disk.makeDirectory(this.own.slice(0, this.own.lastIndexOf('/')), privateMode);
    this.disk.remove(this.own);
    // Synced: after a power cut the lock must still say whose it was, or nobody could ever take it over.
    this.disk.writeNew(this.own, [Buffer.from(`${JSON.stringify(holder)}\n`)], { mode: 0o600 });
    this.written = this.disk.stat(this.own);
    this.isPrepared = true;
  }

  private tryAcquireAt(path: string): { takenFrom: string | null } | null {
    if (this.disk.publish(this.own, path)) return { takenFrom: null };
    const text = this.disk.readText(path);
    // It went away between the two calls: the next attempt will tell.
    if (text === null) return null;
    const holder = parseHolder(text);
    if (holder === null) {
      // Incomplete, and so being written.
      if (this.isBeingWritten(path)) return null;
      throw new MemoryError('LOCKED', 'the lock of the memory cannot be read, so its owner is unknown', {
        where: path,
        hint: 'Nothing was changed; when no process on any machine uses this memory, move the file away and repeat the call',
      });
    }
    // A lock of ours that we do not hold: its removal failed. Nobody else can clear it while we live.
    if (holder.nonce === this.nonce) return path === this.path ? { takenFrom: this.nonce } : null;
    if (!this.isGone(holder)) return null;
    const takeover = `${path}.${holder.nonce}`;
    if (this.tryAcquireAt(takeover) === null) return null;
    try {
      if (this.readHolder(path)?.nonce !== holder.nonce) return null;
      const fresh = this.disk.temporaryName(`${this.own}.`);
      this.disk.fs.linkSync(this.own, fresh);
      this.disk.rename(fresh, path);
      return { takenFrom: holder.nonce };
    } finally {
      this.disk.remove(takeover);
    }
  }

  private readHolder(path: string): Holder | null {
    const text = this.disk.readText(path);
    return text === null ? null : parseHolder(text);
  }

  private lockedError(timeoutMs: number): MemoryError {
    const holder = this.readHolder(this.path);
    const name = holder ? `process ${holder.pid} on ${holder.host}` : 'another process';
    return new MemoryError('LOCKED', `${name} has held the memory for more than ${timeoutMs / 1000} s`, {
      where: this.path,
      hint: 'Repeat the call later; `git memory doctor` shows whether that process is still running',
    });
  }
}

/** Null for what is damaged, or not complete yet. */
function parseHolder(text: string): Holder | null {
  return attempt(() => {
    const holder = JSON.parse(text) as Holder;
    return typeof holder?.nonce === 'string' && /^[0-9a-z]+$/.test(holder.nonce) ? holder : null;
  }, null);
}
