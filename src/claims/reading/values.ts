// What a clause says that can be otherwise: times, days, amounts, addresses, names. Each value has a type; two values of one type can
// take each other's place. What they are values of is frames.ts's.

/** What kind of thing a value is. Values of two types never contradict each other. */
export type ValueType =
  | 'time'
  | 'weekday'
  | 'date'
  | 'frequency'
  | 'money'
  | 'amount'
  | 'number'
  | 'email'
  | 'address'
  | 'phone';

/** One value, its place in the clause, and what it amounts to. */
export interface Value {
  readonly type: ValueType;
  /** What is compared: `615` minutes for "quarter past ten", `05-19` for "May 19th", `-19` where the month is not said. */
  readonly key: string;
  /** What an amount is of, stemmed: `km`, `call per minut`; empty for others. */
  readonly unit: string;
  readonly start: number;
  readonly end: number;
}

const wordNumbers: Readonly<Record<string, number>> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  eleven: 11,
  twelve: 12,
  thirteen: 13,
  fourteen: 14,
  fifteen: 15,
  sixteen: 16,
  seventeen: 17,
  eighteen: 18,
  nineteen: 19,
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
  thousand: 1000,
  dozen: 12,
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const month =
  '(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\\b\\.?';
/** "The end of March", "mid-April", "early June" */
const partOfMonth = '(?:(?:the )?(?:very )?(?:end|start|beginning|middle) of|mid-?|early|late)';
const weekday =
  '(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|satur?day|sunday)s?';
/** Longer words first: "fourteen" is no "four". */
const word = `(?:${Object.keys(wordNumbers)
  .sort((one, other) => other.length - one.length)
  .join('|')})`;
const tens = '(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety)';
const figures = '(?:(?<![\\p{Alpha}\\d.])[-−]\\d+(?:\\.\\d+)?|\\d{1,3}(?:,\\d{3})+(?:\\.\\d+)?|\\d+(?:[.,]\\d+)?)';
const spelled = `(?:${tens}-(?:one|two|three|four|five|six|seven|eight|nine)|${word})`;
const number = `(?:${figures}|${spelled})`;
const currency =
  '(?:euros?|eur|dollars?|bucks|usd|pounds?|quid|gbp|francs?|chf|crowns|kroner|kronor|yen|rupees|cents?|pence)';
const hour = '(?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)';

