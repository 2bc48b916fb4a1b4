// One session as a markdown file (spec 5 §2.1): front matter, a title, turns. A turn's bytes depend on nothing after it, so that
// an open session only grows. Which turns there are, and when they are written, is the concern of capture/.

import { defined, MemoryError } from '../../base/errors.ts';
import { oneLine, slugOf } from '../../base/text.ts';
import { formatTime, parseTime } from '../../base/time.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import { checkSize, maxRawBytes } from '../guard/limits.ts';
import { sessionInPath } from '../guard/message.ts';
import { formatFrontMatter, splitFrontMatter } from './front-matter.ts';
import { formatHeading, parseHeading, timeOfHeading } from './turn-heading.ts';

/** A turn with the 1-based lines of the file on which its heading stands and its words begin. */
interface TurnWithLine extends Turn {
  readonly line: number;
  readonly textLine: number;
}

/** A transcript whose turns know their lines. */
export interface TranscriptWithLines extends Omit<Transcript, 'turns'> {
  readonly turns: readonly TurnWithLine[];
}

/** Front matter keys of spec 5 §2.1 in its order; `agent`, `trust` and the unknown ones are ours. */
const knownKeys: ReadonlySet<string> = new Set(
  'session_id started ended model channel topic agent tags tokens_in tokens_out trust knowledge_changes'.split(' '),
);

