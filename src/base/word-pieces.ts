// Cuts words into the longest tokens of a vocabulary from the left: WordPiece (Wu et al. 2016), as BERT's vocabularies are made for. `##x`
// continues a word. What becomes of a word that the vocabulary does not cover is for who asks.

/** The rows of a word's tokens, and whether they cover all of it. */
export interface CutWord {
  readonly rows: readonly number[];
  readonly isWhole: boolean;
}

/** So many words are cut once. */
const mostKnown = 50_000;

/** Gives a text as such vocabularies are written: lower case, without accents. */
export const plainText = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '');

/** Makes what cuts plain words: it takes the longest tokens from the left, as far as they go. */
export function wordCutter(tokens: readonly string[]): (word: string) => CutWord {
  const rowOf = new Map(tokens.map((token, row) => [token, row]));
  const longest = tokens.reduce((most, token) => Math.max(most, token.length), 0);
  const known = new Map<string, CutWord>();
  const cut = (word: string): CutWord => {
    const rows: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = Math.min(word.length, from + longest);
      let row: number | undefined;
      for (; to > from && row === undefined; to--) row = rowOf.get((from > 0 ? '##' : '') + word.slice(from, to));
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
