// Rollouts of Codex: JSON lines of `{timestamp, type, payload}`. The conversation is in `response_item`, and once more for the screen in
// `event_msg`. The first line tells of the session. Earlier versions wrote the payloads bare.
//
//   {"timestamp":"…","type":"session_meta","payload":{"id":"0191","cwd":"/w","git":{"branch":"main"}}}
//   {"timestamp":"…","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"…"}]}}

import type { MessagePart } from '../../../core/capture/messages.ts';
import { type Fields, fieldsOf, listOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonLines, jsonOf } from './json-files.ts';
import { attachment, callPart, resultPart, textPart, textParts } from './parts.ts';
import { said } from './program-words.ts';

export const codex: Form = {
  places: [
    { root: '~/.codex', variable: 'CODEX_HOME', files: 'sessions/**/rollout-*.jsonl' },
    { root: '~/.codex', variable: 'CODEX_HOME', files: 'archived_sessions/rollout-*.jsonl' },
  ],

  detect(path, head) {
    if (!/\.jsonl$/i.test(path)) return 0;
    const [first] = firstLines(head, 1);
    const isMeta = /^\{[^{}]*"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context)"/.test(head);
    if (isMeta && /"payload"\s*:/.test(head)) return 0.95;
    if (!/rollout-[^/]*\.jsonl$/.test(path)) return 0;
    return first !== undefined && typeof first.id === 'string' ? 0.9 : 0.6;
  },

  *read(file, reading) {
    let session = /rollout-.*?-([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl$/.exec(file.path)?.[1];
    let begun: number | undefined;
    let isFirst = true;
    for (const { line, value } of jsonLines(file, reading)) {
      const type = wordOf(value.type);
      const payload = fieldsOf(value.payload);
      const isBare = value.payload === undefined;
      const time = timeOf(value.timestamp) ?? begun;
      if (type === 'session_meta' || (isFirst && isBare && type === undefined && typeof value.id === 'string')) {
        const meta = isBare ? value : payload;
        // A fork tells of the session that it was made from as well.
        if (isFirst || session === undefined) session = wordOf(meta.id) ?? session;
        begun = timeOf(meta.timestamp) ?? time;
        yield headOf(session, meta);
      } else if (type === 'turn_context') yield headOf(session, payload);
      else if (type === 'compacted') reading.leave('retell what became too long', line);
      else if (type === 'event_msg') yield* eventOf(payload, { session, time, line }, reading);
      else if (type === 'response_item' || isBare) {
        yield* itemOf(isBare ? value : payload, { session, time, line }, reading);
      } else reading.leave('are notes of the program', line);
      isFirst = false;
    }
  },
};

interface Place {
  readonly session: string | undefined;
  readonly time: number | undefined;
  readonly line: number;
}

function headOf(session: string | undefined, meta: Fields): Entry {
  const [project, model, branch] = [wordOf(meta.cwd), wordOf(meta.model), wordOf(fieldsOf(meta.git).branch)];
  return { kind: 'head', session, project, model, branch };
}

function message({ session, time, line }: Place, role: string, parts: readonly MessagePart[]): Entry {
  return { kind: 'message', session, time, role, parts, line };
}

function* eventOf(payload: Fields, place: Place, reading: Reading): Generator<Entry> {
  const type = wordOf(payload.type);
  const text = wordOf(payload.message) ?? wordOf(payload.reason);
  if (type === 'error' || type === 'stream_error') yield message(place, 'system', [textPart(`Error: ${text ?? type}`)]);
  else if (type === 'turn_aborted')
    yield message(place, 'system', [textPart(`[Turn aborted: ${text ?? 'interrupted'}]`)]);
  else reading.leave('repeat for the screen what stands in other entries', place.line);
}

const ofProgram =
  /^\s*(?:<(?:environment_context|permissions instructions|app-context|user_instructions|turn_aborted|skill)\b|# AGENTS\.md)/;

function* itemOf(item: Fields, place: Place, reading: Reading): Generator<Entry> {
  const { line } = place;
  const type = wordOf(item.type) ?? (item.role === undefined ? '' : 'message');
  if (type === 'message') {
    const role = wordOf(item.role);
    if (role !== 'user' && role !== 'assistant') return reading.leave('are what the program says to the model', line);
    const parts = contentOf(item.content, role);
    if (parts === null) reading.broken('has no words', line);
    else if (parts.length > 0) yield message(place, role === 'user' ? 'user' : 'agent', parts);
    else reading.leave('are what the program says to the model', line);
  } else if (type === 'reasoning') reading.leave('are reasoning', line);
  else if (/_call$/.test(type)) yield message(place, 'agent', [callOf(item, type)]);
  else if (/_output$/.test(type)) yield message(place, 'tool', [resultOf(item)]);
  else reading.leave('are notes of the program', line);
}

/** Gives the parts of a message without what the program wrote; null where it has none at all. */
function contentOf(content: unknown, role: string): MessagePart[] | null {
  const given = typeof content === 'string' ? [{ text: content }] : listOf(content);
  if (given.length === 0) return null;
  return given.flatMap((part): MessagePart[] => {
    const { text, type } = fieldsOf(part);
    if (typeof text !== 'string') return type === undefined ? [] : [attachment(String(type))];
    if (role === 'user' && ofProgram.test(text)) return [];
    const words = role === 'user' ? said(text) : text;
    return textParts(words);
  });
}

function callOf(item: Fields, type: string): MessagePart {
  const given = item.arguments ?? item.input ?? item.action;
  const input = typeof given === 'string' && given.startsWith('{') ? (jsonOf(given) ?? given) : given;
  const { command, cmd, ...rest } = fieldsOf(input);
  const asked = command ?? cmd;
  const words = Array.isArray(asked) ? asked.filter((word) => word !== 'bash' && word !== '-lc').join(' ') : asked;
  const { workdir: _, timeout_ms: __, yield_time_ms: ___, max_output_tokens: ____, type: _____, ...named } = rest;
  const tool = wordOf(item.name) ?? type.replace(/_call$/, '');
  return callPart(tool, words === undefined ? input : { command: words, ...named }, wordOf(item.call_id) ?? item.id);
}

function resultOf(item: Fields): MessagePart {
  const given = item.output;
  const parsed = typeof given === 'string' && given.startsWith('{') ? fieldsOf(jsonOf(given)) : fieldsOf(given);
  const output = parsed.output ?? parsed.content ?? given;
  const exit = fieldsOf(parsed.metadata).exit_code;
  const shown =
    typeof output === 'string' ? /exit(?:ed with)? code:? (\d+)/i.exec(output.slice(0, 400))?.[1] : undefined;
  const isError = parsed.success === false || Number(exit ?? shown ?? 0) !== 0;
  return resultPart(output, item.call_id, { isError });
}
