// A sentence cut into clauses, each with a verb of its own where it can have one.

import { valuesOf } from './values.ts';
import { wordsOf } from './words.ts';

/** Tells whether a text has a verb. */
export const isVerbal = (text: string): boolean =>
  wordsOf(text).some(({ kind }) => kind === 'verb' || kind === 'auxiliary') ||
  /\b(?:it|he|she|that|there|here|what|who|where|when|how)'s\b/i.test(text) ||
  /['’](?:s|re|m|ve|ll) (?!\p{Upper})/u.test(text) ||
  /\bi(?:m|ve)\b/i.test(text);

const opening =
  /^\s*(?:no|nope|yes|yeah|yep|sorry|ugh|oh|oops|hey|well|ok|okay|hm+|wait|btw|fyi|heads up|sure|right|correction|(?:oops,? )?typo|update|noted|understood|got it|thanks|thank you|roger)\W*$/i;
const ownSubject =
  /^\s*(?:and |but |so )?(?:(?:[Ii]|[Ww]e|[Hh]e|[Ss]he|[Ii]t|[Tt]hey)(?:'|\b)|(?:[Tt]he|[Mm]y|[Oo]ur|[Hh]is|[Hh]er|[Tt]heir) \p{Alpha})|^\s*(?:but|so) \p{Upper}\p{Alpha}*\.? /u;
/** "Simon and I called it off": the first is no clause. */
const isJoined = (lead: string, part: string): boolean =>
  /^\s*and (?:i|we|he|she|they)\b/i.test(part) && /^\W*\p{Alpha}+(?: \p{Alpha}+)?$/u.test(lead);
/** "Big drama in the club, Stefan threw the towel": what comes first is a remark. */
const isRemark = (lead: string, part: string): boolean =>
  /^\s*\p{Upper}\p{Lower}+ \p{Lower}/u.test(part) && lead.trim().split(' ').length > 2 && valuesOf(lead).length === 0;
const isShortLabel = (text: string): boolean => /^\W*[\p{Alpha}\d'’-]+(?: [\p{Alpha}\d'’-]+){0,3}\W*$/u.test(text);
const leading =
  /^\s*(?:in|on|at|from|by|as|after|since|until|before|so|for|with|starting|next|this|last|every|today|tomorrow|yesterday|once|when|if|because|due|due to)\b/i;
/** A short answer before a reason: "nope, May 27th, Gareth's flight …"; "on May 27th, Gareth …" goes on. */
const hasValue = (part: string): boolean => !leading.test(part) && valuesOf(part).length > 0;

/** Cuts a sentence into clauses: where a mark or a conjunction stands between two parts that both have a verb. */
export function clausesOf(sentence: string): string[] {
  const parts: string[] = [];
  let start = 0;
  const mark =
    /[;:—–()]+(?=\s|$)|\s[-–—]+\s|,(?=\s)|\s\((?=\S)|\s(?=(?:and|but|so|because|while|whereas|though|although)\s)/g;
  for (const found of sentence.matchAll(mark)) {
    parts.push(sentence.slice(start, found.index));
    start = found.index + found[0].length;
  }
  parts.push(sentence.slice(start));
  // A part without a verb goes on with the part before it; at the start it opens what follows.
  const clauses: { from: number; to: number; hasVerb: boolean }[] = [];
  let at = 0;
  for (const part of parts) {
    const from = sentence.indexOf(part, at);
    at = from + part.length;
    if (part.trim() === '') continue;
    const hasVerb = isVerbal(part);
    const last = clauses.at(-1);
    const isAfterOpening = last !== undefined && opening.test(sentence.slice(last.from, last.to));
    const isLabel =
      sentence[at] === ':' || ((last === undefined || isAfterOpening) && (hasValue(part) || opening.test(part)));
    const isNew =
      hasVerb &&
      last !== undefined &&
      (last.hasVerb ||
        ((ownSubject.test(part) || isRemark(sentence.slice(last.from, last.to), part)) &&
          !leading.test(sentence.slice(last.from, last.to)) &&
          !isJoined(sentence.slice(last.from, last.to), part)));
    const isLabelled =
      last !== undefined &&
      sentence[last.to] === ':' &&
      isShortLabel(sentence.slice(last.from, last.to)) &&
      /^\s*no\b/i.test(part);
    if (last === undefined || isNew || isAfterOpening || isLabelled)
      clauses.push({ from, to: at, hasVerb: hasVerb || isLabel });
    else clauses[clauses.length - 1] = { from: last.from, to: at, hasVerb: last.hasVerb || hasVerb };
  }
  return clauses.map(({ from, to }) => sentence.slice(from, to).trim());
}
