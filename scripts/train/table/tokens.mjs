// Cuts texts into rows of the table and into the word pieces that the teacher reads: both BERT's way, for lower-case English.

import { readFileSync } from 'node:fs';
import { plainText, wordCutter } from '../../../dist/base/word-pieces.js';

/** Reads a vocabulary, one token a line. `##x` continues a word. */
export const readVocabulary = (file) => readFileSync(file, 'utf8').trimEnd().split('\n');

/** Gives what cuts a text into rows of the table: a word loses what comes after a part that no token covers. */
export const rowsOfTable = (names) => cutter(names, /[a-z0-9]+|[^\sa-z0-9]/gu, ({ rows }) => rows);

/** Gives what cuts a text into the teacher's pieces, 256 with both marks; one token of its vocabulary is taken as it is. */
export function piecesOfTeacher(names) {
  const [first, last, unknown] = ['[CLS]', '[SEP]', '[UNK]'].map((mark) => names.indexOf(mark));
  const cut = cutter(names, /[^\s\p{P}\p{S}]+|[\p{P}\p{S}]/gu, ({ rows, isWhole }) => (isWhole ? rows : [unknown]));
  const rowOf = new Map(names.map((name, row) => [name, row]));
  return (text) => [first, ...(rowOf.has(text) ? [rowOf.get(text)] : cut(text).slice(0, 254)), last];
}

function cutter(names, words, choose) {
  const { cut } = wordCutter(names.join('\n'));
  return (text) => [...plainText(text).matchAll(words)].flatMap(([word]) => choose(cut(word)));
}
