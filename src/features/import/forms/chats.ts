// Account exports of ChatGPT and Claude: conversations.json, a list of all conversations, and what lies beside it. What was made in a conversation,
// an artifact or a canvas, follows its message. Text that a program took out of an attached file is a turn of the system: nobody said it.

import { parseJson } from '../../../base/canonical-json.ts';
import { jsonItems, type Opens } from '../../../base/json-elements.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { maxObjectBytes } from '../../../store/guard/limits.ts';
import type { SourceFile } from '../source.ts';
import { claudeMessage, made } from './claude-message.ts';
import { type Fields, fieldsOf, listOf, objectsOf, stemOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import type { At, Entry, Form, Reading } from './form.ts';
import { jsonOf } from './json-files.ts';
import { attachment, callPart, resultPart, textPart, textParts } from './parts.ts';

/** Files that stand beside the conversations: of Claude, also a file for each project; of ChatGPT, a file for each canvas. */
const besides = /(?:^|\/)(?:(?:projects|memories|users)(?:\/[^/]+)?|textdocs\/[^/]+)\.json$/;
/** What programs note of an account, and of what was liked and shared. */
const accounts =
  /(?:^|\/)(?:user|user_settings|message_feedback|shared_conversations|model_comparisons|group_chats|shopping|sora)\.json$/;

export const chats: Form = {
  detect(path, head) {
    if (/(?:^|\/)conversations(?:-\d+)?\.json$/.test(path)) return 0.9;
    if (!/\.json$/i.test(path)) return 0;
    if (/"(?:chat_messages|mapping)"\s*:/.test(head)) return 0.9;
    if (accounts.test(path))
      return /"(?:chatgpt_plus_user|conversation_id|email)"\s*:|^\s*[[{]\s*["\]}]/.test(head) ? 0.7 : 0;
    return besides.test(path) && /"(?:conversations_memory|prompt_template|docs|full_name|content)"\s*:/.test(head)
      ? 0.9
      : 0;
  },

  *read(file, reading) {
    if (accounts.test(file.path)) return reading.leave('are about the account');
    const told = new Map<string, string>();
    let number = 0;
    for (const item of jsonItems(file.pieces(), maxObjectBytes, opensOf(file))) {
      number += 1;
      const place = `conversation ${number}`;
      const value = 'text' in item ? jsonOf(item.text) : undefined;
      if (value === undefined) {
        // Nothing of a file that is no JSON at all is an answer of its own.
        if (number === 1 && 'text' in item) parseJson(item.text, file.path);
        reading.broken('why' in item ? item.why : 'is not valid JSON', place);
        continue;
      }
      const fields = fieldsOf(value);
      if (besides.test(file.path)) yield* besideOf(fields, file.path, place, reading);
      else if (Array.isArray(fields.chat_messages)) yield* claude(fields, place, reading);
      else if (typeof fields.mapping === 'object') yield* chatGpt(fields, place, reading, told);
      else reading.leave('are no conversations', place);
    }
    for (const [path, text] of told) yield { kind: 'note', path, text: `${text}\n` };
  },
};

/** The list is the whole file, or stands below a name. */
function opensOf(file: SourceFile): Opens {
  const isNamed = /^\ufeff?\s*\{\s*"conversations"\s*:/.test(file.head(256).toString('utf8'));
  return (path, isList) => (path.length === 0 ? isList || isNamed : isNamed && path.join() === 'conversations');
}

/** Contents that are no words of anybody: reasoning, and what the program shows of its work. */
const unsaid = new Set(['thoughts', 'reasoning_recap', 'tether_browsing_display']);

/**
 * ChatGPT keeps a tree, for every edited question begins a branch. Read is the branch that was shown last: from `current_node` up.
 *
 * ```
 * { title, create_time, conversation_id, current_node,
 *   mapping: { <id>: { parent, message: { author: { role }, create_time, content: { content_type, parts } } } } }
 * ```
 */
function* chatGpt(conversation: Fields, line: At, reading: Reading, told: Map<string, string>): Generator<Entry> {
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
  let count = 0;
  for (const id of shown) {
    const message = fieldsOf(fieldsOf(mapping[id]).message);
    noteContext(fieldsOf(message.content), told);
    const read = chatGptMessage(message);
    if (read === null) continue;
    const time = timeOf(message.create_time) ?? timeOf(conversation.create_time);
    const model = wordOf(fieldsOf(message.metadata).model_slug);
    if (count === 0) {
      const title = wordOf(conversation.title);
      yield { kind: 'head', session, channel: 'chatgpt', title };
    }
    if (model !== undefined) yield { kind: 'head', session, model };
    count += 1;
    const base = { kind: 'message' as const, session, time, line };
    yield { ...base, id, ...read };
    const made = canvasOf(message);
    if (made !== null) yield { ...base, id: `${id}-canvas`, role: 'agent', parts: [made] };
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
  const files = objectsOf(fieldsOf(message.metadata).attachments).flatMap(({ name }) => wordOf(name) ?? []);
  const parts = [...given.flatMap(chatGptPart), ...files.map(attachment)];
  if (parts.length === 0) return null;
  const words = () => parts.map((part) => (part.kind === 'text' ? part.text : '')).join(' ');
  // What the assistant writes to a tool is a call, and not said to the user.
  const recipient = wordOf(message.recipient);
  if (role === 'assistant' && recipient !== undefined && recipient !== 'all')
    return { role: 'agent', parts: [callPart(recipient, words())] };
  if (role === 'tool')
    return { role: 'tool', parts: [resultPart(words(), undefined, { name: wordOf(author.name) ?? 'tool' })] };
  return { role: role === 'assistant' ? 'agent' : 'user', parts };
}

/** Keeps what the program knows of its user, and the user's instructions, as they stood last: each conversation repeats them. */
function noteContext({ content_type: type, ...content }: Fields, told: Map<string, string>): void {
  const instructions = wordsAmong([content.user_profile, content.user_instructions]);
  if (type === 'user_editable_context' && instructions.length > 0)
    told.set('instructions.md', instructions.join('\n\n'));
  const memory = wordOf(content.model_set_context);
  if (type === 'model_editable_context' && memory !== undefined) told.set('memory.md', memory);
}

function canvasOf({ recipient, content }: Fields): MessagePart | null {
  if (!/^canmore\./.test(String(recipient))) return null;
  const { parts, text } = fieldsOf(content);
  const given = fieldsOf(jsonOf(listOf(parts).map(String).join('') || String(text)));
  const updates = listOf(given.updates).flatMap((one) => wordOf(fieldsOf(one).replacement) ?? []);
  const words = wordOf(given.content) ?? wordOf(updates.join('\n'));
  const [name, language] = [wordOf(given.name) ?? 'canvas', wordOf(given.type)?.split('/')[1]];
  return words === undefined ? null : made(name, words, language, wordOf(given.content) && given.content);
}

function chatGptPart(part: unknown): MessagePart[] {
  if (typeof part === 'string') return textParts(part);
  const fields = fieldsOf(part);
  const text = wordOf(fields.text);
  if (text !== undefined) return [textPart(text)];
  // Of what was spoken the words are there, beside the sound.
  if (fields.audio_asset_pointer !== undefined) return [attachment('sound')];
  const pointer = wordOf(fields.asset_pointer) ?? wordOf(fields.content_type);
  return pointer === undefined ? [] : [attachment(pointer)];
}

/** `{ uuid, name, chat_messages: [{ sender, text, content, created_at, attachments }] }`. */
function* claude(conversation: Fields, line: At, reading: Reading): Generator<Entry> {
  const session = wordOf(conversation.uuid);
  const title = wordOf(conversation.name);
  yield { kind: 'head', session, channel: 'claude', title };
  let count = 0;
  for (const message of listOf(conversation.chat_messages)) {
    const fields = fieldsOf(message);
    const { role, parts, beside } = claudeMessage(fields);
    if (parts.length === 0 && beside.length === 0) continue;
    const time = timeOf(fields.created_at) ?? timeOf(conversation.created_at);
    const id = wordOf(fields.uuid);
    count += 1;
    const base = { kind: 'message' as const, session, time, line };
    yield { ...base, id, role, parts };
    for (const [at, one] of beside.entries()) yield { ...base, ...(id && { id: `${id}-${at}` }), ...one };
  }
  if (count === 0) reading.broken('nobody says anything in it', line);
}

/** Projects with their documents, and what the program remembers, are knowledge. */
function* besideOf(fields: Fields, path: string, line: At, reading: Reading): Generator<Entry> {
  const note = (place: string, text: unknown): Entry[] =>
    wordOf(text) === undefined ? [] : [{ kind: 'note', path: place, text: `${text}\n`, line }];
  const memory = wordOf(fields.conversations_memory);
  const remembered = Object.entries(fieldsOf(fields.project_memories));
  const canvas = /textdocs\//.test(path) ? wordOf(fields.content) : undefined;
  const called = wordOf(fields.title) ?? wordOf(fields.name) ?? stemOf(path);
  const about = wordOf(fields.description);
  const name = (wordOf(fields.name) ?? wordOf(fields.uuid))?.replaceAll('/', '-');
  const docs = objectsOf(fields.docs);
  const instructions = wordOf(fields.prompt_template);
  yield* note('memory.md', memory);
  for (const [project, text] of remembered) yield* note(`projects/${project}/memory.md`, text);
  yield* note(`canvas/${called.replaceAll('/', '-')}.md`, canvas);
  if (name !== undefined) yield* note(`projects/${name}/instructions.md`, instructions);
  if (name !== undefined && canvas === undefined) yield* note(`projects/${name}/about.md`, about);
  for (const doc of docs) {
    const file = (wordOf(doc.filename) ?? 'document').replace(/^\/+|\.\.\/+/g, '');
    yield* note(`projects/${name ?? 'project'}/${file}`, wordOf(doc.content));
  }
  const isEmpty = [memory, instructions, about, canvas].every((text) => text === undefined) && docs.length === 0;
  if (isEmpty && remembered.length === 0)
    reading.leave(/users(?:\/[^/]+)?\.json$/.test(path) ? 'are about the account' : 'have no texts', line);
}
