// The changelog: a markdown file whose section "Event Log" is an append-only log (spec 2, layer 1). One event as a value and as text, and
// how a file is cut into events; what a line of an event says stands in changelog-heading.ts and changelog-fields.ts.

import { readFields } from './changelog-fields.ts';
import { isEventHeading, readHeading } from './changelog-heading.ts';
import type { ChangelogEventType } from './changelog-types.ts';
import type { LogNote, LogPiece } from './log.ts';

/** The log of a project, and where it goes on when a project has a CHANGELOG.md of another kind. */
export const changelogPath = 'CHANGELOG.md';
export const asideChangelogPath = '.memory/changelog.md';
export const changelogArchivePath = 'CHANGELOG-archive.md';

/** One thing that was done, decided or met in a project; never changed once it is written. */
export interface ChangelogEvent {
  /** `evt-001`. */
  readonly id: string;
  /** From 1. */
  readonly number: number;
  /** `YYYY-MM-DD HH:MM` in the time zone of the memory. */
  readonly time: string;
  /** Who did it; empty where a file written by hand does not say. */
  readonly agent: string;
  readonly type: ChangelogEventType;
  /** The area it affects; empty where a file written by hand does not say, and so is the summary. */
  readonly scope: string;
  readonly summary: string;
  /** In the order of the file; a key may come twice. */
  readonly details: readonly ChangelogDetail[];
  /** Ids of events that led to it. */
  readonly refs: readonly string[];
  readonly tags: readonly string[];
  /** 1-based line of its heading; 0 for one that stands in no file yet. */
  readonly line: number;
}

export interface ChangelogDetail {
  /** Empty for an item of a file written by hand that names none. */
  readonly key: string;
  readonly value: string;
}

/** The detail by which an event takes the place of an earlier one. */
export const supersedesKey = 'supersedes';

/** Gives the first value of a detail; undefined where there is none. */
export function detailOf({ details }: Pick<ChangelogEvent, 'details'>, key: string): string | undefined {
  return details.find((detail) => detail.key === key)?.value;
}

/**
 * Formats an event as it stands in the file, the blank line before its heading included:
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

function field(name: string, value: string): string {
  return value === '' ? `**${name}**:` : `**${name}**: ${value}`;
}

function formatDetail({ key, value }: ChangelogDetail): string {
  if (key === '') return `- ${value}`;
  return value === '' ? `- ${key}:` : `- ${key}: ${value}`;
}

/** Tells whether a text is a changelog of events, and not one of the many other kinds. */
export function isEventLog(text: string): boolean {
  return logStart(text.split('\n')) !== null;
}

/**
 * Cuts a file of the changelog into its events; see `LogReader`.
 *
 * What stands before the heading "Event Log" is no event, whatever it looks like; a file without that heading has events only if it has
 * a heading of one. Other forms that people and agents write (`##` for `###`, `-` for `|`, a field that is missing, other bullets) are
 * read where they are clear, and named in `notes`. What is not clear is a rest that says why, and ends where the next heading begins, so that
 * damage to one event costs no other.
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
  const lines = text.split('\n');
  const isClosed = lines.at(-1) === '';
  if (isClosed) lines.pop();
  const start = path === changelogArchivePath ? 0 : logStart(lines);
  const cut = new Cutter(lines, isClosed);
  if (start === null) return cut.rest(0, lines.length);
  const pieces: LogPiece<ChangelogEvent>[] = cut.rest(0, start);
  for (const block of blocksOf(lines, start)) pieces.push(...cut.block(block));
  return pieces;
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

/** The index of the line on which events may begin; null where there are none. */
function logStart(lines: readonly string[]): number | null {
  let open: string | null = null;
  let first: number | null = null;
  for (const [at, line] of lines.entries()) {
    const mark = fence.exec(line)?.[1];
    if (mark !== undefined) {
      if (open === null) open = mark;
      else if (mark[0] === open[0] && mark.length >= open.length && line.trim() === mark) open = null;
      continue;
    }
    if (open !== null) continue;
    if (logHeading.test(line)) return at + 1;
    if (first === null && anyHeading.test(line) && readHeading(line).heading !== undefined) first = at;
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
    while (end < lines.length && last > first && isBlank(lines[last - 1]!)) last -= 1;
    if (last > first) blocks.push({ first, heading, end: last });
    first = last;
  };
  for (let at = start; at < lines.length; at++) {
    if (!anyHeading.test(lines[at]!) && !isEventHeading(lines[at]!)) continue;
    close(at);
    heading = at;
  }
  close(lines.length);
  return blocks;
}

function isBlank(line: string): boolean {
  return line.trim() === '';
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
    return [{ kind: 'rest', line, text: this.textOf(first, end), ...(why === undefined ? {} : { why }) }];
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
      names: refs,
      ...(supersedes === undefined ? {} : { supersedes }),
      ...(notes.length === 0 ? {} : { notes }),
      line: heading + 1,
      text: this.textOf(first, stop),
      value,
    };
    return [entry, ...this.between(stop, end)];
  }

  /** What stands between events: nothing to tell of a section of its own, a rule or a comment. */
  private between(first: number, end: number): LogPiece<ChangelogEvent>[] {
    const at = this.lines.findIndex((line, position) => position >= first && position < end && fieldLike.test(line));
    if (at >= 0) return this.rest(first, end, 'the fields of an event stand here without its heading', at + 1);
    if (end === this.lines.length && !this.isClosed && anyHeading.test(this.lines[end - 1]!)) {
      return this.rest(first, end, 'a heading breaks off', end);
    }
    const isSection = this.lines.slice(first, end).some((line) => anyHeading.test(line));
    const odd = isSection
      ? -1
      : this.lines.findIndex((line, position) => position >= first && position < end && !silent.test(line));
    return odd < 0
      ? this.rest(first, end)
      : this.rest(first, end, 'it stands between events and is part of none', odd + 1);
  }

  private textOf(first: number, end: number): string {
    const isLast = end === this.lines.length;
    return this.lines.slice(first, end).join('\n') + (isLast && !this.isClosed ? '' : '\n');
  }
}
