// A spot in a file as recall prints it, `PATH#TURN` or `PATH:LINE`, and the lines that are there.

import { MemoryError } from '../../base/errors.ts';
import { dayOfNote } from './daily-note.ts';
import { parseTranscriptWithLines } from './transcript.ts';

/** A turn of a conversation, or a line; both count from 1. */
type Spot = { readonly path: string; readonly turn: number } | { readonly path: string; readonly line: number };

/** Reads `PATH#TURN` and `PATH:LINE`, where the path has an ending; null for all else. */
export function spotIn(named: string): Spot | null {
  const [, path, turn, line] = /^(.+\.\w+)(?:#([1-9]\d{0,8})|:([1-9]\d{0,8}))$/s.exec(named) ?? [];
  if (path === undefined) return null;
  return turn === undefined ? { path, line: Number(line) } : { path, turn: Number(turn) };
}

/** Gives the first and the last line, from 1, of a spot in the text of its file. Throws NOT_FOUND, and what a file that is no conversation says. */
export function linesAt(text: string, spot: Spot): readonly [first: number, last: number] {
  const end = text.replace(/\n$/, '').split('\n').length;
  const isTurn = 'turn' in spot && dayOfNote(spot.path) === null;
  const turns = isTurn ? parseTranscriptWithLines(text, spot.path).turns : [];
  const at = 'turn' in spot ? spot.turn : spot.line;
  const [what, most] = isTurn ? ['turn', turns.length] : ['line', end];
  if (at > most) {
    const hint = `It has ${most}`;
    throw new MemoryError('NOT_FOUND', `${spot.path} has no ${what} ${at}`, { where: spot.path, hint });
  }
  return isTurn ? [turns[at - 1]!.line, (turns[at]?.line ?? end + 1) - 1] : [at, at];
}
