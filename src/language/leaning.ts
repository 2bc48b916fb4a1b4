// Whether words can be read alone. What opens with a pronoun or an ellipsis leans on what was said before it. Which words do is data.

import { conjunctions, pointing } from '../base/generated/words.ts';
import { tokensOf } from '../base/tokenizer.ts';
import { anyOf, listed, oneOf } from '../base/words.ts';
import { timesIn, withoutTimes } from './moments.ts';

const opensSo = new RegExp(`^[^\\p{L}\\p{N}]*(?:…|\\.\\.\\.|${oneOf(listed(pointing))}(?![\\p{L}\\p{N}_-]))`, 'iu');

/** Tells whether a text opens with what points back: "That has no exceptions.", "… and on Fridays". "This week" points to a day. */
export function leansBack(text: string): boolean {
  if (!opensSo.test(text)) return false;
  const start = text.search(/[\p{L}\p{N}…]/u);
  const opening = text.slice(0, 80);
  return !timesIn(opening, { now: 0 }).some(({ index }) => index <= start);
}

const pointsBack = anyOf(pointing);
/** "I'll remind you a week before." */
const endsOpen = new RegExp(`\\b${oneOf(listed(conjunctions))}[^\\p{L}\\p{N}]*$`, 'iu');
/** Fewer terms do not say what is done: "I'll do both on Tuesday." Nor do they where one points back: "I'll ring them tomorrow." */
const [fewestTerms, fewestPointing] = [2, 4];

/** Tells whether a text leaves open what it is about. It points back anywhere, or has next to no words, beside its times. */
export function leavesOpen(text: string): boolean {
  const rest = withoutTimes(text);
  const terms = new Set(tokensOf(rest)).size;
  return terms < fewestTerms || (terms < fewestPointing && pointsBack.test(rest)) || endsOpen.test(text);
}

const endsAsking = /[?？؟]["'”’)\s]*$/;

/** Tells whether a text ends with a question. */
export const asks = (text: string): boolean => endsAsking.test(text);
