// One message of a chat program, in any of the usual shapes, to the words of a turn: roles, text parts, tool calls, times.
// input.ts knows which file held the messages, and how it was cut into them.

import { isJsonObject } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { oneLine } from '../../base/text.ts';
import { parseTime } from '../../base/time.ts';

/** What a message says, before the turns around it are known. */
export interface MessageDraft {
  readonly role: string;
  readonly speaker?: string;
  /** Milliseconds since the Unix epoch; absent if the message has no time. */
  readonly time?: number;
  readonly parts: readonly MessagePart[];
}

/** A text that can be a file, and what it is called. */
export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** A stretch of text, which may show a file; a call of a tool; or the answer of a tool to a call made earlier. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string; readonly file?: NamedText }
  | { readonly kind: 'call'; readonly id?: string; readonly tool: string; readonly input?: unknown }
  | {
      readonly kind: 'result';
      readonly id?: string;
      readonly tool?: string;
      readonly output?: unknown;
      /** Whether the program says that the call failed. */
      readonly isError?: boolean;
      /** Whether a person did not let the program do it. */
      readonly isRefused?: boolean;
      /** What the program says of it beside what the model reads. */
      readonly details?: unknown;
    };

type Fields = Readonly<Record<string, unknown>>;

const maxNameLength = 160;

/** Roles as chat programs write them, and ours. */
const roles: Readonly<Record<string, string>> = {
  user: 'user',
  human: 'user',
  agent: 'agent',
  assistant: 'agent',
  ai: 'agent',
  model: 'agent',
  bot: 'agent',
  gpt: 'agent',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
};

/** Gives our role for that of a chat program, in lower case; undefined for any other word. */
export const roleOf = (name: string): string | undefined => (Object.hasOwn(roles, name) ? roles[name] : undefined);

/** Gives the first of some fields that is a text with words. */
export function firstText(fields: Fields, names: readonly string[]): string | undefined {
  const found = names.map((name) => fields[name]).find((value) => typeof value === 'string' && value.trim() !== '');
  return found as string | undefined;
}

/**
 * Reads a time as messages carry it: ISO 8601, or seconds or milliseconds since the Unix epoch as a number or its digits.
 *
 * Below 100,000,000,000 a number means seconds (until the year 5138), above it milliseconds (since March 1973).
 *
 * @throws MemoryError INVALID_RECORD for anything else, naming `where`.
 */
export function parseMessageTime(value: unknown, where: string): number {
  const digits = typeof value === 'string' && /^\d{9,16}(?:\.\d{1,9})?$/.test(value.trim()) ? Number(value) : value;
  try {
    if (typeof digits === 'number') return parseTime(Math.abs(digits) < 1e11 ? digits * 1000 : digits);
    if (typeof digits === 'string' || digits instanceof Date) return parseTime(digits);
  } catch (cause) {
    throw unreadableTime(value, where, cause);
  }
  throw unreadableTime(value, where, undefined);
}

function unreadableTime(value: unknown, where: string, cause: unknown): MemoryError {
  return new MemoryError('INVALID_RECORD', `${oneLine(JSON.stringify(value) ?? String(value), 60)} is not a time`, {
    where,
    hint: 'Write it as 2026-02-16T18:45:00Z or as seconds or milliseconds since 1970',
    cause,
  });
}

const identified = (id: unknown): { id?: string } => (typeof id === 'string' && id !== '' ? { id } : {});

/** Names an attachment by its file name or address; data is never embedded. */
function attachmentOf(part: Fields, type: string): MessagePart {
  const source = isJsonObject(part.source) ? part.source : isJsonObject(part.image_url) ? part.image_url : {};
  const name =
    firstText(part, ['filename', 'file_name', 'name', 'path', 'url']) ?? firstText(source, ['url', 'path']) ?? '';
  const shown = name === '' || name.startsWith('data:') ? type : oneLine(name, maxNameLength);
  return { kind: 'text', text: `> [attachment:${shown}]` };
}

