// Spaced repetition (spec 1): which memories are worth coming back to before they are forgotten, and what to do with weak ones.

import { firstOf } from '../../base/largest-values.ts';
import type { MemoryRecord } from '../../base/types/stored-types.ts';
import { type Stored, vitalsOf } from '../../store/memory-catalog.ts';
import { dangerMax, isInDanger, reviewPriorityOf, scoreOf } from '../../store/records/strength.ts';
import { type AgeingRules, ageingOf, protectionOf } from './ageing.ts';

/** How urgent a weak memory is, and what fits it. */
export interface Triage {
  readonly urgency: 'high' | 'medium' | 'low';
  readonly action: 'reinforce' | 'collect' | 'consolidate' | 'promote';
}

/** A memory with what time has made of it. */
export interface Reviewed extends Triage {
  readonly stored: Stored<MemoryRecord>;
  readonly score: number;
  readonly priority: number;
}

/** From this priority on a memory in the danger zone is due. */
const duePriority = 0.3;
/** So many are named as due. */
export const dueLimit = 50;

/** Says what fits a weak memory, by its score, uses and strength (CortexGraph's decay analyser). */
export function triageOf({ useCount, strength }: Pick<MemoryRecord, 'useCount' | 'strength'>, score: number): Triage {
  if (score < 0.1) {
    const action = useCount >= (score < 0.05 ? 5 : 3) ? 'reinforce' : 'collect';
    return { urgency: 'high', action };
  }
  const urgency = score < 0.25 ? 'medium' : 'low';
  return { urgency, action: score < 0.2 ? 'consolidate' : strength >= 1.5 ? 'promote' : 'reinforce' };
}

/** Lists the active memories that are due for review, the most worthwhile first, at most `limit`; default {@link dueLimit}. */
export function dueForReview(
  memories: Iterable<Stored<MemoryRecord>>,
  now: number,
  rules: AgeingRules,
  limit: number = dueLimit,
): Reviewed[] {
  const due = reviewed(memories, now, rules).filter(
    ({ score, priority }) => isInDanger(score) && priority >= duePriority,
  );
  return firstOf(due, (a, b) => b.priority - a.priority || byPath(a, b), limit);
}

/** Lists the active memories that are at the end of the danger zone or below it, weakest first, at most `limit`; default: all. */
export function weakMemories(
  memories: Iterable<Stored<MemoryRecord>>,
  now: number,
  rules: AgeingRules,
  limit?: number,
): Reviewed[] {
  const weak = reviewed(memories, now, rules).filter(({ score }) => score < dangerMax);
  return firstOf(weak, (a, b) => a.score - b.score || byPath(a, b), limit ?? Math.max(1, weak.length));
}

/** Counts the weak memories with which something is to be done now. */
export function urgentAmong(memories: Iterable<Stored<MemoryRecord>>, now: number, rules: AgeingRules): number {
  let count = 0;
  for (const stored of memories) {
    const vitals = vitalsOf(stored);
    if (vitals.status !== 'active' || scoreOf(vitals, now, rules.decay) >= dangerMax) continue;
    if (ageingOf(vitals, now, rules) !== null) count += 1;
  }
  return count;
}

function reviewed(memories: Iterable<Stored<MemoryRecord>>, now: number, rules: AgeingRules): Reviewed[] {
  const found: Reviewed[] = [];
  for (const stored of memories) {
    const vitals = vitalsOf(stored);
    if (vitals.status !== 'active') continue;
    const score = scoreOf(vitals, now, rules.decay);
    const triage = triageOf(vitals, score);
    const isKept = triage.action === 'collect' && protectionOf(vitals, now) !== undefined;
    const action = isKept ? 'reinforce' : triage.action;
    found.push({ stored, score, priority: reviewPriorityOf(score), ...triage, action });
  }
  return found;
}

const byPath = (a: Reviewed, b: Reviewed): number => (a.stored.path < b.stored.path ? -1 : 1);

/**
 * Blends what is due for review into results, both best first: two results, one review, and so on, `limit` in all, nothing twice.
 * `⌊limit · ratio⌋` places are for reviews; places that one side cannot fill go to the other.
 */
export function blendReviews<Item>(
  results: readonly Item[],
  reviews: readonly Item[],
  { limit, ratio, keyOf }: { limit: number; ratio: number; keyOf: (item: Item) => string },
): Item[] {
  const slots = Math.floor(limit * ratio);
  const known = new Set(results.slice(0, limit - slots).map(keyOf));
  const added = reviews.filter((item) => !known.has(keyOf(item))).slice(0, slots);
  const due = new Set(added.map(keyOf));
  const first = results.filter((item) => !due.has(keyOf(item))).slice(0, limit - added.length);
  const blended: Item[] = [];
  for (let result = 0, review = 0; result < first.length || review < added.length; ) {
    const isTurnOfReview = blended.length % 3 === 2;
    if (review < added.length && (isTurnOfReview || result >= first.length)) blended.push(added[review++]!);
    else if (result < first.length) blended.push(first[result++]!);
    else break;
  }
  return blended;
}
