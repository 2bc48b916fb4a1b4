// The sentences of a turn, each as it stands there. Which of them matter is decided by their scores.

import { fenceReader } from '../base/fenced-blocks.ts';
import { quotationsIn } from '../base/quotations.ts';
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

/** Brings quotations of several lines onto one, so that they stay whole. */
function joinedQuotations(text: string): string {
  let joined = '';
  let from = 0;
  for (const { start, end } of quotationsIn(text)) {
    joined += text.slice(from, start) + text.slice(start, end).replace(/\s*\n[\s>]*/g, ' ');
    from = end;
  }
  return joined + text.slice(from);
}

/** A longer quotation is cut into its sentences, each between its marks. */
const longestQuotation = 600;

/** Cuts what quotes at great length, so that each part is read alone and still shows whose words it has. */
function* cutQuotations(sentence: string): Generator<string> {
  const [quotation] = sentence.length > longestQuotation ? quotationsIn(sentence) : [];
  if (quotation === undefined) return yield sentence;
  const { start, end } = quotation;
  const parts = splitSentences(sentence.slice(start + 1, end - 1));
  for (const [at, part] of parts.entries()) {
    const before = at === 0 ? sentence.slice(0, start) : '';
    const behind = at === parts.length - 1 ? sentence.slice(end) : '';
    yield `${before}${sentence[start]}${part}${sentence[end - 1]}${behind}`;
  }
}

/** Lists the sentences of a turn in order, each on one line and without the mark of a list. */
export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  let paragraph: string[] = [];
  const flush = (): void => {
    for (const sentence of splitSentences(paragraph.join(' ')).flatMap((one) => [...cutQuotations(one)])) {
      const words = sentence.replace(/\s+/g, ' ').trim();
      if (/[\p{L}\p{N}]/u.test(words)) sentences.push(words);
    }
    paragraph = [];
  };
  for (const line of proseLines(joinedQuotations(text))) {
    if (line.trim() === '') flush();
    else {
      if (listMark.test(line)) flush();
      paragraph.push(line.replace(listMark, ''));
    }
  }
  flush();
  return sentences;
}
