// Sessions of Continue: a JSON object each, whose messages have no times; `sessions.json` beside them tells when each began.

import { type Fields, fieldsOf, objectsOf, timeOf, wordOf } from './fields.ts';
import type { Entry, Form, Reading } from './form.ts';
import { jsonBeside, wholeJson } from './json-files.ts';
import { callPart, contentText, resultPart, textParts } from './parts.ts';

export const continueForm: Form = {
  places: [{ root: '~/.continue', variable: 'CONTINUE_GLOBAL_DIR', files: 'sessions/*.json' }],

  sessionOf: (path) => (/(?:^|\/)sessions\.json$/.test(path) ? undefined : path),

  detect(path, head) {
    if (!/\.json$/i.test(path)) return 0;
    if (/(?:^|\/)sessions\.json$/.test(path)) return /"sessionId"\s*:/.test(head) ? 0.8 : 0;
    return /"sessionId"\s*:/.test(head) && /"history"\s*:\s*\[/.test(head) ? 0.9 : 0;
  },

  *read(file, reading) {
    if (/(?:^|\/)sessions\.json$/.test(file.path)) return;
    const session = fieldsOf(wholeJson(file, reading));
    const id = wordOf(session.sessionId);
    const folder = wordOf(session.workspaceDirectory);
    const project = folder === undefined ? undefined : decodeURIComponent(folder.replace(/^file:\/\//, ''));
    yield { kind: 'head', session: id, title: wordOf(session.title), project };
    const known = objectsOf(jsonBeside('sessions.json', reading));
    const begun = timeOf(known.find(({ sessionId }) => sessionId === id)?.dateCreated) ?? timeOf(session.dateCreated);
    for (const [at, item] of objectsOf(session.history).entries()) {
      const line = `message ${at + 1}`;
      const message = messageOf(item, line, reading);
      if (message !== null)
        yield { kind: 'message', session: id, time: at === 0 ? begun : undefined, ...message, line };
    }
  },
};

function messageOf(
  item: Fields,
  line: string,
  reading: Reading,
): Pick<Extract<Entry, { kind: 'message' }>, 'role' | 'parts'> | null {
  const message = fieldsOf(item.message);
  const { role } = message;
  const text = contentText(message.content);
  if (role === 'thinking' || role === 'system') {
    reading.leave(role === 'thinking' ? 'are reasoning' : 'are what the program says to the model', line);
    return null;
  }
  if (role === 'tool') return { role: 'tool', parts: [resultPart(text, message.toolCallId)] };
  const calls = objectsOf(message.toolCalls).map((call) => {
    const made = fieldsOf(call.function);
    return callPart(made.name, made.arguments, call.id);
  });
  const parts = [...textParts(text), ...calls];
  if (parts.length > 0 && (role === 'user' || role === 'assistant'))
    return { role: role === 'user' ? 'user' : 'agent', parts };
  reading.broken('has no words', line);
  return null;
}