/** Reads one part of a message as the common model APIs write it; reasoning gives none. Throws INVALID_RECORD naming `where`. */
export function partOf(value: unknown, where: string): MessagePart[] {
  if (typeof value === 'string') return value.trim() === '' ? [] : [{ kind: 'text', text: value }];
  if (!isJsonObject(value)) {
    const hint = 'Write parts as {"type": "text", "text": "…"}';
    throw new MemoryError('INVALID_RECORD', 'A part of the message is neither text nor an object', { where, hint });
  }
  const type = typeof value.type === 'string' ? value.type : '';
  switch (type) {
    // Reasoning is never stored: what it led to is said or done elsewhere in the message.
    case 'thinking':
    case 'redacted_thinking':
    case 'reasoning':
    case 'step-start':
      return [];
    case 'tool_use':
    case 'tool-call':
    case 'tool_call':
    case 'function_call': {
      const tool = firstText(value, ['name', 'toolName', 'tool']) ?? 'tool';
      const input = value.input ?? value.args ?? value.arguments;
      return [{ kind: 'call', ...identified(value.id ?? value.toolCallId ?? value.call_id), tool, input }];
    }
    case 'tool_result':
    case 'tool-result':
    case 'function_call_output': {
      const tool = firstText(value, ['name', 'toolName', 'tool']);
      const id = value.tool_use_id ?? value.toolCallId ?? value.tool_call_id ?? value.call_id;
      const output = value.content ?? value.output ?? value.result;
      const isError = value.is_error === true || value.isError === true;
      return [
        { kind: 'result', ...identified(id), ...defined({ tool }), output, ...(isError ? { isError: true } : {}) },
      ];
    }
    default: {
      const text = value.text ?? value.content ?? value.value;
      if (typeof text === 'string') return text.trim() === '' ? [] : [{ kind: 'text', text }];
      return [attachmentOf(value, type === '' ? 'part' : type)];
    }
  }
}

/** Takes a leading `<think>…</think>` block off, as some models put their reasoning into the text itself. */
function withoutReasoning(text: string): string {
  const match = /^\s*<(think|thinking|reasoning)>/.exec(text);
  if (match === null) return text;
  const end = text.indexOf(`</${match[1]}>`);
  return end < 0 ? text : text.slice(end + match[1]!.length + 3);
}

function partsOf(message: Fields, role: string, where: string): MessagePart[] {
  const content =
    message.content ??
    message.text ??
    message.message ??
    message.value ??
    message.parts ??
    message.body ??
    message.Text ??
    message.Message;
  const toolCalls = Array.isArray(message.tool_calls) ? message.tool_calls.filter(isJsonObject) : [];
  if (role === 'tool') {
    const tool = firstText(message, ['name', 'tool', 'toolName']);
    const own =
      Array.isArray(content) && content.some((part) => isJsonObject(part) && String(part.type).includes('result'));
    if (!own) {
      const id = identified(message.tool_call_id ?? message.toolCallId);
      return [{ kind: 'result', ...id, ...defined({ tool }), output: content }];
    }
  }
  const inner = isJsonObject(content) && Array.isArray(content.parts) ? content.parts : content;
  let parts: MessagePart[];
  if (typeof inner === 'string') parts = partOf(role === 'agent' ? withoutReasoning(inner) : inner, where);
  else if (Array.isArray(inner)) parts = inner.flatMap((part) => partOf(part, where));
  else if (isJsonObject(inner)) parts = partOf(inner, where);
  else if ((inner === undefined || inner === null) && toolCalls.length > 0) parts = [];
  else {
    const hint = 'Give it "content", "text" or "message": a string, or a list of {"type": "text", "text": "…"}';
    throw new MemoryError('INVALID_RECORD', 'The message has no text', { where, hint });
  }
  for (const call of toolCalls) {
    const made = isJsonObject(call.function) ? call.function : call;
    const tool = firstText(made, ['name']) ?? 'tool';
    parts.push({ kind: 'call', ...identified(call.id), tool, input: made.arguments ?? made.args ?? made.input });
  }
  return parts;
}

