// Days named in a sentence — "by Friday", "before Feb 1", "tomorrow" — as calendar days, counted from when it was said.

import { monthIndexOf, weekdays } from '../base/calendar.ts';
import { dayOf } from '../base/time.ts';

const dayMs = 86_400_000;
const numbers = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const weekday = '(?:sun|mon|tues|wednes|thurs|fri|satur)day';
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\.?';
const amount = '(?:\\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten)';

/** Feasts of one day each year, by the month from 0 and the day. */
const feasts: readonly (readonly [name: RegExp, month: number, day: number])[] = [
  [/^christmas eve/i, 11, 24],
  [/^christmas/i, 11, 25],
  [/^new year.*eve$/i, 11, 31],
  [/^new year/i, 0, 1],
  [/^halloween/i, 9, 31],
  [/^valentine/i, 1, 14],
];
/** "Last Christmas" is over, and a Christmas market is no day. */
const feast =
  "(?<!\\b(?:last|every|each|since|past|for|at|over) )(?:christmas(?: eve| day)?|new year(?:['’]?s)?(?: eve| day)?|halloween|valentine['’]?s day)(?!['’]|\\p{Alpha}| (?:part(?:y|ies)|trees?|markets?|cards?|presents?|gifts?|dinner|lunch|songs?|carols?|cookies|holidays?|break|time|season|bonus|shopping|decorations?|lights)\\b)";

const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  );
const ordinalDay = new RegExp(`\\b(?:the )?(${ordinals.toReversed().join('|')}) of (?=${month})`, 'giu');
/** Writes "the first of June" as "1 of June", which the pattern knows. */
const withNumberedDays = (text: string): string =>
  text.replace(ordinalDay, (_, word: string) => `${ordinals.indexOf(word.toLowerCase()) + 1} of `);

/** Every way to name a day that is understood; the first in the sentence counts. */
const pattern = new RegExp(
  [
    '(?<iso>\\b\\d{4}-\\d\\d-\\d\\d)(?!\\d)',
    `\\b(?:${weekday},? )?(?<month>${month}) (?<day>\\d{1,2})(?:st|nd|rd|th)?\\b(?![:.]\\d)(?:,? (?<year>\\d{4})\\b)?`,
    `\\b(?:${weekday},? (?:the )?)?(?<day2>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month2>${month})(?![\\p{Alpha}])(?:,? (?<year2>\\d{4})\\b)?`,
    // "Moved to the 14th"; "the 5th floor" is no day.
    '\\b(?:on|to|by|until|till|before|for) the (?<ofMonth>\\d{1,2})(?:st|nd|rd|th)\\b(?! (?!(?:at|and|or|but|so|with|from|in|because|then|instead|guys|folks|everyone|everybody|all|please|not|now|already|again|this|next|to|as|if|we|I)\\b)\\p{Alpha})',
    '\\b(?<named>day after tomorrow|tomorrow|today|tonight|this (?:evening|afternoon)|eod|cob|end of (?:the )?day|eow|end of (?:the |this )?week|this week|end of next week|eom|end of (?:the |this )?month|end of (?:the |this )?year|end of (?:january|february|march|april|may|june|july|august|september|october|november|december)|next week|next month|this weekend|the weekend)\\b',
    `\\b(?<feast>${feast})`,
    `\\b(?:(?<which>next|this|coming) )?(?<weekday>${weekday})\\b`,
    `\\b(?:in|within)(?: the next)? (?<amount>${amount}) (?<unit>days?|weeks?|months?)\\b`,
  ].join('|'),
  'iu',
);

/** A day that needs no word before it, such as "tomorrow". */
const nearDayForm = `(?:(?:the )?day after tomorrow|tomorrow|tonight|this (?:evening|afternoon|week|weekend)|next (?:week|month|${weekday})|in (?:the next )?${amount} (?:days?|weeks?|months?))\\b(?!['’])`;

/** A day as it is after "by" or "on". {@link dueOf} understands all of it. */
const dayForm = `(?:\\d{4}-\\d\\d-\\d\\d(?!\\d)|${month} \\d{1,2}(?:st|nd|rd|th)?\\b(?![:.]\\d)(?:,? \\d{4}\\b)?|(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}(?![\\p{Alpha}])(?:,? \\d{4}\\b)?|(?:(?:next|this|coming) )?${weekday}\\b(?!['’])|(?:the )?(?:today|eod|cob|eow|eom|end of (?:(?:the |this )?(?:day|week|month|year)|next week|january|february|march|april|may|june|july|august|september|october|november|december))\\b|(?:the next )?${amount} (?:days?|weeks?|months?)\\b|${feast}|${nearDayForm})`;

// Letters, so that a word in them is one still, of no language that is written today.
const [dayBegins, dayEnds] = ['\ua7f8', '\ua7f9'] as const;
const anyDay = new RegExp(`\\b${dayForm}`, 'giu');
const dayMarks = new RegExp(`[${dayBegins}${dayEnds}]`, 'gu');

/** A day in what {@link withDaysMarked} gives, as source of a pattern: all its forms in each pattern took most of a second to compile. */
export const markedDay = `${dayBegins}[^${dayEnds}]+${dayEnds}`;

const mayNameDay =
  /\d|day|week|month|year|tonight|tomorrow|evening|afternoon|eod|cob|eow|eom|end of|christmas|halloween/i;

/** Marks the days that a text names. */
export const withDaysMarked = (text: string): string =>
  mayNameDay.test(text) ? text.replace(anyDay, `${dayBegins}$&${dayEnds}`) : text;

/** Takes the marks away again. */
export const withoutDayMarks = (text: string): string => text.replace(dayMarks, '');

