// Chats of Cursor: rows of a database of the editor, and transcripts of its command line.
//
//   cursorDiskKV  composerData:<id>        { composerId, name, createdAt, fullConversationHeadersOnly: [{ bubbleId, type }] }
//                 bubbleId:<id>:<bubble>   { type: 1 of the user | 2 of the agent, text, createdAt, toolFormerData }
//   ItemTable     workbench.panel.aichat…  { tabs: [{ tabId, chatTitle, bubbles: [{ type, text }] }] }, earlier versions

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { inDatabase, isSqlite, type SqliteFile, type SqliteValue } from '../sqlite.ts';
import { type Fields, fieldsOf, listOf, objectsOf, stemOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonLines, jsonOf } from './json-files.ts';
import { callPart, contentText, resultPart, textParts } from './parts.ts';
import { said } from './program-words.ts';

export const cursor: Form = {
  places: [
    { root: '<user:Cursor>', files: 'globalStorage/state.vscdb' },
    { root: '<user:Cursor>', files: 'workspaceStorage/*/state.vscdb' },
    { root: '~/.cursor', files: 'projects/*/agent-transcripts/**/*.jsonl' },
  ],

  detect(path, head) {
    if (isSqlite(head)) return /\.vscdb$/.test(path) || head.includes('cursorDiskKV') ? 0.95 : 0;
    if (!/\.jsonl$/i.test(path)) return 0;
    const [first] = firstLines(head, 1);
    const isBare = first !== undefined && typeof first.role === 'string' && typeof first.message === 'object';
    if (!isBare || first.uuid !== undefined || first.timestamp !== undefined) return 0;
    return /agent-transcripts\//.test(path) || head.includes('<user_query>') ? 0.95 : 0.6;
  },

  *read(file, reading) {
    if (/\.jsonl$/i.test(file.path)) yield* transcript(file, reading);
    else yield* inDatabase(file, (base) => database(base, reading));
  },
};

function* transcript(file: SourceFile, reading: Reading): Generator<Entry> {
  const session = stemOf(file.path);
  for (const { line, value } of jsonLines(file, reading)) {
    const isUser = value.role === 'user';
    if (!isUser && value.role !== 'assistant') {
      reading.leave('are notes of the program', line);
      continue;
    }
    const text = contentText(fieldsOf(value.message).content);
    const words = isUser ? said(text) : text;
    const tools = objectsOf(fieldsOf(value.message).content).flatMap((part) =>
      part.type === 'tool_use' ? [callPart(part.name, part.input)] : [],
    );
    const parts = [...textParts(words), ...tools];
    if (parts.length === 0) reading.broken('has no words', line);
    else yield { kind: 'message', session, role: isUser ? 'user' : 'agent', parts, line };
  }
}

const keyBytes = 512;
const earlierChats = 'workbench.panel.aichat.view.aichat.chatdata';

function* database(base: SqliteFile, reading: Reading): Generator<Entry> {
  const composers: number[] = [];
  const bubbles = new Map<string, number>();
  for (const { rowid, values } of base.rows('cursorDiskKV', keyBytes)) {
    const key = String(values.key);
    if (key.startsWith('composerData:')) composers.push(rowid);
    else if (key.startsWith('bubbleId:')) bubbles.set(key.slice('bubbleId:'.length), rowid);
  }
  const valueAt = (rowid: number) => jsonOf(textOf(base.row('cursorDiskKV', rowid)?.values.value));
  for (const rowid of composers) {
    const composer = valueAt(rowid);
    if (composer === undefined) reading.broken('is not valid JSON', `row ${rowid}`);
    else if (composer !== null) yield* composerOf(fieldsOf(composer), bubbles, valueAt, reading);
  }
  for (const { rowid, values } of base.rows('ItemTable', keyBytes)) {
    if (values.key !== earlierChats) continue;
    const chats = fieldsOf(jsonOf(textOf(base.row('ItemTable', rowid)?.values.value)));
    for (const tab of listOf(chats.tabs)) yield* tabOf(fieldsOf(tab), reading);
  }
}

const textOf = (value: SqliteValue | undefined): string =>
  value === null || value === undefined ? '' : value.toString();

function* composerOf(
  composer: Fields,
  bubbles: ReadonlyMap<string, number>,
  valueAt: (rowid: number) => unknown,
  reading: Reading,
): Generator<Entry> {
  const session = wordOf(composer.composerId);
  if (session === undefined) return;
  const [title, begun] = [wordOf(composer.name), timeOf(composer.createdAt)];
  const model = wordOf(fieldsOf(composer.modelConfig).modelName);
  yield { kind: 'head', session, title, model };
  const given = [composer.fullConversationHeadersOnly, composer.conversation].flatMap(objectsOf);
  let isFirst = true;
  for (const header of given) {
    const id = wordOf(header.bubbleId);
    const rowid = bubbles.get(`${session}:${id}`);
    const place = `chat ${session}, bubble ${id}`;
    // Earlier versions have the bubbles in the chat itself.
    const value = rowid === undefined ? (header.text === undefined ? null : header) : valueAt(rowid);
    if (value === undefined || value === null) {
      reading.broken(value === null ? 'is named by its chat and not there' : 'is not valid JSON', place);
      continue;
    }
    yield* bubbleOf(fieldsOf(value), { session, id, place, begun: isFirst ? begun : undefined }, reading);
    isFirst = false;
  }
}

interface BubblePlace {
  readonly session: string;
  readonly id: string | undefined;
  readonly place: string;
  /** When the chat began, for the first that has no time. */
  readonly begun: number | undefined;
}

function* bubbleOf(bubble: Fields, { session, id, place, begun }: BubblePlace, reading: Reading): Generator<Entry> {
  const isUser = bubble.type === 1 || bubble.type === 'user';
  const text = wordOf(bubble.text) ?? wordOf(bubble.rawText) ?? '';
  const words = isUser ? said(text) : text;
  const parts = [...textParts(words), ...toolOf(fieldsOf(bubble.toolFormerData))];
  const time =
    timeOf(bubble.createdAt) ??
    timeOf(bubble.timestamp) ??
    timeOf(fieldsOf(bubble.timingInfo).clientStartTime) ??
    begun;
  if (parts.length === 0) reading.leave('are empty', place);
  else yield { kind: 'message', session, id, time, role: isUser ? 'user' : 'agent', parts, line: place };
}

function toolOf(tool: Fields): MessagePart[] {
  const name = wordOf(tool.name);
  if (name === undefined) return [];
  const id = wordOf(tool.toolCallId) ?? name;
  const isError = tool.status === 'error' || tool.error !== undefined;
  const output = tool.error ?? tool.result;
  const call = callPart(name, tool.rawArgs ?? tool.params, id);
  if (output === undefined) return [call];
  const parsed = typeof output === 'string' && output.startsWith('{') ? jsonOf(output) : output;
  return [call, resultPart(parsed ?? output, id, { isError })];
}

function* tabOf(tab: Fields, reading: Reading): Generator<Entry> {
  const session = wordOf(tab.tabId);
  const title = wordOf(tab.chatTitle);
  if (session === undefined) return;
  yield { kind: 'head', session, title };
  for (const [at, bubble] of objectsOf(tab.bubbles).entries()) {
    const begun = at === 0 ? timeOf(tab.lastSendTime) : undefined;
    yield* bubbleOf(
      bubble,
      { session, id: wordOf(bubble.id), place: `chat ${session}, bubble ${at + 1}`, begun },
      reading,
    );
  }
}
