// An assistant repeats what a person said, with other words around it. Where that ends, the repetition ends, too.

import { tokensOf } from '../base/tokenizer.ts';

/** So much of what an echo says was said before; less where it says itself that it repeats. */
const leastShared = { said: 0.6, heard: 0.4 };

/** "Noted, ...": says that it was heard, and nothing of what. */
const heard =
  /^\W*(?:(?:noted|ok|okay|understood|got it|sure|thanks|thank you|right|alright|done|saved|great|perfect|good|will do|added|updated|i(?:'ve| have)? (?:noted|saved|added|updated)(?: (?:it|that|this))?)\b[\s,.!:;–—-]*)+/iu;

/** Tells whether an answer says little else than what it answers. */
export function isEcho(answer: string, said: string): boolean {
  const words = new Set(tokensOf(answer.replace(heard, '')));
  const before = new Set(tokensOf(said));
  const shared = [...words].filter((word) => before.has(word)).length;
  return words.size > 0 && shared / words.size >= (heard.test(answer) ? leastShared.heard : leastShared.said);
}
