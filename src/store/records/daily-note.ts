// A daily note as an extraction reads it: what stands under its `## Priority Extracts`, each with the line it stands on (spec 3, layer 1).

import { fenceReader } from '../../base/fenced-blocks.ts';
import { endOfDay, isDay } from '../../base/time.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';

/** Gives the note of a day: `raw/daily/2026-02-16.md`. */
export const dailyNotePath = (day: string): string => `raw/daily/${day}.md`;

/** Gives the day of a daily note; null for every other path. */
export const dayOfNote = (path: string): string | null => /^raw\/daily\/(\d{4}-\d\d-\d\d)\.md$/.exec(path)?.[1] ?? null;

const titleBegin = 'Note of ';
const extract = /^\s{0,3}(?:[-*+]|\d{1,3}[.)])?\s*(?:\[[ xX]\]\s*)?(?:\*\*)?\[P[0-3]\]/;

/**
 * Reads a daily note as a conversation of one person with himself, in which turn n is line n. A note only grows, so that a line keeps its
 * number.
 *
 * ```
 * ## 14:05                              the clock, in the time zone of the memory, of all that follows
 * Long talk with Ana about prices       no turn: what is not marked stays a note
 * ## Priority Extracts
 * - [P1] Tiered prices                  the turn; lines that are indented go on with it
 * ```
 *
 * All other lines are turns of nobody, without words. Times are in milliseconds; before the first clock it is the beginning of the day.
 * `day` is that of the path.
 */
export function parseDailyNote(text: string, day: string, timeZone: string): Transcript {
  const end = endOfDay(day, timeZone);
  const started = end + 1 - 86_400_000;
  const turns: Turn[] = [];
  let time = started;
  let isExtracts = false;
  const placeOf = fenceReader();
  let open: number | null = null;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    const clock = heading === undefined ? null : /^(\d\d):(\d\d)(?::(\d\d))?\b/.exec(heading);
    const isCode = placeOf(line) !== null;
    if (!isCode && clock !== null) {
      const [, hours, minutes, seconds = '0'] = clock;
      time = Math.min(end, started + ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000);
    }
    if (!isCode && heading !== undefined) isExtracts = /^priority extracts:?$/i.test(heading);
    const words = line.trim();
    if (!isCode && isExtracts && extract.test(line)) {
      open = turns.length;
      turns.push({ role: 'user', time, text: words });
      continue;
    }
    if (open !== null && /^\s{2,}\S/.test(line) && !/^\s*(?:[-*+]|\d{1,3}[.)])\s/.test(line)) {
      turns[open] = { ...turns[open]!, text: `${turns[open]!.text} ${words}` };
    } else open = null;
    turns.push({ role: 'system', time, text: '' });
  }
  return { sessionId: `daily-${day}`, started, title: `${titleBegin}${day}`, turns };
}

/** Whether a title is the one that every note has, which tells nothing of what it is about. */
export const isNoteTitle = (title: string): boolean =>
  title.startsWith(titleBegin) && isDay(title.slice(titleBegin.length));
