// What an embedder is given of a document.

import type { ReadDocument } from './search-document.ts';

/** What servers and models take of a text anyway. */
export const maxEmbeddedLength = 8000;

/** Gives the text that stands for a document: a turn alone, whoever spoke; anything else under its title. */
export function embeddedTextOf({ text, title, turn }: Pick<ReadDocument, 'text' | 'title' | 'turn'>): string {
  return (turn !== undefined || title === undefined ? text : `${title}\n${text}`).slice(0, maxEmbeddedLength);
}
