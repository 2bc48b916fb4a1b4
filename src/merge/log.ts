// Three-way merge of one file of an append-only log, entry by entry: what either side appended stays, what one took away goes.

import { joinPieces, type LogEntry, type LogPiece, type LogReader } from '../records/log.ts';
import { compareSequenceIds, formatSequenceId, parseSequenceId, replaceSequenceIds } from '../records/sequence-id.ts';
import { alignIds, keyedEntries, type Renaming } from './log-ids.ts';
import { type MergeResult, mergeTrivially } from './result.ts';

/**
 * Merges two versions of a file of a log; null is a file that is not there.
 *
 * An entry is the same on both sides if its words are, whatever its number. New entries stand behind the old ones, by time, agent and id.
 * Where both sides gave one id to different entries, they get new ones, which is named as a conflict, for files that cite them are not
 * seen here; a merge of trees has seen to it before ([store/merge-logs.ts](../store/merge-logs.ts)). Damaged lines stay, each where it was.
 */
export function mergeLog(
  read: LogReader,
  path: string,
  base: string | null,
  ours: string | null,
  theirs: string | null,
): MergeResult {
  const trivial = mergeTrivially(base, ours, theirs);
  if (trivial !== undefined) return trivial;
  const [before, mine, other] = [base, ours, theirs].map((text) => read(text ?? '', path)) as [
    LogPiece[],
    LogPiece[],
    LogPiece[],
  ];
  const names = alignIds({ base: entriesOf(before), ours: entriesOf(mine), theirs: entriesOf(other) });
  const joined = join(
    before,
    read(renameIds(read, path, ours ?? '', names.ours), path),
    read(renameIds(read, path, theirs ?? '', names.theirs), path),
  );
  const isRenamed = [names.ours, names.theirs].some(({ ids, dropped }) => ids.size + dropped.size > 0);
  const conflicts = [...(isRenamed ? ['ids'] : []), ...(isDisputed(before, mine, other) ? ['lines'] : [])];
  return { merged: joined.length === 0 ? null : joinPieces(joined), conflicts };
}

/** Both sides have put something else in the place of a line that is no entry. */
function isDisputed(base: readonly LogPiece[], ours: readonly LogPiece[], theirs: readonly LogPiece[]): boolean {
  const rests = [base, ours, theirs].map(
    (pieces) => new Set(pieces.flatMap(({ kind, text }) => (kind === 'rest' ? text : []))),
  );
  const [before, mine, other] = rests as [Set<string>, Set<string>, Set<string>];
  const isNew = (side: Set<string>) => [...side].some((text) => !before.has(text));
  return [...before].some((text) => !mine.has(text) && !other.has(text)) && isNew(mine) && isNew(other);
}

/** Gives the entries among pieces. */
export function entriesOf<Value>(pieces: readonly LogPiece<Value>[]): LogEntry<Value>[] {
  return pieces.filter((piece) => piece.kind === 'entry');
}

/** Gives the text of a log's file with the new names, and without what the other side has too. */
export function renameIds(read: LogReader, path: string, text: string, { ids, dropped }: Renaming): string {
  if (ids.size + dropped.size === 0) return text;
  const left = new Set(
    [...keyedEntries(entriesOf(read(text, path)))].flatMap(([key, { line }]) => (dropped.has(key) ? line : [])),
  );
  const kept = dropped.size === 0 ? text : joinPieces(read(text, path).filter(({ line }) => !left.has(line)));
  return replaceSequenceIds(kept, (id) => ids.get(id) ?? id);
}

/**
 * Puts what was appended to an older version behind what stands there now: a write that was acknowledged earlier, on top of what came in
 * meanwhile. Ids that are taken become the next free ones. Undefined where more was done than to append.
 */
export function appendAgain(
  read: LogReader,
  path: string,
  base: string | null,
  present: string,
  wanted: string,
): string | undefined {
  if (!wanted.startsWith(base ?? '')) return undefined;
  const known = new Set([...keyedEntries(entriesOf(read(present, path))).keys()]);
  const before = keyedEntries(entriesOf(read(base ?? '', path)));
  const added = [...keyedEntries(entriesOf(read(wanted, path)))].filter(([key]) => !before.has(key) && !known.has(key));
  const taken = new Set(entriesOf(read(present, path)).map(({ id }) => id));
  const ids = new Map<string, string>();
  for (const [, { id }] of added) {
    const sequence = parseSequenceId(id);
    let name = id;
    for (let next = sequence?.number ?? 0; sequence !== null && taken.has(name); next++) {
      name = formatSequenceId({ series: sequence.series, number: next });
    }
    taken.add(name);
    if (name !== id) ids.set(id, name);
  }
  const lines = added.map(([, { text }]) => ({ text: replaceSequenceIds(text, (id) => ids.get(id) ?? id) }));
  return joinPieces([{ text: present }, ...lines].filter(({ text }) => text !== ''));
}

/** What comes where among new pieces: damaged lines follow the entry before them. */
interface Placed {
  readonly piece: LogPiece;
  readonly after: LogEntry | null;
  readonly position: number;
}

function join(base: readonly LogPiece[], ours: readonly LogPiece[], theirs: readonly LogPiece[]): LogPiece[] {
  const [before, mine, other] = [base, ours, theirs].map(keyedEntries) as [
    Map<string, LogPiece>,
    Map<string, LogPiece>,
    Map<string, LogPiece>,
  ];
  const kept = [...before].flatMap(([key, old]) => {
    const [own, their] = [mine.get(key), other.get(key)];
    if (own === undefined || their === undefined) return [];
    return own.text === old.text ? their : own;
  });
  const placed = new Map<string, Placed>();
  for (const side of [mine, other]) {
    let after: LogEntry | null = null;
    let position = 0;
    for (const [key, piece] of side) {
      if (piece.kind === 'entry') after = piece;
      position += 1;
      if (!before.has(key) && !placed.has(key)) placed.set(key, { piece, after, position });
    }
  }
  const added = [...placed.values()].sort(comparePlaces).map(({ piece }) => piece);
  const joined = [...kept, ...added];
  return isAscending(base) && !isAscending(joined) ? ascending(joined) : joined;
}

function comparePlaces(a: Placed, b: Placed): number {
  const timeOf = ({ after }: Placed): number => after?.time ?? Number.NEGATIVE_INFINITY;
  const byId = a.after && b.after ? compareSequenceIds(a.after.id, b.after.id) : 0;
  const [first, second] = [a.after?.agent ?? '', b.after?.agent ?? ''];
  if (timeOf(a) !== timeOf(b)) return timeOf(a) < timeOf(b) ? -1 : 1;
  return (first < second ? -1 : first > second ? 1 : 0) || byId || a.position - b.position;
}

function isAscending(pieces: readonly LogPiece[]): boolean {
  const entries = entriesOf(pieces);
  return entries.every(({ id }, at) => at === 0 || compareSequenceIds(entries[at - 1]!.id, id) < 0);
}

function ascending(pieces: readonly LogPiece[]): LogPiece[] {
  let after = '';
  return pieces
    .map((piece, position) => {
      if (piece.kind === 'entry') after = piece.id;
      return { piece, after, position };
    })
    .sort((a, b) =>
      a.after === b.after || a.after === '' || b.after === ''
        ? a.position - b.position
        : compareSequenceIds(a.after, b.after),
    )
    .map(({ piece }) => piece);
}
