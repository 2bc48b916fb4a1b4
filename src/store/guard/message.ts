// Commit messages: a subject, a body, and one block of trailers that text from outside can neither forge nor break.
// What an operation says in them is decided by whoever commits.

import { MemoryError } from '../../base/errors.ts';
import { splitLines } from '../../base/text.ts';
import { checkSize, maxMessageBytes, maxSubjectLength, maxTrailerLength } from './limits.ts';

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

/** git takes these for trailers too, and they make it take whole paragraphs for trailer blocks. */
const generatedPrefixes = ['Signed-off-by: ', '(cherry picked from commit '];

interface TrailerPair {
  readonly key: string;
  readonly value: string;
}

/**
 * Cuts a commit message into the lines above its last block of trailers and the trailers, unfolded, in order, as git's trailer.c does.
 *
 * What follows a patch divider (`---`) is left out, as are comments at the end. Without such a block all lines stand above.
 */
function cutTrailers(text: string): { above: readonly string[]; pairs: readonly TrailerPair[] } {
  const lines = splitLines(text);
  const divider = lines.findIndex((line) => /^---[ \t\r\n]/.test(`${line}\n`));
  const kept = divider === -1 ? lines : lines.slice(0, divider);
  const end = endOfLog(kept);
  const start = startOfTrailers(kept.slice(0, end));
  return { above: kept.slice(0, start), pairs: unfold(kept.slice(start, end)) };
}

/** Tells whether git could take a line for a trailer, or for one that it wrote itself. */
const isTrailerLine = (line: string): boolean =>
  separatorOf(line) >= 1 || generatedPrefixes.some((prefix) => line.startsWith(prefix));

/** Tells whether a line is blank to git: ASCII white space only. */
const isBlank = (line: string): boolean => /^[ \t\r]*$/.test(line);

/** Trims ASCII white space only, as git does: the two must agree on values. */
const trimAscii = (text: string): string => text.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, '');

/** Finds the colon of a trailer line as git does: letters, digits and dashes, then perhaps blanks, then the colon; or -1. */
const separatorOf = (line: string): number => /^[A-Za-z0-9-]+[ \t]*(?=:)/.exec(line)?.[0].length ?? -1;

// git looks past comments and blank lines at the end, and past the list of conflicts that old versions left there.
function endOfLog(lines: readonly string[]): number {
  let end = lines.length;
  for (let i = 0, boundary = -1, inConflicts = false; i < lines.length; i += 1) {
    const line = lines[i] ?? '';
    if (line.startsWith('#') || line === '') {
      if (boundary === -1) boundary = i;
    } else if (line === 'Conflicts:') {
      inConflicts = true;
      if (boundary === -1) boundary = i;
    } else if (!(inConflicts && line.startsWith('\t'))) {
      boundary = -1;
      inConflicts = false;
    }
    end = boundary === -1 ? lines.length : boundary;
  }
  return end;
}

// Follows find_trailer_start of git's trailer.c. It reads from the end up to the first blank line. That whole paragraph must be trailers
// and their continuations, or a quarter of it if git itself wrote one of them. The title is never one.
function startOfTrailers(lines: readonly string[]): number {
  let titleEnd = 0;
  while (titleEnd < lines.length && (lines[titleEnd]?.startsWith('#') || !isBlank(lines[titleEnd] ?? '')))
    titleEnd += 1;
  let onlySpaces = true;
  let isGenerated = false;
  let trailers = 0;
  let others = 0;
  let continuations = 0;
  for (let i = lines.length - 1; i >= titleEnd; i -= 1) {
    const line = lines[i] ?? '';
    if (line.startsWith('#')) {
      others += continuations;
      continuations = 0;
    } else if (isBlank(line)) {
      if (onlySpaces) continue;
      others += continuations;
      return (isGenerated && trailers * 3 >= others) || (trailers > 0 && others === 0) ? i + 1 : lines.length;
    } else {
      onlySpaces = false;
      if (generatedPrefixes.some((prefix) => line.startsWith(prefix))) {
        trailers += 1;
        continuations = 0;
        isGenerated = true;
      } else if (separatorOf(line) >= 1) {
        trailers += 1;
        continuations = 0;
      } else if (/^[ \t\r]/.test(line)) {
        continuations += 1;
      } else {
        others += 1 + continuations;
        continuations = 0;
      }
    }
  }
  return lines.length;
}

function unfold(lines: readonly string[]): TrailerPair[] {
  const pairs: { key: string; value: string }[] = [];
  let isOpen = false;
  for (const line of lines) {
    const separator = separatorOf(line);
    const last = pairs[pairs.length - 1];
    if (/^[ \t\r]/.test(line)) {
      if (isOpen && last !== undefined) last.value = trimAscii(`${last.value} ${trimAscii(line)}`);
    } else if (separator >= 1) {
      pairs.push({ key: trimAscii(line.slice(0, separator)), value: trimAscii(line.slice(separator + 1)) });
      isOpen = true;
    } else {
      isOpen = false;
    }
  }
  return pairs;
}
