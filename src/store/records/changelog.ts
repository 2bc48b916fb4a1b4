// The changelog: a markdown file whose section "Event Log" is an append-only log (spec 2, layer 1). One event as a value and as text, and
// how a file is cut into events. changelog-heading.ts and changelog-fields.ts read the lines of an event.

import { count } from '../../base/count.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { splitLines } from '../../base/text.ts';
import type { ChangelogDetail, ChangelogEvent } from '../../base/types/changelog-types.ts';
import { readFields } from './changelog-fields.ts';
import { isEventHeading, noHour, readHeading } from './changelog-heading.ts';
import { graphPath } from './graph-file.ts';
import type { LogNote, LogPiece } from './log.ts';
import { narrativePath } from './narrative-file.ts';
import { formatSequenceId, parseSequenceId } from './sequence-id.ts';
import { todoPath } from './todo-file.ts';

/** The log of a project, and where it goes on when a project has a CHANGELOG.md of another kind. */
export const changelogPath = 'CHANGELOG.md';
export const asideChangelogPath = '.memory/changelog.md';
export const changelogArchivePath = 'CHANGELOG-archive.md';

/** The detail by which an event takes the place of an earlier one. */
export const supersedesKey = 'supersedes';

/** Gives the first value of a detail; undefined where there is none. */
export const detailOf = ({ details }: Pick<ChangelogEvent, 'details'>, key: string): string | undefined =>
  details.find((detail) => detail.key === key)?.value;

/**
 * Formats an event as the file has it, with the blank line before its heading:
 *
 * ```
 *
 * ### evt-012 | 2026-02-16 09:00 | builder | fix
 *
 * **Scope**: parser
 * **Summary**: Quoted commas no longer end a field
 *
 * **Details**:
 * - entity: parser
 *
 * **Refs**: evt-009, evt-011
 * **Tags**: csv, bug
 * ```
 *
 * Details and tags are left out where there are none. What is formatted parses to the same event.
 */
export function formatChangelogEvent(event: Omit<ChangelogEvent, 'line'>): string {
  const { id, time, agent, type, scope, summary, details, refs, tags } = event;
  const lines = [
    '',
    `### ${id} | ${time} | ${agent} | ${type}`,
    '',
    field('Scope', scope),
    field('Summary', summary),
    '',
    ...(details.length === 0 ? [] : ['**Details**:', ...details.map(formatDetail), '']),
    field('Refs', refs.length === 0 ? 'none' : refs.join(', ')),
    ...(tags.length === 0 ? [] : [field('Tags', tags.join(', '))]),
    '',
  ];
  return lines.join('\n');
}

const field = (name: string, value: string): string => (value === '' ? `**${name}**:` : `**${name}**: ${value}`);

function formatDetail({ key, value }: ChangelogDetail): string {
  if (key === '') return `- ${value}`;
  return value === '' ? `- ${key}:` : `- ${key}: ${value}`;
}

/** Tells whether a text is a changelog of events, and not one of the many other kinds; archives and the file aside always are. */
export const isEventLog = (text: string, path = changelogPath): boolean =>
  path !== changelogPath || logStart(text) !== null;

/** `## [1.2.0] - 2026-03-01`, as Keep a Changelog has it. */
const release = /^ {0,3}##[ \t]+\[?v?\d+\.\d+/gm;

/** Says what CHANGELOG.md has instead of a section "Event Log"; null where it has one. */
export function otherFormOf(text: string): string | null {
  const missing = 'the section "## Event Log" is missing';
  if (logStart(text, true) !== null) return null;
  if (isEventLog(text)) return `${missing}; events are read from the first one on`;
  const releases = text.match(release)?.length ?? 0;
  const form = releases === 0 ? 'another form' : `the form of Keep a Changelog, with ${count(releases, 'release')}`;
  return `${missing}: this file has ${form}, and events of the project stand in ${asideChangelogPath}`;
}

/** Gives the offset at which events may begin; that of the end where there are none. */
export const logOffset = (text: string, path: string): number =>
  path === changelogArchivePath ? 0 : (logStart(text) ?? text.length);

/**
 * Cuts a file of the changelog into its events; see `LogReader`.
 *
 * What is before the heading "Event Log" is no event, whatever it looks like. A file without that heading has events only if it has the
 * heading of one. Other forms that people and agents write are read where they are clear, and named in `notes`. Such are `##` for `###`,
 * `-` for `|`, a missing field, and other bullets. What is not clear is a rest that says why. It ends where the next heading begins, so
 * that damage to one event costs no other.
 *
 * ```
 * # Changelog …  ## Event Log              rest: the preamble
 *
 * ### evt-001 | … | builder | create       an entry, with the blank lines before it
 * …
 * ---                                      rest: between events
 * ### evt-0                                rest, "the heading of an event breaks off …"
 * ```
 */
