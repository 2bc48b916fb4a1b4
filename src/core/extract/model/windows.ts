// A conversation as a model is shown it: turns with their numbers, cut into windows that fit. Each has a little of what was said before.

import { formatTime } from '../../../base/time.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import type { Transcript, Turn } from '../../../base/types/stored-types.ts';
import { isUnheard, partsOf } from '../trust.ts';
import type { AnswerCache } from './cache-key.ts';
import { canonicalHash } from './cache-key.ts';

/** What is shown at once. */
export interface Window {
  /** 1-based numbers of the first and last turn that items may rest on. */
  readonly first: number;
  readonly last: number;
  /** The text for the model: what was said before, then the turns. */
  readonly text: string;
  /** Remembers that this window was asked, so that a conversation that goes on is asked for its new turns only. */
  settle(): void;
}

/** A turn, or a part of one that is longer than a window. */
interface Piece {
  readonly turn: number;
  readonly text: string;
  readonly tokens: number;
}

/** Of what was said before a window, so that "that one" can be understood. */
const contextTokens = 300;
/** What tools and pages say is shown as far as it can matter. */
const maxQuotedLength = 2000;

/**
 * Cuts a conversation into windows of at most `windowTokens`, as estimated; a longer turn is cut at spaces.
 *
 * A window that was asked holds the same again as long as its turns are the same, although the conversation went on behind them.
 */
export function windowsOf(
  transcript: Transcript,
  { windowTokens, cache, seed }: { windowTokens: number; cache: AnswerCache; seed: string },
): Window[] {
  const pieces = transcript.turns.flatMap((turn, index) =>
    isUnheard(turn) || turn.text.trim() === '' ? [] : piecesOf(turn, index + 1, windowTokens),
  );
  const windows: Window[] = [];
  for (let start = 0; start < pieces.length; ) {
    const end = settledEnd(pieces, start, cache, seed) ?? cutAt(pieces, start, windowTokens);
    windows.push(windowOf(pieces, start, end, cache, seed));
    start = end;
  }
  return windows;
}

function cutAt(pieces: readonly Piece[], start: number, windowTokens: number): number {
  let tokens = 0;
  let end = start;
  while (end < pieces.length && (end === start || tokens + pieces[end]!.tokens <= windowTokens)) {
    tokens += pieces[end]!.tokens;
    end += 1;
  }
  return end;
}

function settledEnd(pieces: readonly Piece[], start: number, cache: AnswerCache, seed: string): number | undefined {
  const settled = cache.get(cutKey(pieces, start, seed));
  if (settled === undefined) return undefined;
  const [count, hash] = settled.split(' ');
  const end = start + Number(count);
  if (!(end > start && end <= pieces.length)) return undefined;
  return hashOf(pieces, start, end) === hash ? end : undefined;
}

/** What stands before a place decides where it is: the same beginning of a conversation is cut in the same way in any file. */
function cutKey(pieces: readonly Piece[], start: number, seed: string): string {
  const before = pieces[start - 1]?.text ?? '';
  return canonicalHash(['cut', seed, start, before, pieces[start]!.text]);
}

function hashOf(pieces: readonly Piece[], start: number, end: number): string {
  return canonicalHash(pieces.slice(start, end).map(({ text }) => text));
}

function windowOf(pieces: readonly Piece[], start: number, end: number, cache: AnswerCache, seed: string): Window {
  const before: string[] = [];
  let tokens = 0;
  for (let at = start - 1; at >= 0 && tokens + pieces[at]!.tokens <= contextTokens; at--) {
    before.unshift(pieces[at]!.text);
    tokens += pieces[at]!.tokens;
  }
  const context =
    before.length === 0 ? '' : `Said before, already read:\n\n${before.join('\n\n')}\n\nTo be read now:\n\n`;
  const shown = pieces.slice(start, end);
  return {
    first: shown[0]!.turn,
    last: shown.at(-1)!.turn,
    text: `${context}${shown.map(({ text }) => text).join('\n\n')}`,
    settle: () => cache.put(cutKey(pieces, start, seed), `${end - start} ${hashOf(pieces, start, end)}`),
  };
}

function piecesOf(turn: Turn, number: number, windowTokens: number): Piece[] {
  const text = shortened(turn);
  const whole = pieceOf(turn, number, text, '');
  if (whole.tokens <= windowTokens) return [whole];
  // Three characters a token, so that hardly any text comes out longer than asked for.
  const parts = cutText(text, Math.max(600, windowTokens * 3));
  return parts.map((part, index) => pieceOf(turn, number, part, `, part ${index + 1} of ${parts.length}`));
}

function pieceOf({ role, speaker, time }: Turn, number: number, words: string, part: string): Piece {
  const who = speaker === undefined ? role : `${role} ${speaker}`;
  // Lines of a turn are indented, so that none of them is a heading.
  const text = `#${number} ${who.replace(/\s+/g, ' ')}, ${formatTime(time).slice(0, 16)}${part}\n${words.replace(/^/gm, '  ')}`;
  return { turn: number, text, tokens: estimateTokens(text) };
}

function shortened(turn: Turn): string {
  const { own, quoted } = partsOf(turn.text);
  if (quoted.length <= maxQuotedLength) return turn.text;
  const rest = quoted.slice(0, maxQuotedLength).replace(/^/gm, '> ');
  return own === '' ? `${rest} …` : `${own}\n${rest} …`;
}

function cutText(text: string, length: number): string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = Math.min(text.length, start + length);
    if (end < text.length) {
      const space = Math.max(text.lastIndexOf('\n', end), text.lastIndexOf(' ', end));
      if (space > start + length / 2) end = space + 1;
    }
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}
