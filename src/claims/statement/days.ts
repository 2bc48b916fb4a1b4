// Days in a sentence as days of the calendar: "yesterday", "last week", "in May", "two weeks ago". What is named exactly becomes
// `YYYY-MM-DD`, what is vague says so. What could be several days keeps its words and the day it was said. The forms are in day-forms.ts.

import { upperFirst } from '../../base/text.ts';
import { dayOf } from '../../base/time.ts';
import { dayForms, dayText, withNumberedDays } from './day-forms.ts';

/** A sentence with its days, and the first of them that is exact. */
export interface Dated {
  readonly text: string;
  /** `YYYY-MM-DD`. */
  readonly day?: string;
}

/** A day that depends on when it was said and that no form above knows: "last Christmas", "a fortnight ago". */
const stillRelative =
  /\b(?:ago|yesterday|tomorrow|tonight)\b|\b(?:last|next|this) (?:week|month|year|weekend|night|spring|summer|fall|autumn|winter|christmas|easter|thanksgiving|halloween|season|semester|term|decade|century)\b/i;

/** "Moved to 2026-04-26" looks like the end of a span. */
const isAfterTo = /\bto $/i;
const spelledOut = (words: string): string =>
  words.replace(/^\d{4}-\d\d-\d\d$/, (day) =>
    new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' }),
  );

/** What stands between the first and the last day of a span. */
const span = /^ (?:to|until|till|through|[-–]) $/;

/** Gives the last day of a span that begins on a day; undefined where either is no day. It is the first one of its kind behind that. */
function endOfSpan(first: string, last: string): string | undefined {
  const [from, to] = [first, last].map((words) => /^(?:\p{Alpha}+ )?(\d{4})(-\d\d-\d\d)$/u.exec(words));
  if (from == null || to == null) return undefined;
  const isNextYear = to[2]! < from[2]!;
  return `${Number(from[1]) + (isNextYear ? 1 : 0)}${to[2]}`;
}

/** Gives a sentence with days of the calendar in place of those that depend on when it was said, at `time` in a time zone. */
export function withDays(said: string, time: number, timeZone = 'UTC'): Dated {
  const text = withNumberedDays(said);
  const today = Date.parse(dayOf(time, timeZone));
  const found: { at: number; end: number; words: string; day?: string }[] = [];
  let needsSaid = false;
  for (const { pattern, read } of dayForms) {
    pattern.lastIndex = 0;
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const at = match.index;
      const end = at + match[0].length;
      if (found.some((one) => one.at < end && at < one.end)) continue;
      const outcome = read(match, { today, text, at, end });
      if (outcome === 'said') needsSaid = true;
      const words = outcome === null || outcome === 'said' ? match[0] : outcome.words;
      found.push({
        at,
        end,
        words,
        ...(outcome === null || outcome === 'said' || outcome.day === undefined ? {} : { day: outcome.day }),
      });
    }
  }
  found.sort((one, other) => one.at - other.at);
  let result = '';
  let from = 0;
  let before: string | undefined;
  for (const one of found) {
    const { at, end } = one;
    const until = before !== undefined && span.test(text.slice(from, at)) ? endOfSpan(before, one.words) : undefined;
    const words = until ?? (isAfterTo.test(text.slice(0, at)) ? spelledOut(one.words) : one.words);
    before = words;
    result += text.slice(from, at) + (at === 0 ? upperFirst(words) : words);
    from = end;
  }
  result += text.slice(from);
  if ((needsSaid || stillRelative.test(result)) && !result.includes(dayText(today)))
    result = result.replace(/(\s*[.!?…]*)$/, ` (said on ${dayText(today)})$1`);
  const day = found.find((one) => one.day !== undefined)?.day;
  return { text: result, ...(day === undefined ? {} : { day }) };
}
