// Agent files of Letta, `.af`: blocks are what the agent knows, messages what was said, passages what it archived. Older files hold one agent
// with its `core_memory`; newer ones hold lists of agents and blocks.
//
// Ids in these files only count. A conversation is called as its agent, and turns are known by their times and words. An export holds the
// last fifty messages, and the next one others.

import { orElse } from '../../../base/errors.ts';
import { slugOf } from '../../../base/text.ts';
import { type MessagePart, partOf } from '../../../core/capture/messages.ts';
import { type Fields, fieldsOf, listOf, objectsOf, timeOf, wordOf, wordsAmong } from './fields.ts';
import { type At, type Entry, type Form, factId, type Reading } from './form.ts';
import { jsonOf, wholeJson } from './json-files.ts';
import { callPart, resultPart, textPart } from './parts.ts';

export const letta: Form = {
  detect(path, head) {
    if (!/\.(?:af|json)$/i.test(path) || !/^\s*\{/.test(head)) return 0;
    if (/"core_memory"\s*:/.test(head) && /"(?:agent_type|messages|system)"\s*:/.test(head)) return 0.9;
    if (/"agents"\s*:\s*\[/.test(head) && /"(?:blocks|in_context_message_ids|block_ids|agent_type)"\s*:/.test(head))
      return 0.9;
    return /\.af$/i.test(path) ? 0.6 : 0;
  },

  *read(file, reading) {
    const whole = fieldsOf(wholeJson(file, reading));
    const agents = Array.isArray(whole.agents) ? whole.agents : [whole];
    const name = wordOf(fieldsOf(agents[0]).name) ?? 'agent';
    const blocks = [whole.blocks, ...agents.flatMap((one) => [fieldsOf(one).core_memory, fieldsOf(one).memory_blocks])];
    yield* blocksOf(blocks.flatMap(listOf), name, reading);
    for (const [at, agent] of agents.entries()) {
      const fields = fieldsOf(agent);
      const passages = [fields.passages, fields.archival_memory, at === 0 ? whole.passages : undefined].flatMap(listOf);
      yield* passagesOf(passages, wordOf(fields.name) ?? name, reading);
      yield* talkOf(fields, `agent ${at + 1}`, reading);
    }
  },
};

function* blocksOf(blocks: readonly unknown[], agent: string, reading: Reading): Generator<Entry> {
  const taken = new Set<string>();
  for (const [at, block] of blocks.entries()) {
    const { label, value, description } = fieldsOf(block);
    const line = `block ${at + 1}`;
    const name = wordOf(label);
    if (name === undefined || typeof value !== 'string') reading.broken('is no block of an agent', line);
    else if (value.trim() === '') reading.leave('are empty', line);
    else {
      const path = `knowledge/reference/letta/${slugOf(agent)}/${slugOf(name)}${taken.has(name) ? `-${at + 1}` : ''}.md`;
      taken.add(name);
      const told = wordOf(description);
      yield { kind: 'note', path, text: `# ${name}\n\n${told === undefined ? '' : `> ${told}\n\n`}${value}\n`, line };
    }
  }
}

function* passagesOf(passages: readonly unknown[], agent: string, reading: Reading): Generator<Entry> {
  for (const [at, passage] of passages.entries()) {
    const fields = fieldsOf(passage);
    const [line, time] = [`passage ${at + 1}`, timeOf(fields.created_at)];
    const text = wordOf(passage) ?? wordOf(fields.text) ?? wordOf(fields.content);
    const tags = wordsAmong(fields.tags);
    if (text === undefined) reading.broken('is no passage: it has no text', line);
    else yield { kind: 'record', id: factId('letta', agent, text), text, time, tags, line };
  }
}

function* talkOf(agent: Fields, place: string, reading: Reading): Generator<Entry> {
  const session = `letta-${slugOf(wordOf(agent.name) ?? 'agent')}`;
  yield { kind: 'head', session, title: wordOf(agent.name) ?? 'agent' };
  const sent = new Set<string>();
  for (const [at, one] of listOf(agent.messages).entries()) {
    const line = `${place}, message ${at + 1}`;
    const message = fieldsOf(one);
    const found = saidIn(message, sent, line, reading);
    const time = timeOf(message.created_at);
    if (found !== null) yield { kind: 'message', session, time, ...found, line };
  }
}

/** What is said to the user is, in agents of the older kind, what they hand to a tool; their own words are reasoning then. */
const speaking = 'send_message';

function saidIn(
  message: Fields,
  sent: Set<string>,
  line: At,
  reading: Reading,
): { readonly role: string; readonly parts: readonly MessagePart[] } | null {
  const left = (why: string) => {
    reading.leave(why, line);
    return null;
  };
  const content = typeof message.content === 'string' ? [message.content] : listOf(message.content);
  const words = content.flatMap((part) => orElse(() => partOf(part, String(line)), []));
  if (message.role === 'system') return left('are what the program says to the model');
  if (message.role === 'user') {
    const [only] = words;
    const packed = fieldsOf(only?.kind === 'text' && only.text.startsWith('{') ? jsonOf(only.text) : undefined);
    if (packed.type === 'user_message') return { role: 'user', parts: [textPart(String(packed.message))] };
    if (typeof packed.type === 'string') return left('were written by another program');
    if (words.length > 0) return { role: 'user', parts: words };
  } else if (message.role === 'assistant' || message.role === 'approval') {
    const calls = objectsOf(message.tool_calls);
    const isSaid = (call: Fields) => fieldsOf(call.function).name === speaking;
    for (const call of calls.filter(isSaid)) sent.add(String(call.id));
    const parts = calls.map((call): MessagePart => {
      const { name, arguments: input } = fieldsOf(call.function);
      if (isSaid(call)) return textPart(wordOf(fieldsOf(jsonOf(String(input))).message) ?? String(input));
      return callPart(name, input, String(call.id));
    });
    const all = calls.some(isSaid) ? parts : [...words, ...parts];
    if (all.length > 0) return { role: 'agent', parts: all };
    if (message.role === 'approval') return left('are approvals of calls');
  } else if (message.role === 'tool') {
    const id = wordOf(message.tool_call_id);
    if (id !== undefined && sent.has(id)) return left('only say that a message was sent');
    const [first] = words;
    const told = fieldsOf(first?.kind === 'text' ? jsonOf(first.text) : undefined);
    const output = told.message ?? (first?.kind === 'text' ? first.text : undefined);
    const isError = String(told.status ?? fieldsOf(listOf(message.tool_returns)[0]).status).toLowerCase() === 'error';
    return { role: 'tool', parts: [resultPart(output, id, { isError, name: message.name })] };
  }
  reading.broken(typeof message.role === 'string' ? 'has no words' : 'is no message', line);
  return null;
}
