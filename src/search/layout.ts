// The documents of one view among all that were met: those of a file stand together in their order, so that a neighbour is one step
// away. Statistics of a view count its documents only.

import type { Corpus, CorpusFile, ReadBlob } from './corpus.ts';
import type { SearchDocument } from './search-document.ts';

/** What ranking knows of a view; "slots" are rows of the corpus, and some belong to other views. */
export interface Layout {
  readonly corpus: Corpus;
  /** All slots are below this. */
  readonly size: number;
  /** The number of documents in the view. */
  readonly count: number;
  /** By slot: the number of its file, −1 for what is not in the view. */
  readonly fileOf: Int32Array;
  /** The number of files with documents. */
  readonly fileCount: number;
  /** By file: how many documents it holds. */
  readonly fileSizes: Int32Array;
  /** How many documents a file with more than one has on average. */
  readonly averageTalk: number;
  /** Different for each view, also in the course of time. */
  readonly version: object;
  document(slot: number): SearchDocument;
}

/** Keeps the layout of a view that moves. */
export class ViewLayout implements Layout {
  readonly corpus: Corpus;
  readonly #read: ReadBlob;
  fileOf = new Int32Array(0);
  fileSizes = new Int32Array(0);
  fileCount = 0;
  count = 0;
  version: object = {};
  #talks = 0;
  #spoken = 0;

  constructor(corpus: Corpus, read: ReadBlob) {
    this.corpus = corpus;
    this.#read = read;
  }

  get size(): number {
    return this.fileOf.length;
  }

  get averageTalk(): number {
    return this.#talks === 0 ? 0 : this.#spoken / this.#talks;
  }

  document(slot: number): SearchDocument {
    return this.corpus.document(slot, this.#read);
  }

  /** Makes room for what the corpus has met since. */
  reach(): void {
    if (this.fileOf.length < this.corpus.size) {
      const fileOf = new Int32Array(this.corpus.size).fill(-1);
      fileOf.set(this.fileOf);
      this.fileOf = fileOf;
    }
    if (this.fileSizes.length < this.corpus.files.length) {
      const fileSizes = new Int32Array(this.corpus.files.length);
      fileSizes.set(this.fileSizes);
      this.fileSizes = fileSizes;
    }
  }

  add({ number, first, count }: CorpusFile): void {
    this.fileOf.fill(number, first, first + count);
    this.fileSizes[number] = count;
    this.#note(count, 1);
  }

  remove({ number, first, count }: CorpusFile): void {
    this.fileOf.fill(-1, first, first + count);
    this.fileSizes[number] = 0;
    this.#note(count, -1);
  }

  #note(count: number, sign: 1 | -1): void {
    this.version = {};
    this.count += sign * count;
    if (count > 0) this.fileCount += sign;
    if (count > 1) {
      this.#talks += sign;
      this.#spoken += sign * count;
    }
  }
}
