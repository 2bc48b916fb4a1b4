// Gists: a memory in fewer tokens, made offline by leaving whole sentences out (spec 1).
//
//   paragraph   [S1: told 0.7] [S2: told 0.2] [S3: it was …] [S4: stays] [S5: told 0.4]     S2 goes with S3, which leans on it, then S5

import { fenceReader } from '../../../base/fenced-blocks.ts';
import { splitSentences } from '../../../base/sentences.ts';
import { estimateTokens } from '../../../base/token-estimate.ts';
import { leansBack, scoresOf } from '../../../language/index.ts';
import { lossOf } from './words.ts';

/** How much is left out; see {@link gistBands}. */
export type GistLevel = 'light' | 'moderate' | 'strong';

/** The share of tokens that a gist of each level saves (spec 1). What goes late goes until `late`, the rest until `aim`. */
export const gistBands: Readonly<
  Record<GistLevel, { readonly least: number; readonly late: number; readonly aim: number; readonly most: number }>
> = {
  light: { least: 0.05, late: 0.05, aim: 0.1, most: 0.15 },
  moderate: { least: 0.15, late: 0.2, aim: 0.33, most: 0.4 },
  strong: { least: 0.5, late: 0.5, aim: 0.56, most: 0.75 },
};

/** Texts of fewer words are concise already, and a gist has at most this share of the length of its text (spec 1). */
const minWords = 30;
const maxLengthShare = 0.85;

/**
 * Makes the gist of a text: its sentences word by word, some left out; null where there is nothing to gain.
 *
 * {@link lossOf} says what may go. What the scorers give least for goes first, and with it what leans on it. Null for a text of fewer than 30
 * words and for a saving below 15 % of the characters (light: 5 % of the tokens). Null also where the band of the level cannot be kept. The
 * same text and level give the same gist. It is one line; items of lists end in `;`.
 */
export function gistOf(content: string, level: GistLevel = 'moderate'): string | null {
  if (content.split(/\s+/).filter((word) => word !== '').length < minWords) return null;
  const { least, late, aim, most } = gistBands[level];
  const total = estimateTokens(content);
  const paragraphs = paragraphsOf(content);
  const gone = new Set<Sentence>();
  const render = (without: ReadonlySet<Sentence>): string =>
    joined(
      paragraphs
        .map((sentences) => sentences.flatMap((one) => (without.has(one) ? [] : one.text)).join(' '))
        .filter((text) => text !== ''),
    );
  const savedBy = (gist: string): number => 1 - estimateTokens(gist) / total;
  let gist = render(gone);
  for (const { group, isLate } of paragraphs.flatMap(droppable).sort(byWorth)) {
    const saved = savedBy(gist);
    if (saved >= (isLate ? late : aim)) break;
    const shorter = render(new Set([...gone, ...group]));
    if (shorter === '' || savedBy(shorter) > most) continue;
    for (const one of group) gone.add(one);
    gist = shorter;
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

/** A sentence on one line. A heading, an item of a list and a fenced block stay: a step alone is none. */
interface Sentence {
  readonly text: string;
  readonly stays: boolean;
}

/** Sentences that can go together, and why they go late. */
interface Droppable {
  readonly group: readonly Sentence[];
  readonly worth: number;
  readonly isLate: boolean;
  readonly at: number;
}

/** What is worth least goes first, and of what is worth as much the last. */
const byWorth = (one: Droppable, other: Droppable): number =>
  Number(one.isLate) - Number(other.isLate) || one.worth - other.worth || other.at - one.at;

/** Lists what may go of a paragraph: each sentence with those after it that lean on it, unless one of them is to stay. */
function droppable(sentences: readonly Sentence[]): Droppable[] {
  const scores = sentences.map(({ text }) => scoresOf(text));
  const losses = sentences.map(({ text, stays }, at) => (stays ? 'stays' : lossOf(text, scores[at]!)));
  return sentences.flatMap((_, at) => {
    let end = at + 1;
    while (end < sentences.length && leansBack(sentences[end]!.text)) end += 1;
    const all = losses.slice(at, end);
    if (all.includes('stays')) return [];
    const worth = Math.max(...scores.slice(at, end).map((one) => one.worth));
    return [{ group: sentences.slice(at, end), worth, isLate: all.includes('late'), at }];
  });
}

/** The paragraphs of a text, plain or markdown; a fence is one sentence. */
function paragraphsOf(content: string): Sentence[][] {
  const paragraphs: Sentence[][] = [];
  let lines: string[] = [];
  let stays = false;
  let fence: string[] | null = null;
  const close = (): void => {
    if (fence !== null && fence.length > 0)
      paragraphs.push([{ text: `\`${fence.join('; ').replaceAll('`', "'")}\``, stays: true }]);
    fence = null;
  };
  const flush = (): void => {
    const sentences = splitSentences(lines.join(' ').replace(/\s+/g, ' ').trim()).filter((one) => one !== '');
    const isWhole = stays;
    if (sentences.length > 0) paragraphs.push(sentences.map((text) => ({ text, stays: isWhole })));
    lines = [];
    stays = false;
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
    stays ||= opens;
    if (line.trim() !== '') lines.push(line.replace(/^\s*(?:[-*+•]|#{1,6}|>+)\s+/, ''));
    if (isHeading) flush();
  }
  flush();
  close();
  return paragraphs;
}

/** Joins texts to one line; what has no mark at its end gets one, so that the next does not go on with it. */
function joined(texts: readonly string[]): string {
  return texts
    .map((text, at) => (at < texts.length - 1 && !/[.,;:!?…]["”'’)\]]*$/u.test(text) ? `${text};` : text))
    .join(' ');
}
