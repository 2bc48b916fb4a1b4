// Documents by the content they were made of, so that no text is read, split and tokenised twice, whatever view asks for it.

import { documentsOf, type SearchDocument } from './documents.ts';

/** How many documents are kept beside those in use. */
const maxDocuments = 100_000;

/** Reads the bytes of a content by its id; asked only for paths that are searched. */
export type ReadBlob = (blobOid: string, path: string) => Uint8Array;

/** Keeps documents by blob id and path, the least recently used leave first. All views of a memory share one. */
export class DocumentCache {
  readonly #files = new Map<string, readonly SearchDocument[]>();
  #count = 0;

  /** Gives the documents of a file; what `read` throws goes through, and nothing is kept then. */
  documentsOf(path: string, blobOid: string, read: ReadBlob): readonly SearchDocument[] {
    // The path is part of the name: it decides how a content is read, and stands in the documents.
    const name = `${blobOid} ${path}`;
    const known = this.#files.get(name);
    if (known !== undefined) {
      this.#files.delete(name);
      this.#files.set(name, known);
      return known;
    }
    const documents = documentsOf(path, new TextDecoder().decode(read(blobOid, path)));
    this.#files.set(name, documents);
    this.#count += documents.length + 1;
    for (const [oldest, dropped] of this.#files) {
      if (this.#count <= maxDocuments || oldest === name) break;
      this.#files.delete(oldest);
      this.#count -= dropped.length + 1;
    }
    return documents;
  }
}
