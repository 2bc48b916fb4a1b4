// The lines of a transcript that name attachments.

/** Lists the attachments of this memory that a text names, each once. */
export function attachmentsNamedIn(text: string): string[] {
  const named = text.matchAll(/^> \[attachment:(attachments\/([0-9a-f]{2})\/\2[0-9a-f]{30}(?:\.[a-z0-9]{1,8})?)\]/gm);
  return [...new Set([...named].map(([, path]) => path!))];
}
