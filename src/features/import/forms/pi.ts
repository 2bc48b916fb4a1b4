// Sessions of pi, and of OpenClaw, which is built on it: JSON lines, whose first tells of the session. Messages are a tree, and the branch that was
// shown last ends with the last entry.

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { type Fields, fieldsOf, objectsOf, timeOf, wordOf } from './fields.ts';
import type { Form } from './form.ts';
import { firstLines, jsonLines, jsonOf } from './json-files.ts';
import { attachment, callPart, contentText, resultPart, textPart, textParts } from './parts.ts';

export const pi: Form = {
  places: [
    { root: '~/.pi', files: 'agent/sessions/**/*.jsonl' },
    { root: '~/.openclaw', files: 'agents/*/sessions/*.jsonl' },
  ],

  detect(path, head) {
    if (!/\.jsonl$/i.test(path) || /\.checkpoint\./.test(path)) return 0;
    const [first] = firstLines(head, 1);
    return first?.type === 'session' && typeof first.id === 'string' ? 0.95 : 0;
  },

  *read(file, reading) {
    const gone = abandonedIn(file);
    let session: string | undefined;
    for (const { line, value } of jsonLines(file, reading)) {
      const id = wordOf(value.id);
      if (value.type === 'session') {
        session = id;
        yield { kind: 'head', session, project: wordOf(value.cwd) };
      } else if (value.type === 'session_info' && wordOf(value.name) !== undefined) {
        yield { kind: 'head', session, title: wordOf(value.name)! };
      } else if (value.type !== 'message') {
        reading.leave(value.type === 'compaction' ? 'retell what became too long' : 'are notes of the program', line);
      } else if (id !== undefined && gone.has(id)) reading.leave('are of a branch that was rewound', line);
      else {
        const message = fieldsOf(value.message);
        const model = wordOf(message.model);
        if (model !== undefined) yield { kind: 'head', session, model };
        const read = partsOf(message);
        const time = timeOf(value.timestamp) ?? timeOf(message.timestamp);
        if (read === null) reading.leave('are notes of the program', line);
        else if (read.parts.length === 0) reading.broken('has no words', line);
        else yield { kind: 'message', session, id, time, ...read, line };
      }
    }
  },
};

function partsOf(message: Fields): { readonly role: string; readonly parts: MessagePart[] } | null {
  const { role, content } = message;
  if (role === 'toolResult') {
    const { toolCallId: id, isError, toolName } = message;
    return {
      role: 'tool',
      parts: [resultPart(contentText(content), id, { isError: isError === true, name: toolName })],
    };
  }
  if (role === 'bashExecution') {
    const isError = Number(message.exitCode ?? 0) !== 0;
    const id = 'bash';
    return { role: 'user', parts: [callPart(id, message.command, id), resultPart(message.output, id, { isError })] };
  }
  if (role !== 'user' && role !== 'assistant') return null;
  const given = typeof content === 'string' ? [{ type: 'text', text: content }] : objectsOf(content);
  const parts = given.flatMap((part: Fields): MessagePart[] => {
    if (part.type === 'text') return textParts(part.text);
    if (part.type === 'toolCall') return [callPart(part.name, part.arguments, part.id)];
    return part.type === 'image' ? [attachment('image')] : [];
  });
  const error = wordOf(message.errorMessage);
  if (parts.length === 0 && error !== undefined) return { role: 'system', parts: [textPart(`Error: ${error}`)] };
  return { role: role === 'user' ? 'user' : 'agent', parts };
}

/** Finds the entries that are not on the way from the last one to the first; none where the file names no parents. */
function abandonedIn(file: SourceFile): ReadonlySet<string> {
  const parents = new Map<string, string | undefined>();
  const children = new Map<string, number>();
  let last: string | undefined;
  for (const { text } of file.lines()) {
    const { id, parentId, type } = fieldsOf(text === null ? null : jsonOf(text));
    if (typeof id !== 'string' || type === 'session') continue;
    const parent = wordOf(parentId);
    parents.set(id, parent);
    if (parent !== undefined) children.set(parent, (children.get(parent) ?? 0) + 1);
    last = id;
  }
  if (![...children.values()].some((count) => count > 1)) return new Set();
  const shown = new Set<string>();
  for (let id = last; id !== undefined && !shown.has(id); id = parents.get(id)) shown.add(id);
  return new Set([...parents.keys()].filter((id) => !shown.has(id)));
}
