// Two trees before they are merged. Where both sides gave one id of a log to different entries, each side gets the new ids first. They come
// into its log and into every file that cites them. So the files then merge one by one as ever.

import type { Codec } from './codec.ts';
import type { ObjectOverlay, ObjectReader } from './git/object-overlay.ts';
import { diffTrees, findEntry, type TreeDifference } from './git/tree.ts';
import { isMemoryPath } from './hand-edits.ts';
import { alignIds, type IdRule, type Renaming } from './merge/log-ids.ts';
import { entriesOf, renameIds } from './merge/merge-log.ts';
import { textOf } from './merge-stored.ts';
import { kindOf } from './records/kind.ts';
import type { LogEntry } from './records/log.ts';
import { logReaderOf } from './records/log-readers.ts';
import { replaceSequenceIds } from './records/sequence-id.ts';
import type { MergeSides } from './tree-merge.ts';

/** The sides of a merge with the ids they need, and what was renamed. */
export interface ReconciledSides {
  readonly sides: MergeSides;
  readonly renamed: readonly { readonly side: 'ours' | 'theirs'; readonly from: string; readonly to: string }[];
}

type TreeObjects = Pick<ObjectReader, 'readBlob' | 'readTree'>;
type CommitObjects = TreeObjects & Pick<ObjectReader, 'readCommit'>;

/** Where logs lie: nothing is compared while neither side, or one alone, touched them. */
const places = ['ledger', 'CHANGELOG.md', 'CHANGELOG-archive.md', '.memory'];

export function entriesIn(
  objects: CommitObjects,
  codec: Codec,
  commits: readonly string[],
  paths: readonly string[],
): LogEntry[] {
  return commits.flatMap((commit) => entriesAt(objects, codec, objects.readCommit(commit).tree, paths));
}

function entriesAt(objects: TreeObjects, codec: Codec, tree: string | null, paths: readonly string[]): LogEntry[] {
  return paths.flatMap((path) => {
    const read = logReaderOf(path);
    const text = read === null ? null : textAt(objects, codec, tree, path);
    return read === null || text === null ? [] : entriesOf(read(text, path));
  });
}

/** Whose ids stay. */
export interface IdChoice {
  readonly codec: Codec;
  /** Commits that others have; default none. */
  readonly published?: readonly string[];
  /** Whose ids stay of two that nobody else knows; default ours. */
  readonly first?: IdRule['first'];
}

/** Gives the rule for the logs at some paths. */
export function idRuleAt(
  objects: CommitObjects,
  { codec, published = [], first = 'ours' }: IdChoice,
  paths: readonly string[],
): IdRule {
  return { published: entriesIn(objects, codec, published, paths), first };
}

/** Gives both sides the ids that their entries have in the merge. */
export function reconcileLogs(objects: ObjectOverlay, sides: MergeSides, choice: IdChoice): ReconciledSides {
  const { codec } = choice;
  const untouched = { sides, renamed: [] };
  const oidAt = (tree: string | null, place: string) => findEntry(tree, place, objects.readTree)?.oid;
  const isTouched = (tree: string | null) => places.some((place) => oidAt(tree, place) !== oidAt(sides.base, place));
  if (!isTouched(sides.ours) || !isTouched(sides.theirs)) return untouched;
  const changed = {
    ours: diffTrees(sides.base, sides.ours, objects.readTreeBytes),
    theirs: diffTrees(sides.base, sides.theirs, objects.readTreeBytes),
  };
  const paths = [...new Set([...changed.ours, ...changed.theirs].map(({ path }) => path))].filter(
    (path) => logReaderOf(path) !== null,
  );
  const entries = (tree: string | null) => entriesAt(objects, codec, tree, paths);
  const names = alignIds(
    { base: entries(sides.base), ours: entries(sides.ours), theirs: entries(sides.theirs) },
    idRuleAt(objects, choice, paths),
  );
  const rewritten = (side: 'ours' | 'theirs') => rewrite(objects, codec, sides[side], changed[side], names[side]);
  const renamed = (['ours', 'theirs'] as const).flatMap((side) =>
    [...names[side].ids].map(([from, to]) => ({ side, from, to })),
  );
  return { sides: { ...sides, ours: rewritten('ours'), theirs: rewritten('theirs') }, renamed };
}

/** Gives a tree in which the files that one side changed have the new ids; captures are words, and what is derived is made anew. */
function rewrite(
  objects: ObjectOverlay,
  codec: Codec,
  tree: string | null,
  changed: readonly TreeDifference[],
  names: Renaming,
): string | null {
  if (tree === null || names.ids.size + names.dropped.size === 0) return tree;
  const edits = new Map<string, string>();
  for (const { path, after } of changed) {
    if (after === null || !after.mode.startsWith('100') || !mayCite(path)) continue;
    const text = textAt(objects, codec, tree, path);
    if (text === null) continue;
    const read = logReaderOf(path);
    const renamed =
      read === null ? replaceSequenceIds(text, (id) => names.ids.get(id) ?? id) : renameIds(read, path, text, names);
    if (renamed !== text) edits.set(path, objects.addBlob(codec.encode(path, Buffer.from(renamed))));
  }
  return objects.editFiles(tree, edits);
}

/**
 * Tells whether a file may name entries of a log by their ids, and follows where those change. Captures are words, and what is derived is
 * made anew.
 */
export const mayCite = (path: string): boolean =>
  isMemoryPath(path) && !['conversation', 'daily', 'artifact', 'derived'].includes(kindOf(path));

/** Gives the text of a file in a tree; null where there is no file, or no text. */
export function textAt(objects: TreeObjects, codec: Codec, tree: string | null, path: string): string | null {
  const entry = findEntry(tree, path, objects.readTree);
  if (entry === null || !entry.mode.startsWith('100')) return null;
  return textOf(codec, path, objects.readBlob(entry.oid)) ?? null;
}
