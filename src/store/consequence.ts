// Changes other files in the same commit. Derived files are made of one state; a consequence follows from what a change did to the state before it.
// Features say which files, and how; this file says when.

import type { Codec, Privacy } from './codec.ts';
import { type StateFiles, withoutPrivate, withTexts } from './derive.ts';
import type { FileChange, Operation } from './operation.ts';

/** A change of files, as it came out: merged with the present, and without what a rule keeps out. */
export interface StateChange {
  readonly operation: Pick<Operation, 'name' | 'bringsBack' | 'keepsLines' | 'isHandEdit'>;
  readonly before: StateFiles;
  readonly after: StateFiles;
  /** What is different. */
  readonly paths: readonly string[];
  /** What is private after it. */
  readonly privacy: Pick<Privacy, 'isPrivate' | 'patterns'>;
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

export const noConsequence: Consequence = { mayWrite: () => [], follow: () => [] };

/** Makes one of several: each follows the change together with what followed from it before. */
export function inTurn(...sources: readonly ConsequenceSource[]): ConsequenceSource {
  return (present, now) => {
    const all = sources.map((source) => source(present, now));
    return {
      mayWrite(paths) {
        const written = new Set<string>();
        for (const one of all) for (const path of one.mayWrite([...paths, ...written])) written.add(path);
        return [...written];
      },
      follow(change) {
        const texts = new Map<string, string | null>();
        const after = withTexts(change.after, texts);
        for (const one of all) {
          const paths = [...new Set([...change.paths, ...texts.keys()])];
          for (const { path, after: bytes } of one.follow({ ...change, after, paths }))
            texts.set(path, bytes === null ? null : bytes.toString('utf8'));
        }
        return [...texts].map(([path, text]) => ({
          path,
          before: change.after.oidOf(path),
          after: text === null ? null : Buffer.from(text),
        }));
      },
    };
  };
}

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
