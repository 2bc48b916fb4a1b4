// The documents of one view among all that were met. Those of a file stand together in their order, so a neighbour is one step away.
// Statistics of a view count its documents only.

import type { Language } from '../base/languages.ts';
import type { Corpus, ReadBlob } from './corpus.ts';
import type { CorpusFile } from './file-table.ts';
import type { DocumentTerms } from './postings.ts';
import type { SearchDocument } from './search-document.ts';
import { flag } from './segment.ts';

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
  /** The number of things to find: documents, where a file that is found as a whole is one. */
  readonly unitCount: number;
  /** Which share of them somebody said, or tells of what was said: not of a library, all of a conversation. */
  readonly spokenShare: number;
  /** How many terms their titles have on average. */
  readonly averageTitle: number;
  /** In which languages files of the view are, the most frequent first; what is in none that is known counts as English. */
  readonly languages: readonly Language[];
  /** Different for each view, also in the course of time. */
  readonly version: object;
  document(slot: number): SearchDocument;
  /** Gives the terms of a document, read from its file. */
  termsOf(slot: number): DocumentTerms;
}

/** Keeps the layout of a view that moves. */
export class ViewLayout implements Layout {
  readonly corpus: Corpus;
  readonly #read: ReadBlob;
  fileOf = new Int32Array(0);
  fileCount = 0;
  count = 0;
  unitCount = 0;
  version: object = {};
  #titles = 0;
  #spoken = 0;
  readonly #languages = new Map<Language, number>();

  constructor(corpus: Corpus, read: ReadBlob) {
    this.corpus = corpus;
    this.#read = read;
  }

  get size(): number {
    return this.fileOf.length;
  }

  get spokenShare(): number {
    return this.#spoken === 0 ? 0 : this.#spoken / this.unitCount;
  }

  get averageTitle(): number {
    return this.#titles === 0 ? 1 : this.#titles / this.unitCount;
  }

  get languages(): readonly Language[] {
    return [...this.#languages]
      .sort(([one, count], [other, otherCount]) => otherCount - count || (one < other ? -1 : 1))
      .map(([language]) => language);
  }

  document(slot: number): SearchDocument {
    return this.corpus.document(slot, this.#read);
  }

  termsOf(slot: number): DocumentTerms {
    return this.corpus.readDocument(slot, this.#read).terms;
  }

  /** Makes room for what the corpus has met since. */
  reach(): void {
    if (this.fileOf.length < this.corpus.size) {
      const fileOf = new Int32Array(this.corpus.size).fill(-1);
      fileOf.set(this.fileOf);
      this.fileOf = fileOf;
    }
  }

  add(file: CorpusFile): void {
    this.fileOf.fill(file.number, file.first, file.first + file.count);
    this.#note(file, 1);
  }

  remove(file: CorpusFile): void {
    this.fileOf.fill(-1, file.first, file.first + file.count);
    this.#note(file, -1);
  }

  /** Adds all files of the corpus but some, by number, to an empty view. */
  addAllBut(idle: ReadonlySet<number>): void {
    const { units, titleLengths, facets, flags } = this.corpus.columns;
    this.fileOf = this.corpus.columns.fileOf.slice(0, this.corpus.size);
    const { fileOf, size } = this;
    const filesByFacet = new Int32Array(this.corpus.facetCount);
    let [last, isIdle] = [-1, false];
    for (let row = 0; row < size; row++) {
      const number = fileOf[row]!;
      const isFirst = number !== last;
      if (isFirst) isIdle = idle.has(number);
      last = number;
      if (isIdle) fileOf[row] = -1;
      if (isIdle) continue;
      this.count += 1;
      if (isFirst) filesByFacet[facets[row]!]! += 1;
      if (isFirst) this.fileCount += 1;
      if (units[row] !== row) continue;
      this.unitCount += 1;
      this.#titles += titleLengths[row]!;
      if ((flags[row]! & (flag.spoken | flag.retold)) !== 0) this.#spoken += 1;
    }
    for (const [facet, files] of filesByFacet.entries()) if (files > 0) this.#noteLanguage(facet, files);
    this.version = {};
  }

  #note({ first, count }: Pick<CorpusFile, 'first' | 'count'>, sign: 1 | -1): void {
    this.version = {};
    this.count += sign * count;
    if (count === 0) return;
    this.fileCount += sign;
    const { units, titleLengths, facets, flags } = this.corpus.columns;
    for (let row = first; row < first + count; row++) {
      if (units[row] !== row) continue;
      this.unitCount += sign;
      this.#titles += sign * titleLengths[row]!;
      if ((flags[row]! & (flag.spoken | flag.retold)) !== 0) this.#spoken += sign;
    }
    this.#noteLanguage(facets[first]!, sign);
  }

  #noteLanguage(facet: number, more: number): void {
    const { language = 'en' } = this.corpus.facet(facet);
    const files = (this.#languages.get(language) ?? 0) + more;
    if (files === 0) this.#languages.delete(language);
    else this.#languages.set(language, files);
  }
}
