// Fields that several verbs share, by what they hold and what that means to whoever gives it.

import { z } from 'zod';
import { acceptableChanges } from '../../base/types/branches-types.ts';

/** A text that says something. */
export const filled = z.string().min(1, 'must not be empty');

/** A text that may be left out. */
export const maybe = (meaning: string) => filled.exactOptional().describe(meaning);

/** Texts that may be left out. */
export const several = (meaning: string) => z.array(filled).exactOptional().describe(meaning);

/** What holds only where it is said. */
export const flag = (meaning: string) => z.boolean().exactOptional().describe(meaning);

/** One of a few words, which may be left out. */
export const oneOf = <const Words extends readonly string[]>(words: Words, meaning: string) =>
  z.enum(words).exactOptional().describe(meaning);

/** What a verb with several actions is asked to do. */
export const actionOf = <const Words extends readonly string[]>(words: Words) =>
  oneOf(words, `what to do: ${words.join(', ')}; ${words[0]} if left out`);

/** Lets a verb take away so many memories that it looks like an accident. */
export const allowRemovals = flag(
  'also when more than a fifth of the memories, captures or pages, and at least ten, would go at once',
);

/** Lets a branch change what others may change only where a person accepts it. */
export const accept = z
  .array(z.enum(acceptableChanges))
  .exactOptional()
  .describe(`what the branch may change: ${acceptableChanges.join(', ')}`);
