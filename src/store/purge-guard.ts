// Makes a process that has the branch open follow a purge, by whichever process: it forgets old objects and writes nothing planned upon them.

import { MemoryError } from '../base/errors.ts';
import type { Repository } from './git/repository.ts';

export class PurgeGuard {
  private readonly repository: Pick<Repository, 'mark' | 'objects'>;
  private readonly ref: string;
  /** The state of {@link PurgeMark} that was last read by, and the one that the calls under way began with. */
  private readMark: string;
  private acceptedMark: string;
  private callCount = 0;

  constructor(repository: Pick<Repository, 'mark' | 'objects'>, ref: string) {
    this.repository = repository;
    this.ref = ref;
    this.readMark = repository.mark.opened;
    this.acceptedMark = this.readMark;
  }

  /** Tells one state of the history from another: each purge, by whomever, makes a new one. */
  get version(): string {
    return this.repository.mark.version();
  }

  /** Forgets objects read before a purge: what is gone must not be answered from memory. */
  notice(): void {
    const { version } = this;
    if (version === this.readMark) return;
    this.repository.objects.forget();
    this.readMark = version;
  }

  /** Runs a call that may write. What it planned before a purge it may not write after it: what was purged would come back. */
  async during<T>(call: () => T | Promise<T>): Promise<T> {
    if (this.callCount === 0) this.acceptedMark = this.version;
    this.callCount += 1;
    try {
      return await call();
    } finally {
      this.callCount -= 1;
    }
  }

  /** Throws PURGED when the history was rewritten since the call under way began; asked under the lock, before anything is written. */
  check(): void {
    this.notice();
    if (this.readMark === this.acceptedMark) return;
    throw new MemoryError('PURGED', 'the memory was purged during this call; nothing was written', {
      where: this.ref,
      hint: 'Repeat the call; start open sessions again by their ids',
    });
  }

  /** Goes on with the history as it is now. */
  accept(): void {
    this.notice();
    this.acceptedMark = this.readMark;
  }

  /** The same after a rewrite of our own; other calls of this process that are under way began before it, and are refused. */
  acceptOwn(): void {
    this.notice();
    if (this.callCount <= 1) this.acceptedMark = this.readMark;
  }
}
