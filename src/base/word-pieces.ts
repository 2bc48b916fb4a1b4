// Cuts words into the longest tokens of a vocabulary from the left: WordPiece (Wu et al. 2016), as BERT's vocabularies are made for. `##x`
// continues a word. What becomes of a word that the vocabulary does not cover is for who asks.

import { keptIn, once } from './once-per.ts';
import { isAscii } from './text.ts';

/** The rows of a word's tokens, and whether they cover all of it. */
export interface CutWord {
  readonly rows: readonly number[];
  readonly isWhole: boolean;
}

/** So many words are cut once. */
const mostKnown = 50_000;
/** A question asks for a few tokens, which are looked for in the text. After so many a table of all of them pays: it takes 15 ms. */
const fewAsked = 60;
/** Lines are counted by stretches of so many letters: each of 46,000 by itself takes 5 ms more. */
const stretch = 4096;
/** A longer word is worth to know how long the longest token is. */
const usualLength = 24;

/** Gives a text as such vocabularies are written: lower case, without accents. */
export const plainText = (text: string): string =>
  isAscii(text)
    ? text.toLowerCase()
    : text
        .toLowerCase()
        .normalize('NFD')
        .replace(/\p{Mn}/gu, '');

const linesIn = (text: string): number => text.split('\n').length - 1;

/** Finds rows of tokens in a vocabulary, one token a line. */
function rowFinder(vocabulary: string) {
  const lines = `\n${vocabulary}\n`;
  /** How many lines end before each stretch, and before the end. */
  const before = [0];
  for (let at = 0; at < lines.length; at += stretch)
    before.push(before.at(-1)! + linesIn(lines.slice(at, at + stretch)));
  const all = once(() => new Map(vocabulary.split('\n').map((token, row) => [token, row])));
  const longest = once(() => vocabulary.split('\n').reduce((most, { length }) => Math.max(most, length), 0));
  let asked = 0;
  return {
    count: before.at(-1)! - 1,
    /** How many letters of so many a token may have. */
    mostOf: (length: number): number => (length <= usualLength ? length : Math.min(length, longest())),
    rowOf(token: string): number | undefined {
      asked += 1;
      if (asked > fewAsked) return all().get(token);
      const at = lines.indexOf(`\n${token}\n`);
      if (at === -1) return undefined;
      const first = Math.floor(at / stretch);
      return before[first]! + linesIn(lines.slice(first * stretch, at));
    },
  };
}

/** Makes what cuts plain words by a vocabulary, one token a line: it takes the longest tokens from the left, as far as they go. */
export function wordCutter(vocabulary: string): { readonly count: number; cut(word: string): CutWord } {
  const { count, mostOf, rowOf } = rowFinder(vocabulary);
  const known = new Map<string, CutWord>();
  const cut = (word: string): CutWord => {
    const rows: number[] = [];
    for (let from = 0; from < word.length; ) {
      let to = from + mostOf(word.length - from);
      let row: number | undefined;
      for (; to > from && row === undefined; to--) row = rowOf((from > 0 ? '##' : '') + word.slice(from, to));
      if (row === undefined) return { rows, isWhole: false };
      rows.push(row);
      from = to + 1;
    }
    return { rows, isWhole: true };
  };
  return { count, cut: (word) => keptIn(known, word, () => cut(word), mostKnown) };
}
