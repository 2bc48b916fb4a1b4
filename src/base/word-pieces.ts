// Cuts words into the longest tokens of a vocabulary from the left: WordPiece (Wu et al. 2016), as BERT's vocabularies are made for. `##x`
// continues a word. What becomes of a word that the vocabulary does not cover is for who asks.

import { once } from './once-per.ts';
import { firstNotBelow } from './sorted.ts';

/** The rows of a word's tokens, and whether they cover all of it. */
export interface CutWord {
  readonly rows: readonly number[];
  readonly isWhole: boolean;
}

/** So many words are cut once. */
const mostKnown = 50_000;
/** A question asks for a few tokens, which are looked for in the text. After so many a table of all of them pays: it takes 15 ms. */
const fewAsked = 60;

/** Gives a text as such vocabularies are written: lower case, without accents. */
export const plainText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');

/** Makes what finds the row of a token in a vocabulary, one token a line, and says how long the longest is. */
function rowFinder(vocabulary: string): { longest: number; rowOf: (token: string) => number | undefined } {
  const lines = `\n${vocabulary}\n`;
  const starts: number[] = [];
  let longest = 0;
  for (let at = 0, end = 0; end < lines.length - 1; at = end) {
    end = lines.indexOf('\n', at + 1);
    starts.push(at);
    longest = Math.max(longest, end - at - 1);
  }
  const all = once(() => new Map(vocabulary.split('\n').map((token, row) => [token, row])));
  let asked = 0;
  const rowOf = (token: string): number | undefined => {
    asked += 1;
    if (asked > fewAsked) return all().get(token);
    const at = lines.indexOf(`\n${token}\n`);
    return at === -1 ? undefined : firstNotBelow(starts, at);
  };
  return { longest, rowOf };
}

/** Makes what cuts plain words by a vocabulary, one token a line: it takes the longest tokens from the left, as far as they go. */
export function wordCutter(vocabulary: string): (word: string) => CutWord {
  const { longest, rowOf } = rowFinder(vocabulary);
  const known = new Map<string, CutWord>();
  const cut = (word: string): CutWord => {
    const rows: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = Math.min(word.length, from + longest);
      let row: number | undefined;
      for (; to > from && row === undefined; to--) row = rowOf((from > 0 ? '##' : '') + word.slice(from, to));
      if (row === undefined) return { rows, isWhole: false };
      rows.push(row);
      from = to + 1;
    }
    return { rows, isWhole: true };
  };
  return (word) => {
    let found = known.get(word);
    if (found === undefined) {
      found = cut(word);
      if (known.size >= mostKnown) known.clear();
      known.set(word, found);
    }
    return found;
  };
}
