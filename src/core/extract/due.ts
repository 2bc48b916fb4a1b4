// When something is due: the first day of a sentence — "by Friday", "before Feb 1", "tomorrow" — that is not counted back.

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
  const found = timesIn(sentence, { now: time, timeZone, isAhead: true }).find(isDue);
  if (found === undefined) return undefined;
  const { unit, first, last, at = last } = found;
  if (unit !== 'week') return dayText(unit === 'day' ? at : last);
  // Said on a weekend, the coming Friday is meant.
  const friday = first + 4 * dayMs;
  return dayText(found.counted === 0 && dayText(friday) < dayOf(time, timeZone) ? friday + 7 * dayMs : friday);
}
