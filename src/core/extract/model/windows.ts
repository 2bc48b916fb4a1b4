// A conversation as a model is shown it: turns with their speakers and times, cut into windows that fit. Each has a little of what was said before.

import { singleSpaced } from '../../../base/text.ts';
import { clockOf, dayOf } from '../../../base/time.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import type { Transcript, Turn } from '../../../base/types/stored-types.ts';
import { isUnheard, partsOf } from '../trust.ts';
import { type AnswerCache, canonicalHash } from './cache-key.ts';

/** A turn as a model reads it. */
export interface Shown {
  readonly who: string;
  readonly role: string;
  /** `2026-11-02 Mon 09:00`, in the zone of the memory. */
  readonly when: string;
  readonly text: string;
}

/** A turn, or a part of one that is longer than a window. */
export interface Piece {
  /** 1-based, in its conversation. */
  readonly turn: number;
  readonly shown: Shown;
  readonly tokens: number;
}

/** What is shown at once of one conversation. */
export interface Window {
  /** 1-based numbers of the first and last turn that items may rest on. */
  readonly first: number;
  readonly last: number;
  readonly before: readonly Piece[];
  readonly pieces: readonly Piece[];
  readonly tokens: number;
  /** Remembers that this window was asked, so that a conversation that goes on is asked for its new turns only. */
  settle(): void;
}

/** What cuts windows. */
export interface Cutting {
  readonly windowTokens: number;
  readonly timeZone: string;
  readonly cache: AnswerCache;
  readonly seed: string;
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
export function windowsOf(transcript: Transcript, { windowTokens, timeZone, cache, seed }: Cutting): Window[] {
  const pieces = transcript.turns.flatMap((turn, index) =>
    isUnheard(turn) || turn.text.trim() === '' ? [] : piecesOf(turn, index + 1, windowTokens, timeZone),
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
const cutKey = (pieces: readonly Piece[], start: number, seed: string): string =>
  canonicalHash(['cut', seed, start, pieces[start - 1]?.shown ?? '', pieces[start]!.shown]);

const hashOf = (pieces: readonly Piece[], start: number, end: number): string =>
  canonicalHash(pieces.slice(start, end).map(({ shown }) => shown));

function windowOf(all: readonly Piece[], start: number, end: number, cache: AnswerCache, seed: string): Window {
  const before: Piece[] = [];
  let spent = 0;
  for (let at = start - 1; at >= 0 && spent + all[at]!.tokens <= contextTokens; at--) {
    before.unshift(all[at]!);
    spent += all[at]!.tokens;
  }
  const pieces = all.slice(start, end);
  return {
    first: pieces[0]!.turn,
    last: pieces.at(-1)!.turn,
    before,
    pieces,
    tokens: pieces.reduce((sum, { tokens }) => sum + tokens, spent),
    settle: () => cache.put(cutKey(all, start, seed), `${end - start} ${hashOf(all, start, end)}`),
  };
}

function piecesOf(turn: Turn, number: number, windowTokens: number, timeZone: string): Piece[] {
  const text = shortened(turn);
  const whole = pieceOf(turn, number, text, timeZone);
  if (whole.tokens <= windowTokens) return [whole];
  // Three characters a token, so that hardly any text comes out longer than asked for.
  return cutText(text, Math.max(600, windowTokens * 3)).map((part) => pieceOf(turn, number, part, timeZone));
}

function pieceOf({ role, speaker, time }: Turn, number: number, text: string, timeZone: string): Piece {
  const who = singleSpaced(speaker ?? role);
  const shown = { who, role, when: `${dayAndWeekday(time, timeZone)} ${clockOf(time, timeZone).slice(0, 5)}`, text };
  return { turn: number, shown, tokens: estimateTokens(JSON.stringify(shown)) };
}

/** Writes a day as a model is shown one: `2026-11-02 Mon`. */
export function dayAndWeekday(time: number, timeZone: string): string {
  const day = dayOf(time, timeZone);
  return `${day} ${new Date(day).toUTCString().slice(0, 3)}`;
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