/** Tried in this order; what one has taken no later one sees. */
const patterns: readonly (readonly [ValueType, RegExp])[] = [
  ['email', /[\p{Alpha}\d._%+-]+@[\p{Alpha}\d-]+(?:\.[\p{Alpha}\d-]+)+/gu],
  [
    'address',
    /\b[a-z][a-z0-9+]{1,12}:\/\/[^\s,;)"']+|(?<![\p{Alpha}\d@])(?:[\p{Alpha}\d_-]+\.)+(?:com|org|net|io|dev|app|example|internal|local|lan|corp|test|de|eu|uk|fr|nl|cloud|ai)(?:\/[^\s,;)"']*)?(?![\p{Alpha}\d])|\b\d{1,3}(?:\.\d{1,3}){3}\b|(?<![\p{Alpha}\d])~?(?:\/[\p{Alpha}\d_.-]+){2,}/gu,
  ],
  [
    'date',
    new RegExp(
      `\\b\\d{4}-\\d\\d-\\d\\d\\b|\\b${partOfMonth} ?${month}(?![\\p{Alpha}]| \\d)|(?<=\\b(?:moved|moves|postponed|pushed|pushed back|delayed|extended|rescheduled|slipped|shifted|put off|brought forward) (?:to|until|till|into) )${month}(?![\\p{Alpha}]| \\d)|\\b${month} (?:the )?\\d{1,2}(?:st|nd|rd|th)?\\b(?![:.]\\d)|\\b(?:the )?\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${month}(?![\\p{Alpha}])|\\b(?:the )?\\d{1,2}(?:st|nd|rd|th)\\b(?! (?:edition|floor|grade|form|century|place|time|version|draft|birthday|anniversary|round|street|avenue|chapter|generation|percentile|row|attempt)\\b)`,
      'gu',
    ),
  ],
  ['phone', /(?<![\p{Alpha}\d])\+?\d{2,5}(?:[ /-]\d{2,8}){1,4}(?![\p{Alpha}\d:]|\.\d)/gu],
  [
    'time',
    new RegExp(
      `\\b(?:(?:quarter|five|ten|twenty|twenty-five) (?:past|to)|half past|half) ${hour}\\b(?! (?:hours?|minutes?))|\\b(?:[01]?\\d|2[0-3]):[0-5]\\d(?: ?[ap]\\.?m\\b\\.?)?(?!\\d)|\\b(?:[01]?\\d|2[0-3])\\.[0-5]\\d ?[ap]\\.?m\\b\\.?|\\b\\d{1,2} ?(?:[ap]\\.?m\\b\\.?|o'clock\\b)|(?<=\\b(?:at|until|till|from|around|before|after|by|to|and|is|now) )${hour}(?= (?:o'clock|in the (?:morning|evening|afternoon)|sharp)\\b)|(?<=\\bat )${hour} (?:fifteen|thirty|forty[- ]five|oh five)\\b|(?<=\\bat )${hour}(?=[.,;!?)]|$| (?:and|but|in|on|every|now|as|because|so|instead|from|again|then|these)\\b)|(?<=\\b(?:at|by|the|until|till|from) )(?:[01]?\\d|2[0-3])\\.[0-5]\\d(?=[.,;!?)]|$| (?:from|to|and|train|bus|ferry|flight|tomorrow|today|every|each|sharp|now)\\b)|\\b(?:noon|midday|midnight)\\b`,
      'gu',
    ),
  ],
  [
    'frequency',
    /\b(?:daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|hourly|(?:every|each) (?:other |second |two |three |four |five |six |ten |few |couple of |\d+ )?(?:day|night|week|month|quarter|year|hour|morning|evening)s?|(?:once|twice|\d+ times|three times|four times) (?:a|per|every) (?:day|week|month|year))\b/gu,
  ],
  ['weekday', new RegExp(`\\b${weekday}\\b(?:(?:,| and|, and| &| \\/|\\/| or)\\s?${weekday}\\b){0,6}`, 'gu')],
  [
    'money',
    new RegExp(`[€$£¥]\\s?\\d+(?:[.,]\\d+)*(?:k|m)?\\b|\\b${number}(?:k|m)?\\s?(?:[€$£¥]|${currency}\\b)`, 'gu'),
  ],
  [
    'amount',
    new RegExp(
      `(?<![\\p{Alpha}\\d.,-])${number}\\s?%|(?<![\\p{Alpha}\\d.,-])(?:${figures}(?![b-fijn-rtuxyz]\\b)[ -]?|${spelled}[ -])(?!(?:and|or|of|to|in|on|at|by|for|the|a|an|is|are|was|it|i|we|you|he|she|they|but|from|with|per|as|so|more|less|not|now|then|please|again|because|since|until|than|that|this|who|which|if|one|ones|thousand|hundred|million)\\b)(?:[\\p{Lower}°µ]{1,20})(?: (?:a|per|each|every) (?:second|minute|hour|day|week|month|year|night)\\b)?`,
      'gu',
    ),
  ],
  ['number', new RegExp(`(?<![\\p{Alpha}\\d.,:/-])${number}(?![\\p{Alpha}\\d]|[.,:]\\d|-\\p{Alpha})`, 'gu')],
];

const unitNames: Readonly<Record<string, string>> = {
  kilometre: 'km',
  kilometer: 'km',
  k: 'km',
  kilo: 'kg',
  kilogram: 'kg',
  gram: 'g',
  milligram: 'mg',
  microgram: 'µg',
  mcg: 'µg',
  ug: 'µg',
  litre: 'l',
  liter: 'l',
  minute: 'min',
  second: 's',
  sec: 's',
  hour: 'h',
  hr: 'h',
  metre: 'm',
  meter: 'm',
  megabyte: 'mb',
  gigabyte: 'gb',
  terabyte: 'tb',
  kid: 'person',
  child: 'person',
  children: 'person',
  people: 'person',
  guest: 'person',
  participant: 'person',
  attendee: 'person',
  percent: '%',
  degree: '°',
  seat: 'person',
};

