// The word index on MiniSearch, which only this file knows, for small states that keep nothing; see array-index.ts for the rest.

import { createRequire } from 'node:module';
import type MiniSearch from 'minisearch';
import { isLoneSign } from '../base/tokenizer.ts';
import {
  buildPostings,
  type DocumentTerms,
  editsAllowed,
  findTerm,
  type LexicalEntry,
  type LexicalIndex,
  letterMark,
  minPrefixLength,
  type Postings,
  termsLike,
} from '../search/index.ts';

/** All terms of an entry, as MiniSearch is to take them: split and stemmed already. */
interface TermDocument {
  readonly id: number;
  readonly terms: readonly string[];
}

const asField = (terms: unknown): string => terms as string;
const asTerms = (field: string): string[] => field as unknown as string[];

const termsIn = ({ text, title, speaker, context, letters }: DocumentTerms): string[] => [
  ...text,
  ...title,
  ...speaker,
  ...context,
  ...letters.map((three) => letterMark + three),
];

/** Makes an index on MiniSearch, which finds the entries and the words. Where a word is in an entry is read from the entry itself. */
export function miniSearchIndex(): LexicalIndex {
  let made: MiniSearch<TermDocument> | undefined;
  const index = (): MiniSearch<TermDocument> => {
    made ??= makeIndex();
    return made;
  };
  const entries = new Map<number, Postings>();
  /** What was added, since a text that a purge took cannot be read again. */
  const added = new Map<number, readonly string[]>();
  return {
    get size() {
      return made?.documentCount ?? 0;
    },
    add(news) {
      for (const { id, terms } of news) {
        const words = termsIn(terms);
        index().add({ id, terms: words });
        added.set(id, words);
        entries.set(id, buildPostings([terms]));
      }
    },
    remove(removed: Iterable<LexicalEntry>) {
      // `discard` would be quicker, but the dead entries it leaves behind are found until a later search.
      for (const { id } of removed) {
        index().remove({ id, terms: [...(added.get(id) ?? [])] });
        added.delete(id);
        entries.delete(id);
      }
    },
    matchesOf(term) {
      const ids = index()
        .search(term)
        .map(({ id }) => id as number);
      ids.sort((one, other) => one - other);
      const found = ids.map((id) => {
        const postings = entries.get(id)!;
        return { postings, at: postings.starts[findTerm(postings, term)]! };
      });
      const column = (name: 'counts' | 'marks' | 'firsts' | 'lasts') =>
        found.map(({ postings, at }) => postings[name][at]!);
      return {
        ids,
        counts: column('counts'),
        marks: column('marks'),
        firsts: column('firsts'),
        lasts: column('lasts'),
      };
    },
    termsLike(term) {
      if (isLoneSign(term)) {
        const all = [...entries.values()].flatMap((postings) => [...termsLike(postings, term)]);
        return [...new Set(all.map(({ name }) => name))].sort();
      }
      const found = index().search(term, {
        prefix: term.length >= minPrefixLength,
        fuzzy: editsAllowed(term) || false,
      });
      const terms = new Set(found.flatMap(({ terms: matched }) => matched));
      return [...terms].filter((one) => !one.startsWith(letterMark)).sort();
    },
  };
}

/** Loads it when the first document comes: that takes longer than most of its answers, and most memories are served by arrays. */
function makeIndex(): MiniSearch<TermDocument> {
  const Loaded = createRequire(import.meta.url)('minisearch') as typeof MiniSearch;
  return new Loaded<TermDocument>({
    idField: 'id',
    fields: ['terms'],
    storeFields: [],
    stringifyField: asField,
    tokenize: asTerms,
    processTerm: (term) => term,
    searchOptions: { tokenize: (term) => [term] },
  });
}
