// The lines of a transcript that name attachments.

const line = String.raw`^> \[attachment:(attachments\/([0-9a-f]{2})\/\2[0-9a-f]{30}(?:\.[a-z0-9]{1,8})?)\]`;

/** Lists the attachments of this memory that a text names, each once. */
export function attachmentsNamedIn(text: string): string[] {
  const named = text.matchAll(new RegExp(line, 'gm'));
  return [...new Set([...named].map(([, path]) => path!))];
}

/** Takes out the lines that name attachments of this memory: the same words may have come with them and without. */
export const withoutAttachments = (text: string): string =>
  text.includes('> [attachment:attachments/') ? text.replace(new RegExp(`\\n*${line}.*`, 'gm'), '') : text;
