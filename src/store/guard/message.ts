// Commit messages: a subject, a body, and one block of trailers that text from outside can neither forge nor break.
// What an operation says in them is decided by whoever commits.

import { MemoryError } from '../../base/errors.ts';
import { splitLines } from '../../base/text.ts';
import { checkSize, maxMessageBytes, maxSubjectLength, maxTrailerLength } from './limits.ts';
import { cutTrailers, isBlank, isTrailerLine, trimAscii } from './trailer-block.ts';

/** Lists the trailers the engine writes; a message holds them in the order it was given. */
export const trailerKeys = [
  'Operation',
  'Session',
  'Source',
  'Memory',
  'Extractor',
  'Closes',
  'Unread',
  'Model',
  'Agent',
  'Undoes',
  'Conflict',
  'Sequence',
  'Run',
  'Verdict',
] as const;
type TrailerKey = (typeof trailerKeys)[number];

/** One machine-readable line of a commit message: `Session: raw/conversations/…`. */
export interface Trailer {
  readonly key: TrailerKey;
  readonly value: string;
}

/** What a commit message is made of. */
interface MessageParts {
  readonly subject: string;
  readonly body?: string;
  readonly trailers: readonly Trailer[];
}

/** What a commit message was read as; `others` are trailers of the last block that are not the engine's. */
interface ParsedMessage {
  readonly subject: string;
  readonly body: string;
  readonly trailers: readonly Trailer[];
  readonly others: readonly { readonly key: string; readonly value: string }[];
}

const knownKeys: ReadonlySet<string> = new Set(trailerKeys);
const onceOnly: ReadonlySet<string> = new Set(['Operation', 'Sequence', 'Run']);

/**
 * Formats a commit message: subject, blank line, body, blank line, trailers.
 *
 * ```
 * conversation: autopoiesis restructuring        one line, at most 72 characters
 *                                                no control or invisible characters
 *  Session: not a trailer, for it is indented    body lines that git could take for a trailer,
 *                                                divider or comment get one space in front
 * Operation: capture                             the only block, always last
 * Session: raw/conversations/2026/02/16/…
 * ```
 *
 * @throws MemoryError TOO_LARGE. INVALID_MESSAGE if the subject or a value is empty, a key is unknown, or Operation, Sequence or Run stands
 * twice.
 */
export function formatMessage(parts: MessageParts): string {
  const body = harmlessBody(parts.body ?? '');
  const trailers = parts.trailers.map(formatTrailer);
  for (const key of onceOnly) {
    if (parts.trailers.filter((trailer) => trailer.key === key).length > 1)
      throw new MemoryError('INVALID_MESSAGE', `the trailer ${key} may stand once in a message`, { where: key });
  }
  const paragraphs = [cleanSubject(parts.subject), body, trailers.join('\n')].filter((part) => part !== '');
  const message = `${paragraphs.join('\n\n')}\n`;
  checkSize(message, maxMessageBytes, 'commit message');
  return message;
}

/**
 * Reads any commit message; trailers come from the last block only, found by the rules of `git interpret-trailers`.
 *
 * Never fails: a message of another tool is read as far as it goes. Values that continue on indented lines are unfolded.
 */
export function parseMessage(text: string): ParsedMessage {
  const { above, pairs } = cutTrailers(text);
  const first = above.findIndex((line) => !isBlank(line));
  // The title may be folded over several lines up to the first blank one.
  const start = Math.max(first, 0);
  const length = above.slice(start).findIndex(isBlank);
  const end = length === -1 ? above.length : start + length;
  return {
    subject: above.slice(start, end).map(trimAscii).join(' '),
    body: above
      .slice(end)
      .join('\n')
      .replace(/^(?:[ \t\r]*\n)+|\s+$/g, ''),
    trailers: pairs.filter((pair): pair is Trailer => knownKeys.has(pair.key) && pair.value !== ''),
    others: pairs.filter((pair) => !knownKeys.has(pair.key)),
  };
}

function cleanSubject(subject: string): string {
  let line = cleanLine(subject).replace(/ {2,}/g, ' ');
  // At the very start these would be a patch divider or a comment to git.
  line = line.replace(/^(?:---+(?= |$)|#+(?= |$)|\s)+/, '');
  if (line === '') {
    const hint = 'Say in one line what the commit does';
    throw new MemoryError('INVALID_MESSAGE', 'the subject of a commit message is empty', { where: 'subject', hint });
  }
  if (line.length <= maxSubjectLength) return line;
  const cut = line.slice(0, maxSubjectLength - 1).replace(/[\ud800-\udbff]$/, '');
  return `${cut.trimEnd()}…`;
}

function formatTrailer({ key, value }: Trailer): string {
  if (!knownKeys.has(key)) {
    throw new MemoryError('INVALID_MESSAGE', `${JSON.stringify(key)} is not a trailer of the engine`, {
      where: 'trailers',
    });
  }
  const line = cleanLine(String(value));
  if (line === '') throw new MemoryError('INVALID_MESSAGE', `the trailer ${key} has no value`, { where: key });
  if (line.length > maxTrailerLength) {
    throw new MemoryError('INVALID_MESSAGE', `the trailer ${key} is longer than ${maxTrailerLength} characters`, {
      where: key,
    });
  }
  return `${key}: ${line}`;
}

/** Puts text on one line: what controls a terminal, hides or reverses text becomes a space or goes. */
function cleanLine(text: string): string {
  return trimAscii(
    text
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .replace(/(?![\u200c\u200d])\p{Cf}/gu, '')
      .replace(/\p{Cs}/gu, '\ufffd'),
  );
}

function harmlessBody(body: string): string {
  return splitLines(body.replace(/\r\n?|[\u2028\u2029]/g, '\n'))
    .map((line) => {
      const clean = line
        .replace(/\t/g, '    ')
        .replace(/\p{Cc}+|(?![\u200c\u200d])\p{Cf}/gu, '')
        .replace(/\p{Cs}/gu, '\ufffd')
        .replace(/[ \t]+$/, '');
      return isMistakable(clean) ? ` ${clean}` : clean;
    })
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

const isMistakable = (line: string): boolean => line.startsWith('#') || line.startsWith('---') || isTrailerLine(line);

/** A message names so many things, and of more how many there are. */
export const maxNamed = 50;

/** Lists lines in the body of a commit, and of many how many more there are. */
export function cappedLines(lines: readonly string[], what: string): string[] {
  return lines.length <= maxNamed
    ? [...lines]
    : [...lines.slice(0, maxNamed), `- and ${lines.length - maxNamed} more ${what}`];
}

/** Tells whether a `Session` trailer means a session given by path or id. */
export function isSession(trailer: string, session: string): boolean {
  const [name = ''] = trailer.split('/').slice(-1);
  return trailer === session || name.includes(session) || name.includes(sessionInPath(session));
}

/** Writes a session id for the name of its transcript, without a hyphen; ids that look alike may be written alike. */
export function sessionInPath(id: string): string {
  return (
    id
      .replace(/[^A-Za-z0-9._]+/g, '_')
      .replace(/^\.+|\.+$/g, '')
      .slice(0, 80) || 'session'
  );
}
