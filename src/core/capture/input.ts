// What a caller hands to capture — a transcript, a dialogue, plain text, JSON or JSONL messages — as the turns of a session.
// Writes nothing and names no path; the shapes of single messages are messages.ts, the transcript format is records/.

import { isJsonObject } from '../../base/canonical-json.ts';
import { defined, MemoryError } from '../../base/errors.ts';
import { formatTime } from '../../base/time.ts';
import type { Transcript, Turn } from '../../base/types/stored-types.ts';
import { parseTranscript } from '../../store/records/transcript.ts';
import { isDialogue, messagesOfDialogue } from './dialogue.ts';
import { firstText, type MessageDraft, parseMessage, parseMessageTime } from './messages.ts';
import { pastedChat } from './pasted-chat.ts';
import { TurnBuilder } from './turns.ts';

/** One session as it came in; what the input does not say is absent. */
export interface CaptureInput extends Partial<Omit<Transcript, 'started' | 'ended' | 'turns'>> {
  /** Milliseconds since the Unix epoch; never after the first turn. */
  readonly started: number;
  /** Milliseconds since the Unix epoch; never before the last turn. */
  readonly ended: number;
  /** Nobody said what form it is of, and lines of it were found to be no turns: it is one text. */
  readonly isOneText?: true;
  /** At least one, by time; turns of the same time in the order of the input. */
  readonly turns: readonly Turn[];
}

/** The forms of input; `auto` looks at the path's ending, then at the text. */
export type CaptureFormat = 'auto' | 'transcript' | 'dialogue' | 'text' | 'json' | 'jsonl';

/** Says how to read the input and what it does not say itself; options win over what the input says, but for times. */
export interface CaptureInputOptions {
  /** Default `auto`. */
  readonly format?: CaptureFormat;
  /** The time of words that carry none, in milliseconds. */
  readonly now: number;
  /** When it was said, in milliseconds, if the words carry no time; default `now`. */
  readonly time?: number;
  /** The time zone of the clocks in the text; default UTC. */
  readonly timeZone?: string;
  readonly sessionId?: string;
  readonly topic?: string;
  readonly channel?: string;
  /** That the words may be anybody's. */
  readonly trust?: 'low';
  /** Where the text was read from; used to tell the format and in errors. */
  readonly path?: string;
  /** Is given each value of JSON before it is cut and put together; takes secrets out. */
  readonly clean?: (value: unknown, where: string) => unknown;
}

type Fields = Readonly<Record<string, unknown>>;
type Head = Omit<CaptureInput, 'turns' | 'started' | 'ended'> & { readonly started?: number; readonly ended?: number };

const turnHeading = /^## \d\d:\d\d(?::\d\d)? — \S/m;
const frontMatterOfSession = /^---\n(?:[^\n]*\n)*?session_id:/;

