// The sliding window over a session: its newest turns, oldest first. What does not fit goes in chunks from the beginning. So the text only
// grows at its end for many turns, and a provider that keeps prefixes reads only what is new.

import { count } from '../../../base/count.ts';
import { oneLine } from '../../../base/text.ts';
import type { ContextTurn } from '../../../base/types/compiled-types.ts';
import { asSpoken } from './data-text.ts';
import { fitText, type Meter } from './meter.ts';
import type { Piece } from './part.ts';

export interface Window {
  readonly pieces: readonly Piece[];
  /** How many of the oldest turns are not shown. */
  readonly evicted: number;
}

/** A tool's answer becomes one line of at most so many characters. */
const toolLength = 200;
/** No turn takes more than this share of the window. */
const mostOfWindow = 0.25;
/** Below so many tokens no turn is cut, however small the window is: an older turn goes sooner than the words of a newer one. */
const shortTurn = 32;

/**
 * Shows the newest turns within a room.
 *
 * ```
 * turns      1 2 3 | 4 5 6 | 7 8 9 | 10 11      chunks of `share` of the room, counted from the first turn
 * shown              4 5 6   7 8 9   10 11      until these do not fit; then from 7 on
 * ```
 *
 * Which turn is the first depends on the turns before it and on the room alone. A turn is rendered in the same way as long as it is there.
 * A turn of a tool is one line, a long turn its beginning and its end.
 */
export function windowOf(turns: readonly ContextTurn[], room: number, share: number, meter: Meter): Window {
  const most = Math.max(shortTurn, Math.floor(room * mostOfWindow));
  const rendered = turns.map((turn, at) => pieceOf(turn, at + 1, most, meter));
  const before: number[] = [];
  let total = 0;
  for (const { tokens } of rendered) {
    before.push(total);
    total += tokens;
  }
  if (total <= room) return { pieces: rendered, evicted: 0 };
  const chunk = Math.max(1, Math.floor(room * share));
  const note = (evicted: number): Piece => {
    const text = `(${count(evicted, 'earlier turn is', 'earlier turns are')} not shown)`;
    return { source: 'earlier turns', text, tokens: meter.count(`${text}\n`), why: 'what is not shown any more' };
  };
  for (let boundary = chunk; boundary < total; boundary += chunk) {
    const first = before.findIndex((tokens) => tokens >= boundary);
    if (first < 0) break;
    const told = note(first);
    if (total - before[first]! + told.tokens <= room)
      return { pieces: [told, ...rendered.slice(first)], evicted: first };
  }
  return { pieces: [], evicted: turns.length };
}

function pieceOf({ role, speaker, text }: ContextTurn, number: number, most: number, meter: Meter): Piece {
  const name = speaker === undefined ? role : `${role} (${oneLine(speaker, 80)})`;
  const isTool = role === 'tool' || role === 'function';
  const told = asSpoken(name, isTool ? oneLine(text, toolLength) : text);
  const cut = meter.count(`${told}\n`) > most ? shortened(told, most, meter) : told;
  return {
    source: `turn ${number}`,
    text: cut,
    tokens: meter.count(`${cut}\n`),
    why: isTool ? 'the session so far; of a tool one line' : 'the session so far',
    turn: number,
    ...(cut === told ? {} : { isCut: true as const }),
  };
}

/** Two thirds from the beginning, and the end. */
function shortened(text: string, most: number, meter: Meter): string {
  const head = fitText(text, Math.floor((most * 2) / 3), meter);
  const tail = fitText(text, Math.floor(most / 3), meter, 'end');
  const joined = [head?.text ?? '', (tail?.text ?? '').replace(/^…\n/, '').replace(/^(?! )/, '  ')]
    .filter((part) => part.trim() !== '')
    .join('\n');
  return joined === '' ? '…' : joined;
}
