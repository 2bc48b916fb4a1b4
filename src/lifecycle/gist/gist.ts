// Gists: a memory in fewer tokens, made offline by leaving words out. Numbers, names and code always stay (spec 1).

import { estimateTokens } from '../../base/token-estimate.ts';
import { type Cut, clausesOf, fillersOf, threadsOf } from './cuts.ts';
import { render } from './render.ts';
import { type Sentence, sentencesOf } from './words.ts';

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
/** Marks of words that go may stay with their neighbours, so the sum of words is a little off. */
const margin = 0.02;

/**
 * Makes the gist of a text: the same in fewer tokens, or null where there is nothing to gain.
 *
 * Null for a text of fewer than 30 words and for a saving below 15 % of the characters (light: 5 % of the tokens). Null also where the band
 * of the level cannot be kept without losing a number or a name. The same text and level give the same gist.
 */
export function gistOf(content: string, level: GistLevel = 'moderate'): string | null {
  if (content.split(/\s+/).filter((word) => word !== '').length < minWords) return null;
  const gist = compress(content, level);
  const saved = 1 - estimateTokens(gist) / estimateTokens(content);
  const { least, most } = gistBands[level];
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

/** Leaves out fillers, then clauses, then threads of sentences that hold no number and no name, until the aim is reached. */
function compress(content: string, level: GistLevel): string {
  const sentences = sentencesOf(content);
  const { least, aim, most } = gistBands[level];
  const gone = sentences.map(({ words }) => new Uint8Array(words.length));
  const tokens = sentences.map(tokensPerWord);
  const total = estimateTokens(content);
  let saved = Math.max(0, total - tokens.flat().reduce((a, b) => a + b, 0));
  const leaveOut = (cuts: readonly Cut[]): void => {
    let gain = 0;
    for (const { sentence, from, to } of cuts) {
      for (let at = from; at < to; at++) if (gone[sentence]![at] === 0) gain += tokens[sentence]![at]!;
    }
    if (gain === 0 || saved + gain > (most - margin) * total) return;
    for (const { sentence, from, to } of cuts) gone[sentence]!.fill(1, from, to);
    saved += gain;
  };
  for (const cut of fillersOf(sentences)) leaveOut([cut]);
  for (const cut of clausesOf(sentences)) if (saved < aim * total) leaveOut([cut]);
  const threads = threadsOf(sentences).sort((a, b) => a.cost - b.cost || a.from - b.from || b.to - a.to);
  const goal = level === 'moderate' ? least + margin : aim;
  for (const tier of [0, 1, 2]) {
    for (const thread of threads) {
      // What denies goes late, what holds a number or a name last, and of that only so much that a gist is one.
      if (saved >= (tier < 2 ? aim : goal) * total) break;
      if (thread.tier !== tier) continue;
      leaveOut(
        sentences
          .slice(thread.from, thread.to)
          .map(({ words }, at) => ({ sentence: thread.from + at, from: 0, to: words.length })),
      );
    }
  }
  return rendered();

  function rendered(): string {
    return render(sentences, (sentence, word) => gone[sentence]![word] === 1);
  }
}

function tokensPerWord({ words }: Sentence): number[] {
  return words.map(({ lead, core, trail }) => estimateTokens(lead + core + trail));
}
