// Times as milliseconds since the Unix epoch, their ISO 8601 form, and days and clocks in a time zone.
// Nothing here asks what time it is: the clock is a port.

import { defined, MemoryError, orElse } from './errors.ts';

/** A day without a change of clocks, in milliseconds. */
export const dayMs = 86_400_000;
/** The years 1 to 9999, which ISO 8601 writes with four digits. */
const earliestMs = Date.parse('0001-01-01T00:00:00Z');
const latestMs = Date.parse('9999-12-31T23:59:59.999Z');

const isoPattern =
  /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s?([Zz]|[+-]\d\d(?::?\d\d)?)?)?$/;
const dayPattern = /^(\d{4})-(\d\d)-(\d\d)$/;

/**
 * Reads a time: an ISO 8601 text, a `Date`, or milliseconds since the Unix epoch; the result is whole milliseconds.
 *
 * A day alone is its first moment, and a text without offset is in UTC. `where` names the argument or file in the error.
 *
 * @throws MemoryError INVALID_DATE for anything else, days that no calendar has, and years outside 1 to 9999.
 */
export function parseTime(input: string | Date | number, where?: string): number {
  const ms = typeof input === 'string' ? parseIso(input.trim()) : input instanceof Date ? input.getTime() : input;
  // Written so that NaN, and what is no number at all, fails too.
  if (typeof ms !== 'number' || !(ms >= earliestMs && ms <= latestMs)) {
    const shown = typeof input === 'string' ? JSON.stringify(input.slice(0, 60)) : String(input);
    const hint = 'Write it as 2026-02-16 or 2026-02-16T18:45:00Z';
    throw new MemoryError('INVALID_DATE', `${shown} is not a date or time`, { ...defined({ where }), hint });
  }
  return Math.floor(ms);
}

/**
 * Formats a time as ISO 8601 in UTC, to the second: `2026-02-16T18:45:00Z`; milliseconds stand there only if they are not zero.
 *
 * @throws MemoryError INVALID_DATE for a number that is no time in the years 1 to 9999.
 */
export function formatTime(ms: number): string {
  const iso = new Date(parseTime(ms)).toISOString();
  return iso.endsWith('.000Z') ? `${iso.slice(0, 19)}Z` : iso;
}

/** A century within the first and the last year that ISO 8601 writes plainly. So what is a few years off is a time as well. */
const calculableSeconds = [
  Date.parse('0100-01-01T00:00:00Z') / 1000,
  Date.parse('9900-01-01T00:00:00Z') / 1000,
] as const;

/**
 * Gives the time of a commit, in seconds, as milliseconds to calculate with.
 *
 * Git stores any number there. A time before the year 100 or after 9900 becomes the first or the last moment of these. So no calculation
 * with somebody else's clock ends in an error.
 */
export function millisecondsOf(seconds: number): number {
  const [earliest, latest] = calculableSeconds;
  return Math.min(Math.max(seconds, earliest), latest) * 1000;
}

/**
 * Formats the time of a commit, in seconds, whatever git stores there; never throws for a number.
 *
 * In the years 1 to 9999 as {@link formatTime}. A year beyond is written with a sign and at least six digits, as ISO 8601 expands it:
 * `+3170843-11-07T09:46:39Z`.
 */
export function formatSeconds(seconds: number): string {
  const ms = seconds * 1000;
  if (ms >= earliestMs && ms <= latestMs) return formatTime(ms);
  // The calendar repeats itself: the number of whole rounds of it that lie between gives the year.
  const roundSeconds = daysOf400Years * 86_400;
  const rounds = Math.floor(seconds / roundSeconds);
  const within = new Date((seconds - rounds * roundSeconds) * 1000);
  const year = within.getUTCFullYear() + 400 * rounds;
  const digits = String(Math.abs(year)).padStart(6, '0');
  return `${year < 0 ? '-' : '+'}${digits}${within.toISOString().slice(4, 19)}Z`;
}

/** Gives the day a moment falls on in a time zone, as `YYYY-MM-DD`. Throws MemoryError INVALID_DATE for an unknown zone. */
export function dayOf(ms: number, timeZone: string): string {
  if (isUtc(timeZone)) return new Date(parseTime(ms)).toISOString().slice(0, 10);
  const parts = partsOf(ms, timeZone);
  return `${parts.year.padStart(4, '0')}-${parts.month}-${parts.day}`;
}

/** Gives what a clock shows at a moment in a time zone, as `HH:MM:SS`. Throws MemoryError INVALID_DATE for an unknown zone. */
export function clockOf(ms: number, timeZone: string): string {
  if (isUtc(timeZone)) return new Date(parseTime(ms)).toISOString().slice(11, 19);
  const parts = partsOf(ms, timeZone);
  return `${parts.hour}:${parts.minute}:${parts.second}`;
}

/**
 * Formats a time as a clock in a time zone shows it, to the second, with its offset: `2026-01-28T14:03:11-05:00`; in UTC `Z`.
 *
 * @throws MemoryError INVALID_DATE for an unknown zone.
 */
