// Numbers, days and differences in words; pure.

import { diffWordsWithSpace } from 'diff';
import { monthNames, weekdays } from '../src/base/calendar.ts';
import { upperFirst } from '../src/base/text.ts';

const small = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve'];

/** `one claim`, `13 claims` */
export function many(number: number, one: string, more = `${one}s`): string {
  return `${small[number] ?? number} ${number === 1 ? one : more}`;
}

/** Joins as a sentence does: `a`, `a and b`, `a, b and c`. */
export function listed(parts: readonly string[]): string {
  return parts.length < 2 ? (parts[0] ?? '') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`;
}

/** Writes a day by its parts. No `Intl`: the first formatter of a page costs it more than its first rows. */
function format(write: (parts: { weekday: string; day: number; month: string; year: number }) => string) {
  return (text: string): string => {
    const date = new Date(`${text.slice(0, 10)}T00:00:00Z`);
    if (Number.isNaN(date.getTime())) return text;
    const weekday = upperFirst(weekdays[date.getUTCDay()]!);
    const month = monthNames[date.getUTCMonth()]!;
    return write({ weekday, month, day: date.getUTCDate(), year: date.getUTCFullYear() });
  };
}

/** `Monday 26 October 2026` */
export const longDay = format(({ weekday, day, month, year }) => `${weekday} ${day} ${month} ${year}`);
const short = (month: string): string => (month === 'September' ? 'Sept' : month.slice(0, 3));
/** `26 Oct 2026` */
export const middleDay = format(({ day, month, year }) => `${day} ${short(month)} ${year}`);
/** `26 Oct` */
export const shortDay = format(({ day, month }) => `${day} ${short(month)}`);
export const monthOf = format(({ month }) => short(month));

const zones = new Map<string, Intl.DateTimeFormat>();

function isoDay(time: string | number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().slice(0, 10);
}

/** The day of a moment in the zone of the memory. */
export function dayOf(time: string | number, zone: string): string {
  if (zone === 'UTC') return isoDay(time);
  let formatter = zones.get(zone);
  if (formatter === undefined) {
    formatter = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' });
    zones.set(zone, formatter);
  }
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? '' : formatter.format(date);
}

/** `14:05` */
export function clockOf(time: string | number, zone: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(date);
}

/** The day so many days from another. */
export function dayPlus(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** How many days lie between two. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / 86_400_000);
}

/** One stretch of a text that changed. */
export interface Stretch {
  readonly text: string;
  readonly is: 'same' | 'gone' | 'new';
}

const mostCompared = 4000;

/** Says which words changed; null where so little is shared that two whole texts read better. */
export function wordChanges(before: string, after: string): readonly Stretch[] | null {
  if (before.length + after.length > mostCompared) return null;
  const parts = diffWordsWithSpace(before, after);
  const shared = parts
    .filter((part) => !part.added && !part.removed)
    .reduce((sum, { value }) => sum + value.trim().length, 0);
  const changes = parts.filter((part) => part.added || part.removed).length;
  if (shared < 0.45 * Math.min(before.length, after.length) || changes > 6) return null;
  return parts.map(({ value, added, removed }) => ({ text: value, is: added ? 'new' : removed ? 'gone' : 'same' }));
}

/** Shows what cannot be seen, and what would turn a line around: controls and overrides of direction. */
export function visible(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b-\u001f\u007f\u202a-\u202e\u2066-\u2069]/g, (sign) => {
    return `⟨${sign.codePointAt(0)!.toString(16).padStart(4, '0')}⟩`;
  });
}