// What a reader could take for structure: headings of the first level, anything like a turn heading, dividers. Their escaped forms, with
// backslashes in front, count too.
const escapable = /^\\*(?:# |## \d|---[ \t\r]*$)/;

/**
 * Formats a transcript: {@link formatTranscriptHead}, then {@link formatTurn} for every turn.
 *
 * Whole seconds are kept; `parseTranscript` gives back an equal value.
 */
export function formatTranscript(transcript: Transcript): string {
  const parts = [formatTranscriptHead(transcript)];
  let previous = transcript.started;
  for (const turn of transcript.turns) {
    parts.push(formatTurn(turn, previous));
    previous = turn.time;
  }
  return parts.join('');
}

/**
 * Formats front matter and title, and the preamble if there is one: all that stands before the first turn.
 *
 * Ends in a line feed. A transcript without `ended` is an open one.
 */
export function formatTranscriptHead(transcript: Omit<Transcript, 'turns'>): string {
  const data = {
    session_id: transcript.sessionId,
    started: formatSecond(transcript.started),
    ended: transcript.ended === undefined ? undefined : formatSecond(transcript.ended),
    model: transcript.model,
    channel: transcript.channel,
    topic: transcript.topic,
    agent: transcript.agent,
    tags: transcript.tags,
    tokens_in: transcript.tokensIn,
    tokens_out: transcript.tokensOut,
    trust: transcript.trust,
    knowledge_changes: transcript.knowledgeChanges,
    ...transcript.unknown,
  };
  const title = oneLine(transcript.title, 200) || 'Untitled';
  const preamble = trimLineFeeds(transcript.preamble ?? '');
  return formatFrontMatter(data, `\n# ${title}\n${preamble === '' ? '' : `\n${escapeLines(preamble)}\n`}`);
}

/**
 * Formats one turn as the exact bytes that are appended to the file for it.
 *
 * ```
 *                                          blank line
 * ## 18:45:07 — user (CDR)                 UTC; seconds where not zero; speaker in parentheses
 * Houston, we've had a problem.
 * \## 18:46 — quoted                       a line that reads like structure is escaped
 * ```
 *
 * `previousTime` is the time of the turn before, or the session's start, in milliseconds. A clock that went back means the next
 * day. Where that rule would give another day than the turn's, the heading carries its date.
 *
 * @throws MemoryError INVALID_RECORD for a turn without a role, INVALID_DATE.
 */
export function formatTurn(turn: Turn, previousTime: number): string {
  const text = trimLineFeeds(turn.text);
  return `\n${formatHeading(turn, previousTime)}\n${text === '' ? '' : `${escapeLines(text)}\n`}`;
}

/**
 * Parses a transcript.
 *
 * Files of other tools in the plain style of the spec are read too. A missing `session_id` or `started` is taken from the file
 * name `HHMM-{session}-{slug}.md`, a missing title from the topic.
 *
 * @throws MemoryError INVALID_RECORD with path and line, INVALID_DATE, TOO_LARGE.
 */
export function parseTranscript(text: string, path: string): Transcript {
  const { turns, ...head } = parseTranscriptWithLines(text, path);
  return { ...head, turns: turns.map(({ line: _, textLine: __, ...turn }) => turn) };
}

/** Parses a transcript like {@link parseTranscript}, and gives with each turn its lines. */
export function parseTranscriptWithLines(text: string, path: string): TranscriptWithLines {
  checkSize(text, maxRawBytes, path);
  const { data, body, hasFrontMatter, bodyLine, lineOf } = splitFrontMatter(text, path);
  if (!hasFrontMatter) {
    const hint = 'A transcript begins with a line of three dashes and the keys session_id and started';
    throw new MemoryError('INVALID_RECORD', `${path}:1 has no front matter`, { where: path, hint });
  }
  const fail = (key: string, rule: string): MemoryError =>
    new MemoryError('INVALID_RECORD', `${path}:${lineOf(key) ?? 1} ${key}: ${rule}`, { where: path });
  const word = (key: string): string | undefined => {
    const value = data[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') throw fail(key, 'must be a word');
    return String(value);
  };
  const amount = (key: string): number | undefined => {
    const value = data[key] ?? undefined;
    if (value === undefined || (typeof value === 'number' && value >= 0)) return value;
    throw fail(key, 'must be a number of tokens');
  };
  const time = (key: string): number | undefined => {
    const value = word(key);
    return value === undefined ? undefined : parseTime(value, `${path}:${lineOf(key) ?? 1} ${key}`);
  };

  const named = /(?:^|\/)(\d{4})\/(\d\d)\/(\d\d)\/(\d\d)(\d\d)-([^-/]+)-?[^/]*\.md$/.exec(path);
  const [, year, month, day, hour, minute, session] = named ?? [];
  const sessionId = word('session_id') ?? session;
  if (sessionId === undefined) throw fail('session_id', 'is missing');
  const started =
    time('started') ?? (named === null ? undefined : parseTime(`${year}-${month}-${day}T${hour}:${minute}Z`));
  if (started === undefined) throw fail('started', 'is missing');
  // Another word for trust is somebody else's, and stays.
  const unknown = Object.entries(data).filter(
    ([key, value]) => !knownKeys.has(key) || (key === 'trust' && value !== 'low'),
  );
  const content = parseBody(body, bodyLine, started);
  const topic = word('topic');
  return {
    sessionId,
    started,
    ...defined({
      ended: time('ended'),
      model: word('model'),
      channel: word('channel'),
      topic,
      agent: word('agent'),
      tags: tagsOf(data.tags, fail),
      tokensIn: amount('tokens_in'),
      tokensOut: amount('tokens_out'),
      trust: data.trust === 'low' ? 'low' : undefined,
      knowledgeChanges: changesOf(data.knowledge_changes, fail),
      unknown: unknown.length === 0 ? undefined : Object.fromEntries(unknown),
    }),
    title: content.title ?? topic ?? sessionId,
    ...(content.preamble === '' ? {} : { preamble: content.preamble }),
    turns: content.turns,
  };
}

/** Gives the path of a transcript: `raw/conversations/YYYY/MM/DD/HHMM-{session}-{slug}.md`, in UTC. */
export function transcriptPath(transcript: Pick<Transcript, 'sessionId' | 'started' | 'topic' | 'title'>): string {
  const iso = formatTime(transcript.started);
  const session = sessionInPath(transcript.sessionId);
  const slug = slugOf(transcript.topic ?? transcript.title);
  return `raw/conversations/${iso.slice(0, 10).replaceAll('-', '/')}/${iso.slice(11, 13)}${iso.slice(14, 16)}-${session}-${slug}.md`;
}

/**
 * Gives the path of a transcript where paths may be private. A name that everybody can read says nothing of what is in it, unless the name
 * is what makes it private.
 */
export function quietTranscriptPath(
  transcript: Pick<Transcript, 'sessionId' | 'started' | 'topic' | 'title'>,
  isPrivate: (path: string) => boolean,
): string {
  const path = transcriptPath(transcript);
  if (!isPrivate(path)) return path;
  const quiet = transcriptPath({ sessionId: transcript.sessionId, started: transcript.started, title: 'private' });
  return isPrivate(quiet) ? quiet : path;
}

/** Tells whether a path is that of a transcript with this id, as far as its name tells. */
export const isSessionPath = (path: string, id: string): boolean =>
  path.startsWith(`-${sessionInPath(id)}-`, path.lastIndexOf('/') + 5);

interface Content {
  readonly title: string | undefined;
  readonly preamble: string;
  readonly turns: TurnWithLine[];
}

const numberSign = 0x23;

/** Counts line feeds before a place. */
function feedsBefore(text: string, end: number): number {
  let count = 0;
  for (let at = 0; at < end; at++) if (text.charCodeAt(at) === 0x0a) count += 1;
  return count;
}

/** Goes from line to line, and takes the text between two headings in one piece. */
function parseBody(body: string, bodyLine: number, started: number): Content {
  const turns: TurnWithLine[] = [];
  let title: string | undefined;
  let preamble = '';
  let open: { -readonly [Key in keyof TurnWithLine]: TurnWithLine[Key] } | undefined;
  let first = 0;
  let previous = started;
  const close = (end: number, next: number): void => {
    const written = body.slice(first, end);
    const text = unescapeLines(trimLineFeeds(written));
    if (open === undefined) preamble = [preamble, text].filter((part) => part !== '').join('\n\n');
    else {
      open.text = text;
      open.textLine = open.line + 1 + feedsBefore(written, written.search(/\S/));
      turns.push(open);
    }
    first = next;
  };
  for (let start = 0, number = 0; start <= body.length; number++) {
    const feed = body.indexOf('\n', start);
    const end = feed < 0 ? body.length : feed;
    const next = end + 1;
    // Nearly every line begins otherwise.
    if (body.charCodeAt(start) === numberSign) {
      const line = body.slice(start, end);
      if (open === undefined && title === undefined && line.startsWith('# ')) {
        close(start, next);
        title = line.slice(2).trim();
      }
      const heading = parseHeading(line);
      if (heading !== undefined) {
        close(start, next);
        const { role, speaker, flag } = heading;
        previous = timeOfHeading(heading, previous);
        open = { role, time: previous, text: '', line: bodyLine + number, textLine: 0 };
        if (speaker !== undefined) open.speaker = speaker;
        if (flag !== undefined) open.flag = flag;
      }
    }
    start = next;
  }
  close(body.length, body.length);
  return { title, preamble, turns };
}

function tagsOf(value: unknown, fail: (key: string, rule: string) => MemoryError): readonly string[] | undefined {
  if (value === undefined || value === null) return undefined;
  // Obsidian writes a single tag as a word.
  const tags = typeof value === 'string' ? value.split(/\s*,\s*/).filter((tag) => tag !== '') : value;
  if (!Array.isArray(tags) || tags.some((tag) => typeof tag === 'object'))
    throw fail('tags', 'must be a list of words');
  return tags.map(String);
}

function changesOf(value: unknown, fail: (key: string, rule: string) => MemoryError): Transcript['knowledgeChanges'] {
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw fail('knowledge_changes', 'must be a list');
  return value.map((change: Record<string, unknown> | null) => {
    if (typeof change?.path !== 'string') throw fail('knowledge_changes', 'must have a path each');
    return { path: change.path, action: String(change.action ?? 'updated'), summary: String(change.summary ?? '') };
  });
}

function escapeLines(text: string): string {
  return text
    .split('\n')
    .map((line) => (escapable.test(line) ? `\\${line}` : line))
    .join('\n');
}

function unescapeLines(text: string): string {
  if (!text.includes('\\')) return text;
  return text
    .split('\n')
    .map((line) => (line.startsWith('\\') && escapable.test(line) ? line.slice(1) : line))
    .join('\n');
}

function trimLineFeeds(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) === 0x0a) start += 1;
  while (end > start && text.charCodeAt(end - 1) === 0x0a) end -= 1;
  return text.slice(start, end);
}

const formatSecond = (ms: number): string => formatTime(Math.floor(ms / 1000) * 1000);