export function parseChangelog(text: string, path: string): LogPiece<ChangelogEvent>[] {
  const lines = splitLines(text);
  const isClosed = text === '' || text.endsWith('\n');
  const preamble = text.slice(0, logOffset(text, path));
  const start = splitLines(preamble).length;
  const cut = new Cutter(lines, isClosed);
  const pieces: LogPiece<ChangelogEvent>[] = cut.rest(0, start);
  for (const block of blocksOf(lines, start)) pieces.push(...cut.block(block));
  return pieces;
}

/**
 * Checks what was added to a changelog: events that can be read, numbered on from what stands there, none before the last.
 *
 * A file that comes as a whole is taken as it is: what a project has was true before it became a memory.
 *
 * @throws MemoryError INVALID_RECORD with path, line and reason.
 */
export function checkAddedChanges(before: string, added: string, path: string): void {
  if (before === '' || path === changelogArchivePath) return;
  const known = parseChangelog(before, path).filter((piece) => piece.kind === 'entry');
  const shift = before.split('\n').length - 1;
  let last = known.at(-1);
  let { number } = tailOf(before);
  // The heading of the log stands before what was added, and the reader wants to see it.
  for (const piece of parseChangelog(`## Event Log\n${added}`, path)) {
    const line = shift + piece.line - 1;
    if (piece.kind === 'rest') {
      if (piece.why !== undefined) throw broken(path, line, piece.why);
      continue;
    }
    if (piece.value.number !== number + 1) {
      const next = formatSequenceId({ series: 'evt', number: number + 1 });
      throw broken(path, line, `the id ${piece.id} is not the next one, ${next}`);
    }
    const hasHour = piece.notes?.some(({ why }) => why === noHour) !== true;
    if (last !== undefined && hasHour && piece.time < last.time)
      throw broken(path, line, `the time of ${piece.id} is before that of ${last.id}, ${last.value.time}`);
    last = piece;
    number += 1;
  }
}

function broken(path: string, line: number, why: string): MemoryError {
  return new MemoryError('INVALID_RECORD', `${path}:${line} ${why}`, {
    where: path,
    hint: '`git memory project change` appends an event and gives it its id',
  });
}

/** Where a changelog ends: the highest number that a heading has, damaged ones included, and the last event. */
interface ChangelogTail {
  readonly number: number;
  readonly last: { readonly id: string; readonly time: string; readonly ms: number } | null;
}

