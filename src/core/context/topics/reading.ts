// One text as watchers look at it; each property is worked out once, when the first of them asks for it.

import { once } from '../../../base/once-per.ts';
import { isAscii } from '../../../base/text.ts';
import { tokensOf } from '../../../base/tokenizer.ts';
import { ScannedText, StepBudget } from '../../../store/guard/pattern-automaton.ts';
import { codeIn } from './detect/code.ts';
import type { LanguageDetector } from './detect/language.ts';
import { handlesIn, pathsIn, urlsIn } from './detect/references.ts';
import { alarmIn, type SentimentWords, sentimentOf } from './detect/sentiment.ts';
import { gramSketch } from './grams.ts';

/** What a longer text has beyond this is not looked at for words. */
const maxWords = 16 << 10;

/** What some watchers need and others do not pay for; null where no topic asks for it. */
export interface Detectors {
  readonly language: LanguageDetector | null;
  readonly sentiment: SentimentWords | null;
}

/** A message, or what an agent said. */
export type Reading = ReturnType<typeof readingOf>;

/**
 * Reads a text. `earlier` is what was said before by the same side, oldest first; `beside` stands beside the text and names files: calls of
 * tools.
 */
export function readingOf(
  text: string,
  detectors: Detectors,
  { earlier = [], beside = '' }: { readonly earlier?: readonly string[]; readonly beside?: string } = {},
) {
  const scanned = new ScannedText(text);
  const start = text.slice(0, maxWords);
  const feelingOf = (said: string) => (detectors.sentiment === null ? 0 : sentimentOf(said, detectors.sentiment));
  const sentiment = once(() => feelingOf(text));
  return {
    scanned,
    budget: new StepBudget(scanned),
    /** Search terms, each with how often it occurs. */
    terms: once(() => countTerms(start)),
    sketch: once(() => gramSketch(start)),
    /** Words in lower case with one space between and around them, and each of them by itself. */
    words: once(() => {
      const words = plainWords(scanned.lower);
      return { line: ` ${words.join(' ')} `, each: new Set(words) };
    }),
    /** Words as they are written. */
    names: once(() => ` ${wordsIn(start).join(' ')} `),
    code: once(() => codeIn(text)),
    language: once(() => detectors.language?.(text) ?? null),
    urls: once(() => urlsIn(start)),
    paths: once(() => pathsIn(`${start}\n${beside.slice(0, maxWords)}`)),
    handles: once(() => handlesIn(start)),
    /** −1 to 1. */
    sentiment,
    /** What shows that the mood turned: a raised voice that was not raised before, or words much worse than those before; null else. */
    shift: once(() => {
      const before = earlier.slice(-3);
      const alarm = alarmIn(text);
      const wasLoud = before.length > 1 && before.slice(-2).every((one) => alarmIn(one) !== null);
      if (alarm !== null && !wasLoud) return alarm;
      if (before.length === 0) return null;
      const mood = before.reduce((sum, one) => sum + feelingOf(one), 0) / before.length;
      return mood - sentiment() >= moodFall ? `from ${mood.toFixed(1)} to ${sentiment().toFixed(1)}` : null;
    }),
  };
}

/** From this fall of sentiment on the mood has turned. */
const moodFall = 0.6;

/** Counts the search terms of a text. */
export function countTerms(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of tokensOf(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Lists the words of a text in lower case. */
export const plainWords = (lower: string): string[] => wordsIn(lower);

/** Classes of Unicode cost three times as much, and most messages need none. */
const wordsIn = (text: string): string[] => text.match(isAscii(text) ? /[A-Za-z0-9]+/g : /[\p{L}\p{M}\p{N}]+/gu) ?? [];
