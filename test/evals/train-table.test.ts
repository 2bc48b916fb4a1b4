// The trainer of the table of vectors, on a corpus of three topics: it learns from texts that share no word, and what it writes the product reads.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { tableEmbedder } from '../../src/adapters/table-embedder.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

interface Lesson {
  readonly bags: readonly (readonly number[])[];
  readonly targets: Float32Array;
  readonly dimensions: number;
  readonly epochs: number;
  readonly batch: number;
  readonly rate: number;
  readonly alike: number;
  readonly pull: number;
  next(): number;
}

const scripts = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../scripts');
const { learn, openTable, writeTable } = (await import(path.join(scripts, 'train/table/table.mjs'))) as {
  learn(table: Float32Array, lesson: Lesson): void;
  openTable(folder: string): (texts: readonly string[]) => Float32Array;
  writeTable(folder: string, names: readonly string[], table: Float32Array): void;
};
const { rowsOfTable } = (await import(path.join(scripts, 'train/table/tokens.mjs'))) as {
  rowsOfTable(names: readonly string[]): (text: string) => number[];
};
const { drawPhrases, exchangeWords, ranksOf } = (await import(path.join(scripts, 'train/table/texts.mjs'))) as {
  ranksOf(names: readonly string[], ofTeacher: ReadonlySet<string>): number[];
  exchangeWords(texts: readonly string[], how: { words: readonly string[]; share: number; next(): number }): string[];
  drawPhrases(how: { words: readonly string[]; frames: readonly string[]; next(): number }): string[];
};
const { randomOf } = (await import(path.join(scripts, 'random.mjs'))) as { randomOf(seed: number): () => number };

const dimensions = 8;
const topics = [
  'boat sail harbour anchor tide rope',
  'bread oven flour yeast crust loaf',
  'piano chord melody tune choir verse',
].map((words) => words.split(' '));
const names = [...topics.flat(), 'lonely', ','];
const cut = rowsOfTable(names);

/** Texts of three words of a topic; the teacher finds those of one topic alike, and the others not. */
function lessonOf(seed: number): { start: Float32Array; lesson: Lesson } {
  const next = randomOf(seed);
  const texts = Array.from({ length: 120 }, (_, at) => {
    const words = topics[at % 3]!;
    return Array.from({ length: 3 }, () => words[Math.floor(next() * 4)]!).join(' ');
  });
  // The last two words of a topic stand beside others of it, never together.
  for (const words of topics)
    for (const word of words.slice(4)) for (const other of words.slice(0, 4)) texts.push(`${other}, ${word}`);
  const targets = new Float32Array(texts.length * dimensions);
  for (const [at, text] of texts.entries()) {
    const topic = topics.findIndex((words) => words.some((word) => text.includes(word)));
    targets[at * dimensions + topic] = 1;
  }
  const start = Float32Array.from({ length: names.length * dimensions }, () => next() - 0.5);
  const recipe = { dimensions, epochs: 40, batch: 32, rate: 0.02, alike: 20, pull: 2e-3 };
  return { start, lesson: { ...recipe, bags: texts.map(cut), targets, next } };
}

/** The share of pairs of late words that are nearest to each other among all late words, though no text has both. */
function shareFound(table: Float32Array): number {
  const late = topics.map((words) => words.slice(4).map((word) => names.indexOf(word)));
  const vectorOf = (row: number) => table.subarray(row * dimensions, (row + 1) * dimensions);
  const cosine = (one: number, other: number): number => {
    const [a, b] = [vectorOf(one), vectorOf(other)];
    const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * y[at]!, 0);
    return dot(a, b) / Math.sqrt(dot(a, a) * dot(b, b));
  };
  const found = late.flatMap(([one, other]) =>
    [
      [one!, other!],
      [other!, one!],
    ].map(([from, to]) => {
      const others = late.flat().filter((row) => row !== from);
      return Math.max(...others.map((row) => cosine(from!, row))) === cosine(from!, to!);
    }),
  );
  return found.filter(Boolean).length / found.length;
}

describe('the trainer of the table', () => {
  it('brings words near that no text has together, from any start', () => {
    const seeds = [1, 2, 3, 4, 5];
    const shares = seeds.map((seed) => {
      const { start, lesson } = lessonOf(seed);
      const table = start.slice();
      learn(table, lesson);
      return [shareFound(start), shareFound(table)] as const;
    });
    const mean = (at: 0 | 1) => shares.reduce((sum, share) => sum + share[at], 0) / seeds.length;
    expect(mean(0)).toBeLessThan(0.5);
    expect(mean(1)).toBeGreaterThanOrEqual(0.9);
  });

  it('learns the same from the same seed, and leaves what no text has where it was', () => {
    const tableOf = (change: Partial<Lesson> = {}) => {
      const { start, lesson } = lessonOf(7);
      const table = start.slice();
      learn(table, { ...lesson, ...change });
      return { start, table };
    };
    const { start, table } = tableOf();
    expect(tableOf().table).toEqual(table);
    expect(tableOf({ next: randomOf(8) }).table).not.toEqual(table);
    const lonely = names.indexOf('lonely') * dimensions;
    expect(table.subarray(lonely, lonely + dimensions)).toEqual(start.subarray(lonely, lonely + dimensions));
    const movedBy = (moved: Float32Array) => moved.reduce((sum, value, at) => sum + Math.abs(value - start[at]!), 0);
    expect(movedBy(tableOf({ pull: 0.1 }).table)).toBeLessThan(movedBy(table) / 2);
  });

  it('writes what the product reads', async () => {
    const folder = temporaryFolder();
    const { start } = lessonOf(3);
    writeTable(folder, names, start);
    const texts = ['Boat and bread', 'piano, piano', 'Mélody'];
    const read = openTable(folder)(texts);
    const vectors = await tableEmbedder(folder).embed(texts);
    for (const [at, vector] of vectors.entries())
      for (let of = 0; of < dimensions; of++) expect(vector[of]).toBeCloseTo(read[at * dimensions + of]!, 5);
    const row = names.indexOf('melody') * dimensions;
    const length = Math.hypot(...start.subarray(row, row + dimensions));
    expect(read[2 * dimensions]).toBeCloseTo(start[row]! / length, 1);
  });
});

describe('the texts of the trainer', () => {
  const words = Array.from(
    { length: 400 },
    (_, at) => `w${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`,
  );

  it('keep the commonest words, and exchange about the share of the others', () => {
    const text = [...words.slice(0, 100), ...Array.from({ length: 100 }, () => 'Zeppelin')].join(' ');
    const exchanged = exchangeWords([text], { words, share: 0.35, next: randomOf(4) });
    expect(exchanged).toHaveLength(2);
    for (const one of exchanged) {
      expect(one.split(' ').slice(0, 100)).toEqual(words.slice(0, 100));
      const kept = one.split(' ').filter((word) => word === 'Zeppelin').length;
      expect(kept).toBeGreaterThan(50);
      expect(kept).toBeLessThan(80);
    }
  });

  it('have a phrase for each common word, and know signs and parts of words as rare', () => {
    const phrases = drawPhrases({ words, frames: ['a _ of _', 'the _'], next: randomOf(2) });
    for (const word of words.slice(150)) expect(phrases.some((phrase) => phrase.split(' ').includes(word))).toBe(true);
    expect(ranksOf(['the', 'of', '##ing', '!', 'yeast'], new Set(['the', 'of']))).toEqual([0, 1, 8000, 40_000, 6000]);
  });
});
