// Who is looked at: slots of a view with their numbers, those worth ranking further, and the order of the best.

import { LargestValues } from '../base/largest-values.ts';
import type { Layout } from './layout.ts';
import { maxLimit, recallDefaults } from './recall-options.ts';

/** So many documents, the best by words and session, are looked at further, whatever the limit. */
const poolSize = maxLimit;
/** Where dates and use may move a score by more, words alone do not choose who is looked at. */
export const maxMoved = 0.25;

/**
 * Drops the last digits of a number.
 *
 * The word index keeps running averages whose last bits depend on the order in which documents came; ranks must not.
 */
export function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

/** A document with its score; `at` is its place in the list that was scored. */
export interface Candidate {
  readonly slot: number;
  readonly at: number;
  readonly score: number;
}

/** Lists the slots of a view that are meant. */
export function slotsOf(layout: Layout, isMeant: (slot: number) => boolean): Int32Array {
  const slots = new Int32Array(layout.count);
  let size = 0;
  for (let slot = 0; slot < layout.size; slot++) if (isMeant(slot)) slots[size++] = slot;
  return slots.subarray(0, size);
}

/** Gives a number for each slot, in their order. */
export function pick(slots: Int32Array, valueAt: (slot: number) => number): Float64Array {
  const values = new Float64Array(slots.length);
  for (let at = 0; at < values.length; at++) values[at] = valueAt(slots[at]!);
  return values;
}

/** Finds the value that `count` others reach, or nearly: numbers that differ in their last digits are equal. */
function thresholdOf(values: Float64Array, count: number): number {
  const largest = new LargestValues(count);
  for (let at = 0; at < values.length; at++) largest.add(values[at]!);
  return largest.least * (1 - 1e-5);
}

/** Gives the largest value above zero, or 1 where there is none. */
function most(values: Float64Array): number {
  let largest = 0;
  for (let at = 0; at < values.length; at++) if (values[at]! > largest) largest = values[at]!;
  return largest || 1;
}

/** Chooses the best by words and session; those that tie with the last are all chosen. */
export function poolOf(
  slots: Int32Array,
  wordsOf: (slot: number) => number,
  sessionOf: (slot: number) => number,
): Int32Array {
  if (slots.length <= poolSize) return slots;
  // Loops, for every document with a word of the query is looked at here.
  const words = pick(slots, wordsOf);
  const session = pick(slots, sessionOf);
  const [mostWords, mostSession] = [most(words), most(session)];
  for (let at = 0; at < words.length; at++) {
    words[at] = words[at]! / mostWords + (recallDefaults.sessionWeight * session[at]!) / mostSession;
  }
  const threshold = thresholdOf(words, poolSize);
  const chosen = new Int32Array(slots.length);
  let size = 0;
  for (let at = 0; at < words.length; at++) if (words[at]! >= threshold) chosen[size++] = slots[at]!;
  return chosen.slice(0, size);
}

/** Orders documents of equal score: the newest first, then by place. */
function before({ corpus }: Layout, one: number, other: number): number {
  const { times } = corpus.columns;
  const [time, otherTime] = [times[one]!, times[other]!];
  if (time !== otherTime && !(Number.isNaN(time) && Number.isNaN(otherTime))) {
    return (
      (Number.isNaN(otherTime) ? Number.NEGATIVE_INFINITY : otherTime) -
      (Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time)
    );
  }
  const [place, otherPlace] = [corpus.placeOf(one), corpus.placeOf(other)];
  if (place.path !== otherPlace.path) return place.path < otherPlace.path ? -1 : 1;
  return place.line - otherPlace.line;
}

/** Gives the best candidates, sorted by score, then date and place. */
export function bestOf(scores: Float64Array, slots: Int32Array, layout: Layout, limit: number): Candidate[] {
  const threshold = thresholdOf(scores, limit);
  const candidates: Candidate[] = [];
  for (let at = 0; at < scores.length; at++) {
    if (scores[at]! >= threshold) candidates.push({ slot: slots[at]!, at, score: rounded(scores[at]!) });
  }
  return candidates
    .sort((one, other) => other.score - one.score || before(layout, one.slot, other.slot))
    .slice(0, limit);
}
