// Threads of Zed, rows of `threads/threads.db`: a JSON object each, mostly packed with zstd, which only newer versions of Node unpack. Messages
// have no times; a thread tells when it was last changed.

import * as zlib from 'node:zlib';
import { attempt } from '../../../base/errors.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { inDatabase, isSqlite, type SqliteRow } from '../sqlite.ts';
import { type Fields, fieldsOf, listOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { jsonOf } from './json-files.ts';
import { attachment, callPart, resultPart, textPart } from './parts.ts';

const unpack: ((bytes: Buffer) => Buffer) | undefined = (zlib as { zstdDecompressSync?: (bytes: Buffer) => Buffer })
  .zstdDecompressSync;

export const zed: Form = {
  places: [
    { root: '<data>/zed', files: 'threads/threads.db' },
    { root: '<config>/Zed', files: 'threads/threads.db' },
  ],

  detect(_path, head) {
    if (!isSqlite(head)) return 0;
    return /CREATE TABLE\W+(?:IF NOT EXISTS\W+)?threads\W/.test(head) && head.includes('data_type') ? 0.95 : 0;
  },

  *read(file, reading) {
    yield* inDatabase(file, function* (base) {
      for (const row of base.rows('threads')) yield* thread(row, reading);
    });
  },
};

function* thread({ rowid, values }: SqliteRow, reading: Reading): Generator<Entry> {
  const session = wordOf(values.id) ?? `zed-${rowid}`;
  const place = `thread ${session}`;
  const packed = values.data_type === 'zstd';
  if (packed && unpack === undefined)
    return reading.broken('is packed with zstd, which this version of Node cannot unpack; Node 22.15 can', place);
  const text = packed ? unpacked(values.data) : values.data;
  const stored = fieldsOf(jsonOf(String(text ?? '')));
  if (!Array.isArray(stored.messages)) return reading.broken('is no thread', place);
  if (wordOf(values.parent_id) !== undefined) return reading.leave('are threads of sub-agents', place);
  const title = wordOf(values.summary) ?? wordOf(stored.title) ?? wordOf(stored.summary);
  const model = wordOf(fieldsOf(stored.model).model);
  const project = wordOf(values.folder_paths)?.split('\n')[0];
  const time = timeOf(values.updated_at) ?? timeOf(stored.updated_at);
  yield { kind: 'head', session, title, model, project, time };
  for (const [at, message] of stored.messages.entries()) {
    const line = `${place}, message ${at + 1}`;
    if (typeof message === 'string') {
      reading.leave('are notes of the program', line);
      continue;
    }
    const fields = fieldsOf(message);
    const user = fieldsOf(fields.User);
    const isUser = fields.User !== undefined || fields.role === 'user';
    const agent = fields.Agent === undefined ? fields : fieldsOf(fields.Agent);
    const parts = isUser ? said(fields.User === undefined ? fields.segments : user.content) : answered(agent);
    if (parts.length > 0) yield { kind: 'message', session, role: isUser ? 'user' : 'agent', parts, line };
    else reading.broken('has no words', line);
  }
}

function unpacked(data: unknown): string | undefined {
  return attempt(() => (Buffer.isBuffer(data) ? unpack!(data).toString('utf8') : undefined), undefined);
}

function said(content: unknown): MessagePart[] {
  return listOf(content).flatMap((part) => {
    const { Text: text, Mention: mention, Image: image, type, text: older } = fieldsOf(part);
    const words = wordOf(text) ?? (type === 'text' ? wordOf(older) : undefined);
    if (words !== undefined) return [textPart(words)];
    if (mention !== undefined) return [attachment(mentioned(fieldsOf(mention).uri))];
    return image === undefined ? [] : [attachment('image')];
  });
}

/** `{ "File": { "abs_path": "/w/a.ts" } }`. */
function mentioned(uri: unknown): string {
  const [inner] = Object.values(fieldsOf(uri)).map(fieldsOf);
  return wordOf(uri) ?? wordOf(inner?.abs_path) ?? wordOf(inner?.path) ?? wordOf(inner?.name) ?? 'mention';
}

function answered(agent: Fields): MessagePart[] {
  const calls = listOf(agent.tool_uses).map((use) => callOf(fieldsOf(use)));
  const newer = listOf(agent.content).flatMap((part) => {
    const use = fieldsOf(part).ToolUse;
    return use === undefined ? said([part]) : [callOf(fieldsOf(use))];
  });
  const results = Array.isArray(agent.tool_results)
    ? agent.tool_results
    : Object.entries(fieldsOf(agent.tool_results)).map(([id, one]) => ({ tool_use_id: id, ...fieldsOf(one) }));
  return [...said(agent.segments), ...newer, ...calls, ...results.map((one) => resultOf(fieldsOf(one)))];
}

const callOf = (use: Fields): MessagePart => callPart(use.name, use.input ?? use.raw_input, use.id);

function resultOf(result: Fields): MessagePart {
  const { Text: text } = fieldsOf(result.content);
  return resultPart(text ?? result.content ?? result.output, result.tool_use_id, { isError: result.is_error === true });
}
