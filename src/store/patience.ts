// How long a question reads what nobody has kept of a past yet. Then another process goes on, and the answer says how much it did not see.

import { count } from '../base/count.ts';
import { monotonicMs } from '../base/monotonic.ts';
import { once } from '../base/once-per.ts';

/** Makes all that questions need kept, in a process of its own. */
export interface Background {
  /** Whether this process was begun so. It does one thing that is much, and leaves the next to another: memory is not given back. */
  readonly isOne: boolean;
  /** Whether one is at it. */
  isAtWork(): boolean;
  /** Begins one, where none is at it; false where none can be begun. */
  begin(): boolean;
}

/** How much one look reads. */
export interface Reading {
  /** Whether what was read is worth keeping at once. */
  readonly keeps: boolean;
  /** Whether the rest is left, by how much was read. */
  isEnough(read: number): boolean;
}

/** A question reads for so many milliseconds at most, but so much at least; of fewer records than `most` it makes the table itself. */
const usual = { ms: 1200, least: 8192, most: 30_000 };
/** After so long another question begins. */
const nextMs = 5000;

/** What all looks of a question share. */
export class Patience {
  readonly #background: () => Background | null;
  readonly limits: typeof usual;
  #end = Number.NEGATIVE_INFINITY;

  /** Without a background all is read, however long that takes. Few questions ask for it. */
  constructor(background: () => Background | null, limits = usual) {
    this.#background = once(background);
    this.limits = limits;
  }

  get background(): Background | null {
    return this.#background();
  }

  /** Begins a look at many new files. */
  reading(): Reading {
    const { background } = this;
    this.isEnough(0);
    if (background === null) return { keeps: true, isEnough: () => false };
    // A process that is at it began with the newest, too, and keeps that.
    const isAtWork = background.isAtWork();
    return { keeps: !isAtWork, isEnough: (read) => isAtWork || this.isEnough(read) };
  }

  /** Whether so much is enough for a question, for another process goes on. */
  isEnough(read: number): boolean {
    const now = monotonicMs();
    if (now > this.#end + nextMs) this.#end = now + this.limits.ms;
    return read >= this.limits.least && now >= this.#end && this.background?.begin() === true;
  }

  /** Leaves work of so many steps, which no answer needs, to another process; false where it is little, or none can do it. */
  leaves(steps: number): boolean {
    return steps >= this.limits.least && this.background?.begin() === true;
  }

  /** Whether a look that left something is worth another one by now. */
  get isOver(): boolean {
    return monotonicMs() > this.#end + nextMs;
  }
}

/** Tells people and agents what an answer did not see. */
export const unseenTold = (files: number): string =>
  `${count(files, 'file')} not looked at yet: what is found in them is being made ready by another process. Ask again in a minute.`;
