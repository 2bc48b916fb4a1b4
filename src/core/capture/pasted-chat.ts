// Talk as people copy it out of chat programs: each message begins with a line that says who, and when. The forms are those that
// WhatsApp, Telegram, Signal, Slack, Teams, Discord and IRC clients put on the clipboard or into an export.

import { weekdays } from '../../base/calendar.ts';
import { defined } from '../../base/defined.ts';
import { dayOf, startOfDay } from '../../base/time.ts';
import { oneOf } from '../../base/words.ts';
import { dayText, firstTimeIn } from '../../language/index.ts';
import { whoIs } from './dialogue.ts';
import type { MessageDraft } from './messages.ts';

const clock = String.raw`(?<clock>\d{1,2}[:.]\d\d(?:[:.]\d\d)?(?:\s?[ap]\.?m\.?|\s?Uhr\b)?)`;
const day = String.raw`(?<day>\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{2,4}|\d{1,2}[/.]\d{1,2}\.?|${oneOf(['today', 'yesterday', ...weekdays])})`;
const moment = String.raw`(?:${day},?(?: at)?\s+)?${clock}`;
const name = String.raw`(?<name>[\p{L}\p{N}@+~][\p{L}\p{M}\p{N}@+.'’_() -]{0,49}?)`;
const rest = String.raw`:(?:\s(?<rest>.*))?`;

const whole = (source: string): RegExp => new RegExp(`^\\u200e?${source}$`, 'iu');

/** How the first line of a message is written; a text keeps to the first of these that it begins with. */
const forms: readonly RegExp[] = [
  // [31.12.2025, 10:02:33] Anna: …    [10:02] Anna: …
  String.raw`\[${moment}\]\s*${name}${rest}`,
  // [10:02] <anna> …    10:02 <anna> …
  String.raw`\[?${moment}\]?\s*<${name}>(?:\s(?<rest>.*))?`,
  // 31/12/25, 10:02 - Anna: …
  String.raw`${moment}\s*[-–—]\s*${name}${rest}`,
  // Anna (10:02): …    Anna [10:02]: …
  String.raw`${name}\s*[([]${moment}[)\]]${rest}`,
  // The words stand below: Anna, [31.12.2025 10:02]    [10:02] Anna    Anna — Today at 10:02
  String.raw`${name},?\s*\[${moment}\]:?`,
  String.raw`\[${moment}\]\s*${name}`,
  String.raw`${name}(?:\s+(?:APP|BOT))?\s*[—–]\s*${moment}`,
].map(whole);

/** Notes and timetables have such lines, too: two names at least, and one that comes again, make a talk of them. */
const looseForms: readonly RegExp[] = [
  // 10:02 Anna: …    Anna, 10:02: …
  String.raw`${moment}\s+${name}${rest}`,
  String.raw`${name},?\s+${moment}${rest}`,
  // Anna  10:02 AM, and the words below
  String.raw`${name}(?:\s+(?:APP|BOT))?,?\s+${moment}`,
].map(whole);

/** Programs log in the same forms. */
const level = /(?:^|[.\s])(?:trace|debug|info|notice|warn(?:ing)?|error|fatal|critical)$/i;

interface Heading {
  readonly name: string;
  readonly day?: string;
  readonly clock: string;
  readonly rest: string;
}

interface Line {
  readonly text: string;
  readonly heading: Heading | null;
}

function headingIn(line: string, form: RegExp): Heading | null {
  // A copy as markdown has the name in bold.
  const groups = form.exec(line.trimEnd().replace(/^(\*\*|__)(.+?)\1/, '$2'))?.groups;
  const named = groups?.name?.replace(/^~\s*/, '');
  if (groups?.clock === undefined || named === undefined || !/\p{L}|^\+\d[\d ]{6,}$/u.test(named)) return null;
  return { name: named, ...defined({ day: groups.day }), clock: groups.clock, rest: groups.rest ?? '' };
}

/** What a chat program says of itself, on a line with a time and without a name. */
const notice = new RegExp(`^\\u200e?\\[?${moment}\\]?`, 'iu');

/** A name and, on a line of its own below, the time: one heading. The mark of a program stands before either. */
const nameAbove = new RegExp(
  `^(?!\\s)(${name.replace('?<name>', '?:')})[ \\t]*\\n[ \\t]*((?:(?:APP|BOT)[ \\t]+)?${moment.replace(/\?<\w+>/g, '?:')})[ \\t]*$`,
  'gimu',
);

