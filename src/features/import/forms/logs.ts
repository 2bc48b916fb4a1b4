// Plain logs in the forms of capture: dialogues, chats as people copy them, our own transcripts, messages as the usual APIs have them.

import { defined, MemoryError } from '../../../base/errors.ts';
import { isDialogue } from '../../../core/capture/dialogue.ts';
import { type CaptureInput, parseCaptureInput } from '../../../core/capture/input.ts';
import { parseMessage } from '../../../core/capture/messages.ts';
import { pastedChat } from '../../../core/capture/pasted-chat.ts';
import { type SourceFile, textOf } from '../source.ts';
import { type Fields, wordOf } from './fields.ts';
import type { At, Entry, Form, Reading } from './form.ts';
import { jsonLines, jsonMembers } from './json-files.ts';

const lines = /\.(?:jsonl|ndjson)$/i;

export const logs: Form = {
  channel: '',
  isCutAtPauses: true,

  detect(path, head) {
    if (lines.test(path) || /\.json$/i.test(path)) return 0.3;
    if (/\.md$/i.test(path)) {
      if (/^---\r?\n(?:[^\n]*\n){0,20}?session_id:/.test(head)) return 0.8;
      return pastedChat(head, 0) !== null || isDialogue(head) ? 0.4 : 0;
    }
    return /\.(?:txt|log)$/i.test(path) || !/\.\w+$/.test(path) ? 0.3 : 0;
  },

  *read(file, reading) {
    const { format = 'auto' } = reading;
    if (format === 'jsonl' || (format === 'auto' && lines.test(file.path))) yield* messageLines(file, reading);
    else yield* wholeLog(file, reading);
  },
};

const heads = ['session_id', 'sessionId', 'session', 'conversation_id', 'topic', 'title', 'channel', 'model', 'agent'];
const spoken = ['role', 'content', 'text', 'message', 'value'];

/** Messages of JSON lines, one by one; the first line may tell of the session. */
function* messageLines(file: SourceFile, reading: Reading): Generator<Entry> {
  let session: string | undefined;
  let isFirst = true;
  for (const { line, value } of jsonLines(file, reading)) {
    if (isFirst) {
      session = heads
        .slice(0, 4)
        .map((name) => wordOf(value[name]))
        .find((name) => name !== undefined);
      yield headOf(value, session, !spoken.some((name) => name in value));
    }
    const isHead = isFirst && !spoken.some((name) => name in value) && heads.some((name) => name in value);
    isFirst = false;
    if (isHead) continue;
    yield* messageOf(value, line, session, reading);
  }
}

/** What the first line says; of a message only what is no part of it. */
function headOf(value: Fields, session: string | undefined, isAlone: boolean): Entry {
  const title = wordOf(value.topic) ?? (isAlone ? wordOf(value.title) : undefined);
  const { channel, model } = { channel: wordOf(value.channel), model: wordOf(value.model) };
  return { kind: 'head', session, title, channel, model };
}

const lists = ['messages', 'turns', 'conversation', 'transcript', 'value'];

/** The messages of a JSON file in which some cannot be read: these are named, and the others come. */
function* messageList(file: SourceFile, reading: Reading): Generator<Entry> {
  const opens = (path: readonly (string | number)[], isList: boolean) =>
    path.length === 0 || (isList && path.length === 1 && lists.includes(String(path[0])));
  const told: Record<string, unknown> = {};
  const found: { line: string; message: unknown }[] = [];
  for (const { path, value: message } of jsonMembers(file, opens)) {
    const at = path.at(-1);
    if (typeof at === 'number') found.push({ line: `message ${at + 1}`, message });
    else if (message !== undefined) told[String(at)] = message;
  }
  const session = heads
    .slice(0, 4)
    .map((name) => wordOf(told[name]))
    .find((name) => name !== undefined);
  yield headOf(told, session, true);
  for (const { line, message } of found) yield* messageOf(message, line, session, reading);
}

function* messageOf(value: unknown, line: At, session: string | undefined, reading: Reading): Generator<Entry> {
  try {
    const { role, speaker, time, parts } = parseMessage(reading.clean(value), `line ${line}`);
    yield { kind: 'message', session, speaker, time, role, parts, line };
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code === 'SECRET') throw error;
    reading.broken(error.what, line);
  }
}

function* wholeLog(file: SourceFile, reading: Reading): Generator<Entry> {
  const text = textOf(file.read());
  if (text === null) return reading.broken('is not UTF-8 text');
  // What has no time gets that of its file; a clock without a day is of that day.
  const now = file.modified ?? reading.now;
  let read: CaptureInput;
  try {
    read = parseCaptureInput(text, {
      path: file.path,
      clean: (value) => reading.clean(value),
      now,
      timeZone: reading.zone,
      ...defined({ format: reading.format }),
    });
  } catch (error) {
    const found =
      error instanceof MemoryError && error.code === 'INVALID_RECORD' ? [...messageList(file, reading)] : [];
    if (!found.some(({ kind }) => kind === 'message')) throw error;
    return yield* found;
  }
  const { turns, sessionId: session, topic: title, channel, model, tags, ...rest } = read;
  if (rest.isOneText) reading.note('is no talk in any form that is known: it is one turn');
  yield { kind: 'head', session, title, channel, model, tags };
  const isDated = turns.some(({ time }) => time !== now);
  for (const [at, { role, speaker, time, text: words }] of turns.entries()) {
    yield {
      kind: 'message',
      session,
      speaker,
      ...(isDated ? { time } : {}),
      role,
      parts: [{ kind: 'text', text: words }],
      line: at + 1,
    };
  }
}
