// The history of Aider, `.aider.chat.history.md`. A heading begins a session. The user's lines stand behind `####`, what the program prints behind `>`;
// the rest is the model's. A fence may hold any of these.

import { textLines } from '../source.ts';
import type { Entry, Form } from './form.ts';
import { textPart } from './parts.ts';

const begin = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)/;

export const aider: Form = {
  places: [{ root: '<project>', files: '.aider.chat.history.md' }],

  detect(path, head) {
    if (!/\.md$/i.test(path)) return 0;
    return begin.test(head.trimStart()) ? 0.95 : 0;
  },

  *read(file, reading) {
    let session: string | undefined;
    let clock: string | undefined;
    let fence: string | null = null;
    let open: { role: string; lines: string[]; line: number } | undefined;
    const closed = function* (): Generator<Entry> {
      const text = open?.lines.join('\n').trim() ?? '';
      if (open !== undefined && text !== '') {
        const { role, line } = open;
        yield { kind: 'message', session, clock, role, parts: [textPart(text)], line };
      }
      open = undefined;
    };
    for (const { line, text } of textLines(file, reading.broken)) {
      const [, day, time] = begin.exec(text) ?? [];
      if (day !== undefined) {
        yield* closed();
        fence = null;
        clock = `${day}T${time}`;
        session = `aider-${day}-${time!.replaceAll(':', '')}`;
        continue;
      }
      const isPlain = fence === null;
      const role = isPlain && /^####(?: |$)/.test(text) ? 'user' : isPlain && /^> ?/.test(text) ? 'program' : 'agent';
      if (role === 'program') {
        yield* closed();
        reading.leave('are lines that the program printed', line);
        continue;
      }
      if (role === 'agent') {
        const [mark] = /^(?:`{3,}|~{3,})/.exec(text) ?? [];
        if (mark !== undefined)
          fence = fence === null ? mark : text.trim().startsWith(fence) && text.trim() === mark ? null : fence;
      }
      if (open?.role !== role) {
        if (text.trim() === '') continue;
        yield* closed();
        open = { role, lines: [], line };
      }
      open.lines.push(role === 'user' ? text.slice(5).trimEnd() : text);
    }
    yield* closed();
  },
};
