// The heading of one turn: what it says, and which moment its clock means. The text below it is transcript.ts's.

import { MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { dayMs, formatTime, isDay, parseTime } from '../../base/time.ts';
import type { Turn } from '../../base/types/stored-types.ts';

/** A heading as the file has it. */
interface TurnHeading {
  /** `YYYY-MM-DD`, where the heading carries it. */
  readonly day: string | undefined;
  readonly hour: number;
  readonly minute: number;
  /** Undefined where the clock has minutes only. */
  readonly second: number | undefined;
  readonly role: string;
  readonly speaker: string | undefined;
  readonly flag: string | undefined;
}

/** Above what {@link formatHeading} writes: a longer line is text, and not worth matching. */
const maxHeadingLength = 400;
const pattern =
  /^## (?:(\d{4}-\d\d-\d\d) )?([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))? +[—–-] +([^()[\]]*[^()[\]\s])(?: \((.+)\))?(?: \[([^[\]]+)\])?\s*$/;

/** Parses a line as the heading of a turn; undefined if it is none. */
export function parseHeading(line: string): TurnHeading | undefined {
  // Nearly every line of a transcript ends here.
  if (!line.startsWith('## ') || line.length > maxHeadingLength) return undefined;
  const match = pattern.exec(line);
  if (match === null) return undefined;
  const [, day, hour, minute, second, role = '', speaker, flag] = match;
  if (day !== undefined && !isDay(day)) return undefined;
  return {
    day,
    hour: Number(hour),
    minute: Number(minute),
    second: second === undefined ? undefined : Number(second),
    role,
    speaker: speaker?.trim() || undefined,
    flag: flag?.trim() || undefined,
  };
}

/**
 * Formats the heading of a turn, as in `## 18:45:07 — user (CDR) [memory]`.
 *
 * Role, speaker and flag are brought onto one line and lose the brackets that would end them. The date stands there only where
 * {@link timeOfHeading} would not find the turn's day without it.
 *
 * @throws MemoryError INVALID_RECORD for an empty role, INVALID_DATE.
 */
export function formatHeading(turn: Turn, previousTime: number): string {
  const role = oneLine(turn.role, 80)
    .replace(/[()[\]]+/g, '')
    .trim();
  if (role === '')
    throw new MemoryError('INVALID_RECORD', 'a turn has no role', { where: 'role', hint: 'Use user, agent or system' });
  const speaker = oneLine(turn.speaker ?? '', 120);
  const flag = oneLine(turn.flag ?? '', 40)
    .replace(/[[\]]+/g, '')
    .trim();
  const ms = Math.floor(turn.time / 1000) * 1000;
  const iso = formatTime(ms);
  const clock = iso.slice(11, 19).replace(/:00$/, '');
  const [hour = 0, minute = 0, second] = clock.split(':').map(Number);
  const found = timeOfHeading({ day: undefined, hour, minute, second }, previousTime);
  const day = found === ms ? '' : `${iso.slice(0, 10)} `;
  return `## ${day}${clock} — ${role}${speaker === '' ? '' : ` (${speaker})`}${flag === '' ? '' : ` [${flag}]`}`;
}

/**
 * Finds the moment a heading means, in milliseconds. It is on the heading's own date, else on the day of the turn before, or the next day
 * if the clock went back.
 *
 * A clock without seconds has not gone back within the same minute: other tools write minutes only, after a start in seconds.
 */
export function timeOfHeading(
  heading: Pick<TurnHeading, 'day' | 'hour' | 'minute' | 'second'>,
  previousTime: number,
): number {
  const clockMs = ((heading.hour * 60 + heading.minute) * 60 + (heading.second ?? 0)) * 1000;
  if (heading.day !== undefined) return parseTime(heading.day) + clockMs;
  const precisionMs = heading.second === undefined ? 60_000 : 1000;
  const onSameDay = Math.floor(previousTime / dayMs) * dayMs + clockMs;
  return onSameDay < Math.floor(previousTime / precisionMs) * precisionMs ? onSameDay + dayMs : onSameDay;
}
