// Conversations as other programs export them, as JSON that input.ts reads:
// - conversations.json, the list of all in the account exports of ChatGPT and Claude
// - session files of Claude Code, JSON lines whose entries wrap a message of the model API each
// - a Slack workspace: users.json, and for each channel a folder with a list of messages for each day

import { isJsonObject } from '../../base/canonical-json.ts';
import { defined } from '../../base/defined.ts';

/** A JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

/** A conversation of an export, in the names that `parseCaptureInput` knows. */
export interface ExportedConversation {
  /** As its program calls it; in the file name, so that the same conversation is known again. */
  readonly session: string;
  readonly topic?: string;
  readonly channel: string;
  readonly model?: string;
  readonly messages: readonly Fields[];
}

/** Picks a text that says something. */
export function wordOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Makes an id of what a program calls a conversation: what a file name cannot hold becomes a dash. */
function sessionIdOf(name: string): string {
  return name
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 80);
}

/** Tells a conversation of such a list from a message. */
export function isChatExport(value: unknown): boolean {
  return isJsonObject(value) && (isJsonObject(value.mapping) || Array.isArray(value.chat_messages));
}

/** Reads one conversation of the list; null when nobody says anything in it, or it is none. */
export function readChatExport(value: unknown): ExportedConversation | null {
  if (!isJsonObject(value)) return null;
  return Array.isArray(value.chat_messages) ? readClaude(value) : readChatGpt(value);
}

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
function readChatGpt(conversation: Fields): ExportedConversation | null {
  const { mapping } = conversation;
  const session = wordOf(conversation.conversation_id) ?? wordOf(conversation.id);
  if (!isJsonObject(mapping) || session === undefined) return null;
  const messages: Fields[] = [];
  const seen = new Set<string>();
  let model: string | undefined;
  for (let id = wordOf(conversation.current_node) ?? lastOf(mapping); id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const node: unknown = Object.hasOwn(mapping, id) ? mapping[id] : undefined;
    if (!isJsonObject(node)) break;
    const message = messageOf(node.message, conversation.create_time);
    if (message !== null) {
      messages.unshift(message);
      const metadata = isJsonObject(node.message) && isJsonObject(node.message.metadata) ? node.message.metadata : {};
      model ??= wordOf(metadata.model_slug);
    }
    id = wordOf(node.parent);
  }
  if (messages.length === 0) return null;
  const topic = wordOf(conversation.title);
  return {
    session: sessionIdOf(session),
    channel: 'chatgpt',
    messages,
    ...defined({ topic, model }),
  };
}

/** Exports that do not say which branch was shown: the node that was made last. */
function lastOf(mapping: Fields): string | undefined {
  return Object.keys(mapping).at(-1);
}

function messageOf(message: unknown, begun: unknown): Fields | null {
  if (!isJsonObject(message) || !isJsonObject(message.author) || !isJsonObject(message.content)) return null;
  const { author, content, metadata } = message;
  const { role } = author;
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return null;
  if (unsaid.has(String(content.content_type))) return null;
  if (isJsonObject(metadata) && metadata.is_visually_hidden_from_conversation === true) return null;
  // What the assistant writes to a tool is a call, and not said to the user.
  const recipient = wordOf(message.recipient);
  const parts: readonly unknown[] = Array.isArray(content.parts) ? content.parts : [content.text ?? content.result];
  const said = parts.flatMap(partsOf);
  if (said.length === 0) return null;
  const time = message.create_time ?? begun;
  const timed = time === null || time === undefined ? {} : { time };
  if (role === 'assistant' && recipient !== undefined && recipient !== 'all') {
    return {
      role,
      ...timed,
      content: [{ type: 'tool_use', name: recipient, input: said.map(({ text }) => text).join(' ') }],
    };
  }
  if (role === 'tool') {
    return { role, ...timed, name: wordOf(author.name) ?? 'tool', content: said.map(({ text }) => text).join(' ') };
  }
  return { role, ...timed, content: said };
}

function partsOf(part: unknown): { type: 'text'; text: string }[] {
  if (typeof part === 'string') return part.trim() === '' ? [] : [{ type: 'text', text: part }];
  if (!isJsonObject(part)) return [];
  const text = wordOf(part.text);
  if (text !== undefined) return [{ type: 'text', text }];
  const pointer = wordOf(part.asset_pointer) ?? wordOf(part.content_type);
  return pointer === undefined ? [] : [{ type: 'text', text: `> [attachment:${pointer}]` }];
}

/** `{ uuid, name, chat_messages: [{ sender, text, content, created_at, attachments }] }`. */
function readClaude(conversation: Fields): ExportedConversation | null {
  const session = wordOf(conversation.uuid);
  if (session === undefined) return null;
  const messages = (conversation.chat_messages as readonly unknown[]).flatMap((message): Fields[] => {
    if (!isJsonObject(message)) return [];
    const { content, text, sender } = message;
    const isFilled = Array.isArray(content) && content.length > 0;
    if (!isFilled && wordOf(text) === undefined) return [];
    const files = [message.attachments, message.files].flatMap((list) => (Array.isArray(list) ? list : []));
    const named = files.flatMap((file) => {
      const name = isJsonObject(file) ? wordOf(file.file_name) : undefined;
      return name === undefined ? [] : [{ type: 'text', text: `> [attachment:${name}]` }];
    });
    const said = isFilled ? content : [{ type: 'text', text }];
    return [{ role: sender, time: message.created_at ?? conversation.created_at, content: [...said, ...named] }];
  });
  if (messages.length === 0) return null;
  const topic = wordOf(conversation.name);
  return { session: sessionIdOf(session), channel: 'claude', messages, ...defined({ topic }) };
}

