// The files of the ledger: a segment of JSON lines for each day, and an archive for each year.

import { defined, MemoryError, orElse } from '../../base/errors.ts';
import { splitKeepingEnds } from '../../base/text.ts';
import type { LedgerEvent } from '../../base/types/ledger-types.ts';
import { readEvent, type TimedEvent, withoutWords } from './ledger-event.ts';
import type { LogContinuation, LogPiece } from './log.ts';
import { dayOfSeries, parseSequenceId } from './sequence-id.ts';

/** Gives the segment of a day: `ledger/2026/01/2026-01-28.jsonl`. */
export const segmentPath = (day: string): string => `ledger/${day.slice(0, 4)}/${day.slice(5, 7)}/${day}.jsonl`;

/** Gives the archive of the year in which an event happened: `ledger/ledger-archive-2026.jsonl`. */
export const ledgerArchivePath = (day: string): string => `ledger/ledger-archive-${day.slice(0, 4)}.jsonl`;

/** Gives the day of a segment; null for every other path. */
export function dayOfSegment(path: string): string | null {
  const match = /^ledger\/(\d{4})\/(\d\d)\/(\d{4}-\d\d-\d\d)\.jsonl$/.exec(path);
  return match !== null && match[3]!.startsWith(`${match[1]}-${match[2]}-`) ? match[3]! : null;
}

/** Tells whether a path is that of an archive of the ledger. */
export const isLedgerArchive = (path: string): boolean => /^ledger\/ledger-archive-\d{4}\.jsonl$/.test(path);

/**
 * Cuts a file of the ledger into its lines; see `LogReader`. A line that is no event says why and stands for nothing else.
 *
 * ```
 * {"ts": …, "id": "EVT-20260128-001", …}     an entry
 *                                            blank: rest
 * {"ts": "2026-01-2                          rest, "breaks off in the middle": a writer died here
 * ```
 */
export const parseLedger = (text: string, path: string): LogPiece<LedgerEvent>[] => piecesFrom(text, path, 1);

/** Goes on where a file of the ledger ended; see `LogContinuation`. */
export const continueLedger: LogContinuation<LedgerEvent> = (before, text, path) => {
  const isWhole = before.text.endsWith('\n') && text.startsWith(before.text);
  // Every line is a piece.
  return isWhole
    ? [...before.pieces, ...piecesFrom(text.slice(before.text.length), path, before.pieces.length + 1)]
    : null;
};

function piecesFrom(text: string, path: string, first: number): LogPiece<LedgerEvent>[] {
  const pieces: LogPiece<LedgerEvent>[] = [];
  let line = first;
  for (let start = 0; start < text.length; line++) {
    const end = text.indexOf('\n', start);
    const stop = end < 0 ? text.length : end + 1;
    pieces.push(pieceOf(text.slice(start, stop), path, line));
    start = stop;
  }
  return pieces;
}

function pieceOf(text: string, path: string, line: number): LogPiece<LedgerEvent> {
  const rest = { kind: 'rest', line, text } as const;
  if (!text.startsWith('{') && text.trim() === '') return rest;
  const where = `${path}:${line}`;
  let read: TimedEvent;
  try {
    read = readEvent(text, where);
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== 'INVALID_RECORD') throw error;
    const why = error.what.slice(where.length + 1);
    return { ...rest, why: !text.endsWith('\n') && why === 'is not valid JSON' ? 'breaks off in the middle' : why };
  }
  const { event, time } = read;
  const sameAs =
    event.memory !== undefined
      ? `memory:${event.memory}`
      : event.compacts !== undefined
        ? `compacts:${[...event.compacts].sort().join(' ')}`
        : undefined;
  const { related = [], supersedes } = event;
  return {
    kind: 'entry',
    id: event.id,
    time,
    agent: event.agent ?? event.session ?? '',
    ...defined({ sameAs }),
    names: supersedes === undefined ? related : [...related, supersedes],
    ...defined({ supersedes }),
    line,
    text,
    value: event,
  };
}

/** Takes the words of some events, by their ids, out of a file of the ledger. */
export function withoutWordsOf(text: string, path: string, ids: ReadonlySet<string>): string {
  return parseLedger(text, path)
    .map((piece) => (piece.kind === 'entry' && ids.has(piece.id) ? withoutWords(piece.text, path) : piece.text))
    .join('');
}

/**
 * Gives what a file of the ledger grew by; null where it did something else than to grow.
 *
 * Words may be forgotten: an event in its place that says nothing any more is the same event.
 */
export function grownBy(before: string, after: string, path: string): string | null {
  if (after.startsWith(before)) return after.slice(before.length);
  let at = 0;
  for (const line of splitKeepingEnds(before)) {
    const stands = [line, orElse(() => withoutWords(line, path), null, 'INVALID_RECORD')].find(
      (one) => one !== null && after.startsWith(one, at),
    );
    if (stands == null) return null;
    at += stands.length;
  }
  return after.slice(at);
}

/**
 * Checks what was added to a file of the ledger: events of its day (or year), numbered on from what stands there.
 *
 * @throws MemoryError INVALID_RECORD with path, line and reason.
 */
export function checkAddedEvents(before: string, added: string, path: string): void {
  const first = before === '' ? 1 : before.split('\n').length;
  const day = dayOfSegment(path);
  if (day === null && !isLedgerArchive(path)) return;
  let last = day === null ? 0 : highestNumber(before);
  for (const piece of parseLedger(added, path)) {
    const line = first + piece.line - 1;
    if (piece.kind === 'rest') {
      if (piece.why !== undefined) throw broken(path, line, piece.why);
      continue;
    }
    if (day === null) continue;
    const { series, number } = parseSequenceId(piece.id)!;
    if (dayOfSeries(series) !== day) throw broken(path, line, `id: ${piece.id} is not of this day`);
    if (number <= last) throw broken(path, line, `id: ${piece.id} is taken, or comes after a later one`);
    last = number;
  }
}

/** The highest number that an id of these lines has; damaged lines count, so that no number is given twice. */
export function highestNumber(lines: string): number {
  let highest = 0;
  for (const [, number] of lines.matchAll(/"id":\s*"EVT-\d{8}-(\d{3,9})"/g))
    highest = Math.max(highest, Number(number));
  return highest;
}

function broken(path: string, line: number, why: string): MemoryError {
  return new MemoryError('INVALID_RECORD', `${path}:${line} ${why}`, {
    where: path,
    hint: '`git memory ledger add` appends an event and gives it its id',
  });
}
