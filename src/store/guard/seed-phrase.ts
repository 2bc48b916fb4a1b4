// Finds the words from which wallets make their keys: 12, 15, 18, 21 or 24 words of one list, whose last bits are a checksum.
// https://github.com/bitcoin/bips/blob/master/bip-0039.mediawiki

import { createHash } from 'node:crypto';
import type { FoundSecret } from './secret-rules.ts';
import { seedWordsInOrder } from './seed-words.ts';

const fewestWords = 12;
/** The fewest words and the gaps between them are no shorter. */
const shortest = 47;
/** A look at every so many characters meets each phrase. */
const stride = 40;
/** Of the list. */
const longestWord = 8;
/** Longer runs are lists of words. */
const longestRun = 60;

let numbers: ReadonlyMap<string, number> | null = null;

/** Lists the words in order: what a phrase says is the place of each. */
export function seedWords(): string[] {
  let last = '';
  return [...seedWordsInOrder.replaceAll('\n', '').matchAll(/(\d)([a-z]+)/g)].map(([, shared, rest]) => {
    last = last.slice(0, Number(shared)) + rest;
    return last;
  });
}

/** Finds seed phrases: by their checksum, or where the words before them say what they are. */
export function findSeedPhrases(text: string, found: FoundSecret[]): void {
  if (text.length < shortest) return;
  numbers ??= new Map(seedWords().map((word, place) => [word, place]));
  for (let at = stride; at < text.length; at += stride) {
    // Most words of a text are not of the list, and within a phrase each one is.
    if (!isListed(text, at, numbers)) continue;
    const end = edgeOfRun(text, at, 1);
    const start = edgeOfRun(text, at - 1, -1) + 1;
    at = Math.max(at, end);
    if (end - start < shortest || !hasWords(text, start, end)) continue;
    addPhrases(text, start, end, numbers, found);
  }
}

/** Tells whether the word at a place, or before the gap that is there, is of the list. */
function isListed(text: string, at: number, numberOf: ReadonlyMap<string, number>): boolean {
  let end = at;
  while (end - at <= longestWord && parts[text.charCodeAt(end)] === 1) end += 1;
  if (end === at) while (end > 0 && at - end < 8 && parts[text.charCodeAt(end - 1)] !== 1) end -= 1;
  let start = end;
  while (end - start <= longestWord && parts[text.charCodeAt(start - 1)] === 1) start -= 1;
  // `\n` within JSON is no letter of the word behind it.
  if (text[start - 1] === '\\') start += 1;
  return numberOf.has(text.slice(start, end).toLowerCase());
}

interface Word {
  readonly number: number;
  readonly start: number;
  readonly end: number;
}

/** Letters are 1; gaps, and the numbers and marks of a list, 2. */
const parts = Uint8Array.from({ length: 128 }, (_, code) =>
  /[A-Za-z]/.test(String.fromCharCode(code)) ? 1 : /[\s\d)*,.:;|\\-]/.test(String.fromCharCode(code)) ? 2 : 0,
);

/** Goes from a place over words as long as those of the list, and what is between them, to what is neither. */
function edgeOfRun(text: string, from: number, step: 1 | -1): number {
  let at = from;
  // The place may be within a word, whose length the other direction knows.
  let isFirst = true;
  for (let letters = 0, gap = 0; letters <= 9 && gap < 8; at += step) {
    const part = parts[text.charCodeAt(at)];
    if (part === 1) {
      if (gap > 0) letters = 0;
      letters += 1;
      gap = 0;
    } else if (part === 2) {
      if (gap === 0 && letters < 3 && !isFirst) break;
      isFirst = false;
      gap += 1;
    } else break;
  }
  return at;
}

function hasWords(text: string, start: number, end: number): boolean {
  let count = 0;
  for (let at = start; at < end; at++)
    if (parts[text.charCodeAt(at)] === 1 && parts[text.charCodeAt(at + 1)] !== 1) count += 1;
  return count >= fewestWords;
}

function addPhrases(
  text: string,
  from: number,
  end: number,
  numberOf: ReadonlyMap<string, number>,
  found: FoundSecret[],
): void {
  // A run may be all of a text: no more of it is held than the words of the list that stand together.
  let run: Word[] = [];
  const settle = (): void => {
    if (run.length >= fewestWords && run.length <= longestRun) {
      const [first, last] = [run[0]!.start, run.at(-1)!.end];
      const isNamed = /seed|mnemonic|wallet|recovery|phrase/i.test(text.slice(Math.max(0, first - 60), run[2]!.end));
      const inList = run.map(({ number }) => number);
      if (isPhrase(inList, isNamed)) found.push({ kind: 'seed-phrase', start: first, end: last });
    }
    run = [];
  };
  for (const { 0: word, index } of text.slice(from, end).matchAll(/(?<=\\[nrt])[A-Za-z]+|(?<!\\)[A-Za-z]+/g)) {
    const number = numberOf.get(word.toLowerCase());
    if (number === undefined) settle();
    else if (run.length <= longestRun) run.push({ number, start: from + index, end: from + index + word.length });
  }
  settle();
}

function isPhrase(places: readonly number[], isNamed: boolean): boolean {
  // A part of the list itself, and the phrase of examples, which says one word over and over.
  if (new Set(places).size < fewestWords / 2 || places.every((place, at) => at === 0 || place >= places[at - 1]!))
    return false;
  if (isNamed) return true;
  for (let size = 24; size >= fewestWords; size -= 3)
    for (let from = 0; from + size <= places.length; from++)
      if (hasChecksum(places.slice(from, from + size))) return true;
  return false;
}

/** Eleven bits a word: the entropy, then as many bits of its hash as it has words of 32 bits. */
function hasChecksum(places: readonly number[]): boolean {
  const bits = places.map((place) => place.toString(2).padStart(11, '0')).join('');
  const length = (bits.length / 33) * 32;
  const entropy = Buffer.from(
    bits
      .slice(0, length)
      .match(/.{8}/g)!
      .map((byte) => Number.parseInt(byte, 2)),
  );
  const hash = createHash('sha256').update(entropy).digest()[0]!.toString(2).padStart(8, '0');
  return hash.startsWith(bits.slice(length));
}
