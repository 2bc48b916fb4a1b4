// The one grammar of times: which days a text names, counted from when it was said. Its words are data/english/times.json.
//
//   "We meet on Friday, not in two weeks"   ─►   Friday: one day     in two weeks: one day, +2 weeks
//   "Who led the choir last winter?"        ─►   last winter: December to February, counted back

import * as words from '../base/generated/times.ts';
import { dayMs, dayOf } from '../base/time.ts';
import { listed, oneOf } from '../base/words.ts';
import { numberNamed, numberWords, ordinalOf, ordinalWords } from './numbers.ts';

/** Days from the first to the last, each as the millisecond of UTC at which it begins. */
export interface Days {
  readonly first: number;
  readonly last: number;
}

/** A step in time: so many of a unit. */
export interface Step {
  readonly count: number;
  readonly unit: string;
}

/** A time that a text names. */
export interface NamedTime extends Days {
  /** Where in the text its words are, and the words. */
  readonly index: number;
  readonly text: string;
  readonly unit: 'day' | 'week' | 'weekend' | 'month' | 'season' | 'year';
  /** It is counted from when it was said: −1 back, 1 ahead, 0 from now on, as "tomorrow", "end of May". Else its name alone says it. */
  readonly counted?: -1 | 0 | 1;
  /** So far from now: "last week", "3 days ago". `at` is the day that is meant exactly. */
  readonly step?: Step;
  readonly at?: number;
  /** The year was said. */
  readonly hasYear?: boolean;
  /** It is the name of a feast, which often names a thing: "the Christmas concert". */
  readonly isFeast?: boolean;
}

export interface Said {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** Decides where days begin and end. Default: UTC. */
  readonly timeZone?: string;
  /** What comes again, as "Friday" or "3 May", is the next one, as for what is due. Default: the last one. */
  readonly isAhead?: boolean;
}

type Reading = Omit<NamedTime, 'index' | 'text'>;
type Groups = readonly (string | undefined)[];
type Read = (groups: Groups, today: number, isAhead: boolean) => Reading | undefined;

/** Writes a day as `YYYY-MM-DD`. */
export const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A date that passed within so many days is meant, and not the one in a year. */
const stillMeant = 31 * dayMs;

const keysOf = (values: object): string => oneOf(Object.keys(values));
const monthForms: readonly (readonly string[])[] = words.months;
const month = `(${oneOf(monthForms.flat())})\\.?`;
const weekday = `(${oneOf(words.weekdays)})`;
const which = `(${keysOf(words.which)})`;
const part = `(?:the )?(${keysOf(words.parts)})`;
const longUnits = ['week', 'weekend', 'month', 'year'];
const stretch = `(${oneOf([...monthForms.flat(), ...Object.keys(words.seasons), ...longUnits])})\\.?`;
const whichPart = `(?:${part}(?: of| in)?(?: the)?(?: ${which})?|${which}|the(?= weekend))`;
const within = oneOf(words.within);
const amount = `(\\d{1,3}|${oneOf(numberWords)})`;
const steps: object = { ...words.clockUnits, ...words.dayUnits, ...words.monthUnits };
const unit = `(${keysOf(steps)})s?`;
const day = '(\\d{1,2})(?:st|nd|rd|th)?';
/** What follows a day's number alone; "the 5th floor" is no day. */
const nth = `(?:st|nd|rd|th)\\b(?! (?!${oneOf(listed(words.noThingAfterDay))}\\b)\\p{L})`;
const year = '((?:1[89]|20)\\d\\d)';

const lower = (word: string | undefined): string => (word ?? '').toLowerCase();
const valueIn = (values: object, word: string | undefined): number | undefined =>
  (values as Readonly<Record<string, number>>)[lower(word)];
