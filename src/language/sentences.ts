// The sentences of a turn, each as it stands there. Which of them matter is decided by their scores.

import { fenceReader } from '../base/fenced-blocks.ts';
import { splitSentences } from '../base/sentences.ts';

/** What an item of a list begins with, a box to tick included. */
export const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+(?:\[[ xX]\]\s+)?/;

/** Lists the lines of prose: fenced code, quotations, tables, headings and comments are somebody else's words, or none. */
function proseLines(text: string): string[] {
  const lines: string[] = [];
  const placeOf = fenceReader();
  for (const line of text.split('\n')) {
    if (placeOf(line) !== null) continue;
    const isProse = !/^\s*(?:>|\||#{1,6}\s|<!--)/.test(line) && !/^(?: {4}|\t)\S/.test(line);
    lines.push(isProse ? line : '');
  }
  return lines;
}

/** Lists the sentences of a turn in order, each on one line and without the mark of a list. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    for (const sentence of splitSentences(paragraph.join(' '))) {
      const words = sentence.replace(/\s+/g, ' ').trim();
      if (/[\p{L}\p{N}]/u.test(words)) sentences.push(words);
    }
    paragraph = [];
  };
  for (const line of proseLines(text)) {
    if (line.trim() === '') flush();
    else {
      if (listMark.test(line)) flush();
      paragraph.push(line.replace(listMark, ''));
    }
  }
  flush();
  return sentences;
}
