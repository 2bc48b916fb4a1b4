// Tells small talk from what says something: "Perfect.", "Go on, please."

import { tokensOf } from '../../base/tokenizer.ts';
import { type Scores, shortTurn } from '../../language/index.ts';
import { namesIn } from './names.ts';

/** So short a turn with so few terms is small talk, unless scorers plainly say what it is, or that it is worth it. */
const fewTerms = 4;
const likely = 0.6;
const plainly = 1.1;

export function isSmallTalk(text: string, { worth, categoryProbability }: Scores): boolean {
  const isPlain = worth >= likely || worth + categoryProbability >= plainly;
  if (text.trim().length >= shortTurn || isPlain) return false;
  return new Set([...tokensOf(text), ...namesIn(text)]).size < fewTerms;
}
