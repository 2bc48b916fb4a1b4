// What every merge of a file answers, and the cases that need no look inside.

/** The outcome of a three-way merge of one file. */
export interface MergeResult {
  /** The merged text; null if the file is gone. With conflicts, a text that is whole and valid in which one side has won. */
  readonly merged: string | null;
  /** Names what was changed in two ways: keys of a record, items, lines. Empty if the merge is clean. */
  readonly conflicts: readonly string[];
}

/** Whose change stands where both cannot. */
export type Winner = 'ours' | 'theirs';

/** Gives the result where at most one side changed, or both did the same; undefined where a real merge is needed. */
export function mergeTrivially(
  base: string | null,
  ours: string | null,
  theirs: string | null,
): MergeResult | undefined {
  if (ours === theirs || theirs === base) return { merged: ours, conflicts: [] };
  if (ours === base) return { merged: theirs, conflicts: [] };
  return undefined;
}
