// Clocks and days as chat programs write them, in any language. Digits are of several scripts, and halves of the day have the names of the
// platform's calendar (CLDR). The order of day and month only the whole text tells.

/** A day as it stands: `13.02.26` is 13, 02, 26. */
export interface ChatDay {
  readonly parts: readonly [string, string, string];
  readonly separator: string;
}

/** A clock: milliseconds since midnight. */
export interface ChatClock {
  readonly ms: number;
  /** The half of the day as it stands, `PM`; empty for clocks of 24 hours. */
  readonly half: string;
  readonly hasSeconds: boolean;
}

/** The first line of a message in an export: `[13.02.26, 10:02:33] Anna: …` and `13/02/2026, 10:02 - Anna: …`. */
export interface ChatHeading {
  readonly day: ChatDay;
  readonly clock: ChatClock;
  /** Absent for what the program says itself. */
  readonly name?: string;
  readonly rest: string;
  readonly style: 'brackets' | 'dash' | 'colon';
  /** What stands between day and clock. */
  readonly between: string;
}

/** Marks of the direction of text, which no reader sees. */
export const directionMarks = /[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

const clockForm = String.raw`\p{Nd}{1,2}[:.٫]\p{Nd}{2}(?:[:.٫]\p{Nd}{2})?`;
const halfForm = String.raw`(?:\s?[\p{L}\p{M}.]{1,12}){0,3}`;
const lead = String.raw`[\u200e\u200f\u202a-\u202e\ufeff]*`;
const slash = String.raw`[\u200e\u200f]?[-/.][\u200e\u200f ]?`;
const dayForm = String.raw`(\p{Nd}{1,4})(${slash})(\p{Nd}{1,2})${slash}([RH]?\p{Nd}{1,4})`;
/** `[10:02, 13/02/2026] Anna: …`, as WhatsApp in a browser copies it. */
const clockFirst = new RegExp(String.raw`^${lead}\[(${clockForm})(${halfForm}),?\s+${dayForm}\]\s?(.*)$`, 'u');
const headingForm = new RegExp(
  [
    // The day, and what stands between it and the clock: a comma, a word.
    String.raw`^${lead}(\[?)${lead}${dayForm}([.,،]?\s*(?:[\p{L}\p{M}.]{1,8}[.,،]?\s*)?)`,
    String.raw`(${clockForm})(${halfForm})(\]|\s[-–—](?=\s)|:(?=\s))\s?(.*)$`,
  ].join(''),
  'u',
);
const nameForm = /^(.{1,80}?)\s?:(?:\s|$)(.*)$/u;

/** Reads the first line of a message; null for any other line. */
export function chatHeading(line: string): ChatHeading | null {
  // Most lines are words.
  if (!/^\P{L}*\p{Nd}/u.test(line.slice(0, 12))) return null;
  const written = line.replace(/\r$/, '');
  const turned = clockFirst.exec(written);
  const found = turned === null ? headingForm.exec(written) : inUsualOrder(turned);
  if (found === null) return null;
  const [, open, first, separator, second, third, between = '', clockText, halfText = '', end, words = ''] = found;
  if ((open === '[') !== (end === ']')) return null;
  const wordBefore = between.replace(/[.,،\s]+/gu, '');
  const clock = clockOf(clockText!, halfText.trim() === '' ? wordBefore : halfText);
  if (clock === undefined) return null;
  const style = open === '[' ? 'brackets' : end === ':' ? 'colon' : 'dash';
  const parts = [first!, second!, third!].map(plainDigits) as unknown as ChatDay['parts'];
  const day = { parts, separator: separator!.replace(directionMarks, '').trim() };
  const [, name, rest] = nameForm.exec(words) ?? [];
  const plain = name?.replace(directionMarks, '').replace(/^~\s*/u, '').trim();
  const isNamed = plain !== undefined && plain !== '' && isWhole(plain);
  return { day, clock, style, between, ...(isNamed ? { name: plain, rest: rest! } : { rest: words }) };
}

/** Gives what {@link clockFirst} finds in the order of {@link headingForm}. */
const inUsualOrder = ([whole, clock, half, first, separator, second, third, rest]: readonly (string | undefined)[]) => [
  whole,
  '[',
  first,
  separator,
  second,
  third,
  ', ',
  clock,
  half,
  ']',
  rest,
];

/** A name closes the quotes that it opens: a notice that quotes something is cut in its middle. */
function isWhole(name: string): boolean {
  const count = (mark: string): number => name.split(mark).length - 1;
  return (
    count('"') % 2 === 0 &&
    count('“') <= count('”') + count('‘') &&
    count('«') === count('»') &&
    count('「') === count('」')
  );
}

/** Zeros of the scripts that clocks are written in: Arabic, Persian, Devanagari, Bengali. */
const zeros = [0x660, 0x6f0, 0x966, 0x9e6];

function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0)!;
    const zero = zeros.find((one) => code >= one && code < one + 10);
    return zero === undefined ? digit : String(code - zero);
  });
}