export function formatLocalTime(ms: number, timeZone: string): string {
  const local = `${dayOf(ms, timeZone)}T${clockOf(ms, timeZone)}`;
  if (isUtc(timeZone)) return `${local}Z`;
  const minutes = Math.round((Date.parse(`${local}Z`) - parseTime(ms)) / 60_000);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${local}${minutes < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(minutes) / 60))}:${two(Math.abs(minutes) % 60)}`;
}

/**
 * Finds the last millisecond of a day in a time zone; days of 23 and 25 hours included.
 *
 * Where the zone left the day out (Samoa, 2011-12-30), it is the last moment before the next day began.
 *
 * @throws MemoryError INVALID_DATE if `day` is not `YYYY-MM-DD` or the zone is unknown.
 */
export function endOfDay(day: string, timeZone: string): number {
  const lastUtcMs = startOfUtcDay(day) + dayMs - 1;
  if (isUtc(timeZone)) return lastUtcMs;
  // No zone is more than 15 hours from UTC: search the first moment of a later day between those bounds.
  let low = lastUtcMs - 15 * 3_600_000;
  let high = lastUtcMs + 15 * 3_600_000;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (dayOf(middle, timeZone) > day) high = middle;
    else low = middle;
  }
  return low;
}

/** Finds the first millisecond of a day in a time zone. Throws as {@link endOfDay}. */
export function startOfDay(day: string, timeZone: string): number {
  const before = new Date(startOfUtcDay(day) - dayMs).toISOString().slice(0, 10);
  return endOfDay(before, timeZone) + 1;
}

/** Tells whether a name is a time zone this platform knows, such as `Europe/Berlin` or `UTC`. */
export const isTimeZone = (name: string): boolean =>
  isUtc(name) || orElse(() => formatterOf(name), undefined) !== undefined;

/** Tells whether a text is a day of the calendar, `2026-02-16`. */
export const isDay = (text: string): boolean => dayPattern.test(text) && !Number.isNaN(parseIso(text));

/** Checks the argument `day`; throws MemoryError INVALID_DATE. */
export function checkDay(day: string): void {
  if (typeof day === 'string' && isDay(day)) return;
  const hint = 'Write it as 2026-02-16';
  throw new MemoryError('INVALID_DATE', `${JSON.stringify(day)} is not a day`, { where: 'day', hint });
}

/** Counts whole days from one day of the calendar to another, both `YYYY-MM-DD`; negative when the other is earlier. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs);

/** Gives the ISO 8601 week of a day, as in `2026-W07`; the year is that of the week's Thursday. */
export function isoWeek(day: string): string {
  const start = startOfUtcDay(day);
  const mondayBased = (new Date(start).getUTCDay() + 6) % 7;
  const thursday = new Date(start + (3 - mondayBased) * dayMs);
  const year = thursday.getUTCFullYear();
  const week = Math.floor((thursday.getTime() - Date.parse(`${String(year).padStart(4, '0')}-01-01`)) / dayMs / 7) + 1;
  return `${String(year).padStart(4, '0')}-W${String(week).padStart(2, '0')}`;
}

function parseIso(text: string): number {
  const match = isoPattern.exec(text);
  if (match === null) return Number.NaN;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return Number.NaN;
  const days = daysOfMonth(Number(year), Number(month));
  if (days === undefined || Number(day) < 1 || Number(day) > days) return Number.NaN;
  // Date.UTC takes the years 0 to 99 for those of the last century; 400 years are as many days as any other 400.
  const shift = Number(year) < 100 ? 400 : 0;
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const ms =
    Date.UTC(Number(year) + shift, Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)) +
    milliseconds -
    (shift === 0 ? 0 : daysOf400Years * dayMs);
  return ms - offsetMs(zone);
}

const daysOf400Years = 146_097;
const daysOfMonths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** How many days a month has; undefined for a month that no calendar has. */
function daysOfMonth(year: number, month: number): number | undefined {
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month === 2 && isLeap ? 29 : daysOfMonths[month - 1];
}

function offsetMs(zone: string): number {
  if (zone === 'Z' || zone === 'z') return 0;
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  const minutes = Number(digits.slice(0, 2)) * 60 + Number(digits.slice(2));
  if (minutes > 15 * 60 || Number(digits.slice(2)) > 59) return Number.NaN;
  return (zone.startsWith('-') ? -minutes : minutes) * 60_000;
}

function startOfUtcDay(day: string): number {
  const ms = dayPattern.test(day) ? parseIso(day) : Number.NaN;
  if (Number.isNaN(ms))
    throw new MemoryError('INVALID_DATE', `${JSON.stringify(day)} is not a day`, { hint: 'Write it as 2026-02-16' });
  return ms;
}

const isUtc = (timeZone: string): boolean =>
  timeZone === 'UTC' || timeZone === 'Etc/UTC' || timeZone === 'GMT' || timeZone === 'Z';

// A formatter takes about 50 µs to make and 1 µs to use.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const known = formatters.get(timeZone);
  if (known !== undefined) return known;
  try {
    const made = new Intl.DateTimeFormat('en-US-u-ca-gregory-nu-latn', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
    formatters.set(timeZone, made);
    return made;
  } catch (cause) {
    const hint = 'Use a name such as Europe/Berlin or UTC';
    throw new MemoryError('INVALID_DATE', `${JSON.stringify(timeZone)} is not a time zone`, { hint, cause });
  }
}

type Part = 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second';

function partsOf(ms: number, timeZone: string): Record<Part, string> {
  const parts: Record<Part, string> = { year: '', month: '', day: '', hour: '', minute: '', second: '' };
  for (const part of formatterOf(timeZone).formatToParts(parseTime(ms))) {
    if (part.type in parts) parts[part.type as Part] = part.value;
  }
  return parts;
}
