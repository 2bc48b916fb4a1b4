// Talk as people copy it out of chat programs: each message begins with a line that says who, and when. The forms are those that
// WhatsApp, Telegram, Signal, Slack, Teams, Discord and IRC clients put on the clipboard or into an export.

import { weekdays } from '../../base/calendar.ts';
import { defined } from '../../base/errors.ts';
import { dayMs, dayOf, startOfDay } from '../../base/time.ts';
import { oneOf } from '../../base/words.ts';
import { dayText, firstTimeIn } from '../../language/index.ts';
import { type ChatClock, type ChatDay, chatHeading, clockOf, DateOrder, directionMarks } from './chat-clock.ts';
import { whoIs } from './dialogue.ts';
import { fencedLines } from './fences.ts';
import type { MessageDraft } from './messages.ts';

const clock = String.raw`(?<clock>\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?|\s?Uhr\b)?)`;
const namedDay = oneOf(['today', 'yesterday', ...weekdays]);
const day = String.raw`(?<day>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[/.]\d{1,2}\.?|${namedDay})`;
const moment = String.raw`(?:${day},?(?: at)?\s+)?${clock}`;
const name = String.raw`(?<name>[\p{L}\p{N}@+~][\p{L}\p{M}\p{N}@+.'’_() -]{0,49}?)`;
const rest = String.raw`:(?:\s(?<rest>.*))?`;

/** Reads the first line of a message, or what a program says of itself; null for any other line. */
type ReadHeading = (line: string) => Heading | null;

/** How the first line of a message is written; a text keeps to the first of these that it begins with. */
const forms: readonly ReadHeading[] = [
  // [31.12.2025, 10:02:33] Anna: …    31/12/25, 10:02 - Anna: …
  chatHeading,
  ...[
    // [10:02] Anna: …
    String.raw`\[${moment}\]\s*${name}${rest}`,
    // [10:02] <anna> …    10:02 <anna> …
    String.raw`\[?${moment}\]?\s*<${name}>(?:\s(?<rest>.*))?`,
    // 10:02 - Anna: …
    String.raw`${moment}\s*[-–—]\s*${name}${rest}`,
    // Anna (10:02): …    Anna [10:02]: …
    String.raw`${name}\s*[([]${moment}[)\]]${rest}`,
    // The words stand below: Anna, [31.12.2025 10:02]    [10:02] Anna    Anna — Today at 10:02
    String.raw`${name},?\s*\[${moment}\]:?`,
    String.raw`\[${moment}\]\s*${name}`,
    String.raw`${name}(?:\s+(?:APP|BOT))?\s*[—–]\s*${moment}`,
  ].map(readerOf),
];

/** Notes and timetables have such lines, too: two names at least, and one that comes again, make a talk of them. */
const looseForms: readonly ReadHeading[] = [
  // 10:02 Anna: …    Anna, 10:02: …
  String.raw`${moment}\s+${name}${rest}`,
  String.raw`${name},?\s+${moment}${rest}`,
  // Anna  10:02 AM, and the words below
  String.raw`${name}(?:\s+(?:APP|BOT))?,?\s+${moment}`,
].map(readerOf);

/** Programs log in the same forms. */
const level = /(?:^|[.\s])(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)$/i;

interface Heading {
  /** Absent for what the program says itself. */
  readonly name?: string;
  readonly day?: string | ChatDay;
  readonly clock: ChatClock;
  readonly rest: string;
}

interface Line {
  readonly text: string;
  readonly heading: Heading | null;
}

function readerOf(source: string): ReadHeading {
  const form = new RegExp(`^\\u200e?${source}$`, 'iu');
  return (line) => {
    // A copy as markdown has the name in bold.
    const groups = form.exec(line.trimEnd().replace(/^(\*\*|__)(.+?)\1/, '$2'))?.groups;
    const named = groups?.name?.replace(/^~\s*/, '');
    if (groups?.clock === undefined || named === undefined || !/\p{L}|^\+\d[\d ]{6,}$/u.test(named)) return null;
    const [, digits = '', half = ''] = /^([\d:.]+\d)\s?(.*)$/.exec(groups.clock) ?? [];
    const at = clockOf(digits, half);
    return at === undefined
      ? null
      : { name: named, ...defined({ day: groups.day }), clock: at, rest: groups.rest ?? '' };
  };
}

/** What a chat program says of itself, on a line with a time and without a name. */
const notice = new RegExp(`^\\u200e?\\[?${moment}\\]?`, 'iu');

/** A name and, on a line of its own below, the time: one heading. The mark of a program stands before either. */
const nameAbove = new RegExp(
  `^(?!\\s)(${name.replace('?<name>', '?:')})[ \\t]*\\n[ \\t]*((?:(?:APP|BOT)[ \\t]+)?${moment.replace(/\?<\w+>/g, '?:')})[ \\t]*$`,
  'gimu',
);

