// Puts the words that stay back together: marks of those that went move to their neighbours, sentences begin with a capital.

import type { Sentence, Word } from './words.ts';

/** Renders what stays of a text as one line; `isGone` tells by sentence and word. */
export function render(sentences: readonly Sentence[], isGone: (sentence: number, word: number) => boolean): string {
  const parts = sentences.flatMap(({ words, end }, at) => {
    const text = renderSentence(words, (index) => isGone(at, index));
    return text === '' ? [] : [{ text, end }];
  });
  return parts
    .map(({ text, end }, at) => (at < parts.length - 1 && !/[.,;:!?…]["”'’)\]]*$/.test(text) ? `${text}${end}` : text))
    .join(' ');
}

function renderSentence(words: readonly Word[], isGone: (index: number) => boolean): string {
  const kept: { text: string; trail: string; word: Word }[] = [];
  let isCut = false;
  words.forEach((word, index) => {
    if (!isGone(index)) {
      kept.push({ text: word.lead + word.core, trail: word.trail, word });
      return;
    }
    if (kept.length === 0) isCut = true;
    const last = kept.at(-1);
    const mark = /[.,;:!?…]+$/.exec(word.trail)?.[0] ?? '';
    if (last === undefined || mark === '') return;
    // The comma before what went and the one behind it were a pair; any other mark closes what stands before it.
    if (/^[,;:]$/.test(last.trail)) last.trail = mark === ',' ? '' : mark;
    else if (!/[.,;:!?…]/.test(last.trail)) last.trail += mark;
  });
  if (kept.every(({ word }) => !/[\p{L}\p{N}]/u.test(word.core))) return '';
  const text = kept.map(({ text: core, trail }) => core + trail).join(' ');
  const first = kept[0]!.word;
  return isCut && first.lead === '' && /^\p{Ll}+(?:['’]\p{Ll}+)?$/u.test(first.core)
    ? text[0]!.toUpperCase() + text.slice(1)
    : text;
}
