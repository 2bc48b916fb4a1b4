// Three-way merge of one file of an append-only log, entry by entry: what either side appended stays, what one took away goes.

import { joinPieces, type LogEntry, type LogPiece, type LogReader } from '../records/log.ts';
import { compareSequenceIds, replaceSequenceIds } from '../records/sequence-id.ts';
import { alignIds, type IdRule, keyedEntries, oursFirst, type Renaming } from './log-ids.ts';
import { type MergeResult, mergeTrivially, ofEach, type Sides, type Winner } from './result.ts';
import { mergeText } from './text.ts';

/**
 * Merges two versions of a file of a log; null is a file that is not there.
 *
 * An entry is the same on both sides if its words are, whatever its number. New entries stand behind the old ones, by their ids. Where both
 * sides gave one id to different entries, one gets a new one ({@link alignIds}). That is named as a conflict, for files that cite them are not seen
 * here. A merge of trees has seen to it before ([store/merge-logs.ts](../merge-logs.ts)). Damaged lines stay, each where it was, and
 * so does what stands between entries. A preamble is merged as text; where both changed a line of it, the winner's stands.
 */
export function mergeLog(
  read: LogReader,
  path: string,
  sides: Sides,
  winner: Winner = 'ours',
  ids: IdRule = oursFirst,
): MergeResult {
  const trivial = mergeTrivially(sides);
  if (trivial !== undefined) return trivial;
  const [base, ours, theirs] = sides;
  const [before, mine, other] = ofEach(sides, (text) => read(text ?? '', path));
  const names = alignIds({ base: entriesOf(before), ours: entriesOf(mine), theirs: entriesOf(other) }, ids);
  const [old, left, right] = [
    partsOf(before),
    partsOf(read(renameIds(read, path, ours ?? '', names.ours), path)),
    partsOf(read(renameIds(read, path, theirs ?? '', names.theirs), path)),
  ];
  const head = mergeText(base === null ? null : old.head, left.head, right.head, winner);
  const joined = join(old.pieces, left.pieces, right.pieces);
  const isRenamed = [names.ours, names.theirs].some(({ ids, dropped }) => ids.size + dropped.size > 0);
  const isHeadDisputed = !head.clean && left.head !== '' && right.head !== '';
  const conflicts = [
    ...(isRenamed ? ['ids'] : []),
    ...(isDisputed(before, mine, other) || isHeadDisputed ? ['lines'] : []),
  ];
  const merged = head.text + joinPieces(joined);
  return { merged: merged === '' ? null : merged, conflicts };
}

/** What stands before the first entry and is not damaged: a text of its own. */
function partsOf(pieces: readonly LogPiece[]): { readonly head: string; readonly pieces: readonly LogPiece[] } {
  const [first] = pieces;
  if (first?.kind !== 'rest' || first.why !== undefined) return { head: '', pieces };
  return { head: first.text, pieces: pieces.slice(1) };
}

/** Both sides have put something else in the place of a line that is damaged. */
function isDisputed(base: readonly LogPiece[], ours: readonly LogPiece[], theirs: readonly LogPiece[]): boolean {
  const rests = [base, ours, theirs].map(
    (pieces) =>
      new Set(pieces.flatMap((piece) => (piece.kind === 'rest' && piece.why !== undefined ? piece.text : []))),
  );
  const [before, mine, other] = rests as [Set<string>, Set<string>, Set<string>];
  const isNew = (side: Set<string>) => [...side].some((text) => !before.has(text));
  return [...before].some((text) => !mine.has(text) && !other.has(text)) && isNew(mine) && isNew(other);
}

/** Gives the entries among pieces. */
export const entriesOf = <Value>(pieces: readonly LogPiece<Value>[]): LogEntry<Value>[] =>
  pieces.filter((piece) => piece.kind === 'entry');

/** Gives the text of a log's file with the new names, and without what the other side has too. */
export function renameIds(read: LogReader, path: string, text: string, { ids, dropped }: Renaming): string {
  if (ids.size + dropped.size === 0) return text;
  const left = new Set(
    [...keyedEntries(entriesOf(read(text, path)))].flatMap(([key, { line }]) => (dropped.has(key) ? line : [])),
  );
  const kept = dropped.size === 0 ? text : joinPieces(read(text, path).filter(({ line }) => !left.has(line)));
  return replaceSequenceIds(kept, (id) => ids.get(id) ?? id);
}

/** Pieces of one side by their keys, in the order of the file. */
type Keyed = ReadonlyMap<string, LogPiece>;

function join(base: readonly LogPiece[], ours: readonly LogPiece[], theirs: readonly LogPiece[]): LogPiece[] {
  const [before, mine, other] = [keyedEntries(base), keyedEntries(ours), keyedEntries(theirs)];
  const kept = new Map<string, LogPiece>();
  for (const [key, old] of before) {
    const [own, their] = [mine.get(key), other.get(key)];
    if (own !== undefined && their !== undefined) kept.set(key, own.text === old.text ? their : own);
  }
  const added = new Map([...mine, ...other].filter(([key]) => !before.has(key)));
  const entries = [
    ...entriesWithKeys(kept),
    ...entriesWithKeys(added).sort(([, a], [, b]) => a.time - b.time || compareSequenceIds(a.id, b.id)),
  ];
  const ids = entries.map(([, { id }]) => id);
  if (isAscending(entriesOf(base).map(({ id }) => id)) && !isAscending(ids))
    entries.sort(([, a], [, b]) => compareSequenceIds(a.id, b.id));
  return withRests(entries, [kept, added], [before, mine, other]);
}

const entriesWithKeys = (pieces: Keyed): [string, LogEntry][] =>
  [...pieces].filter((pair): pair is [string, LogEntry] => pair[1].kind === 'entry');

const isAscending = (ids: readonly string[]): boolean =>
  ids.every((id, at) => at === 0 || compareSequenceIds(ids[at - 1]!, id) < 0);

/**
 * Puts what is between entries behind the entry that it followed, or the nearest before that which is still here. First comes what the base
 * had, then what the sides brought, in an order that does not depend on which of them is called ours.
 */
function withRests(
  entries: readonly (readonly [string, LogEntry])[],
  [kept, added]: readonly [Keyed, Keyed],
  [before, mine, other]: readonly [Keyed, Keyed, Keyed],
): LogPiece[] {
  const placed = new Set(entries.map(([key]) => key));
  const restsOf = (side: Keyed, wanted: Keyed): Map<string, LogPiece[]> => {
    const rests = new Map<string, LogPiece[]>();
    let anchor = '';
    for (const [key, piece] of side) {
      if (piece.kind === 'entry') anchor = placed.has(key) ? key : anchor;
      else if (wanted.has(key)) rests.set(anchor, [...(rests.get(anchor) ?? []), piece]);
    }
    return rests;
  };
  const old = restsOf(before, kept);
  const sides = [restsOf(mine, added), restsOf(other, added)];
  const behind = (anchor: string): LogPiece[] => {
    const groups = sides
      .map((rests) => rests.get(anchor) ?? [])
      .sort((a, b) => (joinPieces(a) < joinPieces(b) ? -1 : 1));
    const pieces = [...(old.get(anchor) ?? []), ...groups.flat()];
    // What both sides brought is there once.
    return pieces.filter(({ text }, at) => pieces.findIndex((other) => other.text === text) === at);
  };
  return [...behind(''), ...entries.flatMap(([key, entry]) => [entry, ...behind(key)])];
}
