// The time that a question asks of: the present, a day or a stretch of time, or what was there before. The cues are English; a question that
// has none asks of the present.

/**
 * A moment, in milliseconds since the Unix epoch; `before`: what held ahead of what holds now; `first`: what held at the beginning.
 * Infinity is the time after all that is announced.
 */
export type AskedTime = number | 'before' | 'first';

type Tense = 'past' | 'present' | 'future';

const dayMs = 86_400_000;
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const month =
  '(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)';
const year = '((?:19|20)\\d\\d)';
/** By their middle month, counted from 0, as the northern half of the world has them. */
const seasons: Readonly<Record<string, number>> = { spring: 3, summer: 6, autumn: 9, fall: 9, winter: 0 };
const numbers = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** What stands behind a conjunction is a clause with a tense of its own. */
const conjunction = /\s(?:before|after|when|while|until|till|because|since|although)\s/i;
const future = /\b(?:will|shall|won['’]t|going to)\b|['’]ll\b/i;
const pastAuxiliary = /\b(?:did|was|were|had|used to|(?:did|was|were|had)n['’]t)\b/i;
const presentAuxiliary =
  /\b(?:do|does|is|are|am|has|have|can|must|should|(?:do|does|is|are|ca)n['’]t)\b|['’](?:s|re)\b/i;
/** Past forms that questions turn on: "Who led the team before?" */
const pastForm =
  /\b(?:\p{Alpha}{2,}ed|led|ran|held|kept|made|took|went|came|sat|stood|lay|met|paid|cost|spent|sold|bought|brought|taught|wrote|drove|rode|wore|ate|drank|slept|spoke|said|told|thought|knew|got|gave|chose|began|grew|left|lost|sent|built|saw|put|set|sang|swam|flew|felt|drew|won)\b/iu;

const firstWords =
  /\b(?:originally|original|initially|initial|first|in the beginning|to begin with|at the (?:very )?(?:beginning|start|outset)|when \S+ (?:\S+ )?(?:started|began|joined|met|opened|moved in|signed up))\b/i;
const beforeWords = /\b(?:before|earlier|once|old|prior|until|till|at (?:that|the) time|in the past)\b/i;
/** These ask of the past in any tense: "Who is our former landlord?" */
const surelyBefore =
  /\b(?:previous(?:ly)?|former(?:ly)?|used to|(?:did|didn['’]t)\b.{0,60}\buse to|back then|in those days)\b/i;
/** What looks like the past and is none: an order of things, a floor, a habit. */
const noPast =
  /\b(?:first (?:names?|aid|class|floor|thing|\p{Alpha}+day)|every first|at once|once (?:a|an|per|every)\b)/giu;

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
  if (surelyBefore.test(question)) return 'before';
  if (tense === 'present') return undefined;
  const words = question.replace(noPast, ' ');
  return firstWords.test(words) ? 'first' : beforeWords.test(words) ? 'before' : undefined;
}

function tenseOf(clause: string): Tense {
  if (future.test(clause)) return 'future';
  if (pastAuxiliary.test(clause)) return 'past';
  return presentAuxiliary.test(clause) || !pastForm.test(clause) ? 'present' : 'past';
}

interface Naming {
  readonly words: RegExp;
  /** Gives the middle of what is named; undefined where it is no day of a calendar. */
  time(found: readonly (string | undefined)[], now: Date, tense: Tense): number | undefined;
}

const day = '(\\d{1,2})(?:st|nd|rd|th)?';
const monthAt = (name: string | undefined): number => monthNames.indexOf((name ?? '').slice(0, 3).toLowerCase());
const middleOfMonth = (inYear: number, at: number): number => Date.UTC(inYear, at, 16);
const middleOfYear = (inYear: number): number => Date.UTC(inYear, 6, 1);
const unitMs: Readonly<Record<string, number>> = {
  day: dayMs,
  week: 7 * dayMs,
  month: 30.4 * dayMs,
  year: 365.25 * dayMs,
};

/**
 * Of what comes back every year, the last one that began; of a question about the future, the next. `half` is the time from its beginning to
 * its middle: of a month that goes on, the present is asked of.
 */
function inYears(
  middleIn: (year: number) => number,
  half: number,
  named: string | undefined,
  now: Date,
  tense: Tense,
): number {
  if (named !== undefined) return middleIn(Number(named));
  const near = [-1, 0, 1].map((step) => middleIn(now.getUTCFullYear() + step));
  if (tense === 'future') return near.find((time) => time > now.getTime())!;
  return Math.min(now.getTime(), near.findLast((time) => time - half <= now.getTime())!);
}

const namings: readonly Naming[] = [
  {
    words: /\b(\d{4})-(\d\d)(?:-(\d\d))?\b/,
    time: ([y, m, d]) => Date.UTC(Number(y), Number(m) - 1, d === undefined ? 16 : Number(d), 12),
  },
  {
    words: new RegExp(`\\b${month}\\.? ${day}\\b(?![:.]\\d)(?:,? ${year}\\b)?`, 'i'),
    time: ([m, d, y], now, tense) => inYears((at) => Date.UTC(at, monthAt(m), Number(d), 12), dayMs / 2, y, now, tense),
  },
  {
    words: new RegExp(`\\b${day}(?: of)? ${month}\\b(?:,? ${year}\\b)?`, 'i'),
    time: ([d, m, y], now, tense) => inYears((at) => Date.UTC(at, monthAt(m), Number(d), 12), dayMs / 2, y, now, tense),
  },
  {
    words: new RegExp(
      `\\b(?:in|during|by|of|around|last|since|through|early|late|mid)[ -]${month}\\b(?: (?:of )?${year}\\b)?`,
      'i',
    ),
    time: ([m, y], now, tense) => inYears((at) => middleOfMonth(at, monthAt(m)), 15 * dayMs, y, now, tense),
  },
  {
    words: new RegExp(
      `\\b(?:in|during|last|this|by|since)(?: the)? (spring|summer|autumn|fall|winter)\\b(?: (?:of )?${year}\\b)?`,
      'i',
    ),
    time: ([name, y], now, tense) =>
      inYears((at) => middleOfMonth(at, seasons[name!.toLowerCase()]!), 45 * dayMs, y, now, tense),
  },
  {
    words: new RegExp(
      `\\b(start|beginning|end|early|late|middle)(?: of|in)?(?: (the|this|last)(?: (year|month))?)?(?: ${year})?\\b`,
      'i',
    ),
    time: ([part, which, unit, y], now) => {
      if (unit === undefined && y === undefined) return undefined;
      const back = which?.toLowerCase() === 'last' ? 1 : 0;
      const share = /^(?:start|beg|early)/i.test(part!) ? 0 : /^m/i.test(part!) ? 1 : 2;
      const inYear = y === undefined ? now.getUTCFullYear() : Number(y);
      if (unit?.toLowerCase() === 'month') return Date.UTC(inYear, now.getUTCMonth() - back, [3, 16, 28][share]!);
      return middleOfMonth(inYear - back, [0, 6, 11][share]!);
    },
  },
  { words: new RegExp(`\\b(?:in|during|since|of|by) ${year}\\b`, 'i'), time: ([y]) => middleOfYear(Number(y)) },
  {
    words: /\b(last|next) (week|month|year)\b/i,
    time: ([which, unit], now) => {
      const step = which!.toLowerCase() === 'last' ? -1 : 1;
      if (unit!.toLowerCase() === 'week') return now.getTime() + step * 7 * dayMs;
      if (unit!.toLowerCase() === 'year') return middleOfYear(now.getUTCFullYear() + step);
      return middleOfMonth(now.getUTCFullYear(), now.getUTCMonth() + step);
    },
  },
  {
    words:
      /\b(\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) (day|week|month|year)s? ago\b/i,
    time: ([amount, unit], now) => {
      const word = numbers.indexOf(amount!.toLowerCase());
      const count = /^an?$/i.test(amount!) ? 1 : word < 0 ? Number(amount) : word;
      return now.getTime() - count * unitMs[unit!.toLowerCase()]!;
    },
  },
  { words: /\b(yesterday|tomorrow)\b/i, time: ([w], now) => now.getTime() + (/^y/i.test(w!) ? -dayMs : dayMs) },
];

/** Finds the time that a question names, where it asks of it in the tense that fits; a year makes any tense fit. */
function namedTimeOf(question: string, now: number, tense: Tense): number | undefined {
  for (const { words, time } of namings) {
    const found = words.exec(question);
    const named = found === null ? undefined : time(found.slice(1), new Date(now), tense);
    if (named === undefined || Number.isNaN(named)) continue;
    const isMeant =
      tense === 'past' ? named <= now : tense === 'future' ? named > now : new RegExp(year).test(found![0]);
    if (isMeant) return named;
  }
  return undefined;
}
