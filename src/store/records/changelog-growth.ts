// A changelog that has grown at its end, read from its last event on.

import type { ChangelogEvent } from '../../base/types/changelog-types.ts';
import { logOffset, parseChangelog } from './changelog.ts';
import type { LogContinuation, LogPiece } from './log.ts';

const head = '## Event Log\n';

/**
 * Goes on where a changelog ended; see `LogContinuation`.
 *
 * What came may belong to the last event, so that one is read again, and with it all that stands behind it:
 *
 * ```
 * preamble │ evt-001 │ … │ evt-011 │ evt-012 │ evt-013       the text now
 *  stays     stays         stays     read again, under a heading of the log of its own
 * ```
 */
export const continueChangelog: LogContinuation<ChangelogEvent> = (before, text, path) => {
  const { pieces } = before;
  const last = pieces.findLastIndex(({ kind }) => kind === 'entry');
  // Carriage returns have one note, at the first event that has one.
  if (last < 0 || !text.startsWith(before.text) || text.includes('\r')) return null;
  if (logOffset(text, path) !== logOffset(before.text, path)) return null;
  const staying = pieces.slice(0, last);
  const left = pieces.slice(last).reduce((length, piece) => length + piece.text.length, 0);
  const old = pieces[last]!;
  const blank = /^(?:[^\S\n]*\n)*/.exec(old.text)![0].split('\n').length - 1;
  // The heading of the log is line 1 of what is read.
  const shift = old.line - blank - 2;
  const [own, ...read] = parseChangelog(head + text.slice(before.text.length - left), path);
  const [again, ...rest] = read.map((piece) => shifted(piece, shift));
  if (own?.text !== head || again === undefined) return null;
  // The same text is the same event: its notes follow from its text.
  const isSame = again.kind === 'entry' && again.text === old.text && again.line === old.line;
  return [...staying, isSame ? old : again, ...rest];
};

function shifted(piece: LogPiece<ChangelogEvent>, by: number): LogPiece<ChangelogEvent> {
  const line = piece.line + by;
  if (piece.kind === 'rest') return { ...piece, line };
  const { notes, value } = piece;
  return {
    ...piece,
    line,
    value: { ...value, line: value.line + by },
    ...(notes === undefined ? {} : { notes: notes.map((note) => ({ ...note, line: note.line + by })) }),
  };
}
