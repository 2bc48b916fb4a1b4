// Small edits of markdown that people wrote: an item more in a section, a key of the front matter. All other bytes stay.

import { fenceReader } from '../../base/fenced-blocks.ts';
import { dayOf, formatTime } from '../../base/time.ts';
import { cutFrontMatter } from './front-matter.ts';
import { turnsOfLine } from './knowledge-marks.ts';
import { formatYamlObject } from './yaml.ts';

const headingLine = /^ {0,3}(#{1,6})[ \t]+(.*?)(?:[ \t]+#+)?[ \t\r]*$/;

/**
 * Adds a list item at the end of a section. A missing section is made at the end of its parent, or of the text.
 *
 * `headings` leads from the outermost to the section itself, each as the file has it: `['## 2026-02-16', '### ops']`. `item` is one line
 * with its mark: `- Ship on Monday`. Line ends are LF. It comes above what was said later, by conversation and turn.
 */
export function appendItem(text: string, headings: readonly string[], item: string): string {
  const { opening = '', block = '', closing = '', body = text } = cutFrontMatter(text) ?? {};
  const lines = body.split('\n');
  let range = { start: 0, end: lines.length };
  let missing = [...headings];
  while (missing.length > 0) {
    const found = sectionIn(lines, range, missing[0]!);
    if (found === undefined) break;
    range = found;
    missing = missing.slice(1);
  }
  let end = range.end;
  // An item stands above the sections within its own.
  if (missing.length === 0) end = firstHeading(lines, range) ?? end;
  while (end > range.start && lines[end - 1]!.trim() === '') end -= 1;
  const turn = missing.length > 0 ? '' : placeOfTurn(item);
  let at = end;
  while (turn !== '' && at > range.start && placeOfTurn(lines[at - 1]!) > turn) at -= 1;
  if (at < end) return `${opening}${block}${closing}${lines.toSpliced(at, 0, item).join('\n')}`;
  const follows = end > 0 && /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(lines[end - 1] ?? '');
  const added = missing.flatMap((heading, at) => (end === 0 && at === 0 ? [heading] : ['', heading]));
  if (missing.length > 0) added.push('');
  else if (!follows && end > 0) added.push('');
  added.push(item);
  const rest = lines.slice(end);
  if (rest.length === 0) rest.push('');
  return `${opening}${block}${closing}${[...lines.slice(0, end), ...added, ...rest].join('\n')}`;
}

/** Names the turn of a line so that letters say what came first; empty for a line of none. */
function placeOfTurn(line: string): string {
  const turn = turnsOfLine(line).find((one) => one.startsWith('raw/conversations/')) ?? '';
  return turn.replace(/\d+$/, (number) => number.padStart(9, '0'));
}

interface Range {
  /** Index of the first line below the heading. */
  readonly start: number;
  readonly end: number;
}

function sectionIn(lines: readonly string[], { start, end }: Range, wanted: string): Range | undefined {
  const [, marks = '', words] = headingLine.exec(wanted) ?? [];
  let below: number | undefined;
  for (const [at, found] of headingsOf(lines, start, end)) {
    if (below === undefined) {
      if (found.level === marks.length && found.words === words) below = at + 1;
    } else if (found.level <= marks.length) return { start: below, end: at };
  }
  return below === undefined ? undefined : { start: below, end };
}

function firstHeading(lines: readonly string[], { start, end }: Range): number | undefined {
  for (const [at] of headingsOf(lines, start, end)) return at;
  return undefined;
}

/** Walks the headings in a stretch of lines, with their places; `#` in fenced code is none. */
function* headingsOf(
  lines: readonly string[],
  start: number,
  end: number,
): Generator<readonly [number, { readonly level: number; readonly words: string }]> {
  const placeOf = fenceReader();
  for (let at = 0; at < end; at += 1) {
    const line = lines[at]!;
    if (placeOf(line) !== null || at < start) continue;
    const found = headingLine.exec(line);
    if (found !== null) yield [at, { level: found[1]!.length, words: found[2] ?? '' }];
  }
}

/** Sets a key that the front matter has on one line already, or adds it; a text without front matter stays as it is. */
export function setFrontKey(text: string, key: string, value: unknown): string {
  const cut = cutFrontMatter(text);
  if (cut === undefined) return text;
  const line = formatYamlObject({ [key]: value });
  // What a list or a text of several lines holds is not ours to take apart.
  const own = new RegExp(`^${key}[ \\t]*:[ \\t]*\\S.*\\n(?![ \\t-])`, 'm');
  const block = own.test(cut.block)
    ? cut.block.replace(own, () => line)
    : new RegExp(`^${key}[ \\t]*:`, 'm').test(cut.block)
      ? cut.block
      : `${cut.block}${line}`;
  return `${cut.opening}${block}${cut.closing}${cut.body}`;
}

const changesHeading = '## Changes';
const mostNotes = 20;

/**
 * Notes at the bottom of a file what changed in it and why (spec 3, update rules). The oldest notes above {@link mostNotes} go; history has
 * them.
 *
 * `note` is one line without a mark of a list. All other bytes stay.
 */
export function noteChange(text: string, note: string): string {
  const noted = appendItem(text, [changesHeading], `- ${note}`).split('\n');
  const start = noted.lastIndexOf(changesHeading);
  const next = noted.findIndex((line, at) => at > start && headingLine.test(line));
  const end = start < 0 ? 0 : next < 0 ? noted.length : next;
  const items = noted.flatMap((line, at) => (at > start && at < end && line.startsWith('- ') ? [at] : []));
  const gone = new Set(items.slice(0, Math.max(0, items.length - mostNotes)));
  return noted.filter((_, at) => !gone.has(at)).join('\n');
}

/** Sets the day on which a file was last updated, where it names one below its title. */
export const withLastUpdated = (text: string, day: string): string =>
  text.replace(/^\*Last updated: \d{4}-\d\d-\d\d\*(?=[ \t\r]*$)/m, `*Last updated: ${day}*`);

/**
 * Brings `updated` of a file up to date that is changed, where it names one and the change leaves that alone. What it names keeps its form: a
 * day, or a time in UTC.
 */
export function keptUpdated(before: string, after: string, now: number, timeZone: string): string {
  const updatedOf = (text: string) => /^updated[ \t]*:[ \t]*(.*)$/m.exec(cutFrontMatter(text)?.block ?? '')?.[1];
  const old = updatedOf(before);
  if (before === after || old === undefined || old !== updatedOf(after)) return after;
  return setFrontKey(after, 'updated', old.includes('T') ? formatTime(now) : dayOf(now, timeZone));
}
