// Numbers as words, up to where texts write them so; the words are data/english/times.json.

import { numbers, ordinals } from '../base/generated/times.ts';
import { listed } from '../base/words.ts';

/** Words that count: `two`, also `a` before what is counted. */
export const numberWords: readonly string[] = Object.keys(numbers);

/** From `first` on. */
export const ordinalWords: readonly string[] = listed(ordinals);

/** Reads digits or a word that counts; undefined for any other. */
export function numberNamed(word: string): number | undefined {
  if (/^\d+$/.test(word)) return Number(word);
  const known: Readonly<Record<string, number>> = numbers;
  return Object.hasOwn(known, word.toLowerCase()) ? known[word.toLowerCase()] : undefined;
}

/** Reads `third` as 3; undefined for any other word. */
export function ordinalOf(word: string): number | undefined {
  const at = ordinalWords.indexOf(word.toLowerCase());
  return at < 0 ? undefined : at + 1;
}
