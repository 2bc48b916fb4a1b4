// One message of an export of Claude: what was said, what was made, and what came with it.

import { MemoryError } from '../../../base/errors.ts';
import { type MessagePart, partOf } from '../../../core/capture/messages.ts';
import { attachment, type Fields, fieldsOf, listOf, textPart, wordOf } from './form.ts';

/** Reads a message with what was attached: text that the program took out of a file stands below its name. */
export function claudeMessage(message: Fields): { readonly role: string; readonly parts: readonly MessagePart[] } {
  const content = listOf(message.content);
  const text = wordOf(message.text);
  const said = content.length > 0 ? content.flatMap(contentOf) : text === undefined ? [] : [textPart(text)];
  const files = [message.attachments, message.files].flatMap(listOf).flatMap((file): MessagePart[] => {
    const { file_name: name, extracted_content: words } = fieldsOf(file);
    if (typeof name !== 'string' || name === '') return [];
    return [attachment(name), ...(wordOf(words) === undefined ? [] : [textPart(String(words))])];
  });
  return { role: message.sender === 'human' ? 'user' : 'agent', parts: [...said, ...files] };
}

function contentOf(part: unknown): MessagePart[] {
  try {
    return partOf(part, 'a part');
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return [];
  }
}