function detect(text: string, path: string | undefined): Exclude<CaptureFormat, 'auto'> {
  const ending = /\.([a-z]+)$/.exec(path?.toLowerCase() ?? '')?.[1];
  if (ending === 'jsonl' || ending === 'ndjson') return 'jsonl';
  if (ending === 'json') return 'json';
  if (frontMatterOfSession.test(text.slice(0, 4000)) || turnHeading.test(text)) return 'transcript';
  if (pastedChat(text, 0) !== null || isDialogue(text)) return 'dialogue';
  if (ending === 'md' || ending === 'txt') return 'text';
  const start = text.trimStart();
  // What begins like JSON is meant as JSON: a broken file must be answered, not stored as prose.
  if (/^\[\s*(?:[{"]|\])/.test(start)) return 'json';
  if (!/^\{\s*["}]/.test(start)) return 'text';
  try {
    JSON.parse(start);
    return 'json';
  } catch {
    const firstLine = start.slice(0, start.indexOf('\n') < 0 ? start.length : start.indexOf('\n'));
    return firstLine.trimEnd().endsWith('}') ? 'jsonl' : 'json';
  }
}

function turnsOf(messages: readonly MessageDraft[], fallbackTime: number): Turn[] {
  const builder = new TurnBuilder();
  for (const message of messages) builder.add(message);
  return builder.take(fallbackTime);
}

function headOf(fields: Fields, where: string): Head {
  const textOf = (...names: string[]) => firstText(fields, names)?.trim();
  const sessionId = textOf('session_id', 'sessionId', 'session', 'conversation_id');
  const { tags, started, ended } = fields;
  return {
    ...defined({ sessionId, topic: textOf('topic', 'title'), channel: textOf('channel') }),
    ...defined({ model: textOf('model'), agent: textOf('agent') }),
    // A capture may say that it is not to be believed; that it is, nobody can say of himself.
    ...(fields.trust === 'low' ? { trust: 'low' } : {}),
    ...(Array.isArray(tags) ? { tags: tags.filter((tag): tag is string => typeof tag === 'string') } : {}),
    ...(started === undefined || started === null ? {} : { started: parseMessageTime(started, `${where}, started`) }),
    ...(ended === undefined || ended === null ? {} : { ended: parseMessageTime(ended, `${where}, ended`) }),
  };
}

const at = (path: string | undefined, place: string): string => (path === undefined ? place : `${path}, ${place}`);

type Clean = NonNullable<CaptureInputOptions['clean']>;

function fromJson(text: string, path: string | undefined, clean: Clean): { head: Head; messages: MessageDraft[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const reason = (cause as Error).message;
    // The engine tells the position of some errors only.
    const offset = /position (\d+)/.exec(reason)?.[1];
    const line = offset === undefined ? undefined : `line ${text.slice(0, Number(offset)).split('\n').length}`;
    const where = line === undefined ? path : at(path, line);
    throw new MemoryError('INVALID_RECORD', `The input is not valid JSON: ${reason}`, {
      ...defined({ where }),
      hint: 'Give a list of messages, {"messages": […]}, or one message per line as JSONL',
      cause,
    });
  }
  value = clean(value, path ?? 'the input');
  const fields: Fields = isJsonObject(value) ? value : {};
  const list = Array.isArray(value)
    ? value
    : ['messages', 'turns', 'conversation', 'transcript'].map((name) => fields[name]).find(Array.isArray);
  const messages = list ?? [value];
  return {
    head: list === value || list === undefined ? sessionOf(fields) : headOf(fields, at(path, 'the session')),
    messages: messages.map((message: unknown, index) =>
      parseMessage(message, at(path, list === undefined ? 'the message' : `message ${index + 1}`)),
    ),
  };
}

/** Takes what a message on its own says of its session; its times are those of the message. */
function sessionOf(message: Fields): Head {
  const { started: _, ended: __, title: ___, ...rest } = message;
  return headOf(rest, 'the message');
}

function fromJsonl(text: string, path: string | undefined, clean: Clean): { head: Head; messages: MessageDraft[] } {
  let head: Head = {};
  const messages: MessageDraft[] = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const where = at(path, `line ${index + 1}`);
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch (cause) {
      throw new MemoryError('INVALID_RECORD', `Line ${index + 1} is not valid JSON: ${(cause as Error).message}`, {
        where,
        hint: 'Each line has to be one message, such as {"role": "user", "content": "…"}',
        cause,
      });
    }
    value = clean(value, where);
    const isHead =
      isJsonObject(value) &&
      messages.length === 0 &&
      ['role', 'content', 'text', 'message', 'value'].every((name) => !(name in (value as Fields)));
    if (isHead && Object.keys(headOf(value as Fields, where)).length > 0) {
      head = { ...head, ...headOf(value as Fields, where) };
      continue;
    }
    messages.push(parseMessage(value, where));
    if (messages.length === 1) head = { ...sessionOf(value as Fields), ...head };
  }
  return { head, messages };
}

function fromTranscript(text: string, options: CaptureInputOptions): { head: Head; turns: readonly Turn[] } {
  const { now, path = 'transcript.md' } = options;
  const hasFrontMatter = text.startsWith('---\n');
  const started = formatTime(options.time ?? now);
  const whole = hasFrontMatter ? text : `---\nsession_id: unnamed\nstarted: ${started}\n---\n\n${text}`;
  const { turns, sessionId, started: begun, ...session } = parseTranscript(whole, path);
  return { head: { ...session, ...(hasFrontMatter ? { sessionId, started: begun } : {}) }, turns };
}

/**
 * Reads what a caller hands to capture.
 *
 * - a transcript in the format of spec 5 §2.1 (`## 18:45 — user`), with or without front matter
 * - a dialogue: plain text in which at least two roles (`User: …` and `Assistant: …`), or names, begin a message
 * - talk as chat programs copy it ({@link pastedChat})
 * - plain text: one turn of the user
 * - JSON: a list of messages, `{messages: […], session, topic, channel, …}`, or one message
 * - JSONL: one message per line; the first line may be `{session_id, topic, …}` instead
 *
 * Messages are read by {@link parseMessage}. A message without time has that of the one before it, the first ones that of
 * the first that has one, else `options.time`, else `options.now`.
 *
 * @throws MemoryError INVALID_RECORD when the input breaks its format or has no words; names the line or message.
 */
export function parseCaptureInput(text: string, options: CaptureInputOptions): CaptureInput {
  const { now, time, path, clean = (value) => value } = options;
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const format = options.format === undefined || options.format === 'auto' ? detect(source, path) : options.format;
  let head: Head = {};
  let turns: readonly Turn[];
  if (format === 'transcript') ({ head, turns } = fromTranscript(source.replaceAll('\r\n', '\n'), options));
  else {
    let messages: MessageDraft[];
    if (format === 'json') ({ head, messages } = fromJson(source, path, clean));
    else if (format === 'jsonl') ({ head, messages } = fromJsonl(source, path, clean));
    else if (format === 'dialogue') {
      messages = pastedChat(source, time ?? now, options.timeZone) ?? messagesOfDialogue(source);
    } else messages = [{ role: 'user', parts: source.trim() === '' ? [] : [{ kind: 'text', text: source }] }];
    turns = turnsOf(messages, head.started ?? time ?? now);
  }
  const [first] = turns;
  const last = turns.at(-1);
  if (first === undefined || last === undefined) {
    throw new MemoryError('INVALID_RECORD', 'There is nothing to capture: the input has no words', {
      ...defined({ where: path }),
      hint: 'Give text, or messages with "content"',
    });
  }
  const { sessionId = head.sessionId, topic = head.topic, channel = head.channel, trust = head.trust } = options;
  const { started = first.time, ended = last.time, ...rest } = head;
  const isFoundOut = options.format === undefined || options.format === 'auto';
  const isOneText = isFoundOut && format === 'text' && source.trim().includes('\n');
  return {
    ...rest,
    ...defined({ isOneText: isOneText || undefined, sessionId, topic, channel, trust }),
    started: Math.min(started, first.time),
    ended: Math.max(ended, last.time),
    turns,
  };
}
