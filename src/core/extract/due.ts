// When something is due: the first day of a sentence — "by Friday", "before Feb 1", "tomorrow" — that is not counted back.

import * as words from '../../base/generated/times.ts';
import { everyOne, fromThen, pastAuxiliaries, pastForms, recurring } from '../../base/generated/words.ts';
import { upperFirst } from '../../base/text.ts';
import { dayMs, dayOf } from '../../base/time.ts';
import { anyOf, listed, oneOf } from '../../base/words.ts';
import { dayText, type NamedTime, timesIn } from '../../language/index.ts';

/** Months, seasons and years are none by their name alone; "end of May" is one. */
const isDue = ({ unit, counted }: NamedTime): boolean =>
  counted === -1
    ? false
    : unit === 'day' || unit === 'week' || (counted !== undefined && unit !== 'season') || unit === 'weekend';

/**
 * Finds the first day that a sentence names as one to come, as `YYYY-MM-DD`; undefined when there is none.
 *
 * Counted from the day of `time` in the time zone. A weekday is the next one after that day, and `next Friday` the one in the
 * next calendar week. A day without a year is the next of its kind, unless it passed within the last month. Of a week it is the last
 * working day, of what is longer the last one.
 */
export function dueOf(sentence: string, time: number, timeZone = 'UTC'): string | undefined {
  const found = dueTimeIn(sentence, time, timeZone);
  return found && dueDayOf(found, dayOf(time, timeZone));
}

/** Writes as a day when something is due that a duration or the end of a month says: "within two weeks" as "by March 18". */
export function withDueDay(sentence: string, time: number, timeZone = 'UTC'): string {
  const found = dueTimeIn(sentence, time, timeZone);
  if (found === undefined || !isReckoned(found)) return sentence;
  const { index, text, step } = found;
  const [, month, day] = dueDayOf(found, dayOf(time, timeZone)).split('-').map(Number);
  const named = `${step === undefined ? '' : `${words.deadline} `}${upperFirst(words.months[month! - 1]![0])} ${day}`;
  return `${sentence.slice(0, index)}${named}${sentence.slice(index + text.length)}`;
}

const recurs = anyOf(recurring);
const comesAgain = new RegExp(`\\b${oneOf(listed(everyOne))}\\s+$`, 'i');

/** What comes again every year or every Friday is due on no one day; a day wins over the name of a feast. */
function dueTimeIn(sentence: string, time: number, timeZone: string): NamedTime | undefined {
  if (recurs.test(sentence)) return undefined;
  const named = timesIn(sentence, { now: time, timeZone, isAhead: true })
    .filter(({ index }) => !comesAgain.test(sentence.slice(Math.max(0, index - 20), index)))
    .filter(isDue);
  return named.find(({ isFeast }) => isFeast !== true) ?? named[0];
}

/** "Within two weeks", "the end of May"; no name of a day or a week. */
const isReckoned = ({ unit, step }: NamedTime): boolean =>
  unit === 'day' ? step !== undefined : unit !== 'week' && unit !== 'weekend';

function dueDayOf({ unit, first, last, at = last, counted }: NamedTime, today: string): string {
  if (unit !== 'week') return dayText(unit === 'day' ? at : last);
  // Said on a weekend, the coming Friday is meant.
  const friday = first + 4 * dayMs;
  return dayText(counted === 0 && dayText(friday) < today ? friday + 7 * dayMs : friday);
}

const goesOn = anyOf(fromThen);
/** "Closed" in "is closed today" tells of today; "signed" in "I signed it today" of what is done for good. */
const done = new RegExp(
  `${anyOf(`${pastAuxiliaries}, ${pastForms}`).source}|(?<!\\b(?:is|are|am|be|being)\\s)\\b\\p{Ll}{2,}ed\\b`,
  'iu',
);

/** Tells whether a text holds on the day on which it was said and no longer. All times that it names are on that day, and it tells of no deed. */
export function isOfItsDay(text: string, time: number, timeZone = 'UTC'): boolean {
  const times = timesIn(text, { now: time, timeZone });
  const today = dayOf(time, timeZone);
  const isToday = ({ unit, counted, first }: NamedTime): boolean =>
    unit === 'day' && counted === 0 && dayText(first) === today;
  return times.length > 0 && times.every(isToday) && !goesOn.test(text) && !done.test(text) && !recurs.test(text);
}
