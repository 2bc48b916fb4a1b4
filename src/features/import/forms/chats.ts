// Account exports of ChatGPT and Claude: conversations.json, a list of all conversations.

import { parseJson } from '../../../base/canonical-json.ts';
import { jsonElements } from '../../../base/json-elements.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { maxObjectBytes } from '../../../store/guard/limits.ts';
import { claudeMessage } from './claude-message.ts';
import {
  type At,
  attachment,
  type Entry,
  type Fields,
  type Form,
  fieldsOf,
  jsonOf,
  listOf,
  type Reading,
  textPart,
  timeOf,
  wordOf,
} from './form.ts';

/** Files that stand beside the conversations in an export of Claude. */
const besides = /(?:^|\/)(?:projects|memories|users)\.json$/;

export const chats: Form = {
  name: 'chats',
  channel: 'chats',
  places: [],

  detect(path, head) {
    if (/(?:^|\/)conversations(?:-\d+)?\.json$/.test(path)) return 0.9;
    if (!/\.json$/i.test(path)) return 0;
    if (/"(?:chat_messages|mapping)"\s*:/.test(head)) return 0.9;
    return besides.test(path) && /"(?:conversations_memory|prompt_template|docs|full_name)"\s*:/.test(head) ? 0.9 : 0;
  },

  *read(file, reading) {
    let number = 0;
    for (const element of jsonElements(file.pieces(), maxObjectBytes)) {
      number += 1;
      const place = `conversation ${number}`;
      const value = 'text' in element ? jsonOf(element.text) : undefined;
      if (value === undefined) {
        // Nothing of a file that is no JSON at all is an answer of its own.
        if (number === 1 && 'text' in element) parseJson(element.text, file.path);
        reading.broken('why' in element ? element.why : 'is not valid JSON', place);
        continue;
      }
      const fields = fieldsOf(value);
      if (besides.test(file.path)) yield* besideOf(fields, file.path, place, reading);
      else if (Array.isArray(fields.chat_messages)) yield* claude(fields, place, reading);
      else if (typeof fields.mapping === 'object') yield* chatGpt(fields, place, reading);
      else reading.leave('are no conversations', place);
    }
  },
};

/** Contents that are no words of anybody: reasoning, and facts about the user for the program. */
const unsaid = new Set(['thoughts', 'reasoning_recap', 'model_editable_context', 'user_editable_context']);

/**
 * ChatGPT keeps a tree, for every edited question begins a branch. Read is the branch that was shown last: from `current_node` up.
 *
 * ```
 * { title, create_time, conversation_id, current_node,
 *   mapping: { <id>: { parent, message: { author: { role }, create_time, content: { content_type, parts } } } } }
 * ```
 */
function* chatGpt(conversation: Fields, line: At, reading: Reading): Generator<Entry> {
  const mapping = fieldsOf(conversation.mapping);
  const session = wordOf(conversation.conversation_id) ?? wordOf(conversation.id);
  const shown: string[] = [];
  const seen = new Set<string>();
  for (let id = wordOf(conversation.current_node) ?? Object.keys(mapping).at(-1); id !== undefined && !seen.has(id); ) {
    seen.add(id);
    if (!Object.hasOwn(mapping, id)) break;
    shown.unshift(id);
    id = wordOf(fieldsOf(mapping[id]).parent);
  }
  const named = session === undefined ? {} : { session };
  let count = 0;
  for (const id of shown) {
    const message = fieldsOf(fieldsOf(mapping[id]).message);
    const read = chatGptMessage(message);
    if (read === null) continue;
    const time = timeOf(message.create_time) ?? timeOf(conversation.create_time);
    const model = wordOf(fieldsOf(message.metadata).model_slug);
    if (count === 0) {
      const title = wordOf(conversation.title);
      yield { kind: 'head', ...named, channel: 'chatgpt', ...(title === undefined ? {} : { title }) };
    }
    if (model !== undefined) yield { kind: 'head', ...named, model };
    count += 1;
    yield { kind: 'message', ...named, ...(time === undefined ? {} : { time }), id, line, ...read };
  }
  const others = Object.keys(mapping).filter(
    (id) => !seen.has(id) && chatGptMessage(fieldsOf(fieldsOf(mapping[id]).message)),
  );
  for (const _ of others) reading.leave('are of branches that were edited away', line);
  if (count === 0) reading.broken('nobody says anything in it', line);
}

