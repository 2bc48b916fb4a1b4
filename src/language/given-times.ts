// Days and moments that people give as arguments: `2026-02-16`, `yesterday`, `last monday`, `2 hours ago`. The caller says what is now.

import { MemoryError, orElse } from '../base/errors.ts';
import { clockUnits, dayUnits } from '../base/generated/times.ts';
import { clockOf, dayMs, dayOf, endOfDay, formatTime, isDay, parseTime, startOfDay } from '../base/time.ts';
import { dayText, firstTimeIn, numericDays } from './moments.ts';

/** A stretch of time, first and last millisecond; a moment is a stretch of one. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

export interface MomentOptions {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Decides where days begin and end. */
  readonly timeZone: string;
  /** A weekday alone is the coming one, as for what is due. Default: the one before today. */
  readonly isAhead?: boolean;
}

/** Makes the error for a text that names no day and no time, with the forms that are read. */
export function noDay(text: string, where: string): MemoryError {
  return new MemoryError('INVALID_DATE', `${JSON.stringify(text.slice(0, 60))} is not a date or time`, {
    where,
    hint: 'Write 2026-02-16, 16.2.2026, 16 February 2026, 2026-02-16T18:45:00Z, tomorrow, next monday, in 2 weeks or 3 days ago',
  });
}

/**
 * Reads what is to come, such as when something is due: a day as `YYYY-MM-DD`, a moment in ISO 8601.
 *
 * A text that begins with a day as ISO 8601 writes it stays as it is, for its reader to judge. `where` names the argument in the error.
 *
 * @throws MemoryError INVALID_DATE, with the forms that are read.
 */
export function comingTime(text: string, where: string, options: MomentOptions): string {
  const trimmed = text.trim();
  if (/^\d{4}-\d\d-\d\d/.test(trimmed)) {
    if (isDay(trimmed.slice(0, 10))) return trimmed;
    throw noDay(text, where);
  }
  const stretch = parseMoment(trimmed, { ...options, isAhead: true });
  if (stretch === null) throw noDay(text, where);
  return stretch.start === stretch.end ? formatTime(stretch.start) : dayOf(stretch.start, options.timeZone);
}

/** Reads the day of what is to come; as {@link comingTime}, but a moment is its day. */
export function comingDay(text: string, where: string, options: MomentOptions): string {
  const named = comingTime(text, where, options);
  if (isDay(named)) return named;
  const moment = orElse(() => parseMoment(named, options), null);
  if (moment === null) throw noDay(text, where);
  return dayOf(moment.start, options.timeZone);
}

/**
 * Reads a day or a moment; `null` for anything else.
 *
 * - A day: `2026-02-16`, `16.2.2026`, `16 February 2026`, `yesterday`, `monday`, `last monday`, `in 2 weeks`, and whatever else moments.ts
 *   reads as days where nothing stands beside it
 * - A moment: ISO 8601, `now`, `3 days ago`, `1.week.ago`, `last week`, `in 3 hours`
 *
 * Times that are so long ago are moments, as for git: `1 day ago` is 24 hours ago. Dots and underscores stand for spaces.
 *
 * @throws MemoryError INVALID_DATE for a date that no calendar has, and for one such as 3/4/2026 whose day may be its month.
 */
export function parseMoment(text: string, { now, timeZone, isAhead = false }: MomentOptions): Stretch | null {
  if (/^\d{4}-\d\d-\d\d(?:[Tt ].*)?$/.test(text)) {
    if (text.length === 10) return stretchOf(text, timeZone);
    const moment = parseTime(text);
    return { start: moment, end: moment };
  }
  const numeric = /^(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4})$/.exec(text.trim());
  if (numeric !== null) {
    const days = numericDays(numeric[1]!, numeric[2]!, numeric[3]!, numeric[4]!).map(({ first }) => dayText(first));
    if (days.length === 1) return stretchOf(days[0]!, timeZone);
    const fault = days.length === 0 ? 'is no day' : `may be ${days.join(' or ')}`;
    throw new MemoryError('INVALID_DATE', `${text} ${fault}`, { hint: 'Write the one you mean' });
  }
  const words = text
    .slice(0, 60)
    .split(/[\s._]+/)
    .filter((word) => word !== '')
    .join(' ')
    .toLowerCase();
  if (words === 'now') return { start: now, end: now };
  const found = firstTimeIn(words, { now, timeZone, isAhead });
  if (found?.text !== words) return null;
  const { step, first, last, at = first } = found;
  if (step === undefined) {
    return { start: startOfDay(dayText(first), timeZone), end: endOfDay(dayText(last), timeZone) };
  }
  const ofClock = unitMs[step.unit];
  if (step.count > 0 && ofClock === undefined) return stretchOf(dayText(at), timeZone);
  const moment =
    ofClock === undefined && daysOf[step.unit] === undefined
      ? startOfDay(dayText(at), timeZone) + clockMs(now, timeZone)
      : parseTime(now + step.count * (ofClock ?? daysOf[step.unit]! * dayMs));
  return { start: moment, end: moment };
}

const unitMs: Readonly<Record<string, number>> = clockUnits;
const daysOf: Readonly<Record<string, number>> = dayUnits;

/** Milliseconds since midnight on the clocks of a zone. */
function clockMs(now: number, timeZone: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = clockOf(now, timeZone).split(':').map(Number);
  return ((hours * 60 + minutes) * 60 + seconds) * 1000 + (now % 1000);
}

const stretchOf = (day: string, timeZone: string): Stretch => ({
  start: startOfDay(day, timeZone),
  end: endOfDay(day, timeZone),
});
