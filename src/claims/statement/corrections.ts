// Corrections that name nothing but the right value, restated: "Tank holds 2,000 litres. Correction: 20,000." says "Tank holds 20,000 litres".

import { splitSentences } from '../../base/sentences.ts';
import { type Value, valuesOf } from '../reading/values.ts';
import type { Said } from '../said.ts';

/** What comes before the value; one of the words has to take something back. */
const opening =
  /^(?:(?:oh|ah|argh|ugh|hm+|well|wait|oops|no|nope|sorry|actually|correction|erratum|rather|i (?:meant|mean)|make (?:it|that)|(?:that|it|this|i) was wrong|(?:it|that)(?:'s| is)|(?:it |that )?should (?:be|read|say|have been))\b[\s,:.!—–-]*)+/i;
const takesBack = /\b(?:wait|oops|nope?|sorry|actually|correction|erratum|rather|meant|make|should|wrong)\b/i;
const corrects =
  /^\W*(?:(?:oh|ah|argh|ugh)\W+)?(?:no|nope|sorry|oops|wait|wrong)\b|\b(?:wrong (?:row|line|column|page|one)|my mistake|misread)\b/i;
/** What follows the value: "it's room 6, they changed the plan". */
const remark = /(?:,(?= (?!\d))|;| [–—-] | \(| because\b| since\b).*$/su;
/** So many sentences before a correction are looked at. */
const sentencesBefore = 4;

/** Gives the sentence that a bare value corrects, with that value; undefined where a sentence is no such correction or could mean several. */
export function restated({ text, speaker, before }: Said): string | undefined {
  const lead = opening.exec(text)?.[0] ?? '';
  const own = before.flatMap((turn) => (turn.speaker === speaker ? splitSentences(turn.text) : []));
  // "Sorry, read the wrong row. 16:50."
  const isCorrecting = /^\W*[\d.:]+\W*$/.test(text) && corrects.test(own.at(-1) ?? '');
  if (!takesBack.test(lead) && !isCorrecting) return undefined;
  const words = text
    .slice(lead.length)
    .replace(remark, '')
    .replace(/[\s.!]+$/, '');
  const said = own.slice(-sentencesBefore).toReversed();
  const numbered = withNumberOf(words, said);
  if (numbered !== undefined) return numbered;
  const [right, ...more] = valuesOf(words);
  if (right === undefined || more.length > 0 || right.end < words.length) return undefined;
  // "Room 6" corrects "room 4" alone.
  const noun = words.slice(0, right.start).toLowerCase();
  if (!/^(?:\p{Alpha}+ ){0,2}$/u.test(noun)) return undefined;
  for (const sentence of said) {
    const wrong = valuesOf(sentence).filter(
      (value) => isOfKind(value, right) && sentence.slice(0, value.start).toLowerCase().endsWith(noun),
    );
    if (wrong.length > 1 || /\?\s*$/.test(sentence)) return undefined;
    const [value] = wrong;
    if (value === undefined) continue;
    const { start, end } = value;
    const wrongWords = sentence.slice(start, end);
    // A bare number keeps the unit of the wrong one.
    const bare = words.slice(right.start);
    const corrected = value.type !== right.type ? wrongWords.replace(/^[\d.,\s]*\d/, bare) : bare;
    return `${sentence.slice(0, start)}${corrected}${sentence.slice(end)}`;
  }
  return undefined;
}

/** "It is 8 Quayside, not 3": the sentence with another number before the same words. */
function withNumberOf(words: string, sentences: readonly string[]): string | undefined {
  const [, right, rest = ''] = /^(\d+\p{Alpha}?) (\p{Alpha}[\p{Alpha}\d' -]*)$/u.exec(words) ?? [];
  if (right === undefined) return undefined;
  const wrong = new RegExp(`(?<![\\p{Alpha}\\d])\\d+\\p{Alpha}?(?= ${rest}(?![\\p{Alpha}\\d]))`, 'iu');
  return sentences.find((sentence) => wrong.test(sentence))?.replace(wrong, right);
}

const isOfKind = (value: Value, right: Value): boolean =>
  value.type === right.type
    ? value.unit === right.unit
    : right.type === 'number' && (value.type === 'amount' || value.type === 'money');
