// An embedder that is not built in, as recall sees it. It is loaded when first needed, embeds what it has not seen, and answers how like a
// question each document is. When it cannot, recall goes on without it and says why.

import { normalise } from '../../base/vectors.ts';
import { MemoryError } from '../../errors.ts';
import type { Clock, Embedder, EmbedderSource } from '../../ports.ts';
import { embeddedTextOf, maxEmbeddedLength } from '../documents.ts';
import type { Layout } from '../layout.ts';
import type { LikenessOf } from '../recall-options.ts';
import { type EmbeddedText, embedMissing, embedQuery, textHash } from './embed-texts.ts';
import { VectorCache, type VectorCachePlace } from './vector-cache.ts';

/** What recall needs to know of a question. */
export interface SemanticAnswer {
  /** Name of the embedder. */
  readonly embedder: string;
  /** −1 to 1. */
  readonly likenessOf: LikenessOf;
  /** How many documents have no vector yet. */
  readonly missing: number;
}

export interface SemanticIndexOptions {
  readonly place: VectorCachePlace;
  readonly clock: Clock;
  /** How long a question waits for texts that have no vector yet; default two seconds. */
  readonly patienceMs?: number;
}

/** How far a long run is, and how to end it. */
export interface EmbedRunOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

/** What to embed ahead of need, and for how long. */
export interface EmbedAllOptions extends EmbedRunOptions {
  /** Says which files count; default all. */
  readonly isWanted?: (path: string) => boolean;
  /** Begin no other batch after so many seconds. */
  readonly seconds?: number;
}

/** Tells whether the text of a file may be written to the disk or sent away in any form. */
export type IsPrivate = (path: string) => boolean;

/** An embedder that failed is left alone for so long. */
const retryAfterMs = 30_000;

interface Loaded {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
}

/** Keeps one embedder and its vectors for all views of a memory. */
export class SemanticIndex {
  readonly #source: EmbedderSource;
  readonly #options: SemanticIndexOptions;
  /** By slot of the corpus asked last: the row of its vector plus one; a row, once there, stays. */
  #rows = new Int32Array(0);
  /** By slot, of documents that have no vector: the hash of their text. */
  readonly #hashes = new Map<number, string>();
  #rowsAreOf: { readonly corpus: object; readonly generation: number } | undefined;
  #loading: Promise<Loaded> | undefined;
  #failure: { readonly error: MemoryError; readonly at: number } | undefined;

