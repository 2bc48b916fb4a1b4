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

const bare = (word: string): string => word.replace(/['’](?:s|re|ve|ll|d|m)$|n['’]t$/i, '');

/** Days and months are times, also as "Tuesdays" and "Monday-Friday". */
function isNoName(word: string): boolean {
  const parts = bare(word).toLowerCase().split(/[-–&]/);
  return parts.every((part) => notNames.has(part));
}

/**
 * Lists the names in a sentence, each once, in order, eight at most.
 *
 * The first word of a sentence has a capital anyway. It counts when the name goes on, has a capital or digit inside, comes again in the
 * sentence, or does what people do ("Maria works …").
 */
export function namesIn(sentence: string): string[] {
  const found = new Set<string>();
  for (const match of sentence.matchAll(name)) {
    const words = match[0].split(' ');
    while (words.length > 0 && (isNoName(words[0]!) || isTitle.test(words[0]!))) words.shift();
    while (words.length > 0 && isNoName(words.at(-1)!)) words.pop();
    if (words.length === 0) continue;
    const before = sentence.slice(Math.max(0, match.index - 16), match.index);
    const opens = before === '' || (/[.!?:]["”'’)]?\s+$/.test(before) && !endsInTitle.test(before));
    const text = bare(words.join(' '));
    const isLoneOpener = opens && words.length === 1 && match[0].split(' ').length === 1;
    if (isLoneOpener && !looksLikeName.test(text) && sentence.indexOf(text, match.index + 1) < 0) {
      if (!doesAsPeopleDo.test(sentence.slice(match.index + match[0].length))) continue;
    }
    if (text.length < 2 || /^\d/.test(text)) continue;
    found.add(text);
    if (found.size === 8) break;
  }
  return [...found];
}
