// The time that a question asks of: the present, a day or a stretch of time, or what was there before. The cues are English; a question that
// has none asks of the present.

import * as words from '../base/generated/words.ts';
import { dayMs } from '../base/time.ts';
import { anyOf, listed, oneOf } from '../base/words.ts';
import { timesIn } from '../language/index.ts';

/**
 * A moment, in milliseconds since the Unix epoch; `before`: what held ahead of what holds now; `first`: what held at the beginning.
 * Infinity is the time after all that is announced.
 */
export type AskedTime = number | 'before' | 'first';

/** In milliseconds, the end not included. */
export interface TimeSpan {
  readonly start: number;
  readonly end: number;
}

type Tense = 'past' | 'present' | 'future';

/** What stands behind a conjunction is a clause with a tense of its own. */
const conjunction = new RegExp(`\\s${oneOf(listed(words.conjunctions))}\\s`, 'i');
const future = anyOf(words.future);
const pastAuxiliary = anyOf(words.pastAuxiliaries);
const presentAuxiliary = anyOf(words.presentAuxiliaries);
const shortFuture = /['’]ll\b/i;
const shortPresent = /['’](?:s|re)\b/i;
/** Past forms that questions turn on: "Who led the team before?" */
const pastForm = anyOf(`${words.pastForms}, *ed`);

const originally = anyOf(words.originally);
const beginning = new RegExp(`\\bwhen \\S+ (?:\\S+ )?${oneOf(listed(words.beginnings))}\\b`, 'i');
const earlier = anyOf(words.earlier);
/** These ask of the past in any tense: "Who is our former landlord?" */
const formerly = anyOf(words.formerly);
/** What looks like the past and is none: an order of things, a floor, a habit. */
const noPast = new RegExp(`\\b${oneOf(listed(words.noPast))}\\b`, 'gi');

/** Reads the days that a question names, as seen from `now`; undefined where it names none. */
export function daysAskedOf(question: string, now: number): TimeSpan | undefined {
  const [found] = question.length > 2000 ? [] : timesIn(question, { now });
  return found && { start: found.first, end: found.last + dayMs };
}

/**
 * Reads the time that a question asks of; `now` in milliseconds. Undefined for the present.
 *
 * ```
 * Where did the team sit before the move?         'before'
 * Which day was the kick-off first planned for?   'first'
 * What did Ada say about it in May?               the middle of the last May
 * What will the desk cost next year?              the middle of the next year
 * When is the review in May?                      undefined: it asks in the present
 * ```
 */
export function askedTimeOf(question: string, now: number): AskedTime | undefined {
  const tense = tenseOf(question.split(conjunction)[0]!);
  const named = namedTimeOf(question, now, tense);
  if (named !== undefined) return named;
  if (tense === 'future') return Number.POSITIVE_INFINITY;
  if (formerly.test(question) || (pastAuxiliary.test(question) && /\buse to\b/i.test(question))) return 'before';
  if (tense === 'present') return undefined;
  const rest = question.replace(noPast, ' ');
  return originally.test(rest) || beginning.test(rest) ? 'first' : earlier.test(rest) ? 'before' : undefined;
}

function tenseOf(clause: string): Tense {
  if (future.test(clause) || shortFuture.test(clause)) return 'future';
  if (pastAuxiliary.test(clause)) return 'past';
  return presentAuxiliary.test(clause) || shortPresent.test(clause) || !pastForm.test(clause) ? 'present' : 'past';
}

/** Finds the middle of the time that a question names. It has to ask in the tense that fits; a year makes any tense fit. */
function namedTimeOf(question: string, now: number, tense: Tense): number | undefined {
  for (const { first, last, hasYear } of timesIn(question, { now, isAhead: tense === 'future' })) {
    const middle = (first + last + dayMs) / 2;
    // Of what goes on now, the present is asked of.
    if (tense === 'past' && first <= now) return Math.min(middle, now);
    if (tense === 'future' && last >= now) return Math.max(middle, now);
    if (hasYear) return middle;
  }
  return undefined;
}
