// A hit, and what of it no longer holds.

import type { Learnt } from '../base/types.ts';
import type { RankedHit } from './recall-options.ts';

/** When something that was said ended, and what took its place. */
export interface Ended {
  /** The first second at which it no longer holds, which may be one to come; absent where nobody said when. */
  readonly until?: number;
  /** What took its place: the id of a memory or event, or a turn as `path#turn`. */
  readonly by?: string;
  /** What holds in its place, in words. */
  readonly now?: string;
}

/** An ending of a passage, whose words are in the text of the document. */
export interface EndedPassage extends Ended {
  readonly words: string;
}

export interface JudgedHit {
  readonly hit: RankedHit;
  /** 0 to 1; never above that of a hit that comes before. */
  readonly score: number;
  /** Where all that it says ended or will: when, and by what. */
  readonly ended?: Ended;
  /** Where it was learnt, of what code sessions said. */
  readonly learnt?: Learnt;
  /** Passages that ended or will. */
  readonly passages: readonly EndedPassage[];
}

/** Tells whether an ending has come at a time, in seconds. */
export function hasCome({ until }: Ended, seconds: number): boolean {
  return until === undefined || until <= seconds;
}
