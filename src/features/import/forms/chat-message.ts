// What chats say beside words: to what somebody replies, whose words are passed on, and how others reacted. Each has a line of its own,
// `> [reply to Anna: …]`. A turn is known without these lines, since they may come later than the words.

import { oneLine } from '../../../base/text.ts';
import type { MessagePart } from '../../../core/capture/messages.ts';
import { textPart } from './parts.ts';

/** The lines of {@link mark}, so that they can be taken off. */
const marks = /^> \[(?:reply|forwarded|reactions|edited)\b.*$/gm;

/** Takes marks out of the words of a turn; a turn of nothing else keeps them. */
export function withoutMarks(text: string): string {
  if (!text.includes('> [')) return text;
  const words = text.replace(marks, '');
  return words.trim() === '' ? text : words;
}

/** Says something of a message in a line of its own. */
export function mark(kind: 'reply to' | 'forwarded from' | 'reactions' | 'edited', what = ''): MessagePart {
  const said = oneLine(what.replace(/[[\]]+/g, ' '), 120);
  return textPart(`> [${kind}${said === '' ? '' : kind === 'reactions' ? `: ${said}` : ` ${said}`}]`);
}

/** Says how others reacted, each with who it was, or how many. */
export function reactions(
  given: readonly { readonly emoji: string; readonly by: readonly string[]; readonly count?: number }[],
) {
  const said = given
    .filter(({ emoji }) => emoji !== '')
    .map(({ emoji, by, count }) => `${emoji} ${by.length > 0 ? by.join(', ') : (count ?? '')}`.trim());
  return said.length === 0 ? [] : [mark('reactions', said.join('; '))];
}

/** Words that somebody passes on and did not say. */
export function quoted(text: string): MessagePart[] {
  const lines = text.trim().split('\n');
  return text.trim() === '' ? [] : [textPart(lines.map((line) => `> ${line}`.trimEnd()).join('\n'))];
}

/** So many messages are remembered, so that a reply can say to what. */
const most = 20_000;

/** What was said before, by the ids of its program. */
export class Earlier {
  private readonly said = new Map<string, string>();

  note(id: unknown, speaker: string | undefined, text: string): void {
    if (id === undefined || id === null) return;
    if (this.said.size >= most) this.said.delete(this.said.keys().next().value!);
    const words = oneLine(text, 80);
    this.said.set(String(id), [speaker, words].filter((part) => part !== undefined && part !== '').join(': '));
  }

  has(id: string): boolean {
    return this.said.has(id);
  }

  /** Says to what a message replies; nothing where it replies to none. */
  replyTo(id: unknown): MessagePart[] {
    if (id === undefined || id === null || id === '') return [];
    return [mark('reply to', this.said.get(String(id)) ?? 'an earlier message')];
  }
}

/** Gives the words of parts, for what repeats or quotes them. */
export function wordsOf(parts: readonly MessagePart[]): string {
  return parts.flatMap((part) => (part.kind === 'text' && !part.text.startsWith('> ') ? [part.text] : [])).join(' ');
}