function unitOf(text: string): string {
  const [head = '', ...rate] = text
    .trim()
    .toLowerCase()
    .replace(/\b(?:a|each|every)\b/g, 'per')
    .split(' ');
  const singular = head.replace(/(?<=[^s]{2})s$/, '');
  return [unitNames[singular] ?? unitNames[head] ?? singular, ...rate].join(' ');
}

function numberOf(text: string): number {
  const plain = text
    .toLowerCase()
    .replace('−', '-')
    .replace(/(?<=\d),(?=\d{3}\b)/g, '');
  const figures = /-?\d+(?:[.,]\d+)?/.exec(plain)?.[0];
  if (figures !== undefined) return Number(figures.replace(',', '.')) * (/\dk\b/.test(plain) ? 1000 : 1);
  return plain.split('-').reduce((sum, part) => sum + (wordNumbers[part] ?? 0), 0);
}

const minutesInWords: Readonly<Record<string, number>> = {
  quarter: 15,
  five: 5,
  ten: 10,
  twenty: 20,
  'twenty-five': 25,
};

/** "At five thirty". */
const minutesSpoken: Readonly<Record<string, number>> = { fifteen: 15, thirty: 30, 'forty-five': 45, 'oh-five': 5 };

/** Minutes of the day in which half is not known: "at 8" may be 20:00, so both halves meet at the same key. */
function timeKey(text: string): string {
  const lower = text.toLowerCase();
  if (/noon|midday/.test(lower)) return '0';
  if (/midnight/.test(lower)) return 'midnight';
  const clock = /(\d{1,2})[:.](\d\d)/.exec(lower);
  const [, spokenHour, spokenMinutes] =
    new RegExp(`^(${hour}) (fifteen|thirty|forty[- ]five|oh five)$`).exec(lower) ?? [];
  if (spokenMinutes !== undefined)
    return String((numberOf(spokenHour!) % 12) * 60 + minutesSpoken[spokenMinutes.replace(' ', '-')]!);
  const named = new RegExp(`${hour}(?=\\W*(?:[ap]\\.?m|o'clock)?\\W*$)`).exec(lower)?.[0];
  const hours = clock === null ? numberOf(named ?? '0') : Number(clock[1]);
  const minutes =
    clock === null
      ? (/^half/.test(lower) ? 30 : (minutesInWords[/^([a-z-]+) (?:past|to)\b/.exec(lower)?.[1] ?? ''] ?? 0)) *
        (/^[a-z-]+ to\b/.test(lower) ? -1 : 1)
      : Number(clock[2]);
  return String(((((hours % 12) * 60 + minutes) % 720) + 720) % 720);
}

function dateKey(text: string): string {
  const iso = /^\d{4}-(\d\d)-(\d\d)$/.exec(text);
  if (iso !== null) return `${iso[1]}-${iso[2]}`;
  const at = months.findIndex((name) => new RegExp(`\\b${name}`).test(text));
  const part = /\bmid|\bmiddle/.test(text)
    ? 'mid'
    : /\b(?:end|late)\b/.test(text)
      ? 'end'
      : /\b(?:start|beginning|early)\b/.test(text)
        ? 'start'
        : '';
  const day = /\d{1,2}/.exec(text)?.[0] ?? part;
  return `${at < 0 ? '' : String(at + 1).padStart(2, '0')}-${day === '' ? '' : day.padStart(2, '0')}`;
}

function keyOf(type: ValueType, text: string): string {
  switch (type) {
    case 'time':
      return timeKey(text);
    case 'date':
      return dateKey(text);
    case 'weekday': {
      const named = weekdays.filter((day) => new RegExp(`\\b${day}`).test(text));
      return named.join(' ');
    }
    case 'money':
    case 'amount':
    case 'number':
      return String(numberOf(text));
    case 'phone':
      return text.replace(/\D/g, '');
    case 'frequency':
      return frequencies.find(([form]) => form.test(text))?.[1] ?? text.toLowerCase();
    default:
      return text.toLowerCase().replace(/[.,;:]+$/, '');
  }
}

