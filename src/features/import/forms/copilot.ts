// Chats of Copilot in VS Code: one JSON object, or a log of changes that make it; and the events of its command line.
//
//   {"kind":0,"v":{…}}            the whole              {"kind":1,"k":["customTitle"],"v":"…"}    set
//   {"kind":2,"k":[…],"v":[…]}    push, cut at `i` before  {"kind":3,"k":[…]}                        delete

import type { MessagePart } from '../../../core/capture/messages.ts';
import type { SourceFile } from '../source.ts';
import { type Fields, fieldsOf, listOf, objectsOf, stemOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { firstLines, jsonBeside, jsonLines, wholeJson } from './json-files.ts';
import { callPart, resultPart, textPart, textParts } from './parts.ts';

export const copilot: Form = {
  places: [
    { root: '<user>', files: 'workspaceStorage/*/chatSessions/*.{json,jsonl}' },
    { root: '<user>', files: 'globalStorage/emptyWindowChatSessions/*.{json,jsonl}' },
  ],

  detect(path, head) {
    if (/\.jsonl$/i.test(path)) return /^\s*\{"kind"\s*:\s*0\s*,\s*"v"\s*:\s*\{/.test(head) ? 0.95 : 0;
    if (!/\.json$/i.test(path)) return 0;
    if (/(?:^|\/)workspace\.json$/.test(path) && /^\s*\{\s*"(?:folder|workspace)"\s*:/.test(head)) return 0.6;
    return /"requests"\s*:/.test(head) && /"(?:requesterUsername|responderUsername|creationDate)"\s*:/.test(head)
      ? 0.95
      : 0;
  },

  *read(file, reading) {
    if (/(?:^|\/)workspace\.json$/.test(file.path)) return;
    const whole = /\.jsonl$/i.test(file.path) ? replayed(file, reading) : fieldsOf(wholeJson(file, reading));
    if (whole !== null) yield* chatOf(whole, file, reading);
  },
};

/** Makes the object that a log of changes leads to; a change that leads nowhere is named. */
function replayed(file: SourceFile, reading: Reading): Fields | null {
  let whole: Record<string, unknown> | null = null;
  for (const { line, value } of jsonLines(file, reading)) {
    if (value.kind === 0) whole = { ...fieldsOf(value.v) };
    else if (whole === null || !changed(whole, value)) reading.broken('changes what is not there', line);
  }
  return whole;
}

type Container = Record<string | number, unknown>;

function changed(whole: Container, { kind, k, v, i }: Fields): boolean {
  const path = listOf(k);
  if (path.some((key) => key === '__proto__' || key === 'constructor')) return false;
  let at: unknown = whole;
  for (const key of path.slice(0, -1)) at = (at as Container | undefined)?.[key as string];
  const last = path.at(-1) as string | undefined;
  if (typeof at !== 'object' || at === null || last === undefined) return false;
  const container = at as Container;
  if (kind === 1) container[last] = v;
  else if (kind === 3) delete container[last];
  else if (kind === 2) {
    const list = Array.isArray(container[last]) ? (container[last] as unknown[]) : [];
    if (typeof i === 'number') list.length = Math.min(list.length, i);
    list.push(...listOf(v));
    container[last] = list;
  } else return false;
  return true;
}

function* chatOf(chat: Fields, file: SourceFile, reading: Reading): Generator<Entry> {
  const session = wordOf(chat.sessionId) ?? stemOf(file.path);
  const folder = wordOf(fieldsOf(jsonBeside('../workspace.json', reading)).folder);
  const project = folder === undefined ? undefined : decodeURIComponent(folder.replace(/^file:\/\//, ''));
  yield { kind: 'head', session, title: wordOf(chat.customTitle), project };
  const begun = timeOf(chat.creationDate);
  for (const [at, request] of objectsOf(chat.requests).entries()) {
    const line = `request ${at + 1}`;
    const id = wordOf(request.requestId);
    const time = timeOf(request.timestamp) ?? (at === 0 ? begun : undefined);
    const message = request.message;
    const text = wordOf(message) ?? wordOf(fieldsOf(message).text);
    const base = { kind: 'message' as const, session, time, line };
    if (text === undefined) reading.broken('has no words of the user', line);
    else yield { ...base, id, role: 'user', parts: [textPart(text)] };
    const model = wordOf(request.modelId);
    if (model !== undefined) yield { kind: 'head', session, model };
    const answer = id === undefined ? {} : { id: `${id}-answer` };
    const parts = responseOf(listOf(request.response));
    if (parts.length > 0) yield { ...base, ...answer, role: 'agent', parts };
    const error = wordOf(fieldsOf(fieldsOf(request.result).errorDetails).message);
    if (error !== undefined) yield { ...base, role: 'system', parts: [textPart(`Error: ${error}`)] };
  }
}

/** Words come in pieces that are one text; a name of a file stands within them. */
function responseOf(response: readonly unknown[]): MessagePart[] {
  const parts: MessagePart[] = [];
  let words = '';
  const close = (): void => {
    parts.push(...textParts(words));
    words = '';
  };
  for (const part of response.map(fieldsOf)) {
    const { kind, value } = part;
    const text = wordOf(value) === undefined ? fieldsOf(value).value : value;
    if (kind === undefined || kind === 'markdownContent') words += String(text ?? fieldsOf(part.content).value ?? '');
    else if (kind === 'inlineReference')
      words += `\`${wordOf(part.name) ?? wordOf(fieldsOf(part.inlineReference).path) ?? 'file'}\``;
    else if (kind === 'toolInvocationSerialized' || kind === 'toolInvocation') {
      close();
      const told = part.pastTenseMessage ?? part.invocationMessage;
      const details = fieldsOf(part.resultDetails);
      const output = details.output ?? details.error;
      const id = wordOf(part.toolCallId) ?? `call ${parts.length}`;
      parts.push(callPart(part.toolId, wordOf(told) ?? wordOf(fieldsOf(told).value) ?? details.input, id));
      if (output !== undefined) parts.push(resultPart(output, id, { isError: details.isError === true }));
    } else if (kind === 'textEditGroup') {
      close();
      const { path, fsPath } = fieldsOf(part.uri);
      parts.push(callPart('edit', wordOf(path) ?? wordOf(fsPath) ?? ''));
    }
  }
  close();
  return parts;
}

/** `{type, data, timestamp}`: session.start, user.message, assistant.message, tool.execution_start, tool.execution_complete, session.error. */
export const copilotCli: Form = {
  places: [{ root: '~/.copilot', files: 'session-state/**/events.jsonl' }],

  detect(path, head) {
    if (!/\.jsonl$/i.test(path)) return 0;
    const [first] = firstLines(head, 1);
    return /^session\.\w+$/.test(String(first?.type)) && first?.data !== undefined ? 0.95 : 0;
  },

  *read(file, reading) {
    let session: string | undefined;
    for (const { line, value } of jsonLines(file, reading)) {
      const { type } = value;
      const data = fieldsOf(value.data);
      if (type === 'session.start' || type === 'session.resume') {
        session = wordOf(data.sessionId) ?? session;
        const context = fieldsOf(data.context);
        const [project, branch] = [wordOf(context.cwd), wordOf(context.branch)];
        yield { kind: 'head', session, project, branch, model: wordOf(data.selectedModel) };
        continue;
      }
      const base = {
        kind: 'message' as const,
        session,
        time: timeOf(value.timestamp),
        id: wordOf(value.id),
        line,
      };
      const parts = eventOf(String(type), data);
      const isEmpty = (type === 'user.message' || type === 'assistant.message') && parts.length === 0;
      if (isEmpty && listOf(data.toolRequests).length === 0) reading.broken('has no words', line);
      else if (parts.length === 0) reading.leave('are notes of the program', line);
      else yield { ...base, role: roles[String(type)] ?? 'agent', parts };
    }
  },
};

const roles: Readonly<Record<string, string>> = {
  'user.message': 'user',
  'tool.execution_complete': 'tool',
  'session.error': 'system',
  abort: 'system',
};

function eventOf(type: string, data: Fields): MessagePart[] {
  const text = wordOf(data.content) ?? wordOf(data.message) ?? wordOf(data.reason);
  if (type === 'user.message' || type === 'assistant.message') return textParts(text);
  if (type === 'tool.execution_start') return [callPart(data.toolName, data.arguments, data.toolCallId)];
  if (type === 'tool.execution_complete')
    return [resultPart(data.error ?? data.result, data.toolCallId, { isError: data.success === false })];
  if (type === 'session.error' || type === 'abort')
    return [textPart(`${type === 'abort' ? 'Aborted' : 'Error'}: ${text ?? type}`)];
  return [];
}
