// The word index on typed arrays: the same answers as MiniSearch in a twentieth of the memory, and many times as fast. The words stand in
// the segments of a corpus, for all views at once; of a view there are only its totals here, and which rows are its own.

import type { Corpus } from './corpus.ts';
import type { Layout } from './layout.ts';
import { bm25, fieldBoosts, type LexicalIndex, lexicalFieldNames } from './lexical-index.ts';
import { fieldBits, fieldCount, findTerm, type Postings, termsLike } from './postings.ts';

const boosts = lexicalFieldNames.map((name) => fieldBoosts[name]);

/** What the index has to know of a view; of a {@link Layout}, which changes with it. */
export type IndexedRows = Pick<Layout, 'fileOf'> & { readonly corpus: Pick<Corpus, 'segments' | 'columns'> };

/** Makes the index of a view. `ids` are rows, and the words of what is added stand in the corpus already. */
export function arrayIndex(view: IndexedRows): LexicalIndex {
  const totals = new Float64Array(fieldCount);
  let size = 0;

  const count = (entries: Iterable<{ readonly id: number }>, sign: 1 | -1): void => {
    const { lengths } = view.corpus.columns;
    for (const { id } of entries) {
      for (let field = 0; field < fieldCount; field++) totals[field]! += sign * lengths[id * fieldCount + field]!;
      size += sign;
    }
  };

  const isHeld = ({ starts, places }: Postings, first: number, term: number): boolean => {
    for (let at = starts[term]!; at < starts[term + 1]!; at++) {
      if (view.fileOf[first + (places[at]! >>> fieldBits)]! >= 0) return true;
    }
    return false;
  };

  return {
    get size() {
      return size;
    },
    add: (entries) => count(entries, 1),
    remove: (entries) => count(entries, -1),
    matchesOf(term) {
      const { fileOf } = view;
      const parts = view.corpus.segments.flatMap(({ segment: { postings }, first }) => {
        const at = findTerm(postings, term);
        return at < 0 ? [] : [{ postings, first, from: postings.starts[at]!, to: postings.starts[at + 1]! }];
      });
      const room = parts.reduce((sum, { from, to }) => sum + to - from, 0);
      const places = new Uint32Array(room);
      const counts = new Uint16Array(room);
      const holding = new Float64Array(fieldCount);
      let found = 0;
      for (const { postings, first, from, to } of parts) {
        for (let at = from; at < to; at++) {
          const place = postings.places[at]!;
          // The view may not have heard of the newest rows yet.
          if (!(fileOf[first + (place >>> fieldBits)]! >= 0)) continue;
          holding[place & 3]! += 1;
          places[found] = first * 4 + place;
          counts[found] = postings.counts[at]!;
          found += 1;
        }
      }
      const { k, b } = bm25;
      const weights = Array.from(holding, (n, field) => boosts[field]! * Math.log(1 + (size - n + 0.5) / (n + 0.5)));
      const averages = totals.map((total) => total / size);
      const { lengths } = view.corpus.columns;
      const ids = new Int32Array(found);
      const scores = new Float64Array(found);
      let last = -1;
      for (let at = 0; at < found; at++) {
        const place = places[at]!;
        const often = counts[at]!;
        const field = place & 3;
        const id = place >>> fieldBits;
        const norm = k * (1 - b + (b * lengths[id * fieldCount + field]!) / averages[field]!);
        const score = (weights[field]! * (often * (k + 1))) / (often + norm);
        if (last < 0 || ids[last] !== id) {
          last += 1;
          ids[last] = id;
        }
        scores[last]! += score;
      }
      return { ids: ids.subarray(0, last + 1), scores: scores.subarray(0, last + 1) };
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