/** Reads a clock with the half of the day beside it; undefined for what no clock shows. */
export function clockOf(text: string, half = ''): ChatClock | undefined {
  const [hours = 0, minutes = 0, seconds] = plainDigits(text).split(/[:.٫]/).map(Number);
  const hour = hours > 12 || half === '' ? hours : (hourOf(hours, half) ?? hours);
  if (Number.isNaN(hour + minutes + (seconds ?? 0)) || hour > 23 || minutes > 59 || (seconds ?? 0) > 59)
    return undefined;
  const ms = ((hour * 60 + minutes) * 60 + (seconds ?? 0)) * 1000;
  const isHalf = hours <= 12 && hourOf(hours, half) !== undefined;
  return { ms, half: isHalf ? half.trim() : '', hasSeconds: seconds !== undefined };
}

/** Hours by words for a part of the day, from CLDR, for languages in which clocks of 12 hours are common. */
let partsOfDay: Map<string, Set<number>> | undefined;
const languages = [
  'am ar as bg bn ca cs cy da de el en es et fa fi fil fr gu ha he hi hr hu hy id is it ja ka kk km kn ko lt lv ml mn mr',
  'ms my nb ne nl or pa pl ps pt ro ru sd si sk sl so sq sr sv sw ta te th tr ug uk ur uz vi yue zh zu',
].join(' ');

const plainWord = (text: string): string => text.toLowerCase().replace(/[.\s\u200e\u200f]+/gu, '');

/** Gives the hour of 24 that a clock of 12 shows; undefined where the word is none for a part of the day. */
function hourOf(hour: number, half: string): number | undefined {
  const name = plainWord(half);
  if (name === '') return undefined;
  const latin = /^([ap])m?$/.exec(name)?.[1];
  if (latin !== undefined) return hour < 1 ? undefined : (hour % 12) + (latin === 'p' ? 12 : 0);
  partsOfDay ??= readPartsOfDay();
  const hours = [...(partsOfDay.get(name) ?? [])];
  const exact = hours.find((one) => one % 12 === hour % 12);
  if (exact !== undefined || hours.length === 0) return exact;
  // Where parts of the day meet, programs differ from the calendar by an hour or two.
  const isLate = hours.every((one) => one >= 12);
  return isLate || hours.every((one) => one < 12) ? (hour % 12) + (isLate ? 12 : 0) : undefined;
}

function readPartsOfDay(): Map<string, Set<number>> {
  const found = new Map<string, Set<number>>();
  for (const language of languages.split(' ')) {
    for (const style of [{}, { dayPeriod: 'short' as const }]) {
      const format = new Intl.DateTimeFormat(language, { hour: 'numeric', hour12: true, timeZone: 'UTC', ...style });
      for (let hour = 0; hour < 24; hour++) {
        const part = format.formatToParts(hour * 3_600_000).find(({ type }) => type === 'dayPeriod');
        const name = plainWord(part?.value ?? '');
        if (name !== '') found.set(name, (found.get(name) ?? new Set()).add(hour));
      }
    }
  }
  return found;
}

type Order = 'ymd' | 'dmy' | 'mdy';

const orderNames: Readonly<Record<Order, string>> = {
  ymd: 'year, month, day',
  dmy: 'day, month, year',
  mdy: 'month, day, year',
};

/** Eras of the calendar of Japan, each with the year before its first. */
const eras: Readonly<Record<string, number>> = { R: 2018, H: 1988 };
/** The calendar of Thailand counts from so many years before. */
const buddhist = 543;
/** Of years with two digits: no chat of these programs is older. */
const earliest = 2005;

function yearOf(text: string): number {
  const era = eras[text[0]!];
  const year = era === undefined ? Number(text) : era + Number(text.slice(1));
  if (year < 100) return 2000 + year;
  return year > 2400 ? year - buddhist : year;
}

