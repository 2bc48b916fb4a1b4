// Tells small talk from what says something: "Perfect.", "Go on, please."

import { tokensOf } from '../../base/tokenizer.ts';
import { type Scores, shortTurn } from '../../language/index.ts';
import { namesIn } from './names.ts';

/** So short a turn with so few words that carry a meaning is small talk, unless the scorers plainly say what it is. */
const fewTerms = 4;
const plainly = 1.1;

export function isSmallTalk(text: string, { worth, categoryProbability }: Scores): boolean {
  if (text.trim().length >= shortTurn || worth + categoryProbability >= plainly) return false;
  return new Set([...tokensOf(text), ...namesIn(text)]).size < fewTerms;
}
