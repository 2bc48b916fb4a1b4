// Which human language a text is in: its script where that tells, else trigrams (franc-min, 82 languages, 280 KB with what it needs).

import { attempt } from '../../../../base/errors.ts';
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

/** Codes of the library for which the registry of language tags has no shorter form, or another one. */
const ownCodes: Readonly<Record<string, string>> = { zlm: 'ms', tgl: 'tl' };
/** The languages that go by their English names, as people write them in a list. */
const named = 'en de fr es it pt nl sv pl cs ru uk tr ar hi zh ja ko el he th vi'.split(' ');
let codesByName: ReadonlyMap<string, string> | undefined;

/** So much of a text tells as much as all of it. */
const maxSeen = 400;
/** Shorter texts are of no language: `ok` is of forty. */
const minLetters = 8;

/** Tells the language of a text; null where it is too short or too mixed. */
export type LanguageDetector = (text: string) => string | null;

/** Gives the code of a language by its name, tag or code: `German`, `de-AT` and `deu` are `de`. */
export function languageCode(name: string): string {
  const lower = name.toLowerCase();
  codesByName ??= englishNames();
  const head = codesByName.get(lower) ?? lower.split('-')[0]!;
  if (Object.hasOwn(ownCodes, head)) return ownCodes[head]!;
  // What is no code fits no text.
  return attempt(() => Intl.getCanonicalLocales(head)[0]!.split('-')[0]!, head);
}

function englishNames(): ReadonlyMap<string, string> {
  const english = new Intl.DisplayNames(['en'], { type: 'language' });
  return new Map(named.map((code) => [english.of(code)!.toLowerCase(), code]));
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
