// The word index on MiniSearch; only this file knows it. It needs nothing but the entries, so it serves small states of which nothing is kept,
// and whatever takes its words along; see array-index.ts for the rest.

import { createRequire } from 'node:module';
import type MiniSearch from 'minisearch';
import {
  bm25,
  editsAllowed,
  fieldBoosts,
  type LexicalEntry,
  type LexicalIndex,
  lexicalFieldNames,
  minPrefixLength,
} from '../search/lexical-index.ts';

type TermDocument = { readonly id: number } & LexicalEntry['terms'];

/** What MiniSearch takes for the text of a field: our terms, split and stemmed already. */
const asField = (terms: unknown): string => terms as string;
const asTerms = (field: string): string[] => field as unknown as string[];

/**
 * Makes an index on MiniSearch.
 *
 * Every entry carries all fields, empty ones included: MiniSearch keeps running averages of field lengths, and an absent
 * field would make them depend on the order of additions.
 */
export function miniSearchIndex(): LexicalIndex {
  let made: MiniSearch<TermDocument> | undefined;
  const index = (): MiniSearch<TermDocument> => {
    made ??= makeIndex();
    return made;
  };
  return {
    get size() {
      return made?.documentCount ?? 0;
    },
    add(entries) {
      for (const { id, terms } of entries) index().add({ id, ...terms });
    },
    remove(entries) {
      // `discard` would be quicker, but the dead entries it leaves behind count in the statistics until a later search.
      for (const { id, terms } of entries) index().remove({ id, ...terms });
    },
    matchesOf(term) {
      const found = index().search(term);
      return { ids: found.map(({ id }) => id as number), scores: found.map(({ score }) => score) };
    },
    termsLike(term) {
      const found = index().search(term, {
        prefix: term.length >= minPrefixLength,
        fuzzy: editsAllowed(term) || false,
      });
      return [...new Set(found.flatMap(({ terms }) => terms))].sort();
    },
  };
}

/** Loads it when the first document comes: that takes longer than most of its answers, and most memories are served by arrays. */
function makeIndex(): MiniSearch<TermDocument> {
  const Loaded = createRequire(import.meta.url)('minisearch') as typeof MiniSearch;
  return new Loaded<TermDocument>({
    idField: 'id',
    fields: [...lexicalFieldNames],
    storeFields: [],
    stringifyField: asField,
    tokenize: asTerms,
    processTerm: (term) => term,
    searchOptions: {
      boost: { ...fieldBoosts },
      bm25,
      tokenize: (term) => [term],
    },
  });
}
