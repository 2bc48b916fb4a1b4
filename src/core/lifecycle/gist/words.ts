// The words of a text that nothing made of it may lack: numbers, names, code, and what denies.

import * as words from '../../../base/generated/words.ts';
import { isStopWord } from '../../../base/tokenizer.ts';
import { listed } from '../../../base/words.ts';

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
