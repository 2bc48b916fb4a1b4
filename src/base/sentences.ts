// Finds the ends of sentences in running text.

import { months } from './generated/times.ts';
import * as words from './generated/words.ts';
import { quotationsIn } from './quotations.ts';
import { listed, oneOf } from './words.ts';

/** A full stop after one of these ends no sentence. */
const abbreviations = new Set([...listed(words.abbreviations), ...months.flatMap(([, ...short]) => short)]);

/** "Ahornstr. 3", "Apt. B4", "tel. 0151": so do these before a number. */
const abbreviationsOfNumbers = new RegExp(`^(?:\\p{Alpha}*str|${oneOf(listed(words.numberAbbreviations))})$`, 'iu');

/** These may stand last; what follows in capitals and is no name then begins another sentence: "Crumb & Co. We open at 7". */
const lastAbbreviations = new Set(listed(words.lastAbbreviations));
const opensAnother = new RegExp(`^["”'’)»“]*\\s+${oneOf(listed(words.openings))}\\b(?!\\.)`);

function endsSentence(text: string, at: number): boolean {
  const next = text[at + 1];
  if (next !== undefined && !/\s|["”'’)»“]/.test(next)) return false;
  if (text[at] !== '.') return true;
  const last = /[\p{Alpha}\d.]+$/u.exec(text.slice(Math.max(0, at - 12), at))?.[0] ?? '';
  if (lastAbbreviations.has(last.toLowerCase()) && opensAnother.test(text.slice(at + 1))) return true;
  if (abbreviations.has(last.toLowerCase())) return false;
  if (abbreviationsOfNumbers.test(last) && /^\s+[+#(]?\p{Upper}?\d/u.test(text.slice(at + 1))) return false;
  // Initials, as in "J. Lovell" and "P.D. James"; "plan B." may lose its end to this, which costs less.
  return !/^(?:[^U\P{Upper}]\.)*\p{Upper}$/u.test(last) || last === 'I';
}

const drawn = '[\\uFE0F\\u200D\\u{1F3FB}-\\u{1F3FF}\\p{Extended_Pictographic}]';
/**
 * Faces, typed or drawn, with what may follow a drawn one. A row of drawn ones matches from its first to its last and in no other way. Where
 * thirty could be cut anywhere, there were more ways than a search can try.
 */
export const face = new RegExp(
  `(?:(?<![^\\s.!?,])(?:[:;=]['’]?-?[)(DPp]+|<3|\\^\\^|[xX]D)(?![^\\s.!?,])|(?<!${drawn})(?![\\d#*©®™])\\p{Extended_Pictographic}${drawn}*(?!${drawn}))`,
  'u',
);
/** "See you there :) We start at six": a face ends a sentence where another begins. */
const ends = new RegExp(
  `[.!?。！？]+["”'’)»“]*|(?:${face.source}\\s*){1,16}(?=(?<=\\s)(?:\\p{Upper}|${oneOf(listed(words.openingsAfterFaces))}\\b))`,
  'gu',
);
/** So many characters before a face tell whether it is a verb. */
const beforeFace = 200;

/**
 * Splits a paragraph into its sentences, each with its closing mark and quotation marks, trimmed; none is empty. A quotation stays whole, with
 * the words that introduce it and those that go on behind it.
 */
export function splitSentences(paragraph: string): string[] {
  const sentences: string[] = [];
  const quotations = quotationsIn(paragraph);
  let start = 0;
  for (const mark of paragraph.matchAll(ends)) {
    const end = mark.index + mark[0].length;
    while (quotations[0] !== undefined && quotations[0].end < end) quotations.shift();
    const isInside = quotations[0] !== undefined && quotations[0].start < mark.index;
    if (isInside && (quotations[0]!.end > end || /^\s+\p{Ll}/u.test(paragraph.slice(end, end + 8)))) continue;
    // "I <3 my dog": the face is a verb.
    const isFace = !/^[.!?。！？]/.test(mark[0]);
    if (
      isFace &&
      /(?:^\s*\S*|\b(?:I|we|you|they))\s*$/i.test(paragraph.slice(Math.max(start, mark.index - beforeFace), mark.index))
    )
      continue;
    if (/^[.!?]/.test(mark[0]) && !endsSentence(paragraph, mark.index + mark[0].search(/["”'’)»“]|$/) - 1)) continue;
    sentences.push(paragraph.slice(start, end));
    start = end;
  }
  sentences.push(paragraph.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}
