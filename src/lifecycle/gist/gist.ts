// Gists: a memory in fewer tokens, made offline by leaving words out. Numbers, names and code always stay (spec 1).

import { estimateTokens } from '../../base/token-estimate.ts';
import { costs, cutsOf } from './cuts.ts';
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

/** Up to which cost words may go. */
const dearest: Readonly<Record<GistLevel, number>> = {
  light: costs.scaffold,
  moderate: costs.functionWord + 5,
  strong: Number.POSITIVE_INFINITY,
};

/** Texts of fewer words are concise already, and a gist has at most this share of the length of its text (spec 1). */
const minWords = 30;
const maxLengthShare = 0.85;
/** Marks of words that go may stay with their neighbours, so the sum of words is a little off. */
const margin = 0.02;

/**
 * Makes the gist of a text: the same in fewer tokens, or null where there is nothing to gain.
 *
 * Null for a text of fewer than 30 words, for a saving below 15 % of the characters (light: 5 % of the tokens), and where the band
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

/** Leaves out what costs least, kind by kind, until the aim is reached; what would go beyond the band stays. */
function compress(content: string, level: GistLevel): string {
  const sentences = sentencesOf(content);
  const { least, aim, most } = gistBands[level];
  const gone = sentences.map(({ words }) => new Uint8Array(words.length));
  const tokens = sentences.map(tokensPerWord);
  const total = estimateTokens(content);
  const keptAtFirst = tokens.reduce((sum, each) => sum + each.reduce((a, b) => a + b, 0), 0);
  let saved = Math.max(0, total - keptAtFirst);
  const cuts = cutsOf(sentences)
    .filter(({ cost }) => cost <= dearest[level])
    .sort(
      (one, other) =>
        one.cost - other.cost ||
        other.to - other.from - (one.to - one.from) ||
        one.sentence - other.sentence ||
        one.from - other.from,
    );
  for (let at = 0; at < cuts.length; ) {
    const { cost } = cuts[at]!;
    // A moderate gist loses its small words only as far as it would be none otherwise.
    const goal = (level === 'moderate' && cost >= costs.functionWord ? least + 0.02 : aim) * total;
    if (saved >= goal) break;
    for (; at < cuts.length && cuts[at]!.cost === cost; at++) {
      const { sentence, from, to } = cuts[at]!;
      let gain = 0;
      for (let index = from; index < to; index++) if (gone[sentence]![index] === 0) gain += tokens[sentence]![index]!;
      if (gain === 0 || saved + gain > (most - margin) * total) continue;
      gone[sentence]!.fill(1, from, to);
      saved += gain;
      // Small words go kind by kind, so that a text has one style; larger parts go one by one.
      if (cost >= costs.functionWord && saved >= goal) break;
    }
  }
  return render(sentences, (sentence, word) => gone[sentence]![word] === 1);
}

function tokensPerWord({ words }: Sentence): number[] {
  return words.map(({ lead, core, trail }) => estimateTokens(lead + core + trail));
}