/** The lines of a text and what each begins, fences left alone; null where the text does not keep to the form. */
function linesOf(text: string, form: ReadHeading): Line[] | null {
  const opening = /\S.*/.exec(text)?.[0] ?? '';
  if (form(opening) === null && !notice.test(opening)) return null;
  const written = text.split(/\r?\n/);
  const fenced = fencedLines(written, (line) => form(line)?.rest);
  const lines = written.map((line, at): Line => ({ text: line, heading: fenced[at] ? null : form(line) }));
  const first = lines.find((line) => line.heading !== null || (line.text.trim() !== '' && !notice.test(line.text)));
  const names = lines.flatMap(({ heading }) => heading?.name ?? []);
  if (first?.heading == null || names.length < 2 || names.some((one) => level.test(one))) return null;
  const different = new Set(names).size;
  return looseForms.includes(form) && (different < 2 || different === names.length) ? null : lines;
}

/**
 * Reads talk that was pasted from a chat program; null for any other text. Two messages at least, and nothing stands before the first but
 * notices of the program.
 *
 * Times are those of clocks in `timeZone`. A message with a clock and no day belongs to the day of `now`. It belongs to the day before
 * where it would otherwise be later than `now`. Where a clock goes back by half a day, another day has begun. Whether of `4/3/2026` the
 * first number is the day, all days of the text tell ({@link DateOrder}).
 */
export function pastedChat(text: string, now: number, timeZone = 'UTC'): MessageDraft[] | null {
  const written = text.replaceAll('\r\n', '\n').replace(nameAbove, '$1  $2');
  const lines = [...forms, ...looseForms].reduce<Line[] | null>((found, form) => found ?? linesOf(written, form), null);
  if (lines === null) return null;
  const headings = lines.flatMap(({ heading }) => heading ?? []);
  const times = timesOf(headings, now, timeZone);
  if (times === null) return null;
  const messages: { heading: Heading; words: string[] }[] = [];
  for (const { text: words, heading } of lines) {
    if (heading !== null) messages.push({ heading, words: heading.rest === '' ? [] : [heading.rest] });
    else if (!(notice.test(words) && messages.at(-1)?.heading.rest !== '')) messages.at(-1)?.words.push(words);
  }
  return messages.map(({ heading, words }, at) => ({
    ...(heading.name === undefined ? { role: 'system' } : whoIs(heading.name)),
    time: times[at]!,
    parts: [{ kind: 'text', text: words.join('\n').replace(directionMarks, '') }],
  }));
}

function timesOf(headings: readonly Heading[], now: number, timeZone: string): number[] | null {
  const today = dayOf(now, timeZone);
  const shifted = (from: string, days: number): string =>
    new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 10);
  const order = new DateOrder();
  for (const { day: date, clock: at } of headings) {
    const read = typeof date === 'string' ? numbersOf(date, today) : date;
    if (read !== undefined) order.note(read, at.half);
  }
  const clocks: number[] = [];
  const days: (string | number)[] = [];
  let wraps = 0;
  for (const { clock: at, day: date } of headings) {
    if (at.ms < (clocks.at(-1) ?? 0) - dayMs / 2 && date === undefined) wraps++;
    clocks.push(at.ms);
    const named = date === undefined ? wraps : dayNamed(date, today, order, now);
    if (named === undefined) return null;
    days.push(named);
  }
  const at = (date: string, ms: number): number => startOfDay(date, timeZone) + ms;
  const isLater = days.at(-1) === wraps && at(today, clocks.at(-1)!) > now;
  return days.map((date, index) =>
    at(typeof date === 'string' ? date : shifted(today, date - wraps - (isLater ? 1 : 0)), clocks[index]!),
  );
}

/** Reads a day in numbers; one without a year is of this year. */
function numbersOf(date: string, today: string): ChatDay | undefined {
  const [, first, separator, second, third] = /^(\d+)([-/.])(\d+)(?:[-/.](\d+))?/.exec(date) ?? [];
  return first === undefined
    ? undefined
    : { parts: [first, second!, third ?? today.slice(0, 4)], separator: separator! };
}

/** A day as `YYYY-MM-DD`; undefined for one that no calendar has. */
function dayNamed(date: string | ChatDay, today: string, order: DateOrder, now: number): string | undefined {
  if (typeof date !== 'string') return order.dayOf(date, now);
  const read = numbersOf(date, today);
  // Today has its own word: a weekday is the last one of that name.
  if (read === undefined) return dayText(firstTimeIn(date, { now: Date.parse(today) })!.first);
  const written = order.dayOf(read, now);
  const isYearless = date.replace(/\.$/, '').split(/[-/.]/).length < 3;
  return isYearless && written !== undefined && written > today
    ? `${Number(today.slice(0, 4)) - 1}${written.slice(4)}`
    : written;
}
