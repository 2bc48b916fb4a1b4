// A conversation as people paste it: plain text in which a line that begins with a role and a colon begins a message.

import { type MessageDraft, roleOf } from './messages.ts';

/** `User: …`, also in bold (`**User:** …`, `**User**: …`); other names may be anything, so only roles count. */
const opening = /^(\*\*|__)?([A-Za-z]{2,9})(?:\1)?\s?:(?:\1)?(?:[ \t]+|$)(.*)$/;

interface Opening {
  readonly role: string;
  readonly rest: string;
}

function openingOf(line: string): Opening | null {
  const [, , name = '', rest = ''] = opening.exec(line) ?? [];
  const role = name === '' ? undefined : roleOf(name.toLowerCase());
  return role === undefined ? null : { role, rest };
}

/** Tells a dialogue from prose: it begins with a message, and at least two roles speak. */
export function isDialogue(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0 || openingOf(lines[0]!) === null) return false;
  return new Set(lines.map((line) => openingOf(line)?.role).filter((role) => role !== undefined)).size > 1;
}

/** Cuts a dialogue into messages; what stands before the first role is the user's. */
export function messagesOfDialogue(text: string): MessageDraft[] {
  const messages: { role: string; lines: string[] }[] = [];
  let isCode = false;
  for (const line of text.replaceAll('\r\n', '\n').split('\n')) {
    const found = isCode ? null : openingOf(line);
    // What stands in a fence is quoted, whatever it begins with.
    if (/^\s*(```|~~~)/.test(found?.rest ?? line)) isCode = !isCode;
    if (found !== null) messages.push({ role: found.role, lines: [found.rest] });
    else if (messages.length > 0) messages.at(-1)!.lines.push(line);
    else if (line.trim() !== '') messages.push({ role: 'user', lines: [line] });
  }
  return messages.map(({ role, lines }) => ({ role, parts: [{ kind: 'text', text: lines.join('\n') }] }));
}