function chatGptMessage(message: Fields): { role: string; parts: MessagePart[] } | null {
  const author = fieldsOf(message.author);
  const content = fieldsOf(message.content);
  const { role } = author;
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return null;
  if (unsaid.has(String(content.content_type))) return null;
  if (fieldsOf(message.metadata).is_visually_hidden_from_conversation === true) return null;
  const given = Array.isArray(content.parts) ? content.parts : [content.text ?? content.result];
  const parts = given.flatMap(chatGptPart);
  if (parts.length === 0) return null;
  const words = () => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(' ');
  // What the assistant writes to a tool is a call, and not said to the user.
  const recipient = wordOf(message.recipient);
  if (role === 'assistant' && recipient !== undefined && recipient !== 'all')
    return { role: 'agent', parts: [{ kind: 'call', tool: recipient, input: words() }] };
  if (role === 'tool')
    return { role: 'tool', parts: [{ kind: 'result', tool: wordOf(author.name) ?? 'tool', output: words() }] };
  return { role: role === 'assistant' ? 'agent' : 'user', parts };
}

function chatGptPart(part: unknown): MessagePart[] {
  if (typeof part === 'string') return part.trim() === '' ? [] : [textPart(part)];
  const fields = fieldsOf(part);
  const text = wordOf(fields.text);
  if (text !== undefined) return [textPart(text)];
  const pointer = wordOf(fields.asset_pointer) ?? wordOf(fields.content_type);
  return pointer === undefined ? [] : [attachment(pointer)];
}

/** `{ uuid, name, chat_messages: [{ sender, text, content, created_at, attachments }] }`. */
function* claude(conversation: Fields, line: At, reading: Reading): Generator<Entry> {
  const session = wordOf(conversation.uuid);
  const named = session === undefined ? {} : { session };
  const title = wordOf(conversation.name);
  yield { kind: 'head', ...named, channel: 'claude', ...(title === undefined ? {} : { title }) };
  let count = 0;
  for (const message of listOf(conversation.chat_messages)) {
    const fields = fieldsOf(message);
    const { role, parts } = claudeMessage(fields);
    if (parts.length === 0) continue;
    const time = timeOf(fields.created_at) ?? timeOf(conversation.created_at);
    const id = wordOf(fields.uuid);
    count += 1;
    yield {
      kind: 'message',
      ...named,
      ...(id === undefined ? {} : { id }),
      ...(time === undefined ? {} : { time }),
      role,
      parts,
      line,
    };
  }
  if (count === 0) reading.broken('nobody says anything in it', line);
}

/** Projects with their documents, and what the program remembers, are knowledge. */
function* besideOf(fields: Fields, path: string, line: At, reading: Reading): Generator<Entry> {
  const memory = wordOf(fields.conversations_memory);
  if (memory !== undefined) yield { kind: 'note', path: 'memory.md', text: `${memory}\n`, line };
  for (const [project, text] of Object.entries(fieldsOf(fields.project_memories)))
    if (wordOf(text) !== undefined)
      yield { kind: 'note', path: `projects/${project}/memory.md`, text: `${text}\n`, line };
  const name = wordOf(fields.name) ?? wordOf(fields.uuid);
  const docs = listOf(fields.docs).map(fieldsOf);
  const instructions = wordOf(fields.prompt_template);
  if (name !== undefined && instructions !== undefined)
    yield { kind: 'note', path: `projects/${name}/instructions.md`, text: `${instructions}\n`, line };
  for (const doc of docs) {
    const file = wordOf(doc.filename) ?? 'document';
    const text = wordOf(doc.content);
    if (text !== undefined)
      yield { kind: 'note', path: `projects/${name ?? 'project'}/${file}`, text: `${text}\n`, line };
  }
  if (memory === undefined && instructions === undefined && docs.length === 0)
    reading.leave(path.endsWith('users.json') ? 'are about the account' : 'have no texts', line);
}
