// What the messages of programs are made of: texts, attachments, calls of tools and what these answered.

import { defined } from '../../../base/errors.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { fieldsOf, listOf, wordOf } from './fields.ts';

/** Names something that came with a message, as a transcript does. */
export function attachment(name: string): MessagePart {
  return { kind: 'text', text: `> [attachment:${name.replace(/[[\]\n]+/g, ' ').slice(0, 160)}]` };
}

export const textPart = (text: string): MessagePart => ({ kind: 'text', text });

/** Gives a text as a part, as it stands; none where it says nothing. */
export function textParts(text: unknown): MessagePart[] {
  return typeof text === 'string' && text.trim() !== '' ? [textPart(text)] : [];
}

/** Says that a tool was called; `name` and `id` are what the program has in their place. */
export function callPart(name: unknown, input: unknown, id?: unknown): MessagePart {
  return { kind: 'call', ...defined({ id: wordOf(id) }), tool: wordOf(name) ?? 'tool', input };
}

interface Answered {
  readonly isError?: boolean;
  readonly name?: unknown;
}

/** Says what a tool answered to the call of an id. */
export function resultPart(output: unknown, id: unknown, { isError = false, name }: Answered = {}): MessagePart {
  return {
    kind: 'result',
    ...defined({ id: wordOf(id), tool: wordOf(name) }),
    output,
    ...(isError ? { isError } : {}),
  };
}

/** Joins the texts of a content: a string, or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content;
  return listOf(content)
    .map((part) => (typeof part === 'string' ? part : (wordOf(fieldsOf(part).text) ?? '')))
    .filter((text) => text !== '')
    .join('\n');
}
