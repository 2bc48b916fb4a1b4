// The form of a rule: a pattern over one sentence, what it means, and how sure that is.

import type { MemoryCategory } from '../../records/types.ts';

/**
 * Recognises one way of saying something worth keeping.
 *
 * Patterns are tried on single sentences of at most 400 characters. Where a group repeats, each round begins with a space and
 * holds none, so that there is one way to match and no text can make them slow.
 */
export interface Rule {
  readonly category: MemoryCategory;
  readonly pattern: RegExp;
  /** 0 to 1; see the tiers in importance.ts. */
  readonly confidence: number;
  readonly tags?: readonly string[];
  /** Only in turns of this role. */
  readonly role?: 'user' | 'agent';
  /** Only when a person said it: a program that announces its next step commits nobody. */
  readonly personOnly?: boolean;
  /** Only when the sentence names a day; where the pattern has a group `due`, that part of it. */
  readonly needsDay?: boolean;
  /** Not if this fits the sentence as well. */
  readonly unless?: RegExp;
  /** The fewest words with meaning of their own that the sentence must have; default 3. */
  readonly minTerms?: number;
  /** A question counts as well: "Can you remind me to …?" */
  readonly mayAsk?: boolean;
  /** Not in the first sentence after somebody's question: "No, the colour is red" answers, and takes nothing back. */
  readonly isNoAnswer?: boolean;
  /** Words before the statement, such as "if" or "maybe", do not take it back. */
  readonly mayBeSupposed?: boolean;
}

/** Words of a pattern, joined for use inside `(?:…)`. */
export function anyOf(words: string): string {
  return words.trim().split(/\s+/).join('|').replaceAll('_', ' ');
}

/** Gives rules that all find the same kind of thing. */
export function rulesOf(category: MemoryCategory, rules: readonly Omit<Rule, 'category'>[]): Rule[] {
  return rules.map((rule) => ({ category, ...rule }));
}
