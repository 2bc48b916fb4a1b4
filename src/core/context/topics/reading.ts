// One text as watchers look at it; each property is worked out once, when the first of them asks for it.

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
export class Reading {
  readonly text: string;
  readonly scanned: ScannedText;
  readonly budget: StepBudget;
  /** What was said before by the same side, oldest first. */
  private readonly earlier: readonly string[];
  /** What stands beside the text and names files: calls of tools. */
  private readonly beside: string;
  private readonly detectors: Detectors;
  private readonly known = new Map<string, unknown>();

  constructor(
    text: string,
    detectors: Detectors,
    { earlier = [], beside = '' }: { readonly earlier?: readonly string[]; readonly beside?: string } = {},
  ) {
    this.text = text;
    this.scanned = new ScannedText(text);
    this.budget = new StepBudget(this.scanned);
    this.detectors = detectors;
    this.earlier = earlier;
    this.beside = beside;
  }

  /** Search terms, each with how often it occurs. */
  get terms(): ReadonlyMap<string, number> {
    return this.once('terms', () => countTerms(this.text.slice(0, maxWords)));
  }

  get sketch(): Uint32Array {
    return this.once('sketch', () => gramSketch(this.text.slice(0, maxWords)));
  }

  /** Words in lower case with one space between and around them, and each of them by itself. */
  get words(): { readonly line: string; readonly each: ReadonlySet<string> } {
    return this.once('words', () => {
      const words = plainWords(this.scanned.lower);
      return { line: ` ${words.join(' ')} `, each: new Set(words) };
    });
  }

  /** Words as they are written. */
  get names(): string {
    return this.once('names', () => ` ${wordsIn(this.text.slice(0, maxWords)).join(' ')} `);
  }

  get code(): ReadonlySet<string> {
    return this.once('code', () => codeIn(this.text));
  }

  get language(): string | null {
    return this.once('language', () => this.detectors.language?.(this.text) ?? null);
  }

  get urls(): ReturnType<typeof urlsIn> {
    return this.once('urls', () => urlsIn(this.text.slice(0, maxWords)));
  }

  get paths(): readonly string[] {
    return this.once('paths', () => pathsIn(`${this.text.slice(0, maxWords)}\n${this.beside.slice(0, maxWords)}`));
  }

  get handles(): ReadonlySet<string> {
    return this.once('handles', () => handlesIn(this.text.slice(0, maxWords)));
  }

  /** −1 to 1. */
  get sentiment(): number {
    return this.once('sentiment', () => this.feelingOf(this.text));
  }

  /** What shows that the mood turned: a raised voice that was not raised before, or words much worse than those before; null else. */
  get shift(): string | null {
    return this.once('shift', () => {
      const before = this.earlier.slice(-3);
      const alarm = alarmIn(this.text);
      const wasLoud = before.length > 1 && before.slice(-2).every((text) => alarmIn(text) !== null);
      if (alarm !== null && !wasLoud) return alarm;
      if (before.length === 0) return null;
      const mood = before.reduce((sum, text) => sum + this.feelingOf(text), 0) / before.length;
      return mood - this.sentiment >= moodFall ? `from ${mood.toFixed(1)} to ${this.sentiment.toFixed(1)}` : null;
    });
  }

  private feelingOf(text: string): number {
    return this.detectors.sentiment === null ? 0 : sentimentOf(text, this.detectors.sentiment);
  }

  private once<Value>(name: string, tell: () => Value): Value {
    if (!this.known.has(name)) this.known.set(name, tell());
    return this.known.get(name) as Value;
  }
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
