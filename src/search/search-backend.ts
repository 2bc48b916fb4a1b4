// What a search that several machines share has to be. Nothing in recall asks it yet; the contract that an implementation keeps stands in
// test/contracts/search-backend.ts, and test/helpers/local-search-backend.ts keeps it within one process.
//
//     commit on any machine ──► tree id ──► keys of its documents ──► declare(view, keys)      what is missing: keep(documents)
//     question ──► terms ──► rank(view, terms, limit) ──► keys, by score                       texts stay in git
//
// Documents and views never change, so machines need no lock and no order among them: whoever comes second finds it done.

import type { LexicalFields } from './lexical-index.ts';

/** A text as its search terms. The key is the hash of what was indexed: equal words are one document, wherever and whenever they stand. */
export interface BackendDocument {
  readonly key: string;
  readonly terms: LexicalFields<readonly string[]>;
}

/** A document of a view that holds one of the terms asked for. */
export interface RankedDocument {
  readonly key: string;
  /** The sum of BM25 over terms and fields, with the constants of lexical-index.ts; above 0. */
  readonly score: number;
}

/** Ranks the documents of views by words. Each call stands for itself, and may be repeated; a failure of the way there is thrown as it is. */
export interface SearchBackend {
  /** Gives those of the keys of which no document is kept, in the order given. */
  missing(keys: readonly string[]): Promise<readonly string[]>;
  /** Keeps documents; those whose key is kept already are passed over. */
  keep(documents: readonly BackendDocument[]): Promise<void>;
  /**
   * Says which documents a view holds, all at once or not at all; `view` is the id of a tree, which means the same to every machine. A key
   * that is given twice counts once. Throws NOT_FOUND for a key of which no document is kept, CONFLICT for a view that holds others.
   */
  declare(view: string, keys: readonly string[]): Promise<void>;
  isDeclared(view: string): Promise<boolean>;
  /**
   * Gives at most `limit` documents of the view that hold one of the terms, highest score first, equal ones by key. How many documents there
   * are, how long, and how many hold a term is counted among those of the view alone, so the answer does not depend on what else is kept.
   * A term that is given twice counts once. Throws NOT_FOUND for a view that nobody declared, INVALID_ARGUMENT for a limit below 1.
   */
  rank(view: string, terms: readonly string[], limit: number): Promise<readonly RankedDocument[]>;
  /**
   * Lets go of views, and of documents that no other view holds: after a purge, or when a branch is gone. Unknown ones are passed over. Who
   * has kept documents for a view and not declared it yet finds them missing then, and keeps them again.
   */
  release(views: readonly string[]): Promise<void>;
}
