// The index on typed arrays, filled entry by entry as a corpus fills it segment by segment.

import { arrayIndex, type IndexedRows } from '../../src/search/array-index.ts';
import type { LexicalIndex } from '../../src/search/lexical-index.ts';
import { buildPostings, joinPostings, type Postings } from '../../src/search/postings.ts';

/** Typed arrays over words that stand in a segment for each entry; every third is joined with the one before. */
export function arraysOverSegments(): LexicalIndex {
  const fileOf = new Int32Array(64).fill(-1);
  const segments: { segment: { postings: Postings }; first: number; end: number }[] = [];
  const view = { fileOf, count: 0, corpus: { segments } };
  const index = arrayIndex(view as unknown as IndexedRows);
  return {
    ...index,
    get size() {
      return index.size;
    },
    add(entries) {
      for (const { id, terms } of entries) {
        const postings = buildPostings([terms]);
        fileOf[id] = 0;
        view.count += 1;
        const last = segments.at(-1);
        if (last !== undefined && id % 3 === 0) {
          const rows = id + 1 - last.first;
          const parts = [
            {
              postings: last.segment.postings,
              rowOf: Int32Array.from({ length: last.end - last.first }, (_, at) => at),
            },
            { postings, rowOf: Int32Array.of(rows - 1) },
          ];
          segments.splice(-1, 1, { segment: { postings: joinPostings(parts, rows) }, first: last.first, end: id + 1 });
        } else segments.push({ segment: { postings }, first: id, end: id + 1 });
      }
    },
    remove(entries) {
      for (const { id } of entries) {
        fileOf[id] = -1;
        view.count -= 1;
      }
    },
  };
}
