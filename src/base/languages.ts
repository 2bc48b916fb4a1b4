// Languages as search knows them: which one a text is in, its stop words and its stems. Each stemmer is loaded on use.

import { createRequire } from 'node:module';
import { stopwords as ar } from '@orama/stopwords/arabic';
import { stopwords as hy } from '@orama/stopwords/armenian';
import { stopwords as bg } from '@orama/stopwords/bulgarian';
import { stopwords as da } from '@orama/stopwords/danish';
import { stopwords as nl } from '@orama/stopwords/dutch';
import { stopwords as fi } from '@orama/stopwords/finnish';
import { stopwords as fr } from '@orama/stopwords/french';
import { stopwords as de } from '@orama/stopwords/german';
import { stopwords as el } from '@orama/stopwords/greek';
import { stopwords as hu } from '@orama/stopwords/hungarian';
import { stopwords as id } from '@orama/stopwords/indonesian';
import { stopwords as ga } from '@orama/stopwords/irish';
import { stopwords as it } from '@orama/stopwords/italian';
import { stopwords as lt } from '@orama/stopwords/lithuanian';
import { stopwords as ne } from '@orama/stopwords/nepali';
import { stopwords as no } from '@orama/stopwords/norwegian';
import { stopwords as pt } from '@orama/stopwords/portuguese';
import { stopwords as ro } from '@orama/stopwords/romanian';
import { stopwords as ru } from '@orama/stopwords/russian';
import { stopwords as sr } from '@orama/stopwords/serbian';
import { stopwords as es } from '@orama/stopwords/spanish';
import { stopwords as sv } from '@orama/stopwords/swedish';
import { stopwords as ta } from '@orama/stopwords/tamil';
import { stopwords as tr } from '@orama/stopwords/turkish';
import { stopwords as uk } from '@orama/stopwords/ukrainian';
import { stemmer as stemOfEnglish } from 'stemmer';
import * as words from './generated/words.ts';
import { keptIn } from './once-per.ts';
import { isAscii } from './text.ts';
import { listed } from './words.ts';

const load = createRequire(import.meta.url);

/** By the code of a language (BCP 47): under which name the packages of stop words and stemmers know it. */
const names = {
  en: 'english',
  ar: 'arabic',
  bg: 'bulgarian',
  da: 'danish',
  de: 'german',
  el: 'greek',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  ne: 'nepali',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  uk: 'ukrainian',
} as const;

/** The code of a language with stems and stop words; `zxx` for scripts that write no spaces, which need neither. */
export type Language = keyof typeof names | 'zxx';

export const languages = Object.keys(names) as Exclude<Language, 'zxx'>[];

/** Other codes of the same, and of those whose words are written without spaces. */
const otherCodes: Readonly<Record<string, Language>> = {
  nb: 'no',
  nn: 'no',
  zh: 'zxx',
  ja: 'zxx',
  ko: 'zxx',
  th: 'zxx',
  lo: 'zxx',
  km: 'zxx',
  my: 'zxx',
};

/** Reads a language tag such as `de` or `de-AT`, or a name such as `German`; undefined for what has neither stems nor stop words. */
export function languageNamed(tag: string): Language | undefined {
  const lower = tag.trim().toLowerCase();
  const code = lower.split('-')[0]!;
  if (Object.hasOwn(names, code)) return code as Language;
  return otherCodes[code] ?? languages.find((one) => names[one] === lower);
}

const none: ReadonlySet<string> = new Set();
const stopSets = new Map<Language, ReadonlySet<string>>([
  ['en', new Set(listed(words.stopWords))],
  ['zxx', none],
]);

/** In a function, so that they are begun when the first is asked for. */
const listsOf = () => ({
  ar,
  bg,
  da,
  de,
  el,
  es,
  fi,
  fr,
  ga,
  hu,
  hy,
  id,
  it,
  lt,
  ne,
  nl,
  no,
  pt,
  ro,
  ru,
  sr,
  sv,
  ta,
  tr,
  uk,
});

