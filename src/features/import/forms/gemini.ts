// Sessions of Gemini CLI: one JSON object with all messages, or JSON lines: first what is known of the session, then messages. A later line with
// the same id replaces a message, `$set` changes what is known, `$rewindTo` takes a message and all after it away.

import { MemoryError } from '../../../base/errors.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonLines, wholeJson } from './json-files.ts';
import { callPart, contentText, resultPart, textParts } from './parts.ts';
import { said } from './program-words.ts';

export const gemini: Form = {
  places: [{ root: '~/.gemini', files: 'tmp/*/chats/**/*.{json,jsonl}' }],

  detect(path, head) {
    if (!/\.jsonl?$/i.test(path)) return 0;
    return /"sessionId"\s*:/.test(head) && /"projectHash"\s*:/.test(head) ? 0.95 : 0;
  },

  *read(file, reading) {
    const messages = new Map<string, Message>();
    let told: Fields = {};
    const take = (value: Fields, line: number): void => {
      const changes = fieldsOf(value.$set);
      if (value.$set !== undefined) {
        if (Array.isArray(changes.messages)) messages.clear();
        for (const one of listOf(changes.messages)) take(fieldsOf(one), line);
        const { messages: _, ...rest } = changes;
        told = { ...told, ...rest };
      } else if (typeof value.$rewindTo === 'string') rewind(messages, value.$rewindTo, reading);
      else if (typeof value.type === 'string') messages.set(wordOf(value.id) ?? `line ${line}`, { value, line });
      else if (value.sessionId === undefined) reading.broken('is neither a message nor a session', line);
      else {
        const { messages: list, ...rest } = value;
        told = { ...told, ...rest };
        for (const [at, one] of listOf(list).entries()) take(fieldsOf(one), at + 1);
      }
    };
    if (/\.json$/i.test(file.path)) {
      const value = wholeJson(file, reading);
      if (value !== undefined) take(fieldsOf(value), 1);
    } else for (const { line, value } of jsonLines(file, reading)) take(value, line);
    yield* sessionOf(told, messages, reading);
  },
};

interface Message {
  readonly value: Fields;
  readonly line: number;
}

function rewind(messages: Map<string, Message>, id: string, reading: Reading): void {
  let isGone = false;
  for (const [key, { line }] of messages) {
    isGone ||= key === id;
    if (!isGone) continue;
    messages.delete(key);
    reading.leave('are of a branch that was rewound', line);
  }
}

function* sessionOf(told: Fields, messages: ReadonlyMap<string, Message>, reading: Reading): Generator<Entry> {
  const session = wordOf(told.sessionId);
  const [title, project] = [wordOf(told.summary), wordOf(listOf(told.directories)[0])];
  yield { kind: 'head', session, title, project };
  for (const [id, { value, line }] of messages) {
    if (told.kind === 'subagent') {
      reading.leave('were said between the agent and its sub-agents', line);
      continue;
    }
    const { type } = value;
    const role = type === 'user' ? 'user' : type === 'gemini' ? 'agent' : type === 'error' ? 'system' : undefined;
    if (role === undefined) {
      reading.leave('are notes of the program', line);
      continue;
    }
    const model = wordOf(value.model);
    if (model !== undefined) yield { kind: 'head', session, model };
    const time = timeOf(value.timestamp);
    const parts = partsOf(value, role);
    if (parts.length === 0) reading.broken('has no words', line);
    else yield { kind: 'message', session, id, time, role, parts, line };
  }
}

function partsOf(message: Fields, role: string): MessagePart[] {
  const shown = role === 'user' ? (message.displayContent ?? message.content) : message.content;
  const text = contentText(shown);
  const words = role === 'user' ? said(text) : text;
  return [...textParts(words), ...objectsOf(message.toolCalls).flatMap(toolOf)];
}

function toolOf(call: Fields): MessagePart[] {
  const id = wordOf(call.id) ?? wordOf(call.name) ?? 'call';
  const isError = call.status === 'error' || call.status === 'cancelled';
  const answers = listOf(call.result).map((one) => fieldsOf(fieldsOf(one).functionResponse).response ?? one);
  const output = answers.length === 1 ? answers[0] : answers.length > 1 ? answers : (call.resultDisplay ?? call.result);
  const made = callPart(call.name, call.args, id);
  return output === undefined && !isError ? [made] : [made, resultPart(output, id, { isError })];
}

/** Qwen Code writes the entries of Claude Code, with the parts of the API of Gemini in them. */
export const qwen: Form = {
  places: [{ root: '~/.qwen', files: 'projects/*/chats/*.jsonl' }],

  detect(path, head) {
    if (!/\.jsonl$/i.test(path)) return 0;
    return firstLines(head).some(({ uuid, message }) => uuid !== undefined && Array.isArray(fieldsOf(message).parts))
      ? 0.95
      : 0;
  },

  *read(file, reading) {
    for (const { line, value } of jsonLines(file, reading)) {
      const session = wordOf(value.sessionId);
      const { type } = value;
      if (type === 'system' && wordOf(value.customTitle) !== undefined)
        yield { kind: 'head', session, title: wordOf(value.customTitle)! };
      const message = fieldsOf(value.message);
      if (type !== 'user' && type !== 'assistant' && type !== 'tool_result') {
        reading.leave('are notes of the program', line);
        continue;
      }
      const [project, branch, model] = [wordOf(value.cwd), wordOf(value.gitBranch), wordOf(value.model)];
      yield { kind: 'head', session, project, branch, model };
      const role = type === 'tool_result' ? 'tool' : type === 'user' ? 'user' : 'agent';
      try {
        const parts = listOf(message.parts).flatMap((part) => qwenPart(fieldsOf(part), role));
        const [id, time] = [wordOf(value.uuid), timeOf(value.timestamp)];
        if (parts.length === 0) reading.broken('has no words', line);
        else yield { kind: 'message', session, id, time, role, parts, line };
      } catch (error) {
        if (!(error instanceof MemoryError)) throw error;
        reading.broken(error.what, line);
      }
    }
  },
};

function qwenPart(part: Fields, role: string): MessagePart[] {
  if (part.thought === true) return [];
  if (typeof part.text === 'string') return textParts(role === 'user' ? said(part.text) : part.text);
  const call = fieldsOf(part.functionCall);
  const answer = fieldsOf(part.functionResponse);
  const id = wordOf(call.id) ?? answer.id;
  if (part.functionCall !== undefined) return [callPart(call.name, call.args, id)];
  if (part.functionResponse === undefined) return [];
  const { error, output } = fieldsOf(answer.response);
  const told = { isError: error !== undefined, name: wordOf(answer.name) ?? 'tool' };
  return [resultPart(error ?? output ?? answer.response, id, told)];
}
