// The ideas of a text: runs of sentences or paragraphs that are about the same. Together they are the whole text.

import { splitSentences } from '../base/sentences.ts';
import { tokensOf } from '../base/tokenizer.ts';

/** A sentence that begins so goes on with the one before it. */
const goesOn =
  /^(?:it|its|this|that|these|those|they|their|them|he|his|she|her|because|so|but|and|or|also|therefore|however|then|which|who|such|there|both|otherwise|instead|for example|in addition|moreover)\b/i;
const listMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s+/;
/** The share of words (of both, geometric mean) that makes two parts one idea. */
const sameIdea = 0.2;
const minLength = 40;

/**
 * Cuts a text into its ideas, in order; one for a text about one thing.
 *
 * Paragraphs and items of lists stand for themselves; where there are none, neighbouring sentences go together that share words, or
 * of which the second goes on with the first ("It …", "Because …"). What is very short joins what is before it, and so does what would be
 * one idea more than `most`.
 */
export function ideasOf(text: string, most = Number.POSITIVE_INFINITY): string[] {
  const paragraphs = blocksOf(text);
  const units = paragraphs.length > 1 ? paragraphs : splitSentences(text.replace(/\s+/g, ' '));
  const glue = paragraphs.length > 1 ? '\n\n' : ' ';
  const ideas: { text: string; terms: Set<string> }[] = [];
  for (const unit of units) {
    const terms = new Set(tokensOf(unit));
    const last = ideas.at(-1);
    const isShort = unit.length < minLength || (last !== undefined && last.text.length < minLength);
    const isFull = ideas.length >= most;
    if (last !== undefined && (isFull || isShort || goesOn.test(unit) || likeness(last.terms, terms) >= sameIdea)) {
      last.text += glue + unit;
      for (const term of terms) last.terms.add(term);
    } else ideas.push({ text: unit, terms });
  }
  return ideas.map((idea) => idea.text);
}

function blocksOf(text: string): string[] {
  const blocks: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || listMark.test(line)) blocks.push([]);
    if (line.trim() !== '') blocks.at(-1)!.push(line.trimEnd());
  }
  return blocks.filter((lines) => lines.length > 0).map((lines) => lines.join('\n'));
}

function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const term of other) if (one.has(term)) shared += 1;
  return shared / Math.sqrt(one.size * other.size);
}

/** Tells how many words of a text occur in another. */
export function sharedWords(one: string, other: string): number {
  const known = new Set(tokensOf(one));
  return new Set(tokensOf(other).filter((term) => known.has(term))).size;
}