/** Tells an entry of such a file from other JSON lines. */
export function isClaudeCodeEntry(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (value.type === 'summary') return typeof value.leafUuid === 'string';
  return typeof value.sessionId === 'string' && typeof value.uuid === 'string' && typeof value.type === 'string';
}

/**
 * Reads the entries of one file as a conversation; null when nobody says anything in it.
 *
 * Kept are the messages of user and assistant in the order of the file. A summary names the topic. Left out are:
 *
 * - what the program says to itself (`isMeta`)
 * - its retelling of a conversation that became too long (`isCompactSummary`)
 * - commands to the program (`/clear`) with what they print
 * - what its helpers say to each other (`isSidechain`)
 * - entries repeated by a resumed session
 */
export function readClaudeCode(entries: Iterable<unknown>, name: string): ExportedConversation | null {
  const messages: Fields[] = [];
  const seen = new Set<unknown>();
  let session: string | undefined;
  let topic: string | undefined;
  let model: string | undefined;
  for (const entry of entries) {
    if (!isJsonObject(entry)) continue;
    if (entry.type === 'summary') topic = wordOf(entry.summary) ?? topic;
    if (entry.type !== 'user' && entry.type !== 'assistant') continue;
    if (entry.isMeta === true || entry.isSidechain === true || !isJsonObject(entry.message)) continue;
    if (entry.isCompactSummary === true || isCommand(entry.message.content)) continue;
    if (entry.uuid !== undefined && seen.has(entry.uuid)) continue;
    seen.add(entry.uuid);
    session ??= wordOf(entry.sessionId);
    model = wordOf(entry.message.model) ?? model;
    const { role = entry.type, content } = entry.message;
    messages.push({ role, content, timestamp: entry.timestamp });
  }
  if (messages.length === 0) return null;
  return {
    session: sessionIdOf(session ?? name),
    channel: 'claude-code',
    messages,
    ...defined({ topic, model }),
  };
}

/** Commands stand between marks in the place of the user's words. */
function isCommand(content: unknown): boolean {
  return (
    typeof content === 'string' &&
    /^\s*<(?:command-(?:name|message|args)|local-command-(?:stdout|stderr|caveat))>/.test(content)
  );
}

/** Reads users.json as id → the name that people see. */
export function readSlackUsers(value: unknown): Map<string, string> {
  const names = new Map<string, string>();
  for (const user of Array.isArray(value) ? value : []) {
    if (!isJsonObject(user) || typeof user.id !== 'string') continue;
    const profile = isJsonObject(user.profile) ? user.profile : {};
    const name =
      wordOf(profile.display_name) ?? wordOf(profile.real_name) ?? wordOf(user.real_name) ?? wordOf(user.name);
    if (name !== undefined) names.set(user.id, name);
  }
  return names;
}

/**
 * Reads the messages of one day in one channel as a conversation; null when there are none.
 *
 * Comings and goings are left out. A person named by an id gets the name that people see: `<@U123>` becomes `@Ada`.
 */
export function readSlackDay(
  value: unknown,
  channel: string,
  day: string,
  names: ReadonlyMap<string, string>,
): ExportedConversation | null {
  const messages = (Array.isArray(value) ? value : []).flatMap((message) => slackMessageOf(message, names));
  if (messages.length === 0) return null;
  return { session: sessionIdOf(`slack-${channel}-${day}`), topic: `${channel} ${day}`, channel: 'slack', messages };
}

/** Subtypes of messages in which somebody says something. */
const spoken = new Set([undefined, 'bot_message', 'thread_broadcast', 'file_share', 'me_message', 'file_comment']);

function slackMessageOf(message: unknown, names: ReadonlyMap<string, string>): Fields[] {
  if (!isJsonObject(message) || message.type !== 'message' || !spoken.has(wordOf(message.subtype))) return [];
  const profile = isJsonObject(message.user_profile) ? message.user_profile : {};
  const user = wordOf(message.user);
  const speaker =
    (user === undefined ? undefined : names.get(user)) ??
    wordOf(profile.display_name) ??
    wordOf(profile.real_name) ??
    wordOf(message.username) ??
    user;
  const files = (Array.isArray(message.files) ? message.files : []).flatMap((file) => {
    const name = isJsonObject(file) ? wordOf(file.name) : undefined;
    return name === undefined ? [] : [`> [attachment:${name}]`];
  });
  const text = [plainText(wordOf(message.text) ?? '', names), ...files].filter((part) => part !== '').join('\n\n');
  if (text === '') return [];
  const isBot = message.subtype === 'bot_message' || message.bot_id !== undefined;
  return [{ role: isBot ? 'agent' : 'user', ...(speaker === undefined ? {} : { speaker }), ts: message.ts, text }];
}

/** Takes Slack's marks out: mentions, channels, links, and the three characters that it escapes. */
function plainText(text: string, names: ReadonlyMap<string, string>): string {
  return text
    .replace(/<@([A-Z0-9]+)(?:\|([^>]*))?>/g, (_, id: string, label?: string) => `@${names.get(id) ?? label ?? id}`)
    .replace(/<#[A-Z0-9]+\|([^>]*)>/g, '#$1')
    .replace(/<!(\w+)[^>]*>/g, '@$1')
    .replace(/<([^|>\s]+)\|([^>]*)>/g, '$2 ($1)')
    .replace(/<((?:https?|mailto):[^>\s]+)>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
