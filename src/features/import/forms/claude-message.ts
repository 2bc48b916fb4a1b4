// One message of an export of Claude: what was said, and beside it what was made and what came with it.

import { orElse } from '../../../base/errors.ts';
import { type MessagePart, partOf } from '../../../core/capture/messages.ts';
import { type Fields, fieldsOf, listOf, objectsOf, wordOf } from './fields.ts';
import { attachment, textParts } from './parts.ts';

/** Words that stand beside a message and are not those of who sent it. */
export interface BesideMessage {
  readonly role: 'agent' | 'system';
  readonly parts: readonly MessagePart[];
}

/** Something that was made: its name, and its text in a fence that nothing in it closes. `whole` is the text as a file has it. */
export function made(name: string, text: string, language = '', whole: unknown = text): MessagePart {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map(([mark]) => mark.length));
  const fence = '`'.repeat(longest + 1);
  const shown = `> [attachment:${name.replace(/[[\]\n]+/g, ' ')}]\n${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`;
  return { kind: 'text', text: shown, file: { name, text: String(whole) } };
}

/** Reads a message with what was made in it, and with the text that the program took out of attached files. */
export function claudeMessage(message: Fields): {
  readonly role: string;
  readonly parts: readonly MessagePart[];
  readonly beside: readonly BesideMessage[];
} {
  const content = listOf(message.content);
  const text = wordOf(message.text);
  const said = content.length > 0 ? content.flatMap(contentOf) : textParts(text);
  const files = [message.attachments, message.files].flatMap(objectsOf);
  const names = files.map(({ file_name: name }) => wordOf(name) ?? 'pasted text');
  const attached = files.flatMap(({ extracted_content: words }, at): BesideMessage[] =>
    wordOf(words) === undefined ? [] : [{ role: 'system', parts: [made(names[at]!, String(words))] }],
  );
  return {
    role: message.sender === 'human' ? 'user' : 'agent',
    parts: [...said, ...names.map(attachment)],
    beside: [...attached, ...content.flatMap((part) => artifactOf(fieldsOf(part)))],
  };
}

/** What a call of a tool made or changed: an artifact with its title, or a file with its path. */
function artifactOf({ type, name, input }: Fields): BesideMessage[] {
  if (type !== 'tool_use' || !/^(?:artifacts|create_file|str_replace)$/.test(String(name))) return [];
  const { title, id, path, content, file_text: file, new_str: changed, language, type: kind } = fieldsOf(input);
  const whole = [content, file, changed].find((one) => wordOf(one) !== undefined);
  const words = wordOf(whole);
  const called = wordOf(title) ?? wordOf(path) ?? wordOf(id) ?? 'artifact';
  const marked = wordOf(language) ?? (/markdown/.test(String(kind)) ? 'markdown' : '');
  return words === undefined ? [] : [{ role: 'agent', parts: [made(called, words, marked, whole)] }];
}

const contentOf = (part: unknown): MessagePart[] => orElse(() => partOf(part, 'a part'), []);
