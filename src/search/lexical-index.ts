// What an index over words is: fields, boosts and the one question it answers. Two implementations keep this contract:
// adapters/mini-search-index.ts and array-index.ts. What a document is, and how words make a rank, is decided elsewhere.

/** The words of a document by field, as search terms; a term stands as often as it occurs. */
export interface LexicalFields<Words> {
  /** Its own words, with the name of who speaks. */
  readonly text: Words;
  /** Headings, topic and date. */
  readonly title: Words;
  /** Tags, entities, and what a memory record says of its context. */
  readonly tags: Words;
}

/** One entry of the index; `id` is the caller's, unique among the entries in the index, and never given twice. */
export interface LexicalEntry {
  readonly id: number;
  readonly terms: LexicalFields<readonly string[]>;
}

/** The entries that hold a term, in no promised order: `scores[i]` is that of `ids[i]`. */
export interface TermMatches {
  readonly ids: ArrayLike<number>;
  /** BM25 over the fields: above 0, without an upper bound. */
  readonly scores: ArrayLike<number>;
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
   * Lists terms that entries hold and that an unfinished or misspelt one may have meant, in order: those that begin with it,
   * and those within {@link editsAllowed} letters of it.
   */
  termsLike(term: string): string[];
}

export const lexicalFieldNames = ['text', 'title', 'tags'] as const satisfies readonly (keyof LexicalFields<unknown>)[];

/** The numbers of fields by which postings know them. */
export const textField = lexicalFieldNames.indexOf('text');
export const titleField = lexicalFieldNames.indexOf('title');

/** Weighs the fields; chosen on LoCoMo-dev, see docs/search-evaluation.md. */
export const fieldBoosts: Readonly<LexicalFields<number>> = { text: 1, title: 0.5, tags: 0.7 };

/**
 * BM25 (Robertson, Zaragoza 2009) as MiniSearch computes it: a field's length is the number of its different terms.
 *
 * ```
 * score = Σ over fields  boost · ln(1 + (N − n + 0.5) / (n + 0.5)) · f · (k + 1) / (f + k · (1 − b + b · length / average))
 * ```
 */
export const bm25 = { k: 1.2, b: 0.7, d: 0 } as const;

/** Says how many letters may differ between a term and what was meant: none below four letters, one below eight, else two. */
export function editsAllowed(term: string): number {
  return term.length < 4 ? 0 : term.length < 8 ? 1 : 2;
}

/** The shortest term that may be the beginning of another. */
export const minPrefixLength = 4;
