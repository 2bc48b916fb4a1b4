// Conversations of a source, one after the other: plain logs, session files of Claude Code, account exports, Slack.

import { parseJson } from '../../base/canonical-json.ts';
import { defined } from '../../base/defined.ts';
import { MemoryError } from '../../base/errors.ts';
import { jsonElements } from '../../base/json-elements.ts';
import type { ConversationForm, ImportNote } from '../../base/types.ts';
import type { ExportedConversation } from '../../core/capture/exports.ts';
import {
  isChatExport,
  isClaudeCodeEntry,
  readChatExport,
  readClaudeCode,
  readSlackDay,
  readSlackUsers,
} from '../../core/capture/exports.ts';
import { type CaptureFormat, type CaptureInput, parseCaptureInput } from '../../core/capture/input.ts';
import { cleanWith } from '../../core/capture/recorder.ts';
import { partOf, sessionPauseMs, splitSessions } from '../../core/capture/sessions.ts';
import { maxObjectBytes } from '../../store/guard/limits.ts';
import type { SecretFilter } from '../../store/guard/secret-filter.ts';
import type { Conversation } from './conversations.ts';
import { type Source, type SourceFile, textOf } from './source.ts';

/** How conversations are read. */
export interface ConversationSettings {
  readonly format?: CaptureFormat;
  readonly topic?: string;
  readonly channel?: string;
  /** How long a pause ends a session of a plain log; default 30. */
  readonly pauseMinutes?: number;
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The time zone of the clocks in a text. */
  readonly timeZone: string;
  readonly filter: SecretFilter;
}

/** A conversation, or why there is none. */
export type ReadConversation = Conversation | ImportNote;

const readers: Readonly<
  Record<ConversationForm, (source: Source, settings: ConversationSettings) => Iterable<ReadConversation>>
> = {
  conversations: readLogs,
  'claude-code': readSessionFiles,
  chats: readChats,
  slack: readSlack,
};

/** Reads the conversations of a source, one file at a time. Throws what the file system says, and SECRET where the policy refuses. */
export function readConversations(
  form: ConversationForm,
  source: Source,
  settings: ConversationSettings,
): Iterable<ReadConversation> {
  return readers[form](source, settings);
}

/** Tells a file of conversations by its first words. */
export function conversationFormOf(file: SourceFile): ConversationForm | undefined {
  if (/(?:^|\/)conversations(?:-\d+)?\.json$/.test(file.path)) return 'chats';
  if (/\.json$/i.test(file.path)) return isChatList(file) ? 'chats' : undefined;
  if (!/\.(?:jsonl|ndjson)$/i.test(file.path)) return undefined;
  for (const { text, number } of file.lines()) {
    const value = text === null ? undefined : jsonOf(text);
    if (isClaudeCodeEntry(value)) return 'claude-code';
    if (number > 20) break;
  }
  return undefined;
}

/** So much of a file is looked at to tell what it is. */
const lookedAtBytes = 1 << 20;

/** Account exports under another name, by words that no list of messages has. */
function isChatList(file: SourceFile): boolean {
  let text = '';
  for (const piece of file.pieces()) {
    text += piece.toString('latin1');
    if (/"(?:chat_messages|mapping)"\s*:/.test(text)) return true;
    if (text.length > lookedAtBytes) return false;
  }
  return false;
}

function* readLogs(source: Source, settings: ConversationSettings): Generator<ReadConversation> {
  const { now, timeZone, format, topic, channel, filter, pauseMinutes } = settings;
  const pauseMs = pauseMinutes === undefined ? sessionPauseMs : pauseMinutes * 60_000;
  if (!(pauseMs > 0)) {
    throw new MemoryError('INVALID_ARGUMENT', 'a pause is a number of minutes above 0', { where: 'pauseMinutes' });
  }
  for (const file of source.files) {
    const text = textOf(file.read());
    if (text === null) {
      yield { source: file.path, why: 'is not UTF-8 text' };
      continue;
    }
    const options = {
      path: file.path,
      clean: cleanWith(filter),
      now,
      timeZone,
      ...defined({ format, topic, channel }),
    };
    const before = filter.count;
    const read = whole(source, file, () => parseCaptureInput(text, options));
    if ('why' in read) {
      yield read;
      continue;
    }
    const parts = splitSessions(read.turns, pauseMs);
    for (const [position, turns] of parts.entries()) {
      const isCut = parts.length > 1;
      yield {
        source: isCut ? `${file.path}, part ${position + 1}` : file.path,
        isDated: read.turns.some(({ time }) => time !== now),
        isRedacted: filter.count > before,
        input: isCut ? partOf(read, turns, position) : read,
      };
    }
  }
}

