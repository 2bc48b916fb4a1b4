// How much an item matters and how sure it is: two numbers and their names (spec 4). What follows from them is lifecycle/'s.

import { configurationDefaults } from '../records/generated/configuration-defaults.ts';
import type { MemoryCategory, MemoryRecord } from '../records/types.ts';

/** How sure an extracted item is, by name. */
export type ConfidenceTier = NonNullable<MemoryRecord['confidenceTier']>;

/** From which confidence on a tier begins, 0 to 1; below the last it is a guess. */
export interface ConfidenceTiers {
  readonly explicit: number;
  readonly implied: number;
  readonly inferred: number;
}

/** What memory.yaml says unless it says something else (spec 4). */
export const defaultTiers: ConfidenceTiers = configurationDefaults.extract.tiers;

/** Names a confidence; what is not a number is speculative (spec 4). */
export function confidenceTierOf(confidence: number, tiers: ConfidenceTiers = defaultTiers): ConfidenceTier {
  if (confidence >= tiers.explicit) return 'explicit';
  if (confidence >= tiers.implied) return 'implied';
  return confidence >= tiers.inferred ? 'inferred' : 'speculative';
}

/** What each trait of a text adds to its importance, or takes from it. */
export interface ImportanceWeights {
  readonly base: number;
  /** Wording such as "urgent", and such as "important". */
  readonly critical: number;
  readonly high: number;
  /** What hedging takes away. */
  readonly hedge: number;
  /** What a long text gets at most: nothing up to `lengthFrom` characters, all of it from `lengthTo` on. */
  readonly length: number;
  readonly lengthFrom: number;
  readonly lengthTo: number;
  readonly personal: number;
  readonly detail: number;
  /** For each important tag. */
  readonly tag: number;
  /** What trivial text has in all. */
  readonly trivial: number;
  readonly categories: Readonly<Partial<Record<MemoryCategory, number>>>;
}

/** What memory.yaml says unless it says something else (spec 4). */
export const defaultWeights: ImportanceWeights = configurationDefaults.extract.importance;

const critical =
  /\b(?:critical|crucial|vital|essential|emergency|urgent(?:ly)?|security|vulnerab\w+|password|outage|data loss|life[- ]threatening|safety|must (?:not|never|always)|never|legal(?:ly)?|deadline|abort)\b/i;
const high =
  /\b(?:important(?:ly)?|significant(?:ly)?|key|major|priority|always|must|required?|decided|agreed|remember|promise[ds]?|failure|failed|problem|blocked|blocker)\b/i;
const hedge =
  /\b(?:maybe|perhaps|possibly|might|could be|i think|i guess|i believe|probably|not sure|kind of|sort of|apparently|seems?|somewhat)\b/i;
const personal = /\b(?:i|me|my|mine|we|us|our|you|your)\b/i;
const detail = /\d|https?:\/\/|@\w|\b\p{Lu}{2,}\b|"[^"]+"/u;
const trivial =
  /^(?:ok(?:ay)?|yes|no|yeah|yep|nope|thanks?|thank you|hi|hello|hey|bye|sure|great|cool|nice|lol|haha|roger|copy|good (?:morning|night|evening))[\s.,!?]*$/i;

const importantTags: ReadonlySet<string> = new Set(
  'important critical urgent security deadline identity budget legal health p0 p1'.split(' '),
);

/**
 * Computes how important a text is, 0 to 1, to two places (spec 4), by default
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
export function importanceOf(
  content: string,
  category?: MemoryCategory,
  tags: readonly string[] = [],
  weights: ImportanceWeights = defaultWeights,
): number {
  const text = content.trim();
  if (text.length <= 10 || trivial.test(text)) return weights.trivial;
  const { lengthFrom, lengthTo } = weights;
  const longer =
    lengthTo <= lengthFrom ? Number(text.length > lengthFrom) : (text.length - lengthFrom) / (lengthTo - lengthFrom);
  const sum =
    weights.base +
    (critical.test(text) ? weights.critical : 0) +
    (high.test(text) ? weights.high : 0) -
    (hedge.test(text) ? weights.hedge : 0) +
    (category === undefined ? 0 : (weights.categories[category] ?? 0)) +
    weights.length * Math.min(1, Math.max(0, longer)) +
    (personal.test(text) ? weights.personal : 0) +
    (detail.test(text) ? weights.detail : 0) +
    weights.tag * tags.filter((tag) => importantTags.has(tag.toLowerCase())).length;
  return Math.round(Math.min(1, Math.max(0, sum)) * 100) / 100;
}
