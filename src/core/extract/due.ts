// When something is due: the first day of a sentence — "by Friday", "before Feb 1", "tomorrow" — that is not counted back.

import * as words from '../../base/generated/times.ts';
import { upperFirst } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import { dayMs, dayText, type NamedTime, timesIn } from '../../language/index.ts';

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

const dueTimeIn = (sentence: string, time: number, timeZone: string): NamedTime | undefined =>
  timesIn(sentence, { now: time, timeZone, isAhead: true }).find(isDue);

/** "Within two weeks", "the end of May"; no name of a day or a week. */
const isReckoned = ({ unit, step }: NamedTime): boolean =>
  unit === 'day' ? step !== undefined : unit !== 'week' && unit !== 'weekend';

function dueDayOf({ unit, first, last, at = last, counted }: NamedTime, today: string): string {
  if (unit !== 'week') return dayText(unit === 'day' ? at : last);
  // Said on a weekend, the coming Friday is meant.
  const friday = first + 4 * dayMs;
  return dayText(counted === 0 && dayText(friday) < today ? friday + 7 * dayMs : friday);
}
