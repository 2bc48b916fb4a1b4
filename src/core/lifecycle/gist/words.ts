// What of a text nothing made of it may lack: numbers, names, code, and what denies, forbids, limits, dates or sets a condition.

import * as words from '../../../base/generated/words.ts';
import { isStopWord } from '../../../base/tokenizer.ts';
import { anyOf, listed, oneOf } from '../../../base/words.ts';
import { type Category, categories, type Scores, thresholds, timesIn } from '../../../language/index.ts';

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

/** From these on a sentence holds until it is taken back, or rules. Of 813 binding sentences four are lost, with 0.45 to 0.7 and 0.4 to 0.6 alike. */
const surely = { standing: 0.6, ruling: 0.5 };
const binding = new RegExp(`${anyOf(`${words.binding}, ${words.tellingSo}`).source}|n['’]t\\b`, 'i');
/** Rules have them, and so have stories: "Three vendors came". */
const amount = anyOf(words.amounts);
/** A sentence that begins with what is to be done to something: "Wash it by hand". */
const instruction = new RegExp(`^\\P{L}*(\\p{L}+)(?<!s|ed|ing|ly) ${oneOf(listed(words.afterInstruction))}\\b`, 'iu');

const pasts = oneOf(listed(words.pastForms));
const noDeeds = oneOf(listed(`${words.being}, ${words.beforeParticiples}`));
/** "We painted it", "it was green"; "painted" in "the painted gate" and "is painted" tells of no deed, nor does "unpainted". */
const done = new RegExp(
  [
    anyOf(`${words.pastAuxiliaries}, ${words.tellingForms}`).source,
    `(?<=\\w )(?<!\\b${noDeeds} )\\b(?!un|${oneOf(listed(words.unchanging))}\\b)(?:${pasts}|\\w+[^\\We]ed)\\b`,
  ].join('|'),
  'i',
);
/** "They can be washed", "cups are washed". */
const ruled = new RegExp(
  `${anyOf(words.obliging).source}|\\b${oneOf(listed(words.being))} (?:\\w+ ){0,2}?(?:${pasts}|\\w+(?:ed|en|wn))\\b`,
  'i',
);
const own = anyOf(words.ownPerson);
const opensOwn = new RegExp(`^\\P{L}*${oneOf(listed(words.speakers))}\\b`, 'iu');
const musing = anyOf(words.musing);

/**
 * Says whether a gist may lack a sentence. What tells of deeds or feelings and has no word of a rule is `told`. What has names or amounts
 * besides, or is less sure, goes `late`. All else `stays`: it may deny, forbid, instruct, limit, date or set a condition.
 */
export function lossOf(sentence: string, { standing, shares, worth }: Scores): 'told' | 'late' | 'stays' {
  const share = (category: Category): number => shares[categories.indexOf(category)]!;
  const ruling =
    share('constraint') + share('procedure') + share('commitment') - share('moment') - share('relationship');
  if (standing >= surely.standing || ruling > surely.ruling || isBinding(sentence)) return 'stays';
  const isDone = done.test(sentence) && !ruled.test(sentence);
  if (amount.test(sentence)) return isDone ? 'late' : 'stays';
  const isLate = hasName(sentence);
  if (isDone || opensOwn.test(sentence)) return isLate ? 'late' : 'told';
  return own.test(sentence) || musing.test(sentence) || (worth < thresholds().keep! && ruling < 0) ? 'late' : 'stays';
}

function isBinding(sentence: string): boolean {
  if (/\p{N}/u.test(sentence) || code.test(sentence) || binding.test(sentence)) return true;
  const told = instruction.exec(sentence)?.[1];
  if (told !== undefined && !isStopWord(told.toLowerCase())) return true;
  return timesIn(sentence, { now: 0 }).some(({ unit }) => unit !== 'season' && unit !== 'year');
}

/** Tells whether a word with a capital stands behind the first one, or a capital inside it. */
function hasName(sentence: string): boolean {
  const [first = '', ...others] = sentence.split(' ');
  const isName = (word: string): boolean =>
    /\p{Lu}/u.test(word) && !/^\P{L}*I\P{L}*(?:['’]\p{Ll}+)?\P{L}*$/u.test(word);
  return /\p{L}\p{Lu}/u.test(first) || others.some(isName);
}
