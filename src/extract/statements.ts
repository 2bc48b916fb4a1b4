// Single statements as what they assert: their content words, in order, without openers, reasons and words of telling.

import { tokensOf } from '../base/tokenizer.ts';
import { labelledOf } from './labels.ts';

const opener =
  /^(?:(?:no|nope|wait|sorry|oops|actually|hold on|hmm|oh|correction|okay|ok|well|yes|right|from now on|going forward)\b[\s,.!:;–—-]*)+/i;
/** From here on the sentence gives reasons or goes on with something else. */
const aside =
  /\s*(?:[;(–—]|[,.!?:]?\s\b(?:because|since|so that|so|as it|as we|which|in order to|but|though|although)\b).*$/i;
/** Words that deny. */
export const denial =
  /\b(?:not|never|no longer|no|none|without|avoid|instead of|rather than|except|neither|nor|stop(?:ped)?|against)\b|n['’]t\b/i;
/** What holds sometimes, somewhere, once or perhaps neither takes back nor is taken back; nor does a tale of the past. */
export const qualified =
  /\b(?:if|unless|when|whenever|while|until|only|sometimes|usually|often|mostly|might|may(?! \d)|maybe|perhaps|could|probably|for now|for the moment|temporar\w+|today|tonight|tomorrow|this time|was|were|had|did|used to|ago|yesterday|last|previously|formerly|back then|both|either|or)\b/i;
/** Words of telling, not of what is told. */
const framing: ReadonlySet<string> = new Set(
  'decided agreed decide agree chose now instead actually longer anymore still already also from going forward please should must will shall never always'
    .split(' ')
    .flatMap((word) => tokensOf(word)),
);

/** One word of a statement. */
export interface Word {
  readonly text: string;
  /** Its content; empty for "the", "with" and words of framing. */
  readonly tokens: readonly string[];
}

/** What a statement says, word by word. */
export interface Statement {
  readonly words: readonly Word[];
  readonly tokens: ReadonlySet<string>;
}

/** Reads a text as a statement. */
export function statementOf(text: string): Statement {
  const words = text
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}.@/]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')
    .map((word) => ({ text: word.toLowerCase(), tokens: tokensOf(word).filter((token) => !framing.has(token)) }));
  return { words, tokens: new Set(words.flatMap(({ tokens }) => tokens)) };
}

/** Cuts a sentence to its main clause, without label, opener and reasons. */
export function clauseOf(content: string): string {
  const words = labelledOf(content)?.words ?? content;
  return words.replace(opener, '').replace(aside, '');
}
