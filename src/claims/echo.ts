// An assistant repeats what a person said, with other words around it. Where that ends, the repetition ends, too.

import { tokensOf } from '../base/tokenizer.ts';

/** So much of what an echo says was said before. */
const leastShared = 0.6;

/** Tells whether an answer says little else than what it answers. */
export function isEcho(answer: string, said: string): boolean {
  const words = new Set(tokensOf(answer));
  const before = new Set(tokensOf(said));
  const shared = [...words].filter((word) => before.has(word)).length;
  return words.size > 1 && shared / words.size >= leastShared;
}