const signOf = (value: number): -1 | 0 | 1 => Math.sign(value) as -1 | 0 | 1;
const monthAt = (name: string | undefined): number => monthForms.findIndex((forms) => forms.includes(lower(name)));
const whichOf = (word: string | undefined): number | undefined => valueIn(words.which, word);
const weekdayOf = (time: number): number => new Date(time).getUTCDay();
/** Weeks begin on Monday. */
const weekOf = (time: number): number => time - ((weekdayOf(time) + 6) % 7) * dayMs;
const monthDays = (inYear: number, at: number, count = 1): Days => ({
  first: Date.UTC(inYear, at, 1),
  last: Date.UTC(inYear, at + count, 0),
});
const yearDays = (one: number): Days => monthDays(one, 0, 12);
const oneDay = (time: number): Days => ({ first: time, last: time });

const dayOfMonth = ({ first, last }: Days, number: number): Days | undefined =>
  number > 0 && first + (number - 1) * dayMs <= last ? oneDay(first + (number - 1) * dayMs) : undefined;
/** A day of a calendar; undefined for one that none has. */
const dayIn = (inYear: number, at: number, number: number): Days | undefined =>
  at >= 0 && at < 12 ? dayOfMonth(monthDays(inYear, at), number) : undefined;
/** The month that is so many from that of a day. */
const monthNear = (time: number, away: number): Days =>
  monthDays(new Date(time).getUTCFullYear(), new Date(time).getUTCMonth() + away);
/** So many months on; a shorter month gives its last day. */
const monthsOn = (time: number, count: number): number =>
  dayOfMonth(monthNear(time, count), new Date(time).getUTCDate())?.first ?? monthNear(time, count).last;
/** The one of several that is not over, or the last that has begun. */
const nearestOf = (some: readonly Days[], today: number, isAhead: boolean, since = today): Days | undefined =>
  isAhead ? some.find(({ last }) => last >= since) : some.findLast(({ first }) => first <= today);

/** Of what comes each year, the next that is not over, or the last that has begun. */
function yearly(inYear: (year: number) => Days | undefined, today: number, isAhead: boolean, since = today) {
  const now = new Date(today).getUTCFullYear();
  const near = [-1, 0, 1, 2, 3, 4].flatMap((step) => inYear(now + step) ?? []);
  return nearestOf(near, today, isAhead, since);
}

/** A date whose year may be left out. */
function dated(at: number, ofMonth: number, named: string | undefined, today: number, isAhead: boolean) {
  const days =
    named === undefined
      ? yearly((one) => dayIn(one, at, ofMonth), today, isAhead, today - stillMeant)
      : dayIn(Number(named), at, ofMonth);
  return days && ({ ...days, unit: 'day', hasYear: named !== undefined } as const);
}

/** Its beginning or end is a quarter, its middle a half. */
function partOf(days: Reading | undefined, name: string | undefined): Reading | undefined {
  const at = valueIn(words.parts, name);
  if (days === undefined || at === undefined || days.unit === 'week') return days;
  const quarter = Math.round((days.last - days.first) / dayMs / 4) * dayMs;
  return {
    ...days,
    first: at === 0 ? days.first : at === 1 ? days.first + quarter : days.last - quarter,
    last: at === 0 ? days.first + quarter : at === 1 ? days.last - quarter : days.last,
    counted: days.counted ?? 0,
  };
}

/** A month or season of a year, the last or next where none is named. */
function ofYear(name: string, sign: number | undefined, named: string | undefined, today: number, isAhead: boolean) {
  const season = valueIn(words.seasons, name);
  // Winter is that of the year in which it ends.
  const at = season === undefined ? monthAt(name) : (season % 12) - 1;
  const inYear = (one: number): Days => monthDays(one, at, season === undefined ? 1 : 3);
  const days = named === undefined ? yearly(inYear, today, sign ? sign > 0 : isAhead) : inYear(Number(named));
  const counted = sign === undefined ? {} : { counted: signOf(sign) };
  const unit = season === undefined ? 'month' : 'season';
  return days && ({ ...days, unit, ...counted, hasYear: named !== undefined } as const);
}

