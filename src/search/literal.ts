// A question without a word that an index holds ("!!", "who are they"): texts are looked through for it as it stands, and for its words.

import { foldText } from '../base/tokenizer.ts';
import type { Layout } from './layout.ts';

export interface Literal {
  readonly slots: Int32Array;
  readonly score: Float64Array;
}

/** So many words of a question are looked for. */
const maxWords = 16;

/**
 * Finds texts that hold a question letter by letter: 1, and a little less the later it comes. Texts with some of its words have up to a half.
 * A blank one finds all. Looks through all texts once.
 */
export function literalScores(query: string, layout: Layout, isWanted: (slot: number) => boolean): Literal {
  const wanted = query.trim().toLowerCase();
  const words = [...new Set(foldText(wanted).split(' '))].filter((word) => word !== '').slice(0, maxWords);
  const slots: number[] = [];
  const score: number[] = [];
  for (let slot = 0; slot < layout.size; slot++) {
    if (layout.fileOf[slot]! < 0 || !isWanted(slot)) continue;
    const value = wanted === '' ? 1 : scoreOf(layout.corpus.textOf(slot), wanted, words);
    if (value <= 0) continue;
    slots.push(slot);
    score.push(value);
  }
  return { slots: Int32Array.from(slots), score: Float64Array.from(score) };
}

function scoreOf(text: string, wanted: string, words: readonly string[]): number {
  const at = text.toLowerCase().indexOf(wanted);
  if (at >= 0) return 0.5 + 0.5 / (1 + at / 1000);
  if (words.length === 0) return 0;
  const folded = ` ${foldText(text)} `;
  let found = 0;
  for (const word of words) if (folded.includes(` ${word} `)) found += 1;
  return (0.5 * found) / words.length;
}