/** Gives a day in an order as `YYYY-MM-DD`; undefined for one that no calendar has. */
function dayIn(order: Order, { parts: [a, b, c] }: ChatDay): string | undefined {
  const [y, m, d] = order === 'ymd' ? [a, b, c] : order === 'dmy' ? [c, b, a] : [c, a, b];
  const year = yearOf(y);
  if (m.length > 2 || d.length > 2 || year < (y.length <= 2 ? earliest : 1900)) return undefined;
  const written = [year, m, d].map((part) => String(part).padStart(2, '0')).join('-');
  const read = new Date(`${written}T00:00:00Z`);
  return Number.isNaN(read.getTime()) || read.toISOString().slice(0, 10) !== written ? undefined : written;
}

/** Finds out, by all days of a text, in which order their numbers stand. */
export class DateOrder {
  private readonly seen: ChatDay[] = [];
  private last = '';
  private hasCapitalHalf = false;
  private settled: { readonly order: Order; readonly why: string } | undefined;

  /** Notes a day, in the order of the text. */
  note(day: ChatDay, half = ''): void {
    if (/^[AP]M$/.test(half)) this.hasCapitalHalf = true;
    const key = day.parts.join();
    if (key !== this.last) this.seen.push(day);
    this.last = key;
  }

  /** Gives the order and what shows it, as a clause; `now` is a moment after all of them, in milliseconds. */
  settle(now: number): { readonly order: Order; readonly why: string } {
    this.settled ??= this.decide(new Date(now + 2 * 86_400_000).toISOString().slice(0, 10));
    return this.settled;
  }

  /** Says the order with its reason; undefined where days begin with their year. */
  said(now: number): string | undefined {
    const { order, why } = this.settle(now);
    return order === 'ymd' ? undefined : `reads its days as ${orderNames[order]}: ${why}`;
  }

  /** Tells whether days show an order that nobody would guess. */
  isUnusual(now: number): boolean {
    const { order } = this.settle(now);
    return order !== 'ymd' && this.seen.length > 0 && order !== this.usual(this.seen[0]!);
  }

  /** Gives a day as `YYYY-MM-DD`; one that does not exist in the order of the others is read in the other one. */
  dayOf(day: ChatDay, now: number): string | undefined {
    const { order } = this.settle(now);
    return dayIn(order, day) ?? dayIn(order === 'mdy' ? 'dmy' : 'mdy', day);
  }

  private decide(tomorrow: string): { order: Order; why: string } {
    const { seen } = this;
    if (seen.length === 0) return { order: 'dmy', why: 'it has none' };
    const [first] = seen[0]!.parts;
    const last = seen[0]!.parts[2];
    const orders: Order[] =
      first.length === 4 ? ['ymd'] : last.length > 2 || /\D/.test(last) ? ['dmy', 'mdy'] : ['dmy', 'mdy', 'ymd'];
    const ranked = orders.map((order) => {
      const days = seen.map((day) => dayIn(order, day));
      const wrong = days.indexOf(undefined);
      const missing = days.filter((day) => day === undefined).length;
      let disorder = 0;
      for (const [at, day] of days.entries()) {
        if (day === undefined) continue;
        if (day > tomorrow) disorder += 1;
        if (at > 0 && days[at - 1] !== undefined && day < days[at - 1]!) disorder += 1;
      }
      return { order, missing, disorder, wrong };
    });
    const usual = this.usual(seen[0]!);
    const [best, second] = ranked.sort(
      (one, other) =>
        one.missing - other.missing ||
        one.disorder - other.disorder ||
        Number(other.order === usual) - Number(one.order === usual),
    );
    // Shown is how the order differs from the other of days and months: few chats have the year first in two digits.
    const next = ranked.find(({ order }) => order !== best!.order && order !== 'ymd') ?? second;
    if (next === undefined) return { order: best!.order, why: 'they begin with it' };
    const shown = next.wrong < 0 ? undefined : seen[next.wrong]!;
    if (best!.missing < next.missing && shown !== undefined)
      return { order: best!.order, why: `${shown.parts.join(shown.separator)} shows it` };
    if (best!.disorder < next.disorder) return { order: best!.order, why: 'only so do they follow one another' };
    return { order: best!.order, why: 'none of them shows it, and most such texts do' };
  }

  /** What most texts of the kind do: programs in American English write `AM` in capitals, and no dots between numbers. */
  private usual({ separator }: ChatDay): Order {
    return this.hasCapitalHalf && separator === '/' ? 'mdy' : 'dmy';
  }
}
