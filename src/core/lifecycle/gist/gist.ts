// Gists: a memory in fewer tokens, made offline by leaving whole sentences out. Sentences with numbers, names or code stay (spec 1).
//
//   paragraph   [S1] [S2] [S3: 42 euros] [S4] [S5]      from the end on, S5 and S4 may go: what stays leans on nothing that went

import { fenceReader } from '../../../base/fenced-blocks.ts';
import { splitSentences } from '../../../base/sentences.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';

/** How much is left out; see {@link gistBands}. */
export type GistLevel = 'light' | 'moderate' | 'strong';

/** The share of tokens that a gist of each level saves (spec 1): where it begins, aims and ends. */
export const gistBands: Readonly<
  Record<GistLevel, { readonly least: number; readonly aim: number; readonly most: number }>
> = {
  light: { least: 0.05, aim: 0.1, most: 0.15 },
  moderate: { least: 0.2, aim: 0.33, most: 0.4 },
  strong: { least: 0.5, aim: 0.56, most: 0.75 },
};

/** Texts of fewer words are concise already, and a gist has at most this share of the length of its text (spec 1). */
const minWords = 30;
const maxLengthShare = 0.85;

/**
 * Makes the gist of a text: its sentences word by word, some left out; null where there is nothing to gain.
 *
 * Null for a text of fewer than 30 words and for a saving below 15 % of the characters (light: 5 % of the tokens). Null also where the band
 * of the level cannot be kept. The same text and level give the same gist. It is one line; items of lists end in `;`.
 */
export function gistOf(content: string, level: GistLevel = 'moderate'): string | null {
  if (content.split(/\s+/).filter((word) => word !== '').length < minWords) return null;
  const { least, aim, most } = gistBands[level];
  const total = estimateTokens(content);
  const paragraphs = paragraphsOf(content);
  const render = (): string =>
    joined(paragraphs.map(({ sentences }) => sentences.join(' ')).filter((text) => text !== ''));
  const savedBy = (gist: string): number => 1 - estimateTokens(gist) / total;
  let gist = render();
  for (const { sentences, isWhole } of [...paragraphs].reverse()) {
    while (!isWhole && savedBy(gist) < aim && sentences.length > 0 && !isFirm(sentences.at(-1)!)) {
      const last = sentences.pop()!;
      const shorter = render();
      if (shorter === '' || savedBy(shorter) > most) {
        sentences.push(last);
        break;
      }
      gist = shorter;
    }
  }
  const saved = savedBy(gist);
  if (saved < least || saved > most) return null;
  return level === 'light' || gist.length <= content.length * maxLengthShare ? gist : null;
}

/** Says at which level gists are made; null for none. `aggressive` is what token-reducer, and spec 1 after it, calls strong. */
export function gistLevelOf(configured: GistLevel | 'aggressive' | 'none'): GistLevel | null {
  if (configured === 'none') return null;
  return configured === 'aggressive' ? 'strong' : configured;
}

/** Makes the gist of a level, or of the next weaker one that is worth having: a dense text has no strong gist. */
export function bestGistOf(content: string, level: GistLevel | null): string | null {
  if (level === null) return null;
  return gistOf(content, level) ?? (level === 'strong' ? gistOf(content, 'moderate') : null);
}

const itemMark = /^\s*(?:[-*+•]|\d{1,3}[.)])\s/;
const headingMark = /^\s{0,3}#{1,6}\s/;

/** Sentences that follow each other. A heading, an item of a list and a fenced block stay whole: a step alone is none. */
interface Paragraph {
  readonly sentences: string[];
  readonly isWhole: boolean;
}

/** The paragraphs of a text, plain or markdown, each sentence on one line; a fence is one sentence. */
function paragraphsOf(content: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let lines: string[] = [];
  let isWhole = false;
  let fence: string[] | null = null;
  const close = (): void => {
    if (fence !== null && fence.length > 0)
      paragraphs.push({ sentences: [`\`${fence.join('; ').replaceAll('`', "'")}\``], isWhole: true });
    fence = null;
  };
  const flush = (): void => {
    const sentences = splitSentences(lines.join(' ').replace(/\s+/g, ' ').trim()).filter((one) => one !== '');
    if (sentences.length > 0) paragraphs.push({ sentences, isWhole });
    lines = [];
    isWhole = false;
  };
  const placeOf = fenceReader();
  for (const line of content.split('\n')) {
    const place = placeOf(line);
    if (place !== null) {
      flush();
      fence ??= [];
      if (place === 'within' && line.trim() !== '') fence.push(line.trim());
      if (place === 'closes') close();
      continue;
    }
    const isHeading = headingMark.test(line);
    const opens = isHeading || itemMark.test(line);
    if (line.trim() === '' || opens) flush();
    isWhole ||= opens;
    if (line.trim() !== '')
      lines.push(line.replace(/^\s*(?:[-*+•]|#{1,6}|>+)\s+/, '').replace(/^\s*(\d{1,3})\.\s/, '$1) '));
    if (isHeading) flush();
  }
  flush();
  close();
  return paragraphs;
}

const code = /[_`@#\\/=<>{}|$^]|[\p{L}\p{N}][.:][\p{L}\p{N}]|\(\)/u;

/** Tells whether a sentence holds a number, code, or a word with a capital behind its first one. */
function isFirm(sentence: string): boolean {
  const [first = '', ...others] = sentence.split(' ');
  const isName = (word: string): boolean =>
    /\p{Lu}/u.test(word) && !/^\P{L}*I\P{L}*(?:['’]\p{Ll}+)?\P{L}*$/u.test(word);
  return /\p{N}/u.test(sentence) || code.test(sentence) || /\p{L}\p{Lu}/u.test(first) || others.some(isName);
}

/** Joins texts to one line; what has no mark at its end gets one, so that the next does not go on with it. */
function joined(texts: readonly string[]): string {
  return texts
    .map((text, at) => (at < texts.length - 1 && !/[.,;:!?…]["”'’)\]]*$/u.test(text) ? `${text};` : text))
    .join(' ');
}
