// Names in a sentence: people, places, products, mentions. Guessed from capitals, without a dictionary.

import { months, weekdays } from '../../base/generated/times.ts';
import * as words from '../../base/generated/words.ts';
import { listed, oneOf } from '../../base/words.ts';

const notNames = new Set([
  ...listed(words.noNames),
  ...months.flat(),
  ...weekdays,
  ...weekdays.map((day) => `${day}s`),
]);

/** "Mr. Brook" is called Brook: a title is no name, and its full stop ends no sentence. */
const titles = oneOf(listed(words.titles));
const isTitle = new RegExp(`^${titles}$`, 'i');
const endsInTitle = new RegExp(`(?<![\\p{L}\\p{N}])${titles}\\.?\\s+$`, 'iu');

const capitalised = "\\p{Upper}[\\p{Alpha}\\d]*(?:['’.&-]\\p{Alpha}[\\p{Alpha}\\d]*)*";
const mention = '(?<![\\p{Alpha}\\d_.-])@[\\p{Alpha}\\d_][\\p{Alpha}\\d_-]*';
const name = new RegExp(`${mention}|${capitalised}(?: (?:of |de |van |von )?${capitalised}| \\d{1,4}\\b)*`, 'gu');

/** What follows somebody's name at the start of a sentence, and hardly anything else. */
const doesAsPeopleDo = new RegExp(`^ (?:${oneOf(listed(words.peopleDo))}|is \\p{Upper}\\w*)\\b`, 'u');

const looksLikeName = /[\p{Lower}\d]\p{Upper}|^\p{Upper}{2,}|^@|\d/u;

/** Cuts what an apostrophe joins to a name. */
export const bare = (word: string): string => word.replace(/['’](?:s|re|ve|ll|d|m)$|n['’]t$/i, '');

/** Days and months are times, also as "Tuesdays" and "Monday-Friday". */
function isNoName(word: string): boolean {
  const parts = bare(word).toLowerCase().split(/[-–&]/);
  return parts.every((part) => notNames.has(part));
}

const opening = /(?:^|[.!?:]["”'’)]?\s|\n)[\s>*•-]*$/;

/** Whether a word stands where a sentence begins, and has a capital anyway. */
function opensAt(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - 16), index);
  return index === 0 || (opening.test(before) && !endsInTitle.test(before));
}

/**
 * Makes what tells whether a word is a name, by how texts write it. Inside sentences it has a capital, and it has none at most a tenth as often.
 * What `given` names is one.
 */
export function namesOf(texts: Iterable<string>, given: Iterable<string> = []): (word: string) => boolean {
  const known = new Set([...given].flatMap((name) => name.toLowerCase().split(' ')));
  const inside = new Map<string, number>();
  const small = new Map<string, number>();
  for (const text of texts)
    for (const { 0: word, index } of text.matchAll(/\p{Alpha}[\p{Alpha}\d’'-]*/gu)) {
      const isCapital = /^\p{Upper}/u.test(word);
      if (isCapital && opensAt(text, index)) continue;
      const counts = isCapital ? inside : small;
      const key = bare(word).toLowerCase();
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return (word) => {
    const key = bare(word).toLowerCase();
    const often = inside.get(key) ?? 0;
    return known.has(key) || (often > 0 && !isNoName(word) && 10 * (small.get(key) ?? 0) <= often);
  };
}

/**
 * Lists the names in a sentence, each once, in order, eight at most.
 *
 * The first word of a sentence has a capital anyway. It counts when it has a capital or digit inside, comes again in the sentence, or does what
 * people do ("Maria works …"). So it does when the name goes on; with `isName` when that knows it.
 */
export function namesIn(sentence: string, isName?: (word: string) => boolean): string[] {
  const found = new Set<string>();
  for (const match of sentence.matchAll(name)) {
    const words = match[0].split(' ');
    const first = words[0]!;
    while (words.length > 0 && (isNoName(words[0]!) || isTitle.test(words[0]!))) words.shift();
    while (words.length > 0 && isNoName(words.at(-1)!)) words.pop();
    if (words.length === 0) continue;
    const text = bare(words.join(' '));
    const isOpener =
      words[0] === first && opensAt(sentence, match.index) && (words.length === 1 || isName !== undefined);
    if (isOpener && isName?.(first) !== true && !looksLikeName.test(bare(first))) {
      const isAgain = sentence.indexOf(bare(first), match.index + 1) >= 0;
      if (!isAgain && !doesAsPeopleDo.test(sentence.slice(match.index + match[0].length))) continue;
    }
    if (text.length < 2 || /^\d/.test(text)) continue;
    found.add(text);
    if (found.size === 8) break;
  }
  return [...found];
}
