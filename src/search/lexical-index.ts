// The word index: which documents share words with a query, and how strongly. MiniSearch does the work; only this file knows it.
// What a document is, what may be seen and how words weigh against dates is decided in search-index.ts.

import MiniSearch from 'minisearch';
import { tokensOf } from '../base/tokenizer.ts';

/** What of a document is searched, by weight: its own words, then what stands around them. */
export interface LexicalFields {
  readonly text: string;
  /** Headings, topic and date. */
  readonly title: string;
  /** The words of the neighbours: the turns before and after. */
  readonly context: string;
  /** Tags and entities. */
  readonly tags: string;
}

/** One entry of the index; `id` is the caller's and unique among the entries that are in the index. */
export interface LexicalEntry {
  readonly id: number;
  readonly fields: LexicalFields;
}

/** One document that shares a term with the query. */
export interface LexicalMatch {
  readonly id: number;
  /** Above 0, without an upper bound; comparable within one query only. */
  readonly score: number;
  /** The terms of the query that were found in it. */
  readonly terms: readonly string[];
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
  /** Finds entries with at least one of the terms, best first. Terms are those of `queryTokensOf`. */
  search(terms: readonly string[]): LexicalMatch[];
}

/**
 * Weighs the four fields.
 *
 * Chosen on five LoCoMo conversations (1,018 questions, turns as documents): recall@10 is 70 % with text alone, 77 % with the
 * neighbours' words; anything from 0.4 to 0.6 is as good.
 */
export const fieldBoosts: Readonly<Record<keyof LexicalFields, number>> = {
  text: 1,
  title: 0.5,
  context: 0.6,
  tags: 0.7,
};

/**
 * How much a term counts as found that stands in the neighbours only.
 *
 * MiniSearch multiplies a score by the number of query terms found; counted in full, a neighbour of two good turns beats both.
 */
const contextOnlyTerm = 0.6;

const fieldNames = ['text', 'title', 'context', 'tags'] as const satisfies readonly (keyof LexicalFields)[];

/** A MiniSearch document: every field as its terms joined by spaces. */
type TermDocument = { readonly id: number } & Readonly<Record<(typeof fieldNames)[number], string>>;

const splitTerms = (field: string): string[] => (field === '' ? [] : field.split(' '));

/**
 * Makes the index that serves the tip of a branch: BM25+ times the number of query terms found.
 *
 * Every entry carries all fields, empty ones included: MiniSearch keeps running averages of field lengths, and an absent
 * field would make them depend on the order of additions.
 */
export function miniSearchIndex(): LexicalIndex {
  const index = new MiniSearch<TermDocument>({
    idField: 'id',
    fields: [...fieldNames],
    storeFields: [],
    tokenize: splitTerms,
    processTerm: (term) => term,
    searchOptions: { boost: { ...fieldBoosts }, prefix: false, fuzzy: false, combineWith: 'OR' },
  });

  // Neighbouring turns repeat one another's words as context; a few remembered lines save most of the tokenising.
  const recent = new Map<string, string>();
  const termsOfLine = (line: string): string => {
    let joined = recent.get(line);
    if (joined === undefined) {
      if (recent.size >= 64) recent.clear();
      joined = tokensOf(line).join(' ');
      recent.set(line, joined);
    }
    return joined;
  };
  const termsOf = (text: string): string =>
    text === ''
      ? ''
      : text
          .split('\n')
          .map(termsOfLine)
          .filter((terms) => terms !== '')
          .join(' ');
  const document = ({ id, fields }: LexicalEntry): TermDocument => ({
    id,
    text: termsOf(fields.text),
    title: termsOf(fields.title),
    context: termsOf(fields.context),
    tags: termsOf(fields.tags),
  });

  return {
    get size() {
      return index.documentCount;
    },
    add(entries) {
      for (const entry of entries) index.add(document(entry));
    },
    remove(entries) {
      // `discard` would be quicker, but the dead entries it leaves behind count in the statistics until a later search.
      for (const entry of entries) index.remove(document(entry));
    },
    search(terms) {
      if (terms.length === 0) return [];
      const matches = index.search(terms.join(' ')).map(({ id, score, queryTerms, match }): LexicalMatch => {
        let found = 0;
        for (const term of queryTerms) {
          const fields = match[term];
          found += fields?.length === 1 && fields[0] === 'context' ? contextOnlyTerm : 1;
        }
        return { id: id as number, score: (score * found) / queryTerms.length, terms: queryTerms };
      });
      return matches.sort((one, other) => other.score - one.score);
    },
  };
}
