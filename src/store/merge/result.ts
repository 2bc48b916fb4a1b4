// The answer of every merge of a file, and the cases that need no look inside.

/** The outcome of a three-way merge of one file. */
export interface MergeResult {
  /** The merged text; null if the file is gone. With conflicts, a text that is whole and valid in which one side has won. */
  readonly merged: string | null;
  /** Names what was changed in two ways: keys of a record, items, lines. Empty if the merge is clean. */
  readonly conflicts: readonly string[];
}

/** Three versions of one thing: where both sides come from, and the sides. */
export type Three<Version> = readonly [base: Version, ours: Version, theirs: Version];

/** Three versions of a file; null is a file that is not there. */
export type Sides = Three<string | null>;

/** The same of a file that both sides have. */
export type TextSides = readonly [base: string | null, ours: string, theirs: string];

/** Makes something of each of three versions. */
export const ofEach = <From, To>([base, ours, theirs]: Three<From>, make: (version: From) => To): Three<To> => {
  return [make(base), make(ours), make(theirs)];
};

/** Whose change stands where both cannot. */
export type Winner = 'ours' | 'theirs';

/** Gives the result where at most one side changed, or both did the same; undefined where a real merge is needed. */
export function mergeTrivially([base, ours, theirs]: Sides): MergeResult | undefined {
  if (ours === theirs || theirs === base) return { merged: ours, conflicts: [] };
  if (ours === base) return { merged: theirs, conflicts: [] };
  return undefined;
}
