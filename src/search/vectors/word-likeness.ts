// How near texts are word by word: each word counts by the one nearest to it on the other side. That is late interaction (Khattab and Zaharia
// 2020) with vectors of words instead of a transformer's. It finds what a sum of vectors blurs: one word of a long text that means the same.

import type { WordVectors } from '../../base/ports.ts';
import { normalise } from '../../base/vectors.ts';
import { VectorTable } from './vector-table.ts';

/** So many words are kept as vectors: more than a large memory has about one matter. */
const mostWords = 8192;

/** Compares texts, and keeps the words that it has seen. */
export class WordLikeness {
  readonly #words: WordVectors;
  /** By word its row; -1 for one without a vector. */
  #rows = new Map<string, number>();
  #table: VectorTable;
  /** By row: what a word weighs, the square of its length. It is small for words that say little. */
  #weights: number[] = [];

  constructor(words: WordVectors) {
    this.#words = words;
    this.#table = new VectorTable(words.dimensions);
  }

  /**
   * Gives how near each of some texts is to one, 0 to 1:
   *
   * ```
   * (Σ w·max cos of one / Σ w of one + Σ w·max cos of the other / Σ w of the other) / 2
   * ```
   */
  nearTo(text: string, others: readonly string[]): number[] {
    if (this.#table.size > mostWords) {
      this.#rows = new Map();
      this.#table = new VectorTable(this.#words.dimensions);
      this.#weights = [];
    }
    const own = this.#rowsIn(text);
    const theirs = others.map((other) => this.#rowsIn(other));
    const cosines = own.map(() => new Float64Array(this.#table.size));
    this.#table.scoreAll(
      own.map((row) => this.#table.vectorOf(row)),
      cosines,
    );
    const nearest = new Float64Array(this.#table.size).fill(-1);
    for (const cosine of cosines)
      for (let row = 0; row < nearest.length; row++) if (cosine[row]! > nearest[row]!) nearest[row] = cosine[row]!;
    return theirs.map((rows) => {
      if (rows.length === 0 || own.length === 0) return 0;
      const there = this.#mean(rows, (at) => nearest[rows[at]!]!);
      const here = this.#mean(own, (at) => rows.reduce((most, row) => Math.max(most, cosines[at]![row]!), -1));
      return Math.max(0, (here + there) / 2);
    });
  }

  #mean(rows: readonly number[], valueAt: (at: number) => number): number {
    let [sum, all] = [0, 0];
    for (const [at, row] of rows.entries()) {
      sum += this.#weights[row]! * valueAt(at);
      all += this.#weights[row]!;
    }
    return sum / all;
  }

  #rowsIn(text: string): number[] {
    const rows = new Set<number>();
    for (const word of this.#words.wordsIn(text)) {
      const row = this.#rows.get(word) ?? this.#add(word);
      if (row >= 0) rows.add(row);
    }
    return [...rows];
  }

  #add(word: string): number {
    const vector = this.#words.vectorOf(word);
    const weight = vector.reduce((sum, value) => sum + value * value, 0);
    const row = weight === 0 ? -1 : this.#table.add(normalise(vector));
    if (row >= 0) this.#weights[row] = weight;
    this.#rows.set(word, row);
    return row;
  }
}
