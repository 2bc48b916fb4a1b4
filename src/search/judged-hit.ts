// A hit, and what of it no longer holds.

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

/** A passage after which something else was said of the same matter: it may be out of date, and nothing says that it is. */
export interface EarlierPassage {
  readonly words: string;
  /** When the later one was said, in milliseconds since the Unix epoch. */
  readonly later: number;
  /** The claim that was made of it. */
  readonly id?: string;
}

export interface JudgedHit {
  readonly hit: RankedHit;
  /** 0 to 1; never above that of a hit that comes before. */
  readonly score: number;
  /** Where all that it says ended or will: when, and by what. */
  readonly ended?: Ended;
  /** Passages that ended or will. */
  readonly passages: readonly EndedPassage[];
  /** Claims that it tells and that are over as the question was read; their records say nothing of it. */
  readonly readAsEnded?: readonly (Ended & { readonly id: string })[];
  /** Passages that something later may have put out of date. */
  readonly earlier?: readonly EarlierPassage[];
}

/** Tells whether an ending has come at a time, in seconds. */
export function hasCome({ until }: Ended, seconds: number): boolean {
  return until === undefined || until <= seconds;
}
