// Limits the work spent on what others sent: one value for the whole of a fetch, handed from step to step. It counts work, not time, so that a
// slow machine takes in what a quick one does.

import { MemoryError } from '../../base/errors.ts';

/** How much there may be of each kind of work. */
interface WorkLimits {
  readonly objects: number;
  /** Bytes that are made by inflating and by applying deltas, each time they are. */
  readonly bytes: number;
  /** Entries of trees that are looked at, each at every path where it stands. */
  readonly paths: number;
}

/** Counts down what may still be spent. */
export class WorkBudget {
  private readonly limits: WorkLimits;
  private readonly spent: Record<keyof WorkLimits, number> = { objects: 0, bytes: 0, paths: 0 };

  constructor(limits: WorkLimits) {
    this.limits = limits;
  }

  /** Takes some of it; throws TOO_LARGE when there is no more. */
  spend(what: keyof WorkLimits, amount = 1): void {
    this.spent[what] += amount;
    if (this.spent[what] <= this.limits[what]) return;
    const hint = 'This is not a memory, or it is too large to read';
    throw new MemoryError('TOO_LARGE', `reading it takes more than ${this.limits[what]} ${what}`, { hint });
  }
}

/**
 * Gives what may be spent on a pack of so many bytes.
 *
 * Objects: half a million captures. Bytes: zlib makes at most a thousand of one, and deltas of a folder that grows a hundred. It is never
 * more than is read in some minutes. Paths: what was committed, several times over, and room for what is the same in many places.
 */
export function workForPack(packBytes: number): WorkLimits {
  return {
    objects: 4_000_000,
    bytes: Math.min((1 << 28) + packBytes * 1000, 64 * 2 ** 30),
    paths: Math.min(1_000_000 + packBytes, 12_000_000),
  };
}