/** "A week from Monday." */
const fromDay = new RegExp(
  `\\b(${amount}) (days?|weeks?|fortnights?|months?) (?:from|after) (today|now|tomorrow|${weekday})\\b`,
  'iu',
);

const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

function dayOfMonth(year: number, monthIndex: number, day: number): number | undefined {
  const time = Date.UTC(year, monthIndex, day);
  return new Date(time).getUTCDate() === day && new Date(time).getUTCMonth() === monthIndex % 12 ? time : undefined;
}

function namedDay(name: string, today: number): number {
  const date = new Date(today);
  const weekdayNumber = date.getUTCDay();
  // Weeks of work end on Friday; said on a weekend, the coming one is meant.
  const friday = today + ((5 - weekdayNumber + 7) % 7) * dayMs;
  const endOfMonth = (ahead: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1 + ahead, 0);
  switch (name.replace(/\b(?:the|this) /g, '')) {
    case 'tomorrow':
      return today + dayMs;
    case 'day after tomorrow':
      return today + 2 * dayMs;
    case 'eow':
    case 'end of week':
    case 'week':
      return friday;
    case 'end of next week':
      return friday + 7 * dayMs;
    case 'next week':
      // The last working day of the next calendar week: what is due "next week" is not late before that.
      return today + (((8 - weekdayNumber) % 7 || 7) + 4) * dayMs;
    case 'weekend':
      return today + ((7 - weekdayNumber) % 7) * dayMs;
    case 'eom':
    case 'end of month':
      return endOfMonth(0);
    case 'next month':
      return endOfMonth(1);
    case 'end of year':
      return Date.UTC(date.getUTCFullYear(), 11, 31);
    default: {
      const ending = name.startsWith('end of ') ? monthIndexOf(name.slice('end of '.length)) : -1;
      return ending < 0 ? today : endOfMonth((ending - date.getUTCMonth() + 12) % 12);
    }
  }
}

/**
 * Finds the first day that a sentence names, as `YYYY-MM-DD`.
 *
 * Counted from the day of `time` in the time zone. A weekday is the next one after that day, and `next Friday` the one in the
 * next calendar week. A day without a year is the next of its kind, unless it passed within the last month. Undefined when no day is
 * named, or one that no calendar has.
 */
export function dueOf(sentence: string, time: number, timeZone = 'UTC'): string | undefined {
  const later = fromDay.exec(sentence);
  if (later !== null) {
    const [, many, of, from] = later;
    const start = dueOf(from!.replace(/^now$/i, 'today'), time, timeZone);
    if (start === undefined) return undefined;
    return dueOf(`in ${/^fort/i.test(of!) ? '2 weeks' : `${many} ${of}`}`, Date.parse(start));
  }
  const groups = pattern.exec(withNumberedDays(sentence))?.groups;
  if (groups === undefined) return undefined;
  const today = Date.parse(dayOf(time, timeZone));
  const { iso, named, which, amount: count, unit } = groups;
  if (iso !== undefined) {
    const [year, monthNumber, day] = iso.split('-').map(Number) as [number, number, number];
    return dayOfMonth(year, monthNumber - 1, day) === undefined ? undefined : iso;
  }
  if (named !== undefined) return dayText(namedDay(named.toLowerCase(), today));
  if (groups.feast !== undefined) {
    const [, monthIndex, day] = feasts.find(([name]) => name.test(groups.feast!))!;
    const year = new Date(today).getUTCFullYear();
    const thisYear = Date.UTC(year, monthIndex, day);
    return dayText(thisYear < today ? Date.UTC(year + 1, monthIndex, day) : thisYear);
  }
  if (groups.weekday !== undefined) {
    const wanted = weekdays.indexOf(groups.weekday.toLowerCase());
    const current = new Date(today).getUTCDay();
    const ahead = (wanted - current + 7) % 7 || 7;
    // "Next Friday", said on a Tuesday, is not the one three days off. Weeks begin on Monday.
    const sameWeek = (current + 6) % 7 < (wanted + 6) % 7;
    return dayText(today + (ahead + (which?.toLowerCase() === 'next' && sameWeek ? 7 : 0)) * dayMs);
  }
  if (count !== undefined && unit !== undefined) {
    const words = numbers.indexOf(count.toLowerCase());
    const many = /^an?$/i.test(count) ? 1 : words >= 0 ? words : Number(count);
    if (unit.toLowerCase().startsWith('month')) {
      const date = new Date(today);
      const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + many + 1, 0)).getUTCDate();
      return dayText(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + many, Math.min(date.getUTCDate(), last)));
    }
    return dayText(today + many * (unit.toLowerCase().startsWith('week') ? 7 : 1) * dayMs);
  }
  if (groups.ofMonth !== undefined) {
    const date = new Date(today);
    const days = [0, 1, 2].map((ahead) =>
      dayOfMonth(date.getUTCFullYear(), date.getUTCMonth() + ahead, Number(groups.ofMonth)),
    );
    const found = days.find((one) => one !== undefined && one >= today);
    return found === undefined ? undefined : dayText(found);
  }
  const monthIndex = monthIndexOf(groups.month ?? groups.month2 ?? '');
  const day = Number(groups.day ?? groups.day2);
  const year = groups.year ?? groups.year2;
  if (year !== undefined) {
    const found = dayOfMonth(Number(year), monthIndex, day);
    return found === undefined ? undefined : dayText(found);
  }
  const thisYear = new Date(today).getUTCFullYear();
  for (const candidate of [thisYear - 1, thisYear, thisYear + 1]) {
    const found = dayOfMonth(candidate, monthIndex, day);
    if (found !== undefined && found >= today - 31 * dayMs) return dayText(found);
  }
  return undefined;
}