/** The day that is so many units on, or back. */
function dayAfter(from: number, count: number, of: string): number {
  const months = valueIn(words.monthUnits, of);
  return months !== undefined
    ? monthsOn(from, count * months)
    : from + count * (valueIn(words.dayUnits, of) ?? 0) * dayMs;
}

/** The week, weekend, month or year that is so many away. */
function unitAt(name: string, away: number, today: number): Reading {
  const week = weekOf(today) + away * 7 * dayMs;
  const counted = signOf(away);
  const step = away === 0 ? {} : { step: { count: away, unit: name }, at: dayAfter(today, away, name) };
  if (name === 'week') return { first: week, last: week + 6 * dayMs, unit: 'week', counted, ...step };
  if (name === 'weekend') return { first: week + 5 * dayMs, last: week + 6 * dayMs, unit: 'weekend', counted };
  if (name === 'month') return { ...monthNear(today, away), unit: 'month', counted, ...step };
  return { ...yearDays(new Date(today).getUTCFullYear() + away), unit: 'year', counted, ...step };
}

/** So many units from a day on, or back from it; what is counted back in weeks is meant less exactly. */
function stepFrom(from: number, count: number | undefined, name: string): Reading | undefined {
  if (count === undefined) return undefined;
  const of = lower(name);
  const at = dayAfter(from, count, of);
  const around = count > 0 ? 0 : Math.floor((valueIn(words.dayUnits, of) ?? 0) / 2) * dayMs;
  const isWide = count < 0 && valueIn(words.monthUnits, of) !== undefined;
  const { first, last } = isWide ? unitAt(of, 0, at) : { first: at - around, last: at + around };
  return { first, last, at, unit: 'day', counted: signOf(count), step: { count, unit: of } };
}

function weekdayNamed(asked: string | undefined, name: string | undefined, today: number, isAhead: boolean): Reading {
  const wanted = words.weekdays.indexOf(lower(name) as (typeof words.weekdays)[number]);
  const ahead = (wanted - weekdayOf(today) + 7) % 7 || 7;
  const sign = whichOf(asked) ?? (isAhead ? 0 : -1);
  if (sign < 0) return { ...oneDay(today + (ahead === 7 ? -7 : ahead - 7) * dayMs), unit: 'day', counted: -1 };
  // "Next Friday", said on a Tuesday, is not the one three days off.
  const isOfThisWeek = weekOf(today + ahead * dayMs) === weekOf(today);
  return { ...oneDay(today + (ahead + (sign > 0 && isOfThisWeek ? 7 : 0)) * dayMs), unit: 'day' };
}

/** Reads `16.2.2026` and `16/2/2026` as days; two where the day may be the month, as in 3/4/2026. */
export function numericDays(first: string, mark: string, second: string, inYear: string): Days[] {
  const [one, other] = [Number(first), Number(second)];
  const dayFirst = dayIn(Number(inYear), other - 1, one);
  const monthFirst = mark === '.' || one === other ? undefined : dayIn(Number(inYear), one - 1, other);
  return [dayFirst, monthFirst].filter((days) => days !== undefined).filter(({ first: at }) => !Number.isNaN(at));
}

