// What an index over words is: which documents hold a term and how, and which terms are like one. Two implementations keep this contract:
// adapters/mini-search-index.ts and array-index.ts. What a document is, and how words make a rank, is decided elsewhere.

import type { DocumentTerms } from './postings.ts';

/** One entry of the index; `id` is the caller's, unique among the entries in the index, and never given twice. */
export interface LexicalEntry {
  readonly id: number;
  readonly terms: DocumentTerms;
}

/** The entries that hold a term, by id, as columns: entry i is that of `ids[i]`. See {@link Postings}. */
export interface TermMatches {
  readonly ids: ArrayLike<number>;
  readonly counts: ArrayLike<number>;
  readonly marks: ArrayLike<number>;
  readonly firsts: ArrayLike<number>;
  readonly lasts: ArrayLike<number>;
}

/**
 * Is an index over words that answers the same whatever was added and removed before.
 *
 * The entries of `remove` have to equal the ones that were added.
 */
export interface LexicalIndex {
  readonly size: number;
  add(entries: Iterable<LexicalEntry>): void;
  remove(entries: Iterable<LexicalEntry>): void;
  /** Finds the entries that hold exactly this term. */
  matchesOf(term: string): TermMatches;
  /**
   * Lists, in order, terms that entries hold and that an unfinished or misspelt one may have meant. They begin with it, or are within
   * {@link editsAllowed} letters of it; of one sign of a script without spaces, those that it is in.
   */
  termsLike(term: string): string[];
}
