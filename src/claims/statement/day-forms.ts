// The ways in which a sentence names a day. An exact one becomes `YYYY-MM-DD`, a vague one says "around" or "the week of". What could be
// several days keeps its words.

import { en } from 'chrono-node';
import { monthIndexOf, monthNames, weekdays } from '../../base/calendar.ts';
import { tenseAt } from './tense.ts';

const dayMs = 86_400_000;

const weekday = '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day';
const month = `(?:${monthNames.join('|')}|(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)\\.?(?!\\p{Alpha}))`;
const partOfDay = '(?: (?:morning|noon|lunchtime|afternoon|evening|night)\\b)?';
const amount = '(?:\\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty)';
const vagueAmount =
  '(?:a few|few|a couple|a couple of|couple|couple of|several|some|many|a number of|half an?|(?:about |almost |nearly |over |roughly |around |more than |at least )(?:a |\\d{1,3} |\\w{3,8} )?)';
const unit = '(?:minute|hour|day|week|month|year|decade)s?';
/** A preposition that a phrase such as "in the week of" would double. */
const governed =
  /(?:\b(?:in|on|at|by|for|from|since|until|till|before|after|of|to|during|through|over|around|about|between|within|and|as of)|’s|'s) $/i;

/** Where a phrase stands. */
export interface Place {
  /** Midnight of the day on which the sentence was said, as if in UTC. */
  readonly today: number;
  /** All of the sentence. */
  readonly text: string;
  readonly at: number;
  readonly end: number;
}

/**
 * What becomes of a phrase: words, and the day if it is exact. `said` is for a phrase to which only the day of saying can be added; null
 * leaves it.
 */
export type Outcome = { readonly words: string; readonly day?: string } | 'said' | null;

/** One way of naming a day. */
export interface Form {
  readonly pattern: RegExp;
  read(match: RegExpExecArray, place: Place): Outcome;
}

/** Gives a day as `YYYY-MM-DD`. */
export const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);
const monthText = (time: number): string => {
  const date = new Date(time);
  return `${monthNames[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
};
const form = (source: string, read: Form['read'], flags = 'giu'): Form => ({
  pattern: new RegExp(source, flags),
  read,
});
const before = ({ text, at }: Place): string => text.slice(0, at);
const after = ({ text, end }: Place): string => text.slice(end);
const isGoverned = (place: Place): boolean => governed.test(before(place));
/** What follows a day that is itself what is spoken of: "yesterday was my first day". */
const isSubject = /^ (?:is|was|isn't|wasn't|will be|has been|went|turned out)\b/;
/** Puts a preposition before a phrase where none is. */
const placed = (preposition: string, words: string, place: Place): string =>
  isGoverned(place) || isSubject.test(after(place)) ? words : `${preposition} ${words}`;
/** "The shelter I help at yesterday": the preposition is that of the verb. */
const isStranded = ({ text, at }: Place): boolean =>
  /\b(?:at|in|with|to) $/i.test(text.slice(0, at)) && /^(?:today|yesterday|tomorrow)\b/i.test(text.slice(at));
const exact = (time: number, place: Place, part = ''): Outcome => {
  const day = dayText(time);
  if (isStranded(place)) return { words: `on ${day}${part}`, day };
  const isPossessive = /^['’]s\b/.test(after(place));
  return { words: isPossessive ? `${day}${part}` : `${placed('on', day, place)}${part}`, day };
};
const monthsOn = (time: number, months: number): number => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1);
};
const monday = (time: number): number => time - ((new Date(time).getUTCDay() + 6) % 7) * dayMs;

function weekOrYear(which: string, what: string, place: Place): Outcome {
  const { today } = place;
  const step = which === 'next' || which === 'coming' ? 1 : which === 'this' ? 0 : -1;
  switch (what) {
    case 'week':
      return { words: placed('in', `the week of ${dayText(monday(today) + step * 7 * dayMs)}`, place) };
    case 'month':
      return { words: placed('in', monthText(monthsOn(today, step)), place) };
    case 'year':
      return { words: placed('in', String(new Date(today).getUTCFullYear() + step), place) };
    case 'weekend': {
      const saturday = monday(today) + 5 * dayMs;
      const onWeekend = today >= saturday;
      // "Next weekend" is the coming one for some and the one after it for others.
      if (step > 0)
        return onWeekend || which === 'coming' ? weekend(saturday + (onWeekend ? 7 : 0) * dayMs, place) : 'said';
      if (step < 0) return weekend(saturday - 7 * dayMs, place);
      return weekend(!onWeekend && tenseAt(place.text, place.at) === 'past' ? saturday - 7 * dayMs : saturday, place);
    }
    default:
      return 'said';
  }
}

const weekend = (saturday: number, place: Place): Outcome => ({
  words: placed('on', `the weekend of ${dayText(saturday)}`, place),
});

/** What is so much a day, or so often. */
const measured =
  /(?:[\d%]|\b(?:quid|pounds?|dollars?|euros?|bucks|grand|k|once|twice|thrice|times|hours?|minutes?|tablets?|pills?|drops|puffs|doses?|mg|ml|kg|km|miles?|units?|pages|words|each)) $/i;

/** What comes round each week: its weekday is no single day. */
const recurring =
  /\b(?:class(?:es)?|lessons?|practice|training|rehearsals?|stand-?ups?|retros?|sync|course|shift|market|yoga|pilates|choir|club|office hours|collection|bins?|meetings?|jour fixe|weekly|every|each|always|usually|regular|day off|from now on|going forward|until further)\b/i;

/** A day that each week has: "bin day is Thursday". */
const weekly =
  /\b(?:bin|baking|wash(?:ing)?|laundry|cheat|rest|pay|market|cleaning|shopping|bath|leg|gym|training|practice|office|home|chore|library|pizza|film|movie|date|quiz|games?) (?:day|night|evening) (?:is|was|will be|moves to|changes to) (?:now |on )?$/i;

/** "Thursday, March 12": the date behind a weekday says which. */
const dated = new RegExp(
  `^,? (?:the )?(?:${month} \\d|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}|\\d{1,2}(?:st|nd|rd|th)\\b|\\d{4}-\\d\\d)`,
  'iu',
);

const movedTo =
  /\b(?:move[ds]?|postponed?|push(?:ed)?|shift(?:ed)?|rescheduled?|put|brought|changed?|switch(?:ed)?|delay(?:ed)?)\b[^.;]{0,40} to $/i;

function namedWeekday(which: string, name: string, part: string, place: Place): Outcome {
  const { today, text, at } = place;
  if (dated.test(after(place))) return null;
  const wanted = weekdays.findIndex((one) => one.startsWith(name.slice(0, 3).toLowerCase()));
  const current = new Date(today).getUTCDay();
  const back = (current - wanted + 7) % 7 || 7;
  const ahead = (wanted - current + 7) % 7 || 7;
  if (/^(?:last|past|this past)$/.test(which)) return exact(today - back * dayMs, place, part);
  const tense = tenseAt(text, at);
  if (which === 'next') {
    // As in due days: "next Friday", said on a Tuesday, is not the one three days off. Weeks begin on Monday.
    const sameWeek = (current + 6) % 7 < (wanted + 6) % 7;
    return exact(today + (ahead + (sameWeek ? 7 : 0)) * dayMs, place, part);
  }
  if (which === 'this' || which === 'coming' || which === 'this coming') {
    if (which === 'this' && tense === 'past') return exact(today - ((current - wanted + 7) % 7) * dayMs, place, part);
    return exact(today + (which === 'this' && ahead === 7 ? 0 : ahead) * dayMs, place, part);
  }
  // A bare weekday is a day only where something happened or will; what is done on Mondays in general stays.
  if (
    /\b(?:a|an|the|every|each|most|any|some|not on|only on|per|through|and|or|first|second|third|last|other|had|have|has|having|get|got|take|took|like|love|hate|prefer|want|need) $/i.test(
      before(place),
    )
  )
    return null;
  // "Our Sunday chats": what comes round. "My Monday is full" is of one.
  if (
    /(?:\b(?:my|our|your|his|her|their)|['’]s|s['’]) $/i.test(before(place)) &&
    /^ (?!(?:is|was|and|or|to|at|in|on|with|because|but|so|now)\b)\p{Lower}/u.test(after(place))
  )
    return null;
  // "Baking day is Wednesday now".
  if (weekly.test(before(place))) return null;
  // "Monday to Friday" is a span, "moved to Friday" a day.
  if (/\bto $/i.test(before(place)) && !movedTo.test(before(place))) return null;
  // "Sunday's match is called off": the coming one.
  const belongs = /^['’]s (?:[\p{Alpha}-]+ ){1,4}?(is|was|were|has been|will be|gets|starts|begins)\b/u.exec(
    after(place),
  )?.[1];
  if (belongs !== undefined && !/\b(?:always|usually|every|each)\b/i.test(text))
    return exact(/^w(?:as|ere)$/.test(belongs) ? today - back * dayMs : today + ahead * dayMs, place, part);
  if (
    /^(?:s\b|['’]s|[-–/]|,(?: and| or)? (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day| (?:(?:to|through|and|or|till|until) (?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)day|off|class|meeting|night|shift|deploy|release|evenings|mornings|afternoons|nights)\b)/i.test(
      after(place),
    )
  )
    return null;
  // "I read drafts on Thursdays, so let me have yours by Wednesday night": each week's.
  if (/\b(?:on )?(?:mon|tues|wednes|thurs|fri|satur|sun)days\b/i.test(text) && tense !== 'past') return null;
  if (tense === 'past') return exact(today - back * dayMs, place, part);
  if (/\bsince $/i.test(before(place))) return exact(today - back * dayMs, place, part);
  const isEvent = /\b(?:is|are|isn't|aren't|was|were) (?:not )?(?:on )?$/i.test(before(place)) && !recurring.test(text);
  // "I have a dentist appointment on Friday": one that has its day lies ahead.
  const isHeld =
    /\b(?:have|has|'ve got|'s got) (?:an?|my|our|his|her|their) [^,;:.]{2,40} (?:on )?$/i.test(before(place)) &&
    !recurring.test(text);
  // "Ada prints the programme by Friday": nobody has a deadline each week without saying so.
  const isDeadline = /\bby $/i.test(before(place)) && !recurring.test(text);
  if (tense === 'future' || isEvent || isHeld || isDeadline) return exact(today + ahead * dayMs, place, part);
  return null;
}

const weekdayBefore = new RegExp(`\\b(${weekday}),? (?:the )?$`, 'iu');

/** A day that somebody fixed lies ahead: "the church has confirmed 12 December", "the yard gave me a slot on 13 June". */
const fixed =
  /\b(?:(?:has|have|['’]s|['’]ve) (?:\p{Alpha}+ )?|just |finally )?(?:confirmed|agreed|booked|arranged|fixed|announced|offered|proposed|suggested|chosen|chose|picked|reserved|(?:gave|given|got) (?:me|us|him|her|them))\b[^.;!?]{0,60}$/iu;

/** So does what something was got for: "rented a van for 12 June", "got an appointment on 9 June", "got approved, 8 to 10 June". */
const gotFor =
  /\b(?:got|bought|rented|hired|ordered|found|won|received|paid|signed up|applied|registered|saved|blocked|accepted|approved|invited|asked)\b[^.;!?]{0,60} for(?: the)? $|\b(?:got|bought|received|found|won|scored|secured)\b [^.;!?]{0,40}\b(?:tickets?|appointments?|reservations?|tables?|slots?|seats?|bookings?|interviews?|viewings?|invitations?|invites?|exams?|sessions?|check-?ups?|surgery|operation)\b[^.;!?]{0,30} (?:on|from)(?: the)? $|\b(?:was|were|is|are|got|been) (?:accepted|approved|confirmed|scheduled|granted|planned)\b[^.;!?]{0,40}, $/iu;

/**
 * The year of a month or day that was named without one: back for what happened, ahead for what will. Undefined for what is so every year.
 */
function yearOf(monthIndex: number, day: number | undefined, place: Place): number | undefined {
  const { today, text, at } = place;
  if (/\b(?:born|birthdays?|anniversary|every|each|annual|annually|yearly|always|usually|never)\b/i.test(text))
    return undefined;
  const year = new Date(today).getUTCFullYear();
  const named = day === undefined ? null : weekdayBefore.exec(before(place));
  if (named !== null) {
    // "Monday 16 February" is of the year in which that day is a Monday.
    const wanted = weekdays.findIndex((one) => one.startsWith(named[1]!.slice(0, 3).toLowerCase()));
    const fitting = [year, year + 1, year - 1].find(
      (one) => new Date(Date.UTC(one, monthIndex, day)).getUTCDay() === wanted,
    );
    if (fitting !== undefined) return fitting;
  }
  const tense = tenseAt(text, at);
  const time = Date.UTC(year, monthIndex, day ?? 1);
  const thisMonth = monthsOn(today, 0);
  // "She agreed that I mail it by 8 May": until when something may be done lies ahead.
  const isUntil = /\b(?:by|until|till|before|from|starting)(?: on)?(?: the)? $/i.test(before(place));
  // "Vacation: 18 July to 1 August, booked through the agency": a label has no tense.
  const isLabelled = /^\W*[\p{Alpha}][\p{Alpha} ]{1,30}: (?:the )?$/u.test(before(place));
  const isAhead = isUntil || isLabelled || fixed.test(before(place)) || gotFor.test(before(place));
  // In December what is got for January is of the next year.
  const next = time > today ? time : Date.UTC(year + 1, monthIndex, day ?? 1);
  const hasJustPassed = time <= today && today - time <= 31 * dayMs;
  if (isAhead && !hasJustPassed && next - today < 200 * dayMs) return new Date(next).getUTCFullYear();
  if (tense === 'past') return time > (day === undefined ? thisMonth : today) ? year - 1 : year;
  if (tense === 'present' && day === undefined) return undefined;
  if (day === undefined) return time < thisMonth ? year + 1 : year;
  // A day without a year that has just passed is that one, as in due days.
  const previous = Date.UTC(year - 1, monthIndex, day);
  if (previous >= today - 31 * dayMs) return year - 1;
  return time < today - 31 * dayMs ? year + 1 : year;
}

/** A clause without a verb, of what is so for a time. */
const lasting =
  /(?:^|[,;:(–—]) ?(?:(?:so|and|but|then) )?(?:no|not|only|off|closed|open|valid|free|away|out|sick|ill|still|on (?:leave|holiday|vacation|sick leave))\b[^,;:.]*$/i;

/** "On the 27th": the last one for what happened, the next one for what will. */
function dayOfMonth(preposition: string, number: number, place: Place): Outcome {
  const { today, text, at } = place;
  const tense = tenseAt(text, at + preposition.length + 1);
  // "Moved to the 24th" is a day; "ran to the 24th" is not.
  const lead = text.slice(0, at);
  // "Not on the 22nd" is of the month that was just named.
  const named = /\bnot $/i.test(lead)
    ? new RegExp(`\\b\\d{1,2}(?:st|nd|rd|th)?(?: of)? (${month})(?!\\p{Alpha})`, 'u').exec(lead)
    : null;
  const year = named === null ? undefined : yearOf(monthIndexOf(named[1]!), number, { ...place, at: named.index });
  if (named !== null && year !== undefined) {
    const day = dayText(Date.UTC(year, monthIndexOf(named[1]!), number));
    return { words: `${preposition} ${day}`, day };
  }
  // "He has his operation on the 19th", "the rehearsal is on the 24th": one that has its day lies ahead.
  const isEvent =
    preposition === 'on' &&
    /\b(?:is|are|(?:have|has|'ve got|'s got) (?:an?|my|our|his|her|their) [^,;:.]{2,40}) $/i.test(lead) &&
    !/\b(?:every|each|always|usually|month(?:ly)?|rent|salary|bills?)\b/i.test(text);
  if ((tense === 'present' && !isEvent) || (tense === 'past' && /^(?:to|for)$/.test(preposition))) return null;
  // "Got the flu, no running until the 20th": what came before is past, and how long it lasts is not.
  const lasts = /^(?:by|until|till|before)$/i.test(preposition) && lasting.test(lead);
  const step = tense === 'past' && !lasts ? -1 : 1;
  for (let months = 0; months <= 12; months++) {
    const date = new Date(monthsOn(today, months * step));
    const time = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), number);
    const isReal = number > 0 && new Date(time).getUTCDate() === number;
    if (isReal && (time - today) * step > 0) return { words: `${preposition} ${dayText(time)}`, day: dayText(time) };
  }
  return null;
}

/** A day of a month, or several: "May 3", "May 3-5". */
function monthDay(
  monthName: string,
  days: readonly (string | undefined)[],
  joint: string,
  year: string | undefined,
  place: Place,
): Outcome {
  const index = monthIndexOf(monthName);
  const numbers = days.filter((one) => one !== undefined).map(Number);
  const found = year === undefined ? yearOf(index, numbers[0], place) : Number(year);
  if (found === undefined) return null;
  const times = numbers.map((day) => Date.UTC(found, index, day));
  if (times.some((time, nth) => new Date(time).getUTCDate() !== numbers[nth] || numbers[nth] === 0)) return null;
  return {
    words: times.map(dayText).join(/^[-–]$/.test(joint.trim()) ? ' to ' : ` ${joint.trim()} `),
    day: dayText(times[0]!),
  };
}

/** A phrase that chrono reads alone: "3 weeks ago", "in ten days". */
function chronoDay(phrase: string, today: number): number | undefined {
  const [found] = en.strict.parse(phrase, { instant: new Date(today + dayMs / 2), timezone: 0 });
  return found === undefined ? undefined : Date.parse(dayText(found.start.date().getTime()));
}

const soft = (unitName: string, time: number): string =>
  /^year|^decade/.test(unitName)
    ? String(new Date(time).getUTCFullYear())
    : /^month/.test(unitName)
      ? monthText(time)
      : dayText(time);

const ordinals =
  'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first'.split(
    ' ',
  );
const ordinalDay = new RegExp(`\\b(?:the )?(${ordinals.toReversed().join('|')}) of (?=${month})`, 'giu');
/** Writes "the first of June" as "the 1 of June", which the forms know. */
export const withNumberedDays = (text: string): string =>
  text.replace(ordinalDay, (_, word: string) => `${ordinals.indexOf(word.toLowerCase()) + 1} of `);

/** Every way that is understood; where two match the same words, the first counts. */
export const dayForms: readonly Form[] = [
  form(
    `\\b(${amount}) (day|week|fortnight|month)s? (?:from|after) (today|now|tomorrow|${weekday})\\b`,
    ([phrase, many, of, from], place) => {
      const ahead = /^(?:today|now)$/i.test(from!)
        ? 0
        : /^tomorrow$/i.test(from!)
          ? 1
          : (weekdays.findIndex((one) => one.startsWith(from!.slice(0, 3).toLowerCase())) -
              new Date(place.today).getUTCDay() +
              7) %
              7 || 7;
      // "£63 a day from today": how much, and since when.
      if (/^an? /i.test(phrase) && measured.test(before(place))) {
        const day = dayText(place.today + ahead * dayMs);
        return { words: phrase.slice(0, -from!.length) + day, day };
      }
      const unitName = of!.toLowerCase();
      const start = chronoDay(`in ${unitName === 'fortnight' ? '14 days' : `${many} ${of}s`}`, place.today);
      return start === undefined ? 'said' : exact(start + ahead * dayMs, place);
    },
  ),
  form(
    '\\b(?:the )?(?:(?:coming|next|past|last|upcoming) (?:few |couple of |couple |several |\\w{2,5} )?(?:days|weeks|months)|other day|upcoming (?:week|weekend|month|year|semester))\\b|\\bin a (?:few|couple(?: of)?) (?:days|weeks|months|years)\\b',
    () => 'said',
  ),
  form('\\b\\d{4}-\\d\\d-\\d\\d\\b', ([day]) => ({ words: day, day })),
  form('\\bfrom now on\\b', ([words], place) => {
    const day = dayText(place.today);
    return { words: `${words.startsWith('F') ? 'From' : 'from'} ${day} on`, day };
  }),
  form('\\b(?:the )?day after tomorrow\\b', (_, place) => exact(place.today + 2 * dayMs, place)),
  form('\\b(?:the )?day before yesterday\\b', (_, place) => exact(place.today - 2 * dayMs, place)),
  // "Illyria, known today as Albania": no day.
  form('\\b(?:known|called|famous) today\\b', () => null),
  form(`\\b(tomorrow|yesterday|today)\\b(${partOfDay})`, ([, name, part], place) => {
    const step = { tomorrow: 1, yesterday: -1, today: 0 }[name!.toLowerCase()]!;
    return exact(place.today + step * dayMs, place, part);
  }),
  form('\\btonight\\b', (_, place) => ({
    words: placed('on', `the evening of ${dayText(place.today)}`, place),
    day: dayText(place.today),
  })),
  form('\\bthis (morning|afternoon|evening)\\b', ([, part], place) => ({
    words: placed('on', `the ${part!.toLowerCase()} of ${dayText(place.today)}`, place),
    day: dayText(place.today),
  })),
  form('\\blast night\\b', (_, place) => ({
    words: placed('on', `the night of ${dayText(place.today - dayMs)}`, place),
    day: dayText(place.today - dayMs),
  })),
  form(
    `\\b(?:(?:on )?(last|next|this past|this coming|this|past|coming) )(${weekday}|(?:Mon|Tues?|Weds?|Thu(?:rs?)?|Fri|Sat|Sun)(?!\\p{Alpha})\\b)(${partOfDay})`,
    ([, which, name, part], place) => namedWeekday((which ?? '').toLowerCase(), name!, part ?? '', place),
  ),
  form(
    `\\b(?:on )?(${weekday})\\b(${partOfDay})`,
    ([, name, part], place) => namedWeekday('', name!, part ?? '', place),
    'gu',
  ),
  form(
    '\\b(?:in |over |during |on )?(the )?(last|past|this past|next|this|coming|this coming) (week|month|year|weekend|quarter|spring|summer|fall|autumn|winter|semester|term|season)\\b(?! (?:of|and a half))',
    ([, article, which, what], place) =>
      // "The last year" is twelve months, "last year" is the year before.
      article !== undefined && what!.toLowerCase() !== 'weekend'
        ? 'said'
        : weekOrYear(which!.toLowerCase().replace(/^this (?=past|coming)/, ''), what!.toLowerCase(), place),
  ),
  form(`\\b(${vagueAmount}) ?(${unit}) ago\\b`, ([, many, of], place) => ({
    words: `${many} ${of} before ${dayText(place.today)}`,
  })),
  form(`\\b(${amount}) (${unit}) ago\\b`, ([phrase, many, of], place) => {
    if (/^(?:minute|hour)/i.test(of!)) return 'said';
    const time = chronoDay(phrase, place.today);
    if (time === undefined) return { words: `${many} ${of} before ${dayText(place.today)}` };
    if (/^day/i.test(of!)) return exact(time, place);
    return { words: `${/\baround $/i.test(before(place)) ? '' : 'around '}${soft(of!.toLowerCase(), time)}` };
  }),
  form(`\\bin (${amount}) (${unit})\\b(?! of\\b)`, ([phrase, , of], place) => {
    // "Delivers in 12 days" is how long, "leaves in 12 days" is when.
    const lead = before(place);
    const isWhen =
      tenseAt(place.text, place.at) === 'future' ||
      /\b(?:is|are|'s|'re|due|opens?|ends?|expires?|arrives?|comes?) (?:back )?$/i.test(lead);
    if (!isWhen || /^(?:minute|hour)/i.test(of!)) return null;
    const time = chronoDay(phrase, place.today);
    if (time === undefined) return 'said';
    return /^day/i.test(of!) ? exact(time, place) : { words: `around ${soft(of!.toLowerCase(), time)}` };
  }),
  form(
    '\\b(on|by|until|till|since|before|after|from|to|for) the (\\d{1,2})(?:st|nd|rd|th)\\b(?=[.,;!]|$| (?:and|but|or|at|to|for|from|with|because|so|as|then|now|not|again|already|instead|please|all|guys|folks|everyone|everybody|in the)\\b)(?! (?:and|to) the)',
    ([, preposition, number], place) => dayOfMonth(preposition!, Number(number), place),
  ),
  form(
    `\\b(${month}) (\\d{1,2})(?:st|nd|rd|th)?\\b(?![:.]\\d|%)(?:( ?[-–] ?| to | and | or | through )(\\d{1,2})(?:st|nd|rd|th)?\\b(?![:.]\\d|%| ?[ap]m| \\p{Alpha}))?(?:,? (\\d{4})\\b)?`,
    ([, name, day, joint, second, year], place) => monthDay(name!, [day, second], joint ?? '', year, place),
    'gu',
  ),
  form(
    `\\b(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?:( ?[-–] ?| to | and | or | through )(?:the )?(\\d{1,2})(?:st|nd|rd|th)?)?(?: of)? (${month})(?!\\p{Alpha})(?:,? (\\d{4})\\b)?`,
    ([, day, joint, second, name, year], place) => monthDay(name!, [day, second], joint ?? '', year, place),
    'gu',
  ),
  form(
    `\\b([Bb]y|[Uu]ntil|till|[Bb]efore) (?:the )?end of (${month})\\b(?! \\d)`,
    ([, preposition, name], place) => {
      const index = monthIndexOf(name!);
      const year = yearOf(index, 28, place);
      if (year === undefined) return null;
      const day = dayText(Date.UTC(year, index + 1, 0));
      return { words: `${preposition} ${day}`, day };
    },
    'gu',
  ),
  form('\\b(by|until|till|before) (?:the )?end of (?:the|this) (month|year)\\b', ([, preposition, what], { today }) => {
    const year = new Date(today).getUTCFullYear();
    const day = what === 'year' ? `${year}-12-31` : dayText(monthsOn(today, 1) - dayMs);
    return { words: `${preposition} ${day}`, day };
  }),
  form(
    `\\b([Ii]n|[Ss]ince|[Bb]y|[Uu]ntil|till|[Bb]efore|[Aa]fter|[Ff]rom|[Dd]uring|of|[Ee]arly|[Ll]ate|mid|around) (${month})(?!\\p{Alpha}| \\d|['’]s)`,
    ([, preposition, name], place) => {
      const index = monthIndexOf(name!);
      const year = yearOf(index, undefined, place);
      return year === undefined ? null : { words: `${preposition} ${monthNames[index]} ${year}` };
    },
    'gu',
  ),
  form(
    `\\b([Ll]ast|[Nn]ext|[Tt]his) (${month})(?!\\p{Alpha}| \\d)`,
    ([, word, name], place) => {
      const which = word!.toLowerCase();
      const index = monthIndexOf(name!);
      const now = new Date(place.today);
      const ahead = index - now.getUTCMonth();
      // "Last May", said in October, may be this year's or that of the year before.
      if (which === 'last' ? ahead <= 0 : which === 'next' && ahead >= 0) return 'said';
      const year = now.getUTCFullYear() + (which === 'last' ? -1 : which === 'next' ? 1 : 0);
      return { words: placed('in', `${monthNames[index]} ${year}`, place) };
    },
    'gu',
  ),
];