const headings = /^ {0,3}(?:#{1,6}[ \t]*)?[*_[]*evt[-_ ]?(\d{1,9})(?!\w).*$/gim;

/** Finds where a changelog ends by its headings alone. */
export function tailOf(text: string): ChangelogTail {
  let number = 0;
  const lines: string[] = [];
  for (const [line, digits] of text.slice(logStart(text) ?? 0).matchAll(headings)) {
    number = Math.max(number, Number(digits));
    lines.push(line);
  }
  for (const line of lines.reverse()) {
    const { heading } = readHeading(line);
    if (heading !== undefined) return { number, last: heading };
  }
  return { number, last: null };
}

/** Tells whether a heading of the text has an id; a quick look that reads no event. */
export function hasChange(text: string, id: string): boolean {
  const number = parseSequenceId(id)?.number;
  for (const [, digits] of text.matchAll(headings)) if (Number(digits) === number) return true;
  return false;
}

/** Lines from `first` to before `end`; the heading, where there is one, is at `heading`. */
interface Block {
  readonly first: number;
  readonly heading: number;
  readonly end: number;
}

const anyHeading = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const logHeading = /^ {0,3}#{1,6}[ \t]+\**event log\**[ \t]*:?[ \t]*#*[ \t]*\r?$/i;
const fence = /^ {0,3}(`{3,}|~{3,})/;

/** The offset of the line on which events may begin; null where there are none. Reads no further than the heading of the log. */
function logStart(text: string, isHeaded = false): number | null {
  let open: string | null = null;
  let first: number | null = null;
  for (let start = 0; start < text.length; ) {
    const stop = text.indexOf('\n', start);
    const end = stop < 0 ? text.length : stop + 1;
    const line = text.slice(start, stop < 0 ? end : stop);
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      if (open === null) open = mark;
      else if (mark[0] === open[0] && mark.length >= open.length && line.trim() === mark) open = null;
    } else if (open === null) {
      if (logHeading.test(line)) return end;
      if (first === null && !isHeaded && anyHeading.test(line) && readHeading(line).heading !== undefined)
        first = start;
    }
    start = end;
  }
  return first;
}

function blocksOf(lines: readonly string[], start: number): Block[] {
  const blocks: Block[] = [];
  let first = start;
  let heading = -1;
  const close = (end: number): void => {
    // Blank lines belong to what comes behind them, so that an event that is taken away leaves none.
    let last = end;
    while (end < lines.length && last > first && lines[last - 1]!.trim() === '') last -= 1;
    if (last > first) blocks.push({ first, heading, end: last });
    first = last;
  };
  for (let at = start; at < lines.length; at++) {
    if (!mayBeHeading(lines[at]!)) continue;
    if (!anyHeading.test(lines[at]!) && !isEventHeading(lines[at]!)) continue;
    close(at);
    heading = at;
  }
  close(lines.length);
  return blocks;
}

/** A quick look at the first sign: nearly no line is a heading, and each is asked. */
function mayBeHeading(line: string): boolean {
  const first = line.charCodeAt(0);
  // A space, #, *, E, _ or e.
  return first === 32 || first === 35 || first === 42 || first === 69 || first === 95 || first === 101;
}

/** Lines that part events and say nothing: rules and comments. */
const silent = /^\s*(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|<!--.*-->)?\s*$/;
const fieldLike = /^\s*(?:[-*+]\s+)?(?:\*\*|__)(?:scope|summary)(?:\*\*|__)?\s*:/i;

/** Makes pieces of blocks. */
class Cutter {
  private readonly lines: readonly string[];
  private readonly isClosed: boolean;
  private hasToldOfReturns = false;

  constructor(lines: readonly string[], isClosed: boolean) {
    this.lines = lines;
    this.isClosed = isClosed;
  }

  rest(first: number, end: number, why?: string, line = first + 1): LogPiece<ChangelogEvent>[] {
    if (first >= end) return [];
    return [{ kind: 'rest', line, text: this.textOf(first, end), ...defined({ why }) }];
  }

  block({ first, heading, end }: Block): LogPiece<ChangelogEvent>[] {
    const { lines } = this;
    if (heading < first) return this.between(first, end);
    const read = readHeading(lines[heading]!);
    if (read.why !== undefined) return this.rest(first, end, read.why, heading + 1);
    if (read.heading === undefined) return this.between(first, end);
    const notes: LogNote[] = read.notes.map((why) => ({ line: heading + 1, why }));
    const body = readFields(lines.slice(heading + 1, end), heading + 2, notes);
    const stop = heading + 1 + body.length;
    const { id, number, time, ms, agent, type } = read.heading;
    const { scope, summary, details, refs, tags } = body;
    const value = { id, number, time, agent, type, scope, summary, details, refs, tags, line: heading + 1 };
    if (stop === lines.length && !this.isClosed) notes.push({ line: stop, why: 'the last line has no line feed' });
    if (!this.hasToldOfReturns && lines[heading]!.endsWith('\r')) {
      this.hasToldOfReturns = true;
      notes.push({ line: heading + 1, why: 'lines end in CR LF' });
    }
    const supersedes = detailOf(value, supersedesKey);
    const entry: LogPiece<ChangelogEvent> = {
      kind: 'entry',
      id,
      time: ms,
      agent,
      ...(type === 'archive' ? { sameAs: `archive:${detailOf(value, 'events') ?? ''}` } : {}),
      names: supersedes === undefined ? refs : [...new Set([...refs, supersedes])],
      ...defined({ supersedes }),
      ...(notes.length === 0 ? {} : { notes }),
      line: heading + 1,
      text: this.textOf(first, stop),
      value,
    };
    return stop < end ? [entry, ...this.between(stop, end)] : [entry];
  }

  /** What stands between events: nothing to tell of a section of its own, a rule or a comment. */
  private between(first: number, end: number): LogPiece<ChangelogEvent>[] {
    const lines = this.lines.slice(first, end);
    const at = lines.findIndex((line) => fieldLike.test(line));
    if (at >= 0) return this.rest(first, end, 'the fields of an event stand here without its heading', first + at + 1);
    if (end === this.lines.length && !this.isClosed && anyHeading.test(lines.at(-1)!))
      return this.rest(first, end, 'a heading breaks off', end);
    const isSection = lines.some((line) => anyHeading.test(line));
    const odd = isSection ? -1 : lines.findIndex((line) => !silent.test(line));
    return odd < 0
      ? this.rest(first, end)
      : this.rest(first, end, 'it stands between events and is part of none', first + odd + 1);
  }

  private textOf(first: number, end: number): string {
    const isLast = end === this.lines.length;
    return this.lines.slice(first, end).join('\n') + (isLast && !this.isClosed ? '' : '\n');
  }
}

/** The files of the log itself. */
export const changelogPaths: readonly string[] = [changelogPath, asideChangelogPath, changelogArchivePath];

/** The files of the log, and those beside it. */
export const projectLogPaths: readonly string[] = [...changelogPaths, graphPath, narrativePath, todoPath];
