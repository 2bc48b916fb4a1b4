// How much an item matters and how sure it is: two numbers and their names (spec 4). What follows from them is lifecycle/'s.

import * as words from '../../base/generated/words.ts';
import type { MemoryCategory, MemoryRecord } from '../../base/types/stored-types.ts';
import { anyOf, listed, oneOf } from '../../base/words.ts';
import { normalImportance } from '../lifecycle/ageing.ts';

/** How sure an extracted item is, by name. */
export type ConfidenceTier = NonNullable<MemoryRecord['confidenceTier']>;

/** From this confidence on what is extracted is more than a guess. */
export const leastInferred = 0.4;

/** Names a confidence; what is not a number is speculative (spec 4). */
export function confidenceTierOf(confidence: number): ConfidenceTier {
  if (confidence >= 0.95) return 'explicit';
  if (confidence >= 0.7) return 'implied';
  return confidence >= leastInferred ? 'inferred' : 'speculative';
}

/** From this probability on a category that rules read counts as one that was given. The design of the third round says so. */
export const sureFrom = 0.8;

/**
 * Gives how likely a claim is of its category: 1 where an agent, a model or a person gave that. What is less than {@link sureFrom} is no event of
 * the ledger. What rules alone read is the words as they were said, with a probability: it has neither a statement nor an attribute.
 */
export function certaintyOf({
  confidence,
  statement,
  attribute,
}: Pick<MemoryRecord, 'confidence' | 'statement' | 'attribute'>): number {
  const isRead = confidence !== undefined && statement === undefined && attribute === undefined;
  return isRead ? confidence : 1;
}

const trivialImportance = 0.1;
/** How important a memory is whose worth is not sure: less than anything that spec 4's sum gives to plain words. */
export const minorImportance = 0.3;
/** What is worth keeping matters more than that, however short it is: "I'm vegan." */
export const leastKept = 0.35;
/** What the category of an item adds. */
const ofCategories: Readonly<Partial<Record<MemoryCategory, number>>> = {
  correction: 0.15,
  principle: 0.12,
  preference: 0.1,
  commitment: 0.1,
  decision: 0.08,
  relationship: 0.05,
  skill: 0.05,
  moment: 0.03,
  entity: 0.02,
};
/** Up to so many characters a text gets nothing for its length, and from so many on all of that. */
const lengthFrom = 200;
const lengthTo = 600;

const critical = anyOf(words.critical);
const high = anyOf(words.important);
const hedge = anyOf(words.hedge);
const personal = anyOf(words.personal);
const detail = /\d|https?:\/\/|@\w|\b\p{Upper}{2,}\b|"[^"]+"/u;
const trivial = new RegExp(`^${oneOf(listed(words.trivial))}[\\s.,!?]*$`, 'i');
const importantTags: ReadonlySet<string> = new Set(listed(words.importantTags));

/**
 * Computes how important a text is, 0 to 1, to two places (spec 4)
 *
 * ```
 * 0.5  + 0.20 critical wording  + 0.12 high wording  − 0.15 hedging          once each
 *      + the category's (correction 0.15 … entity 0.02)
 *      + up to 0.1 for length: 0 at 200 characters, all of it at 600
 *      + 0.05 personal pronoun  + 0.03 number or detail  + 0.05 per important tag
 * ```
 *
 * Trivial text ("okay", or ten characters and fewer) is 0.1.
 */
export function importanceOf(content: string, category?: MemoryCategory, tags: readonly string[] = []): number {
  const text = content.trim();
  if (text.length <= 10 || trivial.test(text)) return trivialImportance;
  const longer = (text.length - lengthFrom) / (lengthTo - lengthFrom);
  const sum =
    normalImportance +
    (critical.test(text) ? 0.2 : 0) +
    (high.test(text) ? 0.12 : 0) -
    (hedge.test(text) ? 0.15 : 0) +
    (category === undefined ? 0 : (ofCategories[category] ?? 0)) +
    0.1 * Math.min(1, Math.max(0, longer)) +
    (personal.test(text) ? 0.05 : 0) +
    (detail.test(text) ? 0.03 : 0) +
    0.05 * tags.filter((tag) => importantTags.has(tag.toLowerCase())).length;
  return Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100;
}