/** The names under which a message can say who speaks, as a text and as an object with a name. */
const people = ['author', 'sender', 'from', 'user', 'creator'] as const;
const speakerNames = [
  ...['speaker', 'name', ...people],
  ...['sender_name', 'senderName', 'from_name', 'display_name', 'displayName', 'displayname', 'nickname', 'username'],
  ...['Speaker', 'Name', 'Author', 'Sender', 'From', 'User'],
];

function whoOf(message: Fields): { role: string; speaker?: string } {
  const author = people.map((name) => message[name]).find(isJsonObject) ?? {};
  const named = firstText(message, speakerNames) ?? firstText(author, ['name', 'displayName', 'username', 'login']);
  const own = firstText(message, ['role']);
  const told = own ?? firstText(author, ['role']) ?? (typeof message.type === 'string' ? message.type : undefined);
  const role = roleOf(told?.toLowerCase() ?? '') ?? roleOf(named?.toLowerCase() ?? '');
  const speaker = named ?? (role === undefined ? own : undefined);
  const isOnlyRole = speaker === undefined || roleOf(speaker.toLowerCase()) !== undefined || role === 'tool';
  return { role: role ?? 'user', ...(isOnlyRole ? {} : { speaker: oneLine(speaker, 80) }) };
}

/** What models call their reasoning. It is never stored: what it led to is said or done elsewhere. */
const reasoning = /^(?:redacted[ _-])?(?:think|thinking|thoughts?|reasoning)$/i;

/** Throws INVALID_ARGUMENT where a turn is to be the reasoning of a model; `where` names the field that says so. */
export function refuseReasoning(name: unknown, where: string): void {
  if (typeof name !== 'string' || !reasoning.test(name)) return;
  const hint = 'Record what it led to: the answer, or the file that it changed';
  throw new MemoryError('INVALID_ARGUMENT', 'the reasoning of a model is not kept', { where, hint });
}

/** The names under which a message can carry its time. */
const timeNames = [
  ...['time', 'timestamp', 'ts', 'created_at', 'createdAt', 'create_time', 'date', 'datetime', 'timestamp_ms'],
  ...['created', 'sent_at', 'sentAt', 'date_sent', 'sendTime', 'originalarrivaltime', 'origin_server_ts', 'posted_at'],
  ...['when', 'Time', 'Timestamp', 'Date'],
] as const;

/**
 * Reads one message: `{role | speaker | name | from, content | text | message, time | timestamp | created_at | date}`.
 *
 * The text may be a string or a list of parts as the common model APIs write them. Tool calls become parts of their own,
 * reasoning is dropped. A message without words (reasoning alone, say) has no parts.
 *
 * @throws MemoryError INVALID_RECORD naming `where`, such as `line 3`, when it is not a message.
 */
export function parseMessage(value: unknown, where: string): MessageDraft {
  if (!isJsonObject(value)) {
    const hint = 'Write it as {"role": "user", "content": "…", "time": "2026-02-16T18:45:00Z"}';
    throw new MemoryError('INVALID_RECORD', 'A message is not an object', { where, hint });
  }
  // Logs of coding agents wrap the message of the model API: {"type": "user", "message": {"role": …}, "timestamp": …}.
  const message: Fields = isJsonObject(value.message) ? { ...value, ...value.message, message: undefined } : value;
  const who = whoOf(message);
  const isReasoning = [message.role, message.type].some((name) => typeof name === 'string' && reasoning.test(name));
  const timeName = timeNames.find(
    (name) => message[name] !== undefined && message[name] !== null && message[name] !== '',
  );
  return {
    ...who,
    ...(timeName === undefined ? {} : { time: parseMessageTime(message[timeName], where) }),
    parts: isReasoning ? [] : partsOf(message, who.role, where),
  };
}
