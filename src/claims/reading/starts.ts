// From which day on something holds, where a sentence says so: "as of July 1st", "from May on", "starting next Monday".

import { monthIndexOf, weekdays } from '../../base/calendar.ts';
import { dayOf, endOfDay } from '../../base/time.ts';
import type { Said } from '../said.ts';

const dayMs = 86_400_000;
const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b';
const weekday = '(?:sun|mon|tues|wednes|thurs|fri|satur)day';
const lead =
  '(?:as of|as from|from|starting(?: with| on| in| from)?|beginning(?: with| on| in)?|effective(?: from)?|begins?(?: on| in)?|starts?(?: on| in)?|after)';
const start = new RegExp(
  `\\b${lead} (?:the )?(?:(?<iso>\\d{4}-\\d\\d-\\d\\d)|(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? (?<month>${month})(?: (?<year>\\d{4}))?|(?<month2>${month})(?: (?:the )?(?<day2>\\d{1,2})(?:st|nd|rd|th)?(?![:.]\\d))?(?:,? (?<year2>\\d{4}))?|(?<next>next (?:week|month|year|${weekday}))|(?<weekday>${weekday})\\b|(?<tomorrow>tomorrow))`,
  'iu',
);

/** Tells whether that day is what the sentence tells, "the audit starts on 16 June", and not since when it holds. */
export function isItsOwnStart({ text }: Said): boolean {
  const [found] = start.exec(text) ?? [];
  return found !== undefined && /^(?:starts?|begins?)\b/i.test(found);
}

/** "On 1 October CI goes to the new image": what comes to be on a day holds from then on. */
const becomes = /\b(?:goes|go|moves?|switch(?:es)?|changes?|becomes?) to\b/i;
const dayAhead = new RegExp(
  `\\bon (?=(?:the )?(?:\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|${month} \\d|next |${weekday}\\b))`,
  'giu',
);

/** "After Friday's crash we use Rhino from today on": other days of the sentence are of something else. */
const atOnce = /\b(?:from|as of|starting|effective) (?:today|now|tonight|immediately)\b/i;

const at = (year: number, index: number, day: number): number => Date.UTC(year, index, day);

/**
 * Gives the second at which something begins to hold, where a sentence names a day after the one on which it was said; else undefined.
 *
 * Days are counted in the zone of the turn. A month begins on its first day, a day without a year is the next of its kind.
 */
export function startOf({ text, time, timeZone = 'UTC' }: Said): number | undefined {
  if (atOnce.test(text)) return undefined;
  const groups = (start.exec(text) ?? (becomes.test(text) ? start.exec(text.replace(dayAhead, 'from ')) : null))
    ?.groups;
  if (groups === undefined) return undefined;
  const today = Date.parse(`${dayOf(time, timeZone)}T00:00:00Z`);
  const now = new Date(today);
  let found: number | undefined;
  if (groups.iso !== undefined) found = Date.parse(`${groups.iso}T00:00:00Z`);
  else if (groups.tomorrow !== undefined) found = today + dayMs;
  else if (groups.next !== undefined) {
    const unit = groups.next.toLowerCase().slice(5);
    const named = weekdays.indexOf(unit);
    const monday = today + ((8 - now.getUTCDay()) % 7 || 7) * dayMs;
    if (unit === 'week') found = monday;
    else if (unit === 'month') found = at(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    else if (unit === 'year') found = at(now.getUTCFullYear() + 1, 0, 1);
    else found = monday + ((named + 6) % 7) * dayMs;
  } else if (groups.weekday !== undefined) {
    found = today + ((weekdays.indexOf(groups.weekday.toLowerCase()) - now.getUTCDay() + 7) % 7 || 7) * dayMs;
  } else {
    const index = monthIndexOf(groups.month ?? groups.month2 ?? '');
    const day = Number(groups.day ?? groups.day2 ?? 1);
    const year = groups.year ?? groups.year2;
    found = at(year === undefined ? now.getUTCFullYear() : Number(year), index, day);
    // "From January on", said in September, is the next one; said in February, it has begun.
    if (year === undefined && found < today - 62 * dayMs) found = at(now.getUTCFullYear() + 1, index, day);
  }
  if (found === undefined || Number.isNaN(found) || found <= today) return undefined;
  const before = new Date(found - dayMs).toISOString().slice(0, 10);
  return Math.floor((endOfDay(before, timeZone) + 1) / 1000);
}
