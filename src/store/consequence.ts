// What has to change with other files, in the same commit: not made of one state alone, as derived files are, but of what a change did to
// the state before it. Which files, and how, is said by those who know them; here stands only when.

import type { Codec, Privacy } from './codec.ts';
import { type StateFiles, withoutPrivate } from './derive.ts';
import type { FileChange, Operation } from './operation.ts';

/** A change of files, as it came out: merged with the present, and without what a rule keeps out. */
export interface StateChange {
  readonly operation: Pick<Operation, 'name' | 'bringsBack'>;
  readonly before: StateFiles;
  readonly after: StateFiles;
  /** What is different. */
  readonly paths: readonly string[];
  /** What is private after it. */
  readonly privacy: Pick<Privacy, 'isPrivate'>;
}

/** What follows from changes, at one time. */
export interface Consequence {
  /** Names the files that may be written because some are; what people did to those by hand goes in first. */
  mayWrite(paths: readonly string[]): readonly string[];
  /** Gives what has to change beside, upon `after`; nothing for most changes. */
  follow(change: StateChange): readonly FileChange[];
}

/** Says what follows from changes upon a state; `now` in milliseconds. */
export type ConsequenceSource = (present: StateFiles, now: number) => Consequence;

/** Nothing follows. */
export const noConsequence: Consequence = { mayWrite: () => [], follow: () => [] };

/** Gives what follows from a change, as it is stored. Without their key private files are not looked at. */
export function followingChanges(
  consequence: Consequence,
  { before, after, ...change }: Omit<StateChange, 'privacy'>,
  codec: Codec,
  privacy: Privacy,
): FileChange[] {
  const readable = (files: StateFiles) => (codec.holdsKeyOf(privacy) ? files : withoutPrivate(files, privacy));
  const changes = consequence.follow({ ...change, before: readable(before), after: readable(after), privacy });
  return changes.map((made) => ({ ...made, after: made.after && codec.encode(made.path, made.after, privacy) }));
}
