// An embedder that is not built in, as recall sees it. It is loaded when first needed, embeds what it has not seen, and answers how like a
// question each document is. When it cannot, recall goes on without it and says why.

import type { Language } from '../../base/languages.ts';
import { normalise } from '../../base/vectors.ts';
import { MemoryError } from '../../errors.ts';
import type { Clock, Embedder, EmbedderSource } from '../../ports.ts';
import { embeddedTextOf, maxEmbeddedLength } from '../embedded-text.ts';
import type { Layout } from '../layout.ts';
import type { Likeness, LikenessOf } from '../recall-options.ts';
import { type EmbeddedText, embedMissing, embedQuery, textHash } from './embed-texts.ts';
import { VectorCache, type VectorCachePlace } from './vector-cache.ts';

/** What recall needs to know of a question. */
export interface SemanticAnswer {
  /** Name of the embedder. */
  readonly embedder: string;
  /** Absent where so many documents have no vector that another embedder, which knows all, says more. */
  readonly likeness?: Likeness;
  /** How many documents have no vector, of those in a language that the embedder knows. */
  readonly missing: number;
  /** Why not the embedder that was wanted. */
  readonly note?: string;
}

export interface SemanticIndexOptions {
  readonly place: VectorCachePlace;
  readonly clock: Clock;
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

/** What the vectors of an embedder weigh beside words that answer a question well, where it does not say so itself. */
const usualShare = 0.15;
/** What a question embeds is quickly made again: fewer vectors than this are no reason to write while somebody reads. */
const worthKeeping = 64;
/** Where more texts than this share have no vector, what is known of the others says less than their words. */
const mostMissing = 0.05;
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
  #rowsAreOf: { readonly corpus: object; readonly generation: number } | undefined;
  #loading: Promise<Loaded> | undefined;
  #failure: { readonly error: MemoryError; readonly at: number } | undefined;

  constructor(source: EmbedderSource, options: SemanticIndexOptions) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * Compares a question with documents; a failure comes as a value. An instant embedder first embeds those without a vector, for any other
   * they are left to {@link embedAll}.
   *
   * An abort throws its reason.
   */
  async ask(
    query: string,
    layout: Layout,
    isPrivate: IsPrivate,
    signal?: AbortSignal,
  ): Promise<SemanticAnswer | MemoryError> {
    const { clock } = this.#options;
    if (this.#failure !== undefined && clock.now() - this.#failure.at < retryAfterMs) return this.#failure.error;
    try {
      const loaded = await this.#load();
      const { embedder, cache } = loaded;
      cache.refresh();
      const slots = this.#missingSlots(layout, loaded);
      let missing = slots.length;
      if (embedder.isInstant === true && missing > 0) {
        const texts = this.#textsOf(slots, layout, loaded, isPrivate);
        await embedMissing(cache, embedder, texts, { worthKeeping, ...(signal === undefined ? {} : { signal }) });
        missing -= texts.length;
      }
      const { name, leastShare = usualShare } = embedder;
      // A model that has nothing to compare with need not run.
      if (missing > mostMissing * layout.count) return { embedder: name, missing };
      const asked = await embedQuery(embedder, query, signal);
      this.#failure = undefined;
      const likeTo = (vector: Float32Array): LikenessOf => {
        const scores = cache.table.scoreAll(vector);
        return (slot) => {
          const row = this.#rowOf(slot, layout, loaded);
          return row === undefined ? undefined : scores[row];
        };
      };
      return {
        embedder: name,
        missing,
        likeness: {
          leastShare,
          understands: (language) => understands(embedder, language),
          ofQuestion: likeTo(asked),
          of: (document) => {
            const row = cache.rowOf(textHash(embeddedTextOf(document)));
            return row === undefined ? undefined : likeTo(cache.table.vectorOf(row));
          },
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
      const loaded = await this.#load();
      const { embedder, cache } = loaded;
      cache.refresh();
      const missing = embedder.isInstant === true ? 0 : this.#missingSlots(layout, loaded).length;
      return { embedder: embedder.name, missing };
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
    const loaded = await this.#load();
    const { embedder, cache } = loaded;
    this.#failure = undefined;
    cache.refresh();
    const texts = this.#textsOf(this.#missingSlots(layout, loaded), layout, loaded, isPrivate, isWanted);
    const { clock } = this.#options;
    const end = seconds === undefined ? Number.POSITIVE_INFINITY : clock.now() + seconds * 1000;
    const embedded = await embedMissing(cache, embedder, texts, { ...options, isEnough: () => clock.now() >= end });
    const left = this.#missingSlots(layout, loaded).filter((slot) => isWanted(layout.document(slot).path)).length;
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
  #rowOf(slot: number, layout: Layout, { cache }: Loaded): number | undefined {
    const { corpus } = layout;
    if (this.#rowsAreOf?.corpus !== corpus || this.#rowsAreOf.generation !== corpus.generation) {
      this.#rowsAreOf = { corpus, generation: corpus.generation };
      this.#rows = new Int32Array(corpus.size);
    } else if (slot >= this.#rows.length) {
      const grown = new Int32Array(corpus.size);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    if (this.#rows[slot] === 0) {
      const row = cache.rowOfKey(corpus.textKeyOf(slot));
      if (row === undefined) return undefined;
      this.#rows[slot] = row + 1;
    }
    return this.#rows[slot]! - 1;
  }

  /** Lists the documents of a view that have no vector and may have one. */
  #missingSlots(layout: Layout, loaded: Loaded): number[] {
    const slots: number[] = [];
    for (let slot = 0; slot < layout.size; slot++) {
      if (layout.fileOf[slot]! < 0 || this.#rowOf(slot, layout, loaded) !== undefined) continue;
      if (understands(loaded.embedder, languageAt(slot, layout))) slots.push(slot);
    }
    return slots;
  }

  /** Gives the texts of documents, as far as they may be embedded. */
  #textsOf(
    slots: readonly number[],
    layout: Layout,
    loaded: Loaded,
    isPrivate: IsPrivate,
    isWanted: (path: string) => boolean = () => true,
  ): EmbeddedText[] {
    return slots.flatMap((slot) => {
      const document = layout.document(slot);
      if (!isWanted(document.path)) return [];
      const isSecret = isPrivate(document.path);
      if (isSecret && loaded.embedder.isRemote) return [];
      const text = embeddedTextOf(document);
      return [{ hash: textHash(text), text, isPrivate: isSecret }];
    });
  }
}

/** In which language a document is; undefined where nothing tells. */
function languageAt(slot: number, { corpus }: Layout): Language | undefined {
  return corpus.facet(corpus.columns.facets[slot]!).language;
}

function understands({ languages }: Embedder, language: Language | undefined): boolean {
  return languages === undefined || language === undefined || languages.includes(language);
}
