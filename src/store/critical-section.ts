// The critical section of a branch: under the repository lock, with the journal read and what a dead process left settled first.

import { MemoryError } from '../base/errors.ts';
import type { Logger } from '../base/ports.ts';
import type { Codec } from './codec.ts';
import { sweepGcLock } from './git/gc-lock.ts';
import type { ProcessLock } from './git/process-lock.ts';
import type { Repository } from './git/repository.ts';
import type { Journal } from './journal.ts';
import { recoverRepository } from './recovery.ts';

/** A branch, and what holds it together under the lock. */
export interface CriticalSectionDependencies {
  readonly repository: Repository;
  /** Full name: `refs/heads/main`. */
  readonly ref: string;
  readonly lock: ProcessLock;
  readonly journal: Journal;
  readonly codec: Codec;
  readonly logger: Logger;
  /** How long to wait for another process of ours. */
  readonly timeoutMs: number;
}

export class CriticalSection {
  private readonly dependencies: CriticalSectionDependencies;
  /** Something was begun that the next to come has to finish or forget; set before a ref moves, cleared when all is in step. */
  needsRecovery = true;

  constructor(dependencies: CriticalSectionDependencies) {
    this.dependencies = dependencies;
  }

  /** Runs a section: no `await` inside, so nothing of this process comes between either. Throws LOCKED, JOURNAL_CORRUPT. */
  run<T>(section: () => T): Promise<T> {
    const { repository, ref, lock, journal, codec, logger, timeoutMs } = this.dependencies;
    return lock.hold(timeoutMs, (takenFrom) => {
      try {
        journal.refresh();
        const copy = journal.isDamaged ? journal.keepCopy() : null;
        if (takenFrom !== null || this.needsRecovery || journal.openMark !== null) {
          const report = recoverRepository(repository, journal, ref, codec);
          lock.sweep();
          sweepGcLock(repository, lock);
          this.needsRecovery = false;
          for (const line of report) logger.warn(line);
        }
        if (copy !== null) this.goOnWithout(copy);
        return section();
      } catch (error) {
        this.tryRecover();
        throw error;
      }
    });
  }

  /** Runs, within a section, what the next to come has to finish or forget should it fail half way. */
  unsettled<T>(work: () => T): T {
    this.needsRecovery = true;
    const result = work();
    this.needsRecovery = false;
    return result;
  }

  /** Tells of what failed and concerns no caller. */
  warn(line: string): void {
    this.dependencies.logger.warn(line);
  }

  /** Drops the damaged part of the journal, and says so once: what was acknowledged and is gone must not go unnoticed. */
  private goOnWithout(copy: string): never {
    this.dependencies.journal.compact();
    throw new MemoryError(
      'JOURNAL_CORRUPT',
      'a part of the journal was damaged, and pending writes in it cannot be read',
      {
        where: copy,
        hint: 'The file named above is a copy of the damaged journal. Intact writes are still pending; repeat the call to continue',
      },
    );
  }

  /** After a failure half way: frees native git and our readers at once where that is possible. */
  private tryRecover(): void {
    if (!this.needsRecovery) return;
    try {
      const { repository, ref, journal, codec } = this.dependencies;
      journal.refresh();
      if (journal.isDamaged) return;
      recoverRepository(repository, journal, ref, codec);
      this.needsRecovery = false;
    } catch {
      // The disk still refuses: needsRecovery stays set, so the next operation tries again. The first failure is reported.
    }
  }
}