/** A single file that cannot be read is an error, one of many is noted. */
function whole(source: Source, file: SourceFile, read: () => CaptureInput): CaptureInput | ImportNote {
  try {
    return read();
  } catch (error) {
    const isNoted = error instanceof MemoryError && error.code !== 'SECRET' && source.files.length > 1;
    if (!isNoted) throw error;
    return { source: file.path, why: error.message };
  }
}

function* readSessionFiles(source: Source, settings: ConversationSettings): Generator<ReadConversation> {
  for (const file of source.files.filter(({ path }) => /\.(?:jsonl|ndjson)$/i.test(path))) {
    const notes: ImportNote[] = [];
    const found = readClaudeCode(entriesOf(file, notes), file.path.replace(/\.\w+$/, ''));
    yield* notes;
    if (found !== null) yield conversationOf(found, file.path, settings);
  }
}

function* entriesOf(file: SourceFile, notes: ImportNote[]): Generator<unknown> {
  for (const { number, text } of file.lines()) {
    if (text?.trim() === '') continue;
    const value = text === null ? undefined : jsonOf(text);
    if (value === undefined) notes.push({ source: file.path, line: number, why: 'is not valid JSON' });
    else yield value;
  }
}

function* readChats(source: Source, settings: ConversationSettings): Generator<ReadConversation> {
  const single = source.files.length === 1;
  const lists = source.files.filter(({ path }) => single || /(?:^|\/)conversations(?:-\d+)?\.json$/.test(path));
  for (const file of lists) {
    let number = 0;
    for (const element of jsonElements(file.pieces(), maxObjectBytes)) {
      number += 1;
      const place = `${file.path}, conversation ${number}`;
      const value = 'text' in element ? jsonOf(element.text) : undefined;
      if (value === undefined) {
        // Nothing of a single file that is no JSON at all is an answer of its own.
        if (number === 1 && single && 'text' in element) parseJson(element.text, file.path);
        yield { source: place, why: 'why' in element ? element.why : 'is not valid JSON' };
        continue;
      }
      const found = isChatExport(value) ? readChatExport(value) : null;
      yield found === null
        ? { source: place, why: 'nobody says anything in it' }
        : conversationOf(found, place, settings);
    }
  }
}

function* readSlack(source: Source, settings: ConversationSettings): Generator<ReadConversation> {
  const users = source.files.find(({ path }) => path === 'users.json');
  const names = readSlackUsers(users === undefined ? [] : jsonOf(users.read().toString('utf8')));
  for (const file of source.files) {
    const [, channel, day] = /^(?:.*\/)?([^/]+)\/(\d{4}-\d\d-\d\d)\.json$/.exec(file.path) ?? [];
    if (channel === undefined || day === undefined) continue;
    const value = jsonOf(file.read().toString('utf8'));
    const found = readSlackDay(value, channel, day, names);
    if (value === undefined) yield { source: file.path, why: 'is not valid JSON' };
    else if (found !== null) yield conversationOf(found, file.path, settings);
  }
}

function conversationOf(
  { session, ...exported }: ExportedConversation,
  source: string,
  { filter, now, topic, channel }: ConversationSettings,
): ReadConversation {
  const before = filter.count;
  try {
    const input = parseCaptureInput(JSON.stringify({ session_id: session, ...exported }), {
      format: 'json',
      clean: cleanWith(filter),
      now,
      ...defined({ topic, channel }),
    });
    return { input, source, isDated: input.turns.some(({ time }) => time !== now), isRedacted: filter.count > before };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === 'SECRET') throw error;
    return { source, why: error.what };
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
