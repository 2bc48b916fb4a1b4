// The shared search within one process, on any index over words; see test/contracts/search-backend.ts.

import { MemoryError } from '../../src/errors.ts';
import type { LexicalIndex } from '../../src/search/lexical-index.ts';
import type { BackendDocument, SearchBackend } from '../contracts/search-backend.ts';

interface View {
  readonly keys: readonly string[];
  readonly index: LexicalIndex;
}

/** Keeps everything in memory; `makeIndex` gives an empty index for each view. */
export function localSearchBackend(makeIndex: () => LexicalIndex): SearchBackend {
  const documents = new Map<string, BackendDocument>();
  const views = new Map<string, View>();
  const viewOf = (name: string): View => {
    const view = views.get(name);
    if (view !== undefined) return view;
    throw new MemoryError('NOT_FOUND', 'the view was never declared', {
      where: name,
      hint: 'Declare it with the keys of its documents',
    });
  };
  return {
    missing: async (keys) => keys.filter((key) => !documents.has(key)),

    async keep(given) {
      for (const document of given) if (!documents.has(document.key)) documents.set(document.key, document);
    },

    async declare(name, given) {
      const keys = [...new Set(given)].sort();
      const known = views.get(name);
      if (known !== undefined) {
        if (known.keys.length === keys.length && known.keys.every((key, position) => key === keys[position])) return;
        throw new MemoryError('CONFLICT', 'the view holds other documents', {
          where: name,
          hint: 'A tree never changes: look whether both sides cut it into documents alike',
        });
      }
      const entries = keys.map((key, id) => {
        const document = documents.get(key);
        if (document !== undefined) return { id, terms: document.terms };
        throw new MemoryError('NOT_FOUND', 'the document is not kept', {
          where: key,
          hint: 'Keep what is missing first',
        });
      });
      const index = makeIndex();
      index.add(entries);
      views.set(name, { keys, index });
    },

    isDeclared: async (name) => views.has(name),

    async rank(name, terms, limit) {
      const { keys, index } = viewOf(name);
      if (!Number.isInteger(limit) || limit < 1) {
        throw new MemoryError('INVALID_ARGUMENT', 'the limit has to be a whole number from 1 on', {
          where: 'limit',
          hint: 'Ask for as many as are shown',
        });
      }
      const scores = new Map<string, number>();
      for (const term of new Set(terms)) {
        const matches = index.matchesOf(term);
        for (let at = 0; at < matches.ids.length; at++) {
          const key = keys[matches.ids[at]!]!;
          scores.set(key, (scores.get(key) ?? 0) + matches.scores[at]!);
        }
      }
      return [...scores]
        .map(([key, score]) => ({ key, score }))
        .sort((a, b) => b.score - a.score || (a.key < b.key ? -1 : 1))
        .slice(0, limit);
    },

    async release(names) {
      for (const name of names) views.delete(name);
      const held = new Set([...views.values()].flatMap(({ keys }) => keys));
      for (const key of documents.keys()) if (!held.has(key)) documents.delete(key);
    },
  };
}
