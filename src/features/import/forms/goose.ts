// Sessions of Goose: JSON lines, whose first tells of the session, until 1.10; since then rows of one database.

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { inDatabase, isSqlite, type SqliteFile } from '../sqlite.ts';
import { type Fields, fieldsOf, objectsOf, stemOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonLines, jsonOf } from './json-files.ts';
import { callPart, resultPart, textParts } from './parts.ts';

export const goose: Form = {
  places: [
    { root: '<data>/goose', files: 'sessions/sessions.db' },
    { root: '<data>/goose', files: 'sessions/*.jsonl' },
  ],

  detect(path, head) {
    if (isSqlite(head)) return head.includes('content_json') || /goose\/.*sessions\.db$/.test(path) ? 0.95 : 0;
    if (!/\.jsonl$/i.test(path)) return 0;
    const [first] = firstLines(head, 1);
    return first !== undefined && typeof first.working_dir === 'string' && first.role === undefined ? 0.9 : 0;
  },

  *read(file, reading) {
    if (/\.jsonl$/i.test(file.path)) yield* lines(file, reading);
    else yield* inDatabase(file, (base) => database(base, reading));
  },
};

function* lines(file: SourceFile, reading: Reading): Generator<Entry> {
  const session = stemOf(file.path);
  for (const { line, value } of jsonLines(file, reading)) {
    if (typeof value.working_dir === 'string' && value.role === undefined) yield headOf(session, value);
    else
      yield* messageOf(
        { session, id: wordOf(value.id), role: value.role, content: value.content, time: value.created, line },
        reading,
      );
  }
}

function* database(base: SqliteFile, reading: Reading): Generator<Entry> {
  for (const { values } of base.rows('sessions')) yield headOf(String(values.id), values);
  for (const { rowid, values } of base.rows('messages')) {
    const line = `message ${rowid}`;
    const content = jsonOf(String(values.content_json ?? ''));
    if (content === undefined) reading.broken('is not valid JSON', line);
    else {
      const { role, created_timestamp: time } = values;
      const id = wordOf(values.message_id) ?? `row ${rowid}`;
      yield* messageOf({ session: String(values.session_id), id, role, content, time, line }, reading);
    }
  }
}

function headOf(session: string, told: Fields): Entry {
  const [title, project] = [wordOf(told.description) ?? wordOf(told.name), wordOf(told.working_dir)];
  return { kind: 'head', session, title, project };
}

interface Given {
  readonly session: string;
  readonly id: string | undefined;
  readonly role: unknown;
  readonly content: unknown;
  readonly time: unknown;
  readonly line: number | string;
}

function* messageOf({ session, id, role, content, time, line }: Given, reading: Reading): Generator<Entry> {
  if (role !== 'user' && role !== 'assistant') return reading.broken('is neither of the user nor of the agent', line);
  const parts = objectsOf(content).flatMap(partOf);
  if (parts.length === 0) return reading.broken('has no words', line);
  yield {
    kind: 'message',
    session,
    id,
    time: timeOf(time),
    role: role === 'user' ? 'user' : 'agent',
    parts,
    line,
  };
}

function partOf(part: Fields): MessagePart[] {
  if (part.type === 'text') return textParts(part.text);
  if (part.type === 'toolRequest') {
    const call = fieldsOf(fieldsOf(part.toolCall).value);
    return [callPart(call.name, call.arguments, part.id)];
  }
  if (part.type !== 'toolResponse') return [];
  const result = fieldsOf(part.toolResult);
  const isError = result.status === 'error' || fieldsOf(result.value).isError === true;
  const output = result.error ?? fieldsOf(result.value).content ?? result.value;
  return [resultPart(output, part.id, { isError })];
}
