// The heading of one event of the changelog: `### evt-012 | 2026-02-16 09:00 | builder | fix`, and what people and agents make of it.

import { type ChangelogEvent, type ChangelogEventType, changelogEventTypes } from '../../base/types/changelog-types.ts';
import { nearestWord } from './nearest-word.ts';
import { formatSequenceId } from './sequence-id.ts';

interface EventHeading extends Pick<ChangelogEvent, 'id' | 'number' | 'time' | 'agent' | 'type'> {
  /** The time as if it were UTC, in milliseconds: it orders, and has no zone. */
  readonly ms: number;
}

/** What a line says: a heading, why it cannot be read as the one that it seems to be, or neither for any other line. */
interface HeadingReading {
  readonly heading?: EventHeading;
  readonly why?: string;
  /** How it differs from the form, where it is clear all the same. */
  readonly notes: readonly string[];
}

const exact = /^### evt-(\d{3,9}) \| (\d{4}-\d\d-\d\d \d\d:\d\d) \| ([^|\s](?:[^|\n]*[^|\s])?) \| ([a-z]+)$/;
const marked = /^ {0,3}(?:#{1,6}[ \t]*)(?:\*\*|__)?[ \t]*\[?evt\b[-_ #:]*(\d*)\]?(.*)$/i;
/** Without a mark of a heading, but with all parts of one. */
const unmarked = /^ {0,3}(?:\*\*|__)?evt[-_ ]?(\d{1,9})[ \t]*\|[ \t]*(?=\d{4}-\d\d-\d\d)(.*)$/i;
const moment =
  /(\d{4})[-/.](\d\d)[-/.](\d\d)(?:(?:T|[ \t]*[|,]?[ \t]*)(\d{1,2}):(\d\d)(?::\d\d(?:\.\d+)?)?(?:[ \t]*(Z|UTC|[+-]\d\d:?\d\d)(?![\w-]))?)?/;
const shape = 'the form is "### evt-012 | 2026-02-16 09:00 | agent | type"';

/** Tells whether a line opens an event, or looks as if it should. */
export const isEventHeading = (line: string): boolean => marked.test(line) || unmarked.test(line);

export function readHeading(line: string): HeadingReading {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  const [, digits, written, agent, type] = exact.exec(text) ?? [];
  if (written !== undefined) {
    const at = timeOf(moment.exec(written)!);
    if (at !== null && isType(type!) && Number(digits) > 0)
      return { heading: headingOf(Number(digits), at, agent!, type), notes: [] };
  }
  const [, number, remainder] = marked.exec(text) ?? unmarked.exec(text) ?? [];
  return number === undefined ? { notes: [] } : readBent(number, remainder!);
}

function readBent(digits: string, remainder: string): HeadingReading {
  const refuse = (why: string): HeadingReading => ({ why: `the heading of an event ${why}; ${shape}`, notes: [] });
  const number = Number(digits);
  if (digits === '' || number === 0 || digits.length > 9) return refuse('has no number');
  const found = moment.exec(remainder);
  if (found === null) return refuse('has no time');
  const at = timeOf(found);
  if (at === null) return refuse(`has a time that is none, ${found[0]}`);
  const before = remainder.slice(0, found.index);
  const behind = remainder.slice(found.index + found[0].length);
  const fields = [...fieldsOf(before), ...fieldsOf(behind)];
  const types = fields.map(typeOf);
  const last = types.findLastIndex((type) => type !== undefined);
  if (last < 0) {
    const word = fields.at(-1);
    const meant = word === undefined ? undefined : nearestWord(word.toLowerCase(), changelogEventTypes);
    if (word === undefined) return refuse('has no type');
    const hint = meant === undefined ? `the types are ${changelogEventTypes.join(', ')}` : `probably "${meant}"`;
    return refuse(`has a type that is none, "${word}" (${hint})`);
  }
  const others = fields.filter((_, position) => position !== last);
  const agent = others[0] ?? '';
  const heading = headingOf(number, at, agent, types[last]!);
  const notes = [
    `the heading is read as "### ${heading.id} | ${heading.time} | ${agent} | ${heading.type}"`,
    ...(agent === '' ? ['the heading names no agent'] : []),
    ...(found[4] === undefined ? [noHour] : []),
    ...(others.length > 1 ? [`the heading has more than the form, ${others.slice(1).join(', ')}`] : []),
  ];
  return { heading, notes };
}

/** Said of a heading that has a day and no hour. */
export const noHour = 'the heading has no time of day';

function headingOf(number: number, at: { time: string; ms: number }, agent: string, type: ChangelogEventType) {
  return { id: formatSequenceId({ series: 'evt', number }), number, ...at, agent, type };
}

/** The time that a match of `moment` means; null for a day or an hour that no calendar has. */
function timeOf([, year, month, day, hour = '0', minute = '00']: RegExpExecArray): { time: string; ms: number } | null {
  const ms = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute));
  const date = new Date(ms);
  const isReal = date.getUTCDate() === Number(day) && date.getUTCHours() === Number(hour) && Number(minute) < 60;
  return isReal && date.getUTCMonth() + 1 === Number(month)
    ? { time: `${year}-${month}-${day} ${hour.padStart(2, '0')}:${minute}`, ms }
    : null;
}

/** Parts of a heading by bars, or by dashes and colons where it has no bar. */
function fieldsOf(text: string): string[] {
  const parts = text.includes('|') ? text.split('|') : text.split(/(?:^|[ \t]+)[-–—·:/]+(?=[ \t]|$)|[ \t]*,[ \t]+|\t/);
  return parts
    .map((part) => part.replace(/^[\s*_[\](){}#:–—-]+|[\s*_[\](){}#:–—-]+$/g, ''))
    .filter((part) => part !== '');
}

const isType = (word: string): word is ChangelogEventType => (changelogEventTypes as readonly string[]).includes(word);

/** The type that a word means: letter case and the endings of verbs and plurals apart. */
function typeOf(field: string): ChangelogEventType | undefined {
  const word = field.toLowerCase();
  return changelogEventTypes.find((type) => {
    const stem = type.replace(/y$/, 'i');
    return word === type || [`${type}s`, `${type}d`, `${type}ed`, `${stem}es`, `${stem}ed`].includes(word);
  });
}