/** Every way to name a time that is understood. */
const forms: readonly (readonly [source: string, read: Read])[] = [
  [
    '\\b(\\d{4})-(\\d\\d)(?:-(\\d\\d)(?!\\d)|(?![\\d-]))',
    ([y, m, d]) => {
      const days = d === undefined ? monthDays(Number(y), Number(m) - 1) : dayIn(Number(y), Number(m) - 1, Number(d));
      return days && Number(m) <= 12 ? { ...days, unit: d === undefined ? 'month' : 'day', hasYear: true } : undefined;
    },
  ],
  [
    '\\b(\\d{1,2})([./])\\s?(\\d{1,2})\\2\\s?(\\d{4})\\b',
    ([first, mark, second, y]) => {
      const [days, other] = numericDays(first!, mark!, second!, y!);
      return days && other === undefined ? { ...days, unit: 'day', hasYear: true } : undefined;
    },
  ],
  [
    `\\b(?:${weekday},? )?${month} ${day}\\b(?![:.]\\d)(?:,? (\\d{4})\\b)?`,
    ([, m, d, y], today, isAhead) => dated(monthAt(m), Number(d), y, today, isAhead),
  ],
  [
    `\\b(?:${weekday},? )?(?:the )?(?:${day}(?: of)?|(${oneOf(ordinalWords)}) of) ${month}(?!\\p{L})(?:,? (\\d{4})\\b)?`,
    ([, d, name, m, y], today, isAhead) =>
      dated(monthAt(m), d === undefined ? ordinalOf(name!)! : Number(d), y, today, isAhead),
  ],
  [
    `\\b(?:${whichPart}[ -]|(?<=\\b${within}(?: the)?[ -]))${stretch}\\b(?:,? (?:of )?${year}\\b|(?! \\d))`,
    ([inPart, askedOfPart, asked = askedOfPart, name, y], today, isAhead) => {
      const [sign, of] = [whichOf(asked), lower(name)];
      if (!longUnits.includes(of)) return partOf(ofYear(of, sign, y, today, isAhead), inPart);
      if (inPart === undefined && sign === undefined && of !== 'weekend') return undefined;
      if (y !== undefined) return partOf({ ...yearDays(Number(y)), unit: 'year', hasYear: true }, inPart);
      return partOf(unitAt(of, sign ?? (isAhead || inPart !== undefined ? 0 : -1), today), inPart);
    },
  ],
  [`\\b${month},? ${year}\\b`, ([m, y], today, isAhead) => ofYear(lower(m), undefined, y, today, isAhead)],
  [
    // "Moved to the 14th"; "Friday the 13th" is a day that is both, or none.
    `(?:(?<=\\b${oneOf(words.onDay)} )the |\\b(?:${which} )?${weekday},? (?:the )?)(\\d{1,2})${nth}`,
    ([asked, name, d], today, isAhead) => {
      const sign = whichOf(asked);
      const near = [-2, -1, 0, 1, 2].flatMap((away) => dayOfMonth(monthNear(today, away), Number(d)) ?? []);
      const both = near.filter(({ first }) => name === undefined || words.weekdays[weekdayOf(first)] === lower(name));
      const days = nearestOf(both, today, sign === undefined ? isAhead : sign >= 0);
      return days && { ...days, unit: 'day', ...(sign === -1 ? { counted: -1 } : {}) };
    },
  ],
  [
    `\\b(?:the )?(${keysOf(words.days)})\\b(?!['’])`,
    ([name], today) => {
      const away = valueIn(words.days, name)!;
      return { ...oneDay(today + away * dayMs), unit: 'day', counted: signOf(away) };
    },
  ],
  [
    `\\b(?:${which} )?${weekday}\\b(?!['’]|,? (?:the )?\\d{1,2}${nth})`,
    ([asked, name], today, isAhead) => weekdayNamed(asked, name, today, isAhead),
  ],
  [
    `\\b(${keysOf(words.shorthands)})\\b`,
    ([name], today) => partOf(unitAt(words.shorthands[lower(name) as 'eow'], 0, today), 'end'),
  ],
  [
    `\\b(?:${oneOf(words.ahead)}(?: the next)?|the next) ${amount} ${unit}\\b`,
    ([count, name], today) => stepFrom(today, numberNamed(count!), name!),
  ],
  [
    `\\b${amount} ${unit} ${oneOf(words.from)} (today|now|tomorrow|${oneOf(words.weekdays)})\\b`,
    ([count, name, from], today) => {
      const start = lower(from) === 'now' ? undefined : firstTimeIn(from!, { now: today, isAhead: true });
      return stepFrom(start?.first ?? today, numberNamed(count!), name!);
    },
  ],
  [
    `\\b${amount} ${unit} ${words.ago}\\b`,
    ([count, name], today) => stepFrom(today, -(numberNamed(count!) ?? Number.NaN), name!),
  ],
  [
    `\\b(?:${oneOf(Object.keys(words.which).filter((name) => whichOf(name) === -1))}) ${amount} ${unit}\\b`,
    ([count, name], today) => {
      const begun = stepFrom(today, -(numberNamed(count!) ?? Number.NaN), name!);
      return begun && { ...begun, first: begun.at!, last: today };
    },
  ],
  [
    // "Last Christmas" is over, and a Christmas market is no day.
    `\\b(?:(${oneOf(words.noDeadlineBefore)}) )?(${keysOf(words.feasts)})(?!['’]|\\p{L}| ${oneOf(listed(words.noFeastBefore))}\\b)`,
    ([before, name], today, isAhead) => {
      if (before !== undefined && isAhead) return undefined;
      const found = Object.entries(words.feasts).find(
        ([feast]) => feast.replace("'", '') === lower(name).replace(/['’]/, ''),
      );
      const [m, d] = found![1].split('-').map(Number);
      const days = yearly((one) => dayIn(one, m! - 1, d!), today, isAhead);
      return days && { ...days, unit: 'day', isFeast: true };
    },
  ],
  [
    `\\b(?:${part}(?: of)? |(?<=\\b${within} (?:of )?))${year}\\b(?![-.]\\d)`,
    ([inPart, y]) => partOf({ ...yearDays(Number(y)), unit: 'year', hasYear: true }, inPart),
  ],
];

const patterns = forms.map(([source, read]) => [new RegExp(source, 'giu'), read] as const);

const sure = [
  ...words.weekdays,
  ...monthForms.flat().filter((name) => name !== 'may'),
  ...Object.keys({ ...words.days, ...words.shorthands, ...words.feasts }),
  words.ago,
];
const units = Object.keys({ ...words.dayUnits, ...words.monthUnits }).map((name) => `${name}s?`);
const saying = new RegExp(
  `\\b(?:${oneOf(sure)}|${units.join('|')}|weekends?|last|next)\\b|\\b(?:1[89]|20)\\d\\d\\b|\\d{1,2}[./]\\d{1,2}\\b`,
  'i',
);
const mayName = new RegExp(
  `\\bmay\\b|\\d(?:st|nd|rd|th)\\b|\\b${oneOf([...Object.keys(words.seasons), ...Object.keys(words.clockUnits)])}`,
  'i',
);

/** Tells whether a text seems to say when, which is quick to tell. */
export const saysWhen = (text: string): boolean => saying.test(text);

/** Lists the times that a text names, in their order; none lies within another. */
export function timesIn(text: string, { now, timeZone = 'UTC', isAhead = false }: Said): NamedTime[] {
  if (!saying.test(text) && !mayName.test(text)) return [];
  const today = Date.parse(dayOf(now, timeZone));
  const found = patterns.flatMap(([pattern, read]) =>
    [...text.matchAll(pattern)].flatMap((match): NamedTime[] => {
      const reading = read(match.slice(1), today, isAhead);
      return reading === undefined || Number.isNaN(reading.first + reading.last)
        ? []
        : [{ ...reading, index: match.index, text: match[0] }];
    }),
  );
  found.sort((one, other) => one.index - other.index || other.text.length - one.text.length);
  let end = 0;
  return found.filter(({ index, text: named }) => {
    if (index < end) return false;
    end = index + named.length;
    return true;
  });
}

/** Gives the first time that a text names. */
export const firstTimeIn = (text: string, said: Said): NamedTime | undefined => timesIn(text, said)[0];

/** Gives a text without the times that it names: a day that two texts name says nothing of what they are about. */
export const withoutTimes = (text: string): string =>
  timesIn(text, { now: 0 }).reduceRight(
    (rest, time) => rest.slice(0, time.index) + rest.slice(time.index + time.text.length),
    text,
  );
