// Days and moments as people name them: `2026-02-16`, `yesterday`, `last monday`, `2 hours ago`. What is now is told by the caller.

import { clockOf, dayOf, endOfDay, parseTime } from './time.ts';

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
}

const dayMs = 86_400_000;
const weekdays = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];
const unitMs: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: dayMs,
  week: 7 * dayMs,
};
const numbers: Readonly<Record<string, number>> = { a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6 };

/**
 * Reads a day (`2026-02-16`, `today`, `yesterday`, `monday` or `last monday`: the one before today) or a moment (ISO 8601, `now`,
 * `3 days ago`, `1.week.ago`); `null` for anything else.
 *
 * Times that are so long ago are moments, as for git: `1 day ago` is 24 hours ago. Dots and underscores stand for spaces.
 *
 * @throws MemoryError INVALID_DATE for a date that no calendar has.
 */
export function parseMoment(text: string, { now, timeZone }: MomentOptions): Stretch | null {
  if (/^\d{4}-\d\d-\d\d(?:[Tt ].*)?$/.test(text)) {
    if (text.length === 10) return stretchOf(text, timeZone);
    const moment = parseTime(text);
    return { start: moment, end: moment };
  }
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
  }
  const weekday = weekdays.indexOf(words.length === 2 && first === 'last' ? second : words.length === 1 ? first : '');
  if (weekday >= 0) {
    const back = (new Date(`${today}T00:00:00Z`).getUTCDay() - weekday + 7) % 7;
    return stretchOf(shiftDay(today, -(back === 0 ? 7 : back)), timeZone);
  }
  const isAgo = words.length === 3 && third === 'ago';
  const isLast = words.length === 2 && first === 'last';
  if (!isAgo && !isLast) return null;
  const count = isLast ? 1 : /^\d{1,6}$/.test(first) ? Number(first) : numbers[first];
  const unit = second.replace(/s$/, '');
  if (count === undefined) return null;
  const milliseconds = unitMs[unit];
  const months = unit === 'month' ? count : unit === 'year' ? 12 * count : undefined;
  if (milliseconds === undefined && months === undefined) return null;
  const moment =
    milliseconds === undefined ? monthsBefore(now, today, months!, timeZone) : parseTime(now - count * milliseconds);
  return { start: moment, end: moment };
}

/** Gives the first and last millisecond of a day in a time zone. Throws MemoryError INVALID_DATE. */
export function stretchOf(day: string, timeZone: string): Stretch {
  const end = endOfDay(day, timeZone);
  return { start: endOfDay(shiftDay(day, -1), timeZone) + 1, end };
}

function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

/** The same time of day so many months earlier, on the last day of the month if that is shorter. */
function monthsBefore(now: number, today: string, months: number, timeZone: string): number {
  const [year = 0, month = 0, day = 0] = today.split('-').map(Number);
  const index = year * 12 + month - 1 - months;
  const lastDay = new Date(Date.UTC(Math.floor(index / 12), (index % 12) + 1, 0)).getUTCDate();
  const wanted = new Date(Date.UTC(Math.floor(index / 12), index % 12, Math.min(day, lastDay)));
  const { start } = stretchOf(dayOf(parseTime(wanted), 'UTC'), timeZone);
  const [hours = 0, minutes = 0, seconds = 0] = clockOf(now, timeZone).split(':').map(Number);
  return start + ((hours * 60 + minutes) * 60 + seconds) * 1000 + (now % 1000);
}
