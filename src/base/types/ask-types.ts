// What an agent is asked about a conversation that it took part in.

import type { MemoryCategory } from './stored-types.ts';

/** A claim that holds, and may be the one that a change is about. */
export interface ProposedClaim {
  readonly id: string;
  readonly content: string;
  /** The day on which it was said, `YYYY-MM-DD`. */
  readonly day: string;
}

/** Something that was said and seems worth keeping, or to change what is known. */
export interface Proposal {
  /** 1-based, of the conversation. */
  readonly turn: number;
  readonly speaker: string;
  /** The words of the turn. */
  readonly text: string;
  readonly category?: MemoryCategory;
  /** The memory that was made of it already. */
  readonly id?: string;
  /** How surely it sounds like a change, 0 to 1; absent where it does not. */
  readonly change?: number;
  /** With a change: claims that hold and may be meant, the likeliest first, 20 at most. */
  readonly near?: readonly ProposedClaim[];
}
