// Tells how far a fact can be relied on, by its age in days (spec 3, confidence decay). A pure function of a line and a day.

import { defined } from '../../base/errors.ts';
import { daysBetween } from '../../base/time.ts';
import type { Freshness } from '../../base/types/knowledge-types.ts';

export const freshnessStates: readonly Freshness[] = ['stale', 'aging', 'undated', 'fresh', 'lasting'];

/** From how many days on a fact is aging, and above how many it is stale; `knowledge` of memory.yaml. */
export interface FreshnessRules {
  readonly freshDays: number;
  readonly staleDays: number;
}

/** Tells the state of a fact on a day, and its age in days where that is known; what lies ahead is of today. */
export function freshnessOf(
  { verified, decays }: { readonly verified?: string; readonly decays: boolean },
  day: string,
  { freshDays, staleDays }: FreshnessRules,
): { readonly state: Freshness; readonly ageDays?: number } {
  const ageDays = verified === undefined ? undefined : Math.max(0, daysBetween(verified, day));
  const aged = defined({ ageDays });
  if (!decays) return { state: 'lasting', ...aged };
  if (ageDays === undefined) return { state: 'undated' };
  return { state: ageDays < freshDays ? 'fresh' : ageDays <= staleDays ? 'aging' : 'stale', ...aged };
}
