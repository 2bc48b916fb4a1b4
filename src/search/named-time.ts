// The time that a question names: "in June", "last Friday", "19 January". What happened then moves up; nothing is left out.

import { en } from 'chrono-node';

/** In milliseconds, the end not included. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

const dayMs = 86_400_000;

/** Whatever names a time has one of these; reading it takes longer than ranking. */
const mayName =
  /\b(?:1[89]|20)\d\d\b|\d(?:st|nd|rd|th|am|pm)\b|\d ?[./:-]\d|\d ?(?:[ap]\.?m\b|o'clock|h\b)|\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?s?)\b|\b(?:yesterday|today|tonight|last|this|past|ago|in \d+|days?|week|weekend|month|year)/i;

/** Reads the time that a question names, as seen from `now`; undefined where it names none. */
export function namedTimeOf(question: string, now: number): TimeSpan | undefined {
  if (question.length > 2000 || !mayName.test(question)) return undefined;
  const [found] = en.casual.parse(question, { instant: new Date(now), timezone: 0 }, { forwardDate: false });
  if (found === undefined || !/\p{L}|\d{2}/u.test(found.text)) return undefined;
  const { start, end } = found;
  const isKnown = (part: 'day' | 'weekday' | 'month' | 'year'): boolean => start.isCertain(part);
  const from = new Date(start.date());
  const [year, month, day] = [from.getUTCFullYear(), from.getUTCMonth(), from.getUTCDate()];
  if (end !== null && end !== undefined)
    return { start: Date.UTC(year, month, day), end: end.date().getTime() + dayMs };
  if (isKnown('day') || isKnown('weekday')) {
    const begins = Date.UTC(year, month, day);
    return { start: begins, end: begins + dayMs };
  }
  if (isKnown('month')) return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
  if (isKnown('year')) return { start: Date.UTC(year, 0, 1), end: Date.UTC(year + 1, 0, 1) };
  if (/week/i.test(found.text)) return { start: from.getTime() - 4 * dayMs, end: from.getTime() + 4 * dayMs };
  if (/month/i.test(found.text)) return { start: Date.UTC(year, month, 1), end: Date.UTC(year, month + 1, 1) };
  if (/year/i.test(found.text)) return { start: Date.UTC(year, 0, 1), end: Date.UTC(year + 1, 0, 1) };
  const begins = Date.UTC(year, month, day);
  return { start: begins, end: begins + dayMs };
}
