// What an embedder is given of a document.

import type { SearchDocument } from './search-document.ts';

/** What servers and models take of a text anyway. */
export const maxEmbeddedLength = 8000;

/** Gives the text that stands for a document: a turn with its speaker, a section or memory under its title. */
export function embeddedTextOf({
  text,
  title,
  turn,
  speaker,
  role,
}: Pick<SearchDocument, 'text' | 'title' | 'turn' | 'speaker' | 'role'>): string {
  const head = turn === undefined ? title : (speaker ?? role);
  const separator = turn === undefined ? '\n' : ': ';
  return (head === undefined ? text : `${head}${separator}${text}`).slice(0, maxEmbeddedLength);
}
