// The word index on typed arrays. The segments of a corpus hold the words, for all views at once. A view adds only which rows are
// its own.

import type { Corpus } from './corpus.ts';
import type { Layout } from './layout.ts';
import type { LexicalIndex, TermMatches } from './lexical-index.ts';
import { findTerm, type Postings, termsLike } from './postings.ts';

/** What the index has to know of a view; of a {@link Layout}, which changes with it. */
export type IndexedRows = Pick<Layout, 'fileOf' | 'count'> & { readonly corpus: Pick<Corpus, 'segments'> };

/** Makes the index of a view. `ids` are rows, and the corpus already has the words of what is added. */
export function arrayIndex(view: IndexedRows): LexicalIndex {
  const isHeld = ({ starts, rows }: Postings, first: number, term: number): boolean => {
    for (let at = starts[term]!; at < starts[term + 1]!; at++) if (view.fileOf[first + rows[at]!]! >= 0) return true;
    return false;
  };
  return {
    get size() {
      return view.count;
    },
    // The view says which rows are its own.
    add: () => undefined,
    remove: () => undefined,
    matchesOf(term): TermMatches {
      const { fileOf } = view;
      const parts = [];
      let room = 0;
      for (const { segment, first } of view.corpus.segments) {
        const { postings } = segment;
        const at = findTerm(postings, term);
        if (at < 0) continue;
        parts.push({ postings, first, from: postings.starts[at]!, to: postings.starts[at + 1]! });
        room += postings.starts[at + 1]! - postings.starts[at]!;
      }
      const ids = new Int32Array(room);
      const counts = new Uint16Array(room);
      const marks = new Uint16Array(room);
      const firsts = new Uint16Array(room);
      const lasts = new Uint16Array(room);
      let found = 0;
      // A command ranks once, in code that nothing has made quick yet: what need not be looked at row by row is copied.
      const isWhole = view.count === (view.corpus.segments.at(-1)?.end ?? 0);
      for (const { postings, first, from, to } of isWhole ? parts : []) {
        ids.set(postings.rows.subarray(from, to), found);
        counts.set(postings.counts.subarray(from, to), found);
        marks.set(postings.marks.subarray(from, to), found);
        firsts.set(postings.firsts.subarray(from, to), found);
        lasts.set(postings.lasts.subarray(from, to), found);
        const end = found + to - from;
        if (first > 0) for (let at = found; at < end; at++) ids[at]! += first;
        found = end;
      }
      for (const { postings, first, from, to } of isWhole ? [] : parts) {
        for (let at = from; at < to; at++) {
          const id = first + postings.rows[at]!;
          // The view may not have heard of the newest rows yet.
          if (!(fileOf[id]! >= 0)) continue;
          ids[found] = id;
          counts[found] = postings.counts[at]!;
          marks[found] = postings.marks[at]!;
          firsts[found] = postings.firsts[at]!;
          lasts[found] = postings.lasts[at]!;
          found += 1;
        }
      }
      return {
        ids: ids.subarray(0, found),
        counts: counts.subarray(0, found),
        marks: marks.subarray(0, found),
        firsts: firsts.subarray(0, found),
        lasts: lasts.subarray(0, found),
      };
    },
    termsLike(term) {
      const alike = new Set<string>();
      for (const { segment, first } of view.corpus.segments) {
        for (const { term: at, name } of termsLike(segment.postings, term)) {
          if (!alike.has(name) && isHeld(segment.postings, first, at)) alike.add(name);
        }
      }
      return [...alike].sort();
    },
  };
}
