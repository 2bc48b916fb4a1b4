// What of a text nothing made of it may lack: numbers, names, code, and what denies, forbids, limits, dates or sets a condition.

import * as words from '../../../base/generated/words.ts';
import { isStopWord } from '../../../base/tokenizer.ts';
import { anyOf, listed, oneOf } from '../../../base/words.ts';
import { timesIn } from '../../../language/index.ts';

const code = /[_`@#\\/=<>{}|$^]|[\p{L}\p{N}][.:][\p{L}\p{N}]|\(\)|^-{1,2}\p{L}/u;
const limiting = new Set(listed(words.limiting));

/** Lists them in lower case, without the signs around them. */
export function firmWordsOf(text: string): string[] {
  const found: string[] = [];
  let opens = true;
  for (const chunk of text.split(/\s+/)) {
    const word = chunk.replace(/^[("'“‘«[{*_~>`]+|[)"'”’»\]}*_~`.,;:!?…]+$/gu, '');
    const lower = word.toLowerCase().replaceAll('’', "'");
    // Every sentence begins with a capital: a common word is no name there.
    const isName = /\p{Lu}/u.test(word) && word !== 'I' && !/^i'/.test(lower) && !(opens && isStopWord(lower));
    if (word !== '' && (/\p{N}/u.test(word) || code.test(word) || isName || limiting.has(lower))) found.push(lower);
    opens = /[.!?:…]["”'’)\]]*$/u.test(chunk) || (opens && word === '');
  }
  return found;
}

/** From this probability on a sentence that no word gives away holds until it is taken back. */
const surelyStanding = 0.6;
const binding = new RegExp(`${anyOf(words.binding).source}|n['’]t\\b`, 'i');
/** A sentence that begins with what is to be done to something: "Wash it by hand". */
const instruction = new RegExp(`^\\P{L}*(\\p{L}+)(?<!s|ed|ing|ly) ${oneOf(listed(words.afterInstruction))}\\b`, 'iu');

/** Tells whether a sentence denies, forbids, instructs, limits, dates or sets a condition, or has a number or code; `standing` is its score. */
export function isBinding(sentence: string, standing: number): boolean {
  if (standing >= surelyStanding || /\p{N}/u.test(sentence) || code.test(sentence)) return true;
  const told = instruction.exec(sentence)?.[1];
  if (binding.test(sentence) || (told !== undefined && !isStopWord(told.toLowerCase()))) return true;
  return timesIn(sentence, { now: 0 }).some(({ unit }) => unit !== 'season' && unit !== 'year');
}