  constructor(source: EmbedderSource, options: SemanticIndexOptions) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * Compares a question with documents, embedding those without a vector as long as patience lasts; a failure comes as a value.
   *
   * An abort throws its reason.
   */
  async ask(
    query: string,
    layout: Layout,
    isPrivate: IsPrivate,
    signal?: AbortSignal,
  ): Promise<SemanticAnswer | MemoryError> {
    const { clock, patienceMs = 2000 } = this.#options;
    if (this.#failure !== undefined && clock.now() - this.#failure.at < retryAfterMs) return this.#failure.error;
    try {
      const { embedder, cache } = await this.#load();
      cache.refresh();
      const end = clock.now() + patienceMs;
      const texts = this.#missingTexts(layout, { embedder, cache }, isPrivate);
      await embedMissing(cache, embedder, texts, {
        isEnough: () => clock.now() > end,
        ...(signal === undefined ? {} : { signal }),
      });
      const scores = cache.table.scoreAll(await embedQuery(embedder, query, signal));
      this.#failure = undefined;
      return {
        embedder: embedder.name,
        missing: this.#missingSlots(layout, cache).length,
        likenessOf: (slot) => {
          const row = this.#rowOf(slot, layout, cache);
          return row === undefined ? undefined : scores[row];
        },
      };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof MemoryError)) throw error;
      this.#failure = { error, at: clock.now() };
      return error;
    }
  }

  /** Says how many documents have no vector yet; embeds nothing, and a failure comes as a value. */
  async lacking(layout: Layout): Promise<{ readonly embedder: string; readonly missing: number } | MemoryError> {
    try {
      const { embedder, cache } = await this.#load();
      cache.refresh();
      return { embedder: embedder.name, missing: this.#missingSlots(layout, cache).length };
    } catch (error) {
      if (error instanceof MemoryError) return error;
      throw error;
    }
  }

  /**
   * Embeds all documents that have no vector yet, and says how many that were and how many are left.
   *
   * @throws MemoryError EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED; what was embedded until then stays.
   */
  async embedAll(
    layout: Layout,
    isPrivate: IsPrivate,
    { isWanted = () => true, seconds, ...options }: EmbedAllOptions = {},
  ): Promise<{ embedder: string; embedded: number; known: number; left: number }> {
    const { embedder, cache } = await this.#load();
    this.#failure = undefined;
    cache.refresh();
    const texts = this.#missingTexts(layout, { embedder, cache }, isPrivate, isWanted);
    const { clock } = this.#options;
    const end = seconds === undefined ? Number.POSITIVE_INFINITY : clock.now() + seconds * 1000;
    const embedded = await embedMissing(cache, embedder, texts, { ...options, isEnough: () => clock.now() >= end });
    const left = this.#missingSlots(layout, cache).filter((slot) => isWanted(layout.document(slot).path)).length;
    return { embedder: embedder.name, embedded, known: cache.size, left };
  }

  /**
   * Gives the vector of each text, embedding those that have none; null where a private text must not leave the machine.
   *
   * @throws MemoryError EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED; what was embedded until then stays.
   */
  async vectorsOf(
    texts: readonly { readonly text: string; readonly isPrivate: boolean }[],
    options: EmbedRunOptions = {},
  ): Promise<{ embedder: string; vectors: (Float32Array | null)[] }> {
    const { embedder, cache } = await this.#load();
    cache.refresh();
    const wanted = texts.map(({ text, isPrivate }) => {
      const whole = text.slice(0, maxEmbeddedLength);
      return { hash: textHash(whole), text: whole, isPrivate };
    });
    const sendable = wanted.filter(({ isPrivate }) => !(isPrivate && embedder.isRemote));
    await embedMissing(cache, embedder, sendable, options);
    this.#failure = undefined;
    const vectors = wanted.map(({ hash }) => {
      const row = cache.rowOf(hash);
      return row === undefined ? null : normalise(cache.table.vectorOf(row));
    });
    return { embedder: embedder.name, vectors };
  }

  /** Frees an embedder that was made here; one that was given belongs to whoever gave it. */
  async close(): Promise<void> {
    if (typeof this.#source !== 'function') return;
    const loaded = await this.#loading?.catch(() => undefined);
    await loaded?.embedder.close?.();
  }

  async #load(): Promise<Loaded> {
    this.#loading ??= this.#make();
    try {
      return await this.#loading;
    } catch (error) {
      this.#loading = undefined;
      throw error;
    }
  }

  async #make(): Promise<Loaded> {
    const embedder = typeof this.#source === 'function' ? await this.#source() : this.#source;
    return { embedder, cache: new VectorCache(embedder, this.#options.place) };
  }

  /** Gives the row of a document's vector. */
  #rowOf(slot: number, layout: Layout, cache: VectorCache): number | undefined {
    const { corpus } = layout;
    if (this.#rowsAreOf?.corpus !== corpus || this.#rowsAreOf.generation !== corpus.generation) {
      this.#rowsAreOf = { corpus, generation: corpus.generation };
      this.#rows = new Int32Array(corpus.size);
      this.#hashes.clear();
    } else if (slot >= this.#rows.length) {
      const grown = new Int32Array(corpus.size);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    if (this.#rows[slot] === 0) {
      const hash = this.#hashes.get(slot) ?? textHash(textOf(slot, layout));
      const row = cache.rowOf(hash);
      if (row === undefined) {
        this.#hashes.set(slot, hash);
        return undefined;
      }
      this.#hashes.delete(slot);
      this.#rows[slot] = row + 1;
    }
    return this.#rows[slot]! - 1;
  }

  /** Lists the documents of a view that have no vector. */
  #missingSlots(layout: Layout, cache: VectorCache): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < layout.size; slot++) {
      if (layout.fileOf[slot]! >= 0 && this.#rowOf(slot, layout, cache) === undefined) slots.push(slot);
    }
    return slots;
  }

  #missingTexts(
    layout: Layout,
    { embedder, cache }: Loaded,
    isPrivate: IsPrivate,
    isWanted: (path: string) => boolean = () => true,
  ): EmbeddedText[] {
    return this.#missingSlots(layout, cache).flatMap((slot) => {
      const document = layout.document(slot);
      if (!isWanted(document.path)) return [];
      const isSecret = isPrivate(document.path);
      if (isSecret && embedder.isRemote) return [];
      const text = textOf(slot, layout);
      return [{ hash: textHash(text), text, isPrivate: isSecret }];
    });
  }
}

/** Gives what an embedder is given of a document. */
function textOf(slot: number, layout: Layout): string {
  const isFirst = slot === 0 || layout.fileOf[slot - 1] !== layout.fileOf[slot];
  return embeddedTextOf(layout.document(slot), isFirst ? undefined : layout.document(slot - 1));
}
