// Which human language a text is in: its script where that tells, else trigrams (franc-min, 82 languages, 280 KB with what it needs).

import { codeIn } from './code.ts';

/** Scripts that one language has for itself, and those of several. */
const scripts: readonly (readonly [languages: readonly string[], pattern: RegExp])[] = [
  [['ja'], /[\p{Script=Hiragana}\p{Script=Katakana}]/u],
  [['ko'], /\p{Script=Hangul}/u],
  [['zh'], /\p{Script=Han}/u],
  [['el'], /\p{Script=Greek}/u],
  [['he'], /\p{Script=Hebrew}/u],
  [['th'], /\p{Script=Thai}/u],
  [['ka'], /\p{Script=Georgian}/u],
  [['hy'], /\p{Script=Armenian}/u],
];

/** ISO 639-1 of the codes that the library gives; other languages keep theirs of three letters. */
const shortCodes: Readonly<Record<string, string>> = {
  eng: 'en',
  deu: 'de',
  fra: 'fr',
  spa: 'es',
  ita: 'it',
  por: 'pt',
  nld: 'nl',
  swe: 'sv',
  pol: 'pl',
  ces: 'cs',
  hun: 'hu',
  ron: 'ro',
  rus: 'ru',
  ukr: 'uk',
  bul: 'bg',
  srp: 'sr',
  hrv: 'hr',
  bos: 'bs',
  tur: 'tr',
  arb: 'ar',
  pes: 'fa',
  urd: 'ur',
  hin: 'hi',
  mar: 'mr',
  ben: 'bn',
  tam: 'ta',
  tel: 'te',
  kan: 'kn',
  guj: 'gu',
  vie: 'vi',
  ind: 'id',
  zlm: 'ms',
  tgl: 'tl',
  swh: 'sw',
  cmn: 'zh',
  jpn: 'ja',
  kor: 'ko',
  ell: 'el',
  heb: 'he',
  tha: 'th',
};

/** English names, as people write them in a list. */
const names: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  french: 'fr',
  spanish: 'es',
  italian: 'it',
  portuguese: 'pt',
  dutch: 'nl',
  swedish: 'sv',
  polish: 'pl',
  czech: 'cs',
  russian: 'ru',
  ukrainian: 'uk',
  turkish: 'tr',
  arabic: 'ar',
  hindi: 'hi',
  chinese: 'zh',
  japanese: 'ja',
  korean: 'ko',
  greek: 'el',
  hebrew: 'he',
  thai: 'th',
  vietnamese: 'vi',
};

/** So much of a text tells as much as all of it. */
const maxSeen = 400;
/** Shorter texts are of no language: `ok` is of forty. */
const minLetters = 8;

/** Tells the language of a text; null where it is too short or too mixed. */
export type LanguageDetector = (text: string) => string | null;

/** Gives the code of a language by its name, tag or code: `German`, `de-AT` and `deu` are `de`. */
export function languageCode(name: string): string {
  const lower = name.toLowerCase();
  const head = lower.split('-')[0]!;
  if (Object.hasOwn(names, lower)) return names[lower]!;
  return Object.hasOwn(shortCodes, head) ? shortCodes[head]! : head;
}

/** Loads the detector, which takes some ten milliseconds; code in a text is looked past. */
export async function loadLanguageDetector(): Promise<LanguageDetector> {
  const { franc } = await import('franc-min');
  return (text) => {
    const prose = withoutCode(text).slice(0, maxSeen);
    const letters = prose.match(/\p{L}/gu)?.length ?? 0;
    if (letters === 0) return null;
    for (const [[language], script] of scripts) {
      if ((prose.match(new RegExp(script, 'gu'))?.length ?? 0) > letters / 4) return language!;
    }
    if (letters < minLetters) return null;
    const found = franc(prose, { minLength: minLetters });
    return found === 'und' ? null : languageCode(found);
  };
}

function withoutCode(text: string): string {
  const prose = text.replace(/```[\s\S]*?(?:```|$)/g, ' ').replace(/https?:\S+/g, ' ');
  return codeIn(prose).has('code') ? prose.replace(/^(?: {4}|\t).*$/gm, ' ') : prose;
}
