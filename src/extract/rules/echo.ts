// An assistant repeats what a person said, with other words around it. Where that ends, the repetition ends, too.

import { tokensOf } from '../../base/tokenizer.ts';

/** So much of what an echo says was said before; less where it says itself that it repeats. */
const leastShared = { said: 0.6, heard: 0.4 };

/** "Noted": says that something was heard, and nothing of what. */
const noted = 'noted|ok|okay|understood|got it|sure|alright|done|saved|will do|added|updated';
/** Tells whether a turn begins so. */
export const opensAsHeard = (turn: string): boolean => opening.test(turn);
const opening = new RegExp(`^\\W*(?:${noted})\\b`, 'i');
/** All that opens such a turn, thanks and praise included. */
const heard = new RegExp(
  `^\\W*(?:(?:${noted}|thanks|thank you|right|great|perfect|good|i(?:'ve| have)? (?:noted|saved|added|updated)(?: (?:it|that|this))?)\\b[\\s,.!:;–—-]*)+`,
  'iu',
);

/** Tells whether an answer says little else than what it answers, by the words of that. */
export function isEcho(answer: string, said: ReadonlySet<string>): boolean {
  const words = new Set(tokensOf(answer.replace(heard, '')));
  const shared = [...words].filter((word) => said.has(word)).length;
  return words.size > 0 && shared / words.size >= (heard.test(answer) ? leastShared.heard : leastShared.said);
}
