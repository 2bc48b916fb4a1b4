// Days and moments as people name them: `2026-02-16`, `yesterday`, `last monday`, `2 hours ago`. The caller says what is now.

import { MemoryError } from '../errors.ts';
import { monthNames, weekdays } from './calendar.ts';
import { orElse } from './or-else.ts';
import { clockOf, dayOf, endOfDay, formatTime, isDay, parseTime } from './time.ts';

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

const dayMs = 86_400_000;
const unitMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
};
const numbers: Readonly<Record<string, number>> = {
  a: 1,
  an: 1,
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  ten: 10,
};

/**
 * Reads a day or a moment; `null` for anything else.
 *
 * - A day: `2026-02-16`, `16.2.2026`, `16 February 2026`, `today`, `yesterday`, `tomorrow`, `monday`, `last monday`, `next monday`,
 *   `in 2 weeks`
 * - A moment: ISO 8601, `now`, `3 days ago`, `1.week.ago`, `in 3 hours`
 *
 * Times that are so long ago are moments, as for git: `1 day ago` is 24 hours ago. Dots and underscores stand for spaces. `next monday` is the
 * first one after today.
 *
 * @throws MemoryError INVALID_DATE for a date that no calendar has, and for one such as 3/4/2026 whose day may be its month.
 */
export function parseMoment(text: string, { now, timeZone, isAhead = false }: MomentOptions): Stretch | null {
  if (/^\d{4}-\d\d-\d\d(?:[Tt ].*)?$/.test(text)) {
    if (text.length === 10) return stretchOf(text, timeZone);
    const moment = parseTime(text);
    return { start: moment, end: moment };
  }
  const written = writtenDay(text.trim());
  if (written !== null) return stretchOf(written, timeZone);
  const words = text
    .toLowerCase()
    .slice(0, 60)
    .split(/[\s._]+/)
    .filter((word) => word !== '');
  const [first = '', second = '', third = ''] = words;
  const today = dayOf(now, timeZone);
  if (words.length === 1) {
    if (first === 'now') return { start: now, end: now };
    if (first === 'today') return stretchOf(today, timeZone);
    if (first === 'yesterday') return stretchOf(shiftDay(today, -1), timeZone);
    if (first === 'tomorrow') return stretchOf(shiftDay(today, 1), timeZone);
  }
  const isNext = words.length === 2 && first === 'next';
  const isNamed = isNext || (words.length === 2 && first === 'last');
  const weekday = weekdays.indexOf(isNamed ? second : words.length === 1 ? first : '');
  if (weekday >= 0) {
    const back = (new Date(`${today}T00:00:00Z`).getUTCDay() - weekday + 7) % 7;
    const isComing = isNext || (isAhead && !isNamed);
    return stretchOf(shiftDay(today, isComing ? 7 - back : -(back === 0 ? 7 : back)), timeZone);
  }
  if ((words.length === 3 && first === 'in') || isNext) {
    return coming(isNext ? '1' : second, isNext ? second : third, { now, today, timeZone });
  }
  const isAgo = words.length === 3 && third === 'ago';
  const isLast = words.length === 2 && first === 'last';
  if (!isAgo && !isLast) return null;
  const count = isLast ? 1 : countOf(first);
  const unit = second.replace(/s$/, '');
  if (count === undefined) return null;
  const milliseconds = unitMs[unit];
  const monthCount = unit === 'month' ? count : unit === 'year' ? 12 * count : undefined;
  if (milliseconds === undefined && monthCount === undefined) return null;
  const moment =
    milliseconds === undefined
      ? monthsBefore(now, today, monthCount!, timeZone)
      : parseTime(now - count * milliseconds);
  return { start: moment, end: moment };
}

/** Reads `16.2.2026`, `16/2/2026`, `16 February 2026` and `February 16, 2026` as `YYYY-MM-DD`; null for anything else. */
function writtenDay(text: string): string | null {
  const isoDay = (year: string, month: number, day: string): string =>
    `${year}-${String(month).padStart(2, '0')}-${day.padStart(2, '0')}`;
  const numeric = /^(\d{1,2})([./])\s?(\d{1,2})\2\s?(\d{4})$/.exec(text);
  if (numeric !== null) {
    const [, first, mark, second, year] = numeric as unknown as [string, string, string, string, string];
    if (mark === '.' || Number(first) > 12) return isoDay(year, Number(second), first);
    if (Number(second) > 12 || first === second) return isoDay(year, Number(first), second);
    const either = [isoDay(year, Number(second), first), isoDay(year, Number(first), second)].join(' or ');
    throw new MemoryError('INVALID_DATE', `${text} may be ${either}`, { hint: 'Write the one you mean' });
  }
  const named =
    /^(\d{1,2})(?:st|nd|rd|th|\.)? (\p{L}{3,})\.?,? (\d{4})$/u.exec(text) ??
    /^(\p{L}{3,})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u.exec(text);
  if (named === null) return null;
  const [, one, other, year] = named as unknown as [string, string, string, string];
  const [day, name] = /^\d/.test(one) ? [one, other] : [other, one];
  const month = monthNames.findIndex((full) => full.toLowerCase().startsWith(name.toLowerCase()));
  return month < 0 ? null : isoDay(year, month + 1, day);
}

function countOf(word: string): number | undefined {
  return /^\d{1,6}$/.test(word) ? Number(word) : numbers[word];
}

/** The day in so many days, weeks, months or years, or the moment in so many hours or less. */
function coming(
  word: string,
  units: string,
  { now, today, timeZone }: { now: number; today: string; timeZone: string },
): Stretch | null {
  const count = countOf(word);
  const unit = units.replace(/s$/, '');
  if (count === undefined) return null;
  if (unit === 'month' || unit === 'year') {
    const months = count * (unit === 'year' ? 12 : 1);
    return stretchOf(dayOf(monthsBefore(now, today, -months, timeZone), timeZone), timeZone);
  }
  const milliseconds = unitMs[unit];
  if (milliseconds === undefined) return null;
  if (milliseconds >= dayMs) return stretchOf(shiftDay(today, (count * milliseconds) / dayMs), timeZone);
  const moment = parseTime(now + count * milliseconds);
  return { start: moment, end: moment };
}

/** Gives the first and last millisecond of a day in a time zone. Throws MemoryError INVALID_DATE. */
export function stretchOf(day: string, timeZone: string): Stretch {
  const end = endOfDay(day, timeZone);
  return { start: endOfDay(shiftDay(day, -1), timeZone) + 1, end };
}

function shiftDay(day: string, days: number): string {
  return dayOf(parseTime(Date.parse(`${day}T00:00:00Z`) + days * dayMs), 'UTC');
}

/** The same time of day so many months earlier, or later for a negative number. A shorter month gives its last day. */
function monthsBefore(now: number, today: string, months: number, timeZone: string): number {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const index = year * 12 + month - 1 - months;
  const lastDay = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
  const wanted = new Date(Date.UTC(Math.floor(index / 12), index % 12, Math.min(day, lastDay)));
  const { start } = stretchOf(dayOf(parseTime(wanted), 'UTC'), timeZone);
  const [hours = 0, minutes = 0, seconds = 0] = clockOf(now, timeZone).split(':').map(Number);
  return start + ((hours * 60 + minutes) * 60 + seconds) * 1000 + (now % 1000);
}