const frequencies: readonly (readonly [RegExp, string])[] = [
  [/^(?:daily|(?:every|each) (?:day|morning|evening)s?)$/i, 'day'],
  [/^(?:nightly|(?:every|each) nights?)$/i, 'night'],
  [/^(?:weekly|(?:every|each) week|once (?:a|per|every) week)$/i, 'week'],
  [/^(?:biweekly|fortnightly|every (?:two|other|second) weeks?)$/i, 'two weeks'],
  [/^(?:monthly|(?:every|each) month|once (?:a|per|every) month)$/i, 'month'],
  [/^(?:quarterly|(?:every|each) quarter)$/i, 'quarter'],
  [/^(?:yearly|annually|(?:every|each) year)$/i, 'year'],
  [/^(?:hourly|(?:every|each) hour)$/i, 'hour'],
];

const begins =
  /\b(?:as of|as from|from|starting(?: with| on| in)?|beginning(?: with| on)?|since|after|effective|until|till) (?:the |next |last )?$/;

/** "The notice period is one month": what something is, or is cut to. */
const counts = /\b(?:is|are|was|to|only|per)\s$/;

/** Whether a clause can have a value at all; most have none. */
const mayHold =
  /[\d@/€$£]|(?:mon|tues|wednes|thurs|fri|satur|sun)day|\b(?:end of|start of|beginning of|middle of|mid|early|late|to|until|till|into)[ -]?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|thousand|dozen|noon|midday|midnight|half|quarter|daily|nightly|weekly|biweekly|fortnightly|monthly|quarterly|yearly|annually|hourly|every|each|once|twice|mon|tue|wed|thu|fri)\b|\w\.\w/i;

/** Lists the values of a clause in the order in which they stand. */
export function valuesOf(clause: string): Value[] {
  const found: Value[] = [];
  if (!mayHold.test(clause)) return found;
  let rest = clause.replaceAll('’', "'").toLowerCase();
  const taken = new Set<number>();
  for (const [type, pattern] of patterns) {
    for (const match of rest.matchAll(pattern)) {
      const text = match[0];
      // "From the 10th of July on": when it begins is no part of what it is, and no amount of Julys.
      if ((type === 'date' || type === 'weekday') && begins.test(rest.slice(0, match.index))) {
        taken.add(match.index);
        continue;
      }
      if (type === 'phone' && text.replace(/\D/g, '').length < 6) continue;
      // "One" and "a second" are rarely counts; "may" alone is no month.
      if ((type === 'number' || type === 'amount') && /^(?:one|half|second)\b/i.test(text)) {
        const isCounted =
          type === 'amount' && /^one (?:\p{Alpha}+)$/iu.test(text) && counts.test(rest.slice(0, match.index));
        if (!isCounted) continue;
      }
      const head = type === 'amount' ? new RegExp(`^${number}`, 'iu').exec(text)![0] : text;
      const unit = type === 'amount' ? unitOf(text.slice(head.length).replace(/^-/, '')) : '';
      found.push({ type, key: keyOf(type, head), unit, start: match.index, end: match.index + text.length });
      taken.add(match.index);
    }
    rest = rest.replace(pattern, (text, ...more) => {
      const at = more.findIndex((value) => typeof value === 'number');
      return taken.has(more[at] as number) ? ' '.repeat(text.length) : text;
    });
  }
  return found.sort((a, b) => a.start - b.start);
}

/** Tells whether two values of one type name different things; `19` of no month is the 19th of any. */
export function differ(one: Value, other: Value): boolean {
  if (one.type !== other.type || one.unit !== other.unit) return false;
  if (one.type !== 'date') return one.key !== other.key;
  const [monthOne, dayOne] = one.key.split('-');
  const [monthOther, dayOther] = other.key.split('-');
  const areOtherMonths = monthOne !== '' && monthOther !== '' && monthOne !== monthOther;
  // A month alone is any day of it.
  return areOtherMonths || (dayOne !== dayOther && dayOne !== '' && dayOther !== '');
}
