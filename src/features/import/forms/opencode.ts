// Sessions of OpenCode: until 2025 a JSON file for each session, message and part below `storage/`; since then rows of one database.

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { inDatabase, isSqlite, type SqliteFile } from '../sqlite.ts';
import { type Fields, fieldsOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { jsonOf, wholeJson } from './json-files.ts';
import { attachment, callPart, resultPart, textPart, textParts } from './parts.ts';

const storageFile =
  /(?:^|\/)(?:session\/[^/]+\/ses_[^/]+|message\/ses_[^/]+\/msg_[^/]+|part\/(?:ses_[^/]+\/)?msg_[^/]+\/prt_[^/]+|project\/[^/]+)\.json$/;
const sessionFile = /(?:^|\/)session\/[^/]+\/ses_[^/]+\.json$/;

export const opencode: Form = {
  places: [
    { root: '<data>/opencode', files: 'opencode.db' },
    { root: '<data>/opencode', files: 'storage/{session,message,part}/**/*.json' },
  ],

  sessionOf: (path) => (path.endsWith('.json') && !sessionFile.test(path) ? undefined : path),

  detect(path, head) {
    if (/(?:^|\/)opencode\.db$/.test(path)) return 0.95;
    if (isSqlite(head) && /CREATE TABLE\W+session\W/.test(head) && /CREATE TABLE\W+part\W/.test(head)) return 0.9;
    return storageFile.test(path) && /^\s*\{/.test(head) ? 0.9 : 0;
  },

  *read(file, reading) {
    if (!file.path.endsWith('.json')) yield* inDatabase(file, (base) => database(base, reading));
    else if (sessionFile.test(file.path)) yield* stored(file, reading);
  },
};

function* stored(file: SourceFile, reading: Reading): Generator<Entry> {
  const session = fieldsOf(wholeJson(file, reading));
  const id = wordOf(session.id);
  if (id === undefined) return;
  yield headOf(session, id);
  for (const message of inOrder(reading.below(`../../message/${id}`))) {
    const fields = jsonOf(message.read().toString('utf8'));
    if (fields === undefined) {
      reading.broken('has a message that is not valid JSON', message.path);
      continue;
    }
    const messageId = wordOf(fieldsOf(fields).id) ?? '';
    const parts: Fields[] = [];
    for (const part of inOrder(reading.below(`../../part/${messageId}`))) {
      const value = jsonOf(part.read().toString('utf8'));
      if (value === undefined) reading.broken('has a part that is not valid JSON', part.path);
      else parts.push(fieldsOf(value));
    }
    yield* messageOf(
      { session: id, isSub: session.parentID !== undefined, id: messageId },
      fieldsOf(fields),
      parts,
      reading,
    );
  }
}

/** Ids of OpenCode ascend with time. */
const inOrder = (files: readonly SourceFile[]): SourceFile[] =>
  [...files].sort((one, other) => (one.path < other.path ? -1 : 1));

function* database(base: SqliteFile, reading: Reading): Generator<Entry> {
  // Rows of one message stand together in ids, not in the table: places are held, and texts are read when their turn comes.
  const parts = placesBy(base, 'part', 'message_id');
  const messages = placesBy(base, 'message', 'session_id');
  for (const { values: session } of base.rows('session')) {
    const id = wordOf(session.id);
    if (id === undefined) continue;
    yield headOf({ ...session, modelID: undefined }, id);
    for (const { id: messageId, rowid } of messages.get(id) ?? []) {
      const row = base.row('message', rowid)?.values;
      const data = jsonOf(String(row?.data ?? ''));
      if (data === undefined) {
        reading.broken('is not valid JSON', `message ${messageId}`);
        continue;
      }
      const found = (parts.get(messageId) ?? []).map((part) =>
        fieldsOf(jsonOf(String(base.row('part', part.rowid)?.values.data ?? ''))),
      );
      const place = { session: id, isSub: wordOf(session.parent_id) !== undefined, id: messageId };
      yield* messageOf(place, { time: { created: row?.time_created }, ...fieldsOf(data) }, found, reading);
    }
  }
}

const idBytes = 2048;

function placesBy(base: SqliteFile, table: string, column: string): Map<string, { id: string; rowid: number }[]> {
  const places = new Map<string, { id: string; rowid: number }[]>();
  for (const { rowid, values } of base.rows(table, idBytes)) {
    const key = String(values[column]);
    const list = places.get(key) ?? [];
    list.push({ id: String(values.id), rowid });
    places.set(key, list);
  }
  for (const list of places.values()) list.sort((one, other) => (one.id < other.id ? -1 : 1));
  return places;
}

function headOf(session: Fields, id: string): Entry {
  return {
    kind: 'head',
    session: id,
    title: wordOf(session.title),
    project: wordOf(session.directory),
  };
}

function* messageOf(
  { session, isSub, id }: { readonly session: string; readonly isSub: boolean; readonly id: string },
  message: Fields,
  parts: readonly Fields[],
  reading: Reading,
): Generator<Entry> {
  if (isSub) return reading.leave('were said between the agent and its sub-agents', `message ${id}`);
  const time = timeOf(fieldsOf(message.time).created);
  const base = { kind: 'message' as const, session, id, time, line: `message ${id}` };
  const model = wordOf(message.modelID);
  if (model !== undefined) yield { kind: 'head', session, model };
  const made = parts.flatMap((part) => partOf(part, id, reading));
  if (made.length > 0) yield { ...base, role: message.role === 'user' ? 'user' : 'agent', parts: made };
  const error = fieldsOf(message.error);
  const why = wordOf(fieldsOf(error.data).message) ?? wordOf(error.message) ?? wordOf(error.name);
  if (why !== undefined) yield { ...base, id: `${id}-error`, role: 'system', parts: [textPart(`Error: ${why}`)] };
  else if (made.length === 0) reading.leave('are empty', `message ${id}`);
}

function partOf(part: Fields, id: string, reading: Reading): MessagePart[] {
  const { type, text, synthetic } = part;
  if (type === 'text' && typeof text === 'string') {
    if (synthetic !== true) return textParts(text);
    reading.leave('are what the program says to the model', `message ${id}`);
  } else if (type === 'tool') {
    const state = fieldsOf(part.state);
    const isError = state.status === 'error';
    const call = wordOf(part.callID) ?? wordOf(part.id) ?? 'call';
    const output = state.error ?? state.output;
    const made = callPart(part.tool, state.input, call);
    return output === undefined ? [made] : [made, resultPart(output, call, { isError })];
  } else if (type === 'file') return [attachment(wordOf(part.filename) ?? wordOf(part.url) ?? 'file')];
  return [];
}
