// What use does to a memory (spec 1): it is known better, decays from now on, and in another domain grows stronger.

import type { MemoryRecord } from '../../base/types/stored-types.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import { reviewPriorityOf, scoreOf } from '../../store/records/strength.ts';

/** One use of a memory. */
export interface Use {
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
  /** The tags of what it was used for; they tell whether that is another domain. */
  readonly tags?: readonly string[];
  /** The use mattered: it makes the memory stronger, too. */
  readonly boost?: boolean;
}

/** The part of the configuration that use follows. */
export type UseRules = Pick<Configuration, 'decay'>;

/** Among tags that are less like its own (Jaccard index), a use of a memory is one in another domain. */
const sameDomain = 0.3;
const crossDomainGain = 0.05;
const boostGain = 0.1;
const maxStrength = 2;

/** Reinforces a memory: last used now, used and reviewed once more. A use in another domain, or one that is boosted, adds to its strength. */
export function reinforced(record: MemoryRecord, use: Use, { decay }: UseRules): MemoryRecord {
  const seconds = Math.floor(use.now / 1000);
  const isAbroad = isOtherDomain(record.meta.tags, use.tags ?? []);
  const gain = (isAbroad ? crossDomainGain : 0) + (use.boost ? boostGain : 0);
  const used: MemoryRecord = {
    ...record,
    lastUsed: Math.max(record.lastUsed, seconds),
    useCount: record.useCount + 1,
    lastReviewAt: Math.max(record.lastReviewAt ?? seconds, seconds),
    reviewCount: record.reviewCount + 1,
    // A memory that is stronger than the cap, by hand or from another tool, is not made weaker by use.
    strength: Math.max(record.strength, Math.min(record.strength + gain, maxStrength)),
    crossDomainCount: record.crossDomainCount + (isAbroad ? 1 : 0),
  };
  return { ...used, reviewPriority: reviewPriorityOf(scoreOf(used, use.now, decay)) };
}

function isOtherDomain(own: readonly string[], others: readonly string[]): boolean {
  const mine = new Set(own.map((tag) => tag.toLowerCase()));
  const theirs = new Set(others.map((tag) => tag.toLowerCase()));
  if (mine.size === 0 || theirs.size === 0) return false;
  const shared = [...mine].filter((tag) => theirs.has(tag)).length;
  return shared / (mine.size + theirs.size - shared) < sameDomain;
}
