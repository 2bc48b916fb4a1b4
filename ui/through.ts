// The same question on every day: asks both ends, halves where they differ, and so finds the days on which the answer turned without
// asking on each. Answers are kept by question and day.

import type { RecallHit, RecallResult } from '../src/base/types.ts';
import { ask } from './state.ts';

/** How many hits count as the answer. */
export const ranks = 3;

/** The first hits of a day, best first, by their keys. */
export type DayAnswer = readonly string[];

/** Names what was found, so that two days can be compared. */
export function keyOf(hit: RecallHit): string {
  return hit.id ?? `${hit.path}#${hit.turn ?? hit.line}`;
}

/** What is known so far of a question through time. */
export interface Through {
  /** By the index of the day; absent where it was not asked, nor follows from its neighbours. */
  readonly answers: readonly (DayAnswer | undefined)[];
  readonly hits: ReadonlyMap<string, RecallHit>;
  readonly asked: number;
  readonly isDone: boolean;
}

const kept = new Map<string, Promise<RecallResult>>();
const mostKept = 2000;

function recallOn(query: string, day: string, last: string, stamp: number): Promise<RecallResult> {
  // The last day goes on; the others are over.
  const key = JSON.stringify([query, day, day === last ? stamp : 0]);
  let answer = kept.get(key);
  if (answer === undefined) {
    answer = ask<RecallResult>('recall', { query, limit: ranks }, day);
    kept.set(key, answer);
    answer.catch(() => kept.delete(key));
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  }
  return answer;
}

/**
 * Asks through the days and tells each time more is known. Days between two with the same answer are taken to have it, too.
 *
 * @param days Days on which something was written, oldest first: between them nothing can turn.
 */
export async function askThrough(
  query: string,
  days: readonly string[],
  stamp: number,
  signal: AbortSignal,
  tell: (through: Through) => void,
): Promise<void> {
  const answers: (DayAnswer | undefined)[] = days.map(() => undefined);
  const hits = new Map<string, RecallHit>();
  let asked = 0;
  const report = (isDone: boolean) => !signal.aborted && tell({ answers: [...answers], hits, asked, isDone });
  const answerOn = async (index: number): Promise<DayAnswer> => {
    const known = answers[index];
    if (known !== undefined) return known;
    const result = await recallOn(query, days[index]!, days.at(-1)!, stamp);
    asked += 1;
    for (const hit of result.hits) hits.set(keyOf(hit), hit);
    const answer = result.hits.slice(0, ranks).map(keyOf);
    answers[index] = answer;
    return answer;
  };
  const spans: [number, number][] = days.length === 0 ? [] : [[0, days.length - 1]];
  // The widest first, so that the picture is right in the large before it is in the small.
  for (let span = spans.shift(); span !== undefined && !signal.aborted; span = spans.shift()) {
    const [from, to] = span;
    const [one, other] = [await answerOn(from), await answerOn(to)];
    if (to - from > 1) {
      if (one.join('\n') === other.join('\n') && to - from <= days.length / 4) {
        for (let index = from + 1; index < to; index += 1) answers[index] ??= one;
      } else {
        const middle = (from + to) >> 1;
        spans.push([from, middle], [middle, to]);
      }
    }
    report(false);
  }
  report(true);
}
