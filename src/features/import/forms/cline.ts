// Tasks of Cline, Roo Code and Kilo Code. `api_conversation_history.json` holds messages of the model API; files beside it tell times and titles.
// Earlier versions wrote calls of tools as XML into the words.

import { MemoryError } from '../../../base/errors.ts';
import { type MessagePart, partOf } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { jsonBeside, wholeJson } from './json-files.ts';
import { callPart, resultPart, textPart, textParts } from './parts.ts';
import { said } from './program-words.ts';

const history = /(?:^|\/)api_conversation_history\.json$/;
const besides = /(?:^|\/)(?:ui_messages|claude_messages|task_metadata|history_item)\.json$/;
const newer = /(?:^|\/)[^/]+\.messages\.json$/;

export const cline: Form = {
  places: [
    {
      root: '<user>',
      files: 'globalStorage/{saoudrizwan.claude-dev,rooveterinaryinc.roo-cline,kilocode.kilo-code}/tasks/*/*.json',
    },
    { root: '~/.cline', variable: 'CLINE_DIR', files: 'data/sessions/*/*.messages.json' },
  ],

  sessionOf: (path) => (besides.test(path) ? undefined : path),

  detect(path, head) {
    if (history.test(path)) return 0.95;
    if (newer.test(path)) return /"messages"\s*:/.test(head) ? 0.9 : 0;
    return besides.test(path) && /^\s*[[{]/.test(head) ? 0.9 : 0;
  },

  *read(file, reading) {
    if (besides.test(file.path)) return;
    const value = wholeJson(file, reading);
    if (value === undefined) return;
    const list = newer.test(file.path) ? listOf(fieldsOf(value).messages) : listOf(value);
    yield* taskOf(list, file, reading);
  },
};

function* taskOf(messages: readonly unknown[], file: SourceFile, reading: Reading): Generator<Entry> {
  const session = newer.test(file.path)
    ? file.path.replace(/^.*\//, '').replace(/\.messages\.json$/, '')
    : (/([^/]+)\/[^/]+$/.exec(file.path)?.[1] ?? file.folder);
  const item = fieldsOf(jsonBeside('history_item.json', reading));
  const project = wordOf(item.workspace);
  yield { kind: 'head', session, project };
  const starts = objectsOf(jsonBeside('ui_messages.json', reading)).flatMap(({ say, ts }) =>
    say === 'api_req_started' ? (timeOf(ts) ?? []) : [],
  );
  let asked = 0;
  // The name of a task is the moment when it began.
  let time = /^\d{13}$/.test(session ?? '') ? timeOf(session) : undefined;
  for (const [at, message] of messages.map(fieldsOf).entries()) {
    const line = `message ${at + 1}`;
    const role = message.role === 'user' ? 'user' : message.role === 'assistant' ? 'agent' : undefined;
    if (role === undefined) {
      reading.leave(message.type === 'reasoning' ? 'are reasoning' : 'are notes of the program', line);
      continue;
    }
    if (message.isSummary === true) {
      reading.leave('retell what became too long', line);
      continue;
    }
    time = timeOf(message.ts) ?? (role === 'user' ? starts[asked++] : undefined) ?? time;
    const parts = contentOf(message, role, line, reading);
    if (parts.length > 0) yield { kind: 'message', session, time, role, parts, line };
  }
}

function contentOf({ content }: Fields, role: string, line: string, reading: Reading): MessagePart[] {
  const given = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
  if (given.length === 0) reading.broken('has no words', line);
  return given.flatMap((part): MessagePart[] => {
    try {
      return partOf(part, line).flatMap((one) =>
        one.kind !== 'text' ? [one] : role === 'user' ? userText(one.text, line, reading) : agentText(one.text),
      );
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      reading.broken('has a part that is neither text nor an object', line);
      return [];
    }
  });
}

/** What the program wrote into the place of the user: the answer of a tool, in brackets, or a reminder of its rules. */
const answer = /^\[(\w+)(?: for '[^']*')?[^\]]*\] Result:\s*/;

function userText(text: string, line: string, reading: Reading): MessagePart[] {
  const found = answer.exec(text);
  if (found !== null) {
    const output = text.slice(found[0].length);
    const feedback = /<feedback>([\s\S]*?)<\/feedback>/.exec(output)?.[1]?.trim();
    const result = resultPart(said(output), undefined, { name: found[1] });
    return feedback ? [result, textPart(feedback)] : [result];
  }
  const words = said(text);
  if (words === '' || words.startsWith('[ERROR] You did not use a tool')) {
    reading.leave('are what the program says to the model', line);
    return [];
  }
  return [textPart(words)];
}

/** A call as XML: a name, and in it nothing but named arguments. */
const call = /<(\w+)>\s*((?:<(\w+)>[\s\S]*?<\/\3>\s*)+)<\/\1>/g;
/** Calls by which the agent speaks to the user. */
const spoken: Readonly<Record<string, string>> = {
  attempt_completion: 'result',
  ask_followup_question: 'question',
  plan_mode_respond: 'response',
};

function agentText(text: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let end = 0;
  const words = (piece: string): void => void parts.push(...textParts(said(piece)));
  const plain = said(text);
  for (const found of plain.matchAll(call)) {
    const [whole, name = '', inner = ''] = found;
    words(plain.slice(end, found.index));
    end = found.index + whole.length;
    const input = Object.fromEntries(
      [...inner.matchAll(/<(\w+)>([\s\S]*?)<\/\1>/g)].map(([, key, value]) => [key!, value!.trim()]),
    );
    const speech = spoken[name];
    if (speech !== undefined && input[speech] !== undefined) words(input[speech]);
    else parts.push(callPart(name, input));
  }
  words(plain.slice(end));
  return parts;
}