/** The lines of a text and what each begins, fences left alone; null where the text does not keep to the form. */
function linesOf(text: string, form: RegExp): Line[] | null {
  const opening = /\S.*/.exec(text)?.[0] ?? '';
  if (headingIn(opening, form) === null && !notice.test(opening)) return null;
  let isCode = false;
  const lines = text.split(/\r?\n/).map((line): Line => {
    const heading = isCode ? null : headingIn(line, form);
    if (/^\s*(?:```|~~~)/.test(heading?.rest ?? line)) isCode = !isCode;
    return { text: line, heading };
  });
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
 * where it would otherwise be later than `now`. Where a clock goes back by half a day, another day has begun. Of `4/3/2026` the first
 * number is the day. It is the month where some day of the text allows nothing else, or where clocks say AM or PM and no day forbids it.
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
    ...whoIs(heading.name),
    time: times[at]!,
    parts: [{ kind: 'text', text: words.join('\n') }],
  }));
}

/** Milliseconds since midnight; undefined for what no clock shows. */
function clockMs(text: string): number | undefined {
  const [hours = 0, minutes = 0, seconds = 0] = text.split(/[:.\s]/).map((part) => Number.parseInt(part, 10) || 0);
  const half = /([ap])\.?m/i.exec(text)?.[1]?.toLowerCase();
  const hour = half === undefined ? hours : (hours % 12) + (half === 'p' ? 12 : 0);
  if (hour > 23 || (half !== undefined && (hours < 1 || hours > 12)) || minutes > 59 || seconds > 59) return undefined;
  return ((hour * 60 + minutes) * 60 + seconds) * 1000;
}

const dayMs = 86_400_000;

function timesOf(headings: readonly Heading[], now: number, timeZone: string): number[] | null {
  const today = dayOf(now, timeZone);
  const shifted = (from: string, days: number): string =>
    new Date(Date.parse(from) + days * dayMs).toISOString().slice(0, 10);
  const isMonthFirst = monthComesFirst(headings);
  const clocks: number[] = [];
  const days: (string | number)[] = [];
  let wraps = 0;
  for (const heading of headings) {
    const at = clockMs(heading.clock);
    if (at === undefined) return null;
    if (at < (clocks.at(-1) ?? 0) - dayMs / 2 && heading.day === undefined) wraps++;
    clocks.push(at);
    const named = heading.day === undefined ? wraps : dayNamed(heading.day, today, isMonthFirst);
    if (named === undefined) return null;
    days.push(named);
  }
  const at = (date: string, ms: number): number => startOfDay(date, timeZone) + ms;
  const isLater = days.at(-1) === wraps && at(today, clocks.at(-1)!) > now;
  return days.map((date, index) =>
    at(typeof date === 'string' ? date : shifted(today, date - wraps - (isLater ? 1 : 0)), clocks[index]!),
  );
}

const numbersOf = (date: string): number[] => date.split(/[-/.]/).filter(Boolean).map(Number);

function monthComesFirst(headings: readonly Heading[]): boolean {
  const dates = headings.flatMap(({ day: date }) =>
    date !== undefined && /^\d{1,2}\//.test(date) ? [numbersOf(date)] : [],
  );
  if (dates.some(([first = 0]) => first > 12)) return false;
  return dates.some(([, second = 0]) => second > 12) || headings.some(({ clock: text }) => /[ap]\.?m/i.test(text));
}

/** A day as `YYYY-MM-DD`; undefined for one that no calendar has. */
function dayNamed(date: string, today: string, isMonthFirst: boolean): string | undefined {
  // Today has its own word: a weekday is the last one of that name.
  if (/^\p{L}/u.test(date)) return dayText(firstTimeIn(date, { now: Date.parse(today) })!.first);
  const [first = 0, second = 0, third] = numbersOf(date);
  const [year, month, inMonth] =
    first > 31
      ? [first, second, third ?? 0]
      : [
          third ?? Number(today.slice(0, 4)),
          ...(isMonthFirst && date.includes('/') ? [first, second] : [second, first]),
        ];
  const written = [year! < 100 ? 2000 + year! : year!, month!, inMonth!]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const parsed = new Date(`${written}T00:00:00Z`);
  if (Number.isNaN(parsed.getTime()) || parsed.toISOString().slice(0, 10) !== written) return undefined;
  return third === undefined && written > today ? `${Number(today.slice(0, 4)) - 1}${written.slice(4)}` : written;
}
