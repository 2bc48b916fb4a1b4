// The documents of one view side by side: those of a file stand together in their order, so that a neighbour is one step away.

import { type AnswerCues, answerCuesOf } from './answer-type.ts';
import type { SearchDocument } from './documents.ts';

/** A document in the word index, under a number of its own. */
export interface IndexedDocument {
  readonly id: number;
  readonly document: SearchDocument;
}

/** Places ("slots") of all documents of a view, 0 to `size` − 1. */
export interface Layout {
  readonly size: number;
  readonly documents: readonly SearchDocument[];
  /** By id: its slot. */
  readonly slotOf: Int32Array;
  /** By slot: the number of its file. */
  readonly fileOf: Int32Array;
  /** By file: how many documents it holds. */
  readonly fileSizes: Int32Array;
  /** By slot: whether the documents before and after it are turns of the same talk. */
  readonly isSpoken: Uint8Array;
  /** By slot: the first 32 bits of the document's key. */
  readonly keyNumbers: Uint32Array;
  /** By slot. */
  readonly cues: readonly AnswerCues[];
}

const cuesOf = new WeakMap<SearchDocument, AnswerCues>();

function cuesOfDocument(document: SearchDocument): AnswerCues {
  let cues = cuesOf.get(document);
  if (cues === undefined) {
    cues = answerCuesOf(document.text, document.terms.text.length);
    cuesOf.set(document, cues);
  }
  return cues;
}

/** Lays the documents of files out, those of one file in their order. Ids are below `endOfIds`. */
export function layOut(files: Iterable<readonly IndexedDocument[]>, endOfIds: number): Layout {
  const documents: SearchDocument[] = [];
  const slotOf = new Int32Array(endOfIds).fill(-1);
  const fileNumbers: number[] = [];
  const sizes: number[] = [];
  for (const entries of files) {
    for (const { id, document } of entries) {
      slotOf[id] = documents.length;
      documents.push(document);
      fileNumbers.push(sizes.length);
    }
    sizes.push(entries.length);
  }
  return {
    size: documents.length,
    documents,
    slotOf,
    fileOf: Int32Array.from(fileNumbers),
    fileSizes: Int32Array.from(sizes),
    isSpoken: Uint8Array.from(documents, ({ turn }) => (turn === undefined ? 0 : 1)),
    keyNumbers: Uint32Array.from(documents, ({ key }) => Number.parseInt(key.slice(0, 8), 16)),
    cues: documents.map(cuesOfDocument),
  };
}
