// Tells a cron expression from other texts. core/maintain/timetable.ts finds when one is due, by a library.

import { monthNames, weekdays } from './calendar.ts';

interface Field {
  readonly low: number;
  readonly high: number;
  readonly names?: readonly string[];
}

const shortOf = (names: readonly string[]): string[] => names.map((name) => name.slice(0, 3).toLowerCase());
const months = shortOf(monthNames);
const days = shortOf(weekdays);
/** Minute, hour, day of the month, month, day of the week (0 and 7 are Sunday). */
const fields: readonly Field[] = [
  { low: 0, high: 59 },
  { low: 0, high: 23 },
  { low: 1, high: 31 },
  { low: 1, high: 12, names: months },
  { low: 0, high: 7, names: days },
];

/** What is in place of an expression where nothing is to be done by time. */
export const never = 'off';

/**
 * Tells whether a text is a cron expression of five fields as POSIX has them, with steps and names (`0 23 * * sun`), or `off`.
 *
 * ```
 * ┌ minute  ┌ hour  ┌ day of month  ┌ month  ┌ day of week
 * 0         23      *               *        1-5/2
 * ```
 */
export function isCron(text: string): boolean {
  if (text === never) return true;
  const parts = text.trim().split(/\s+/);
  return parts.length === fields.length && parts.every((part, at) => isField(part, fields[at]!));
}

function isField(text: string, field: Field): boolean {
  return text.split(',').every((item) => {
    const [, first, last, step] = /^([*\w]+?)(?:-(\w+))?(?:\/(\d+))?$/.exec(item) ?? [];
    if (first === undefined) return false;
    const isRange = first === '*' || last !== undefined;
    // `5/10` reads as "every ten from five" to some and as nothing to others.
    if (step !== undefined && !(isRange && Number(step) >= 1 && Number(step) <= field.high)) return false;
    if (first === '*') return last === undefined;
    const from = numberOf(first, field);
    const to = last === undefined ? from : numberOf(last, field);
    return from >= field.low && to <= field.high && from <= to;
  });
}

function numberOf(text: string, { names }: Field): number {
  if (/^\d{1,2}$/.test(text)) return Number(text);
  const at = names?.indexOf(text.toLowerCase()) ?? -1;
  // Months count from one, days of the week from nought. NaN fits no bounds.
  return at < 0 ? Number.NaN : at + (names === months ? 1 : 0);
}