/** Gives the stop words of a language, in lower case and without apostrophes. */
export const stopWordsOf = (language: Language): ReadonlySet<string> =>
  keptIn(stopSets, language, () => {
    const words: readonly string[] = listsOf()[language as Exclude<typeof language, 'en' | 'zxx'>];
    return new Set(words.map((word) => word.replace(/['’]/g, '').toLowerCase()));
  });

const stemmers = new Map<Language, (word: string) => string>([['en', stemOfEnglish]]);

/** Gives the stem of a word in lower case (Snowball; of English Porter 1980). */
export function stemIn(language: Language, word: string): string {
  if (language === 'zxx') return word;
  const loaded = () => load(`@orama/stemmers/${names[language]}`) as { stemmer: (word: string) => string };
  return keptIn(stemmers, language, () => loaded().stemmer)(word);
}

/** Single letters are names of things in code and formulas. */
const word = /[\p{L}\p{M}]{2,}/gu;
const asciiWord = /[a-z]{2,}/g;
const unspacedRun = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/gu;
/** So much of a text tells its language. */
const sampleLength = 4000;
/** From this share of stop words on it is English, and nothing else need be asked. */
const surelyEnglish = 0.3;

/** Stop words of other languages that are names or words of English: they tell no language. */
const alsoEnglish: ReadonlySet<string> = new Set(listed(words.alsoEnglish));

/** By word: in which of the languages that were asked about it is a stop word, a bit each. */
const marks = new Map<string, number>();
const marked = new Set<Language>();

function marksOf(among: readonly Language[]): ReadonlyMap<string, number> {
  for (const language of among) {
    if (marked.has(language)) continue;
    marked.add(language);
    const bit = 1 << (languages as readonly Language[]).indexOf(language);
    for (const one of stopWordsOf(language)) if (!alsoEnglish.has(one)) marks.set(one, (marks.get(one) ?? 0) | bit);
  }
  return marks;
}

/**
 * Tells in which language a text is, by its stop words; undefined where too few are there to tell.
 *
 * One of `among` is found where they are given.
 */
export function languageOf(text: string, among: readonly Language[] = languages): Language | undefined {
  const sample = text.slice(0, sampleLength);
  const isPlain = isAscii(sample);
  const unspaced = isPlain ? 0 : (sample.match(unspacedRun)?.length ?? 0);
  if (unspaced > 0 && unspaced * 4 > sample.replace(/\s/g, '').length) return 'zxx';
  const words =
    sample
      .replace(/['’]/g, '')
      .toLowerCase()
      .match(isPlain ? asciiWord : word) ?? [];
  const ofEnglish = stopWordsOf('en');
  let count = 0;
  for (const one of words) if (ofEnglish.has(one)) count += 1;
  if (count >= 2 && count >= words.length * surelyEnglish && among.includes('en')) return 'en';
  const known = marksOf(among);
  // Each word once: a text that repeats one is no more in its language.
  const found = new Set(words.filter((one) => known.has(one)));
  if (found.size === 0) return undefined;
  const counts = new Array<number>(languages.length).fill(0);
  for (const one of found) {
    for (let bits = known.get(one)!; bits !== 0; bits &= bits - 1) counts[31 - Math.clz32(bits & -bits)]! += 1;
  }
  let best: Language | undefined;
  // Two languages share many short words: another one than English has to be ahead of it. And one word in plain letters says too little.
  let most = Math.max(among.includes('en') ? counts[0]! * 1.1 : 0, isPlain ? 1 : 0);
  if (counts[0]! > 0 && among.includes('en')) best = 'en';
  for (const [bit, language] of languages.entries()) {
    if (bit > 0 && counts[bit]! > most && among.includes(language)) [best, most] = [language, counts[bit]!];
  }
  return best;
}
