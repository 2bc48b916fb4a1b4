// Shows pending files in the work tree a moment after their write was acknowledged, outside the caller's time.

import type { Logger } from '../base/ports.ts';
import type { Checkout } from './checkout.ts';
import type { CriticalSection } from './critical-section.ts';
import type { NewPendingEntry } from './journal-records.ts';
import type { Snapshot } from './snapshot.ts';

/** How long the work tree may lag behind the journal. */
const placingDelayMs = 20;

/** What works on the files beside a branch. */
export interface PendingPlacingDependencies {
  readonly section: CriticalSection;
  readonly checkout: Checkout;
  readonly logger: Logger;
  tip(): string | null;
  /** The whole state at a tip with what is pending on top; valid until the next write. */
  snapshotAt(tip: string | null): Snapshot;
}

export class PendingPlacing {
  private readonly dependencies: PendingPlacingDependencies;
  /** Pending paths that the work tree does not show yet. */
  private readonly unplaced = new Set<string>();
  private timer: NodeJS.Timeout | null = null;

  constructor(dependencies: PendingPlacingDependencies) {
    this.dependencies = dependencies;
  }

  /** Notes what is to be shown. */
  add(entries: readonly NewPendingEntry[]): void {
    for (const { changes } of entries) for (const { path } of changes) this.unplaced.add(path);
  }

  /** Forgets what was to be shown. */
  clear(): void {
    this.unplaced.clear();
  }

  /** Brings the work tree in step with the journal now instead of in a moment. */
  async settle(): Promise<void> {
    this.stop();
    if (this.unplaced.size > 0) await this.dependencies.section.run(() => this.place());
  }

  /** Brings it in step in a moment. */
  schedule(): void {
    const { checkout, logger } = this.dependencies;
    if (this.timer !== null || checkout.workTree === null) return;
    this.timer = setTimeout(() => {
      this.timer = null;
      // The journal has the write and a flush places it too, so a failure here is worth a word and no more.
      this.settle().catch((error: unknown) => logger.warn(`a pending file cannot be shown: ${error}`));
    }, placingDelayMs);
  }

  /** Lets go of the timer; nothing is written. */
  stop(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
  }

  /** Shows what is pending, under the lock, but not over what a person wrote there since. */
  place(): void {
    const { checkout, tip, snapshotAt } = this.dependencies;
    const paths = [...this.unplaced];
    this.unplaced.clear();
    checkout.show(snapshotAt(tip()), paths);
  }
}
