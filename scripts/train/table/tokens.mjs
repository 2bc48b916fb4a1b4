// Cuts texts into rows of the table and into the word pieces that the teacher reads: both BERT's way, for lower-case English.

import { readFileSync } from 'node:fs';

/** Reads a vocabulary, one token a line. `##x` continues a word. */
export const readVocabulary = (file) => readFileSync(file, 'utf8').trimEnd().split('\n');

/** Gives what cuts a text into rows of the table: a word loses what comes after a part that no token covers. */
export const rowsOfTable = (names) => cutter(names, /[a-z0-9]+|[^\sa-z0-9]/gu, ({ rows }) => rows);

/** Gives what cuts a text into the teacher's pieces, 256 with both marks; one token of its vocabulary is taken as it is. */
export function piecesOfTeacher(names) {
  const [first, last, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => names.indexOf(mark));
  const cut = cutter(names, /[^\s\p{P}\p{S}]+|[\p{P}\p{S}]/gu, ({ rows, whole }) => (whole ? rows : [unknown]));
  const rowOf = new Map(names.map((name, row) => [name, row]));
  return (text) => [first, ...(rowOf.has(text) ? [rowOf.get(text)] : cut(text).slice(0, 254)), last];
}

function cutter(names, words, choose) {
  const rowOf = new Map(names.map((name, row) => [name, row]));
  const longest = Math.max(...names.map((name) => name.length));
  const known = new Map();

  /** Takes the longest tokens from the left, as far as they go. */
  function longestTokens(word) {
    const rows = [];
    for (let from = 0, to; from < word.length; from = to) {
      const tokenTo = (end) => rowOf.get((from > 0 ? '##' : '') + word.slice(from, end));
      to = Math.min(word.length, from + longest);
      while (to > from && tokenTo(to) === undefined) to--;
      if (to === from) return { rows, whole: false };
      rows.push(tokenTo(to));
    }
    return { rows, whole: true };
  }

  return (text) => {
    const plain = text
      .toLowerCase()
      .normalize('NFD')
      .replace(/\p{Mn}/gu, '');
    return [...plain.matchAll(words)].flatMap(([word]) => {
      if (!known.has(word)) known.set(word, choose(longestTokens(word)));
      return known.get(word);
    });
  };
}
