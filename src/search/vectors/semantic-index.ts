// An embedder that is not built in, as recall sees it. It is loaded when first needed, embeds what it has not seen, and answers how like a
// question each document is. When it cannot, recall goes on without it and says why.

import { defined, MemoryError } from '../../base/errors.ts';
import type { Language } from '../../base/languages.ts';
import { once } from '../../base/once-per.ts';
import type { Clock, Embedder, EmbedderSource } from '../../base/ports.ts';
import { normalise } from '../../base/vectors.ts';
import { embeddedTextOf, maxEmbeddedLength } from '../embedded-text.ts';
import type { Layout } from '../layout.ts';
import type { Likeness, Likenesses } from '../recall-options.ts';
import { type EmbeddedText, type EmbedMissingOptions, embedMissing, embedQuery, textHash } from './embed-texts.ts';
import { keyWords } from './key-index.ts';
import { VectorCache, type VectorCachePlace } from './vector-cache.ts';
import { WordLikeness } from './word-likeness.ts';

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

/** Gives what an answer says of likeness; nothing where it failed, or words alone count. */
export const likenessIn = (answer: SemanticAnswer | MemoryError | null): Pick<SemanticAnswer, 'likeness'> =>
  answer === null || answer instanceof MemoryError ? {} : defined({ likeness: answer.likeness });

/** Without a question nothing is known of how like it documents are. */
const unknown = new Float64Array(0);

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
const worthKeeping = 16;
/** Where more texts than this share have no vector, what is known of the others says less than their words. */
const mostMissing = 0.05;
/** So many documents are decoded at a time to be embedded. */
const someTexts = 4096;
/** So many rows are compared at once where they may follow one another as their texts do. */
const runLength = 64;
/** An embedder that failed is left alone for so long. */
const retryAfterMs = 30_000;

interface Loaded {
  readonly embedder: Embedder;
  readonly cache: VectorCache;
  readonly byWords?: Likeness['byWords'];
}

/** Keeps one embedder and its vectors for all views of a memory. */
export class SemanticIndex {
  readonly #source: EmbedderSource;
  readonly #options: SemanticIndexOptions;
  /** By slot of the corpus asked last: the row of its vector plus one; a row, once there, stays. */
  #rows = new Int32Array(0);
  /** Room for what is said of documents, kept from question to question: for 100,000 turns it takes longer to get than to fill. */
  readonly #places: Float64Array[] = [];
  /** What was looked up last: a view, with so many known vectors. */
  #looked:
    | {
        readonly corpus: object;
        readonly generation: number;
        readonly version: object;
        readonly known: number;
        readonly missing: readonly number[];
      }
    | undefined;
  #loading: Promise<Loaded> | undefined;
  #failure: { readonly error: MemoryError; readonly at: number } | undefined;

  constructor(source: EmbedderSource, options: SemanticIndexOptions) {
    this.#source = source;
    this.#options = options;
  }

  /**
   * Compares a question with documents, or without one only documents with each other; a failure comes as a value. An instant embedder first
   * embeds those without a vector, for any other they are left to {@link embedAll}.
   *
   * An abort throws its reason.
   */
  async ask(
    query: string | null,
    layout: Layout,
    isPrivate: IsPrivate,
    signal?: AbortSignal,
  ): Promise<SemanticAnswer | MemoryError> {
    const { clock } = this.#options;
    if (this.#failure !== undefined && clock.now() - this.#failure.at < retryAfterMs) return this.#failure.error;
    try {
      const loaded = await this.#load();
      const { embedder, cache, byWords } = loaded;
      cache.refresh();
      const slots = this.#missingSlots(layout, loaded);
      let missing = slots.length;
      if (embedder.isInstant === true) {
        const options = { worthKeeping, ...(signal === undefined ? {} : { signal }) };
        missing -= (await this.#embed(slots, (some) => this.#textsOf(some, layout, loaded, isPrivate), loaded, options))
          .texts;
      }
      const { name, leastShare = usualShare } = embedder;
      // A model that has nothing to compare with need not run.
      if (missing > mostMissing * layout.count) return { embedder: name, missing };
      const asked = query === null ? [] : [await embedQuery(embedder, query, signal)];
      this.#failure = undefined;
      const scores: Float64Array[] = [];
      this.#scoresOf(asked, loaded, scores);
      return {
        embedder: name,
        missing,
        likeness: {
          leastShare,
          ...defined({ byWords }),
          understands: (language) => understands(embedder, language),
          ofQuestion: (view) => this.#likenesses(scores[0] ?? unknown, view, loaded),
          of: (documents, view) => {
            const rows = documents.map((document) => cache.rowOf(textHash(embeddedTextOf(document))));
            const vectors = rows.filter((row) => row !== undefined).map((row) => cache.table.vectorOf(row));
            this.#scoresOf(vectors, loaded, this.#places);
            let at = 0;
            return rows.map((row) =>
              row === undefined ? undefined : this.#likenesses(this.#places[at++]!, view, loaded),
            );
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
    const slots = this.#missingSlots(layout, loaded);
    const textsOf = (some: readonly number[]) => this.#textsOf(some, layout, loaded, isPrivate, isWanted);
    const { clock } = this.#options;
    const end = seconds === undefined ? Number.POSITIVE_INFINITY : clock.now() + seconds * 1000;
    const all = { ...options, isEnough: () => clock.now() >= end };
    const { embedded } = await this.#embed(slots, textsOf, loaded, all);
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
    const { words } = embedder;
    // Many questions compare no turns, and need no table of words.
    const likeness = words && once(() => new WordLikeness(words));
    const byWords: Likeness['byWords'] = likeness && ((text, others) => likeness().nearTo(text, others));
    return { embedder, cache: new VectorCache(embedder, this.#options.place), ...defined({ byWords }) };
  }

  /** Compares vectors with all that are known. Number 0 is for what has none, the others are rows plus one. */
  #scoresOf(vectors: readonly Float32Array[], { cache: { table } }: Loaded, places: Float64Array[]): void {
    for (let at = 0; at < vectors.length; at++) {
      if (!((places[at]?.length ?? 0) > table.size)) places[at] = new Float64Array(Math.ceil(table.size * 1.2) + 1);
      places[at]!.fill(Number.NaN, table.size + 1)[0] = Number.NaN;
    }
    table.scoreAll(
      vectors,
      places.map((place) => place.subarray(1)),
    );
  }

  /** Joins scores with the documents of a view. It may have moved, and more may be known since they were computed. */
  #likenesses(scores: Float64Array, layout: Layout, loaded: Loaded): Likenesses {
    this.#missingSlots(layout, loaded);
    if (scores.length > loaded.cache.size) return { rows: this.#rows, scores };
    const grown = new Float64Array(loaded.cache.size + 1).fill(Number.NaN);
    grown.set(scores);
    return { rows: this.#rows, scores: grown };
  }

  /** Looks up the vectors of all documents of a view, and lists those that have none and may have one. */
  #missingSlots(layout: Layout, { embedder, cache }: Loaded): readonly number[] {
    const { corpus, fileOf, size, version } = layout;
    const { generation } = corpus;
    const before = this.#looked;
    if (before?.version === version && before.known === cache.size && before.generation === generation)
      return before.missing;
    if (before?.corpus !== corpus || before.generation !== generation) this.#rows = new Int32Array(corpus.size);
    else if (this.#rows.length < corpus.size) {
      const grown = new Int32Array(corpus.size);
      grown.set(this.#rows);
      this.#rows = grown;
    }
    const rows = this.#rows;
    const missing: number[] = [];
    // Vectors were made in the order of their texts. One that was there already breaks the row for itself alone.
    let [next, other] = [0, 0];
    for (const { segment, first, end } of corpus.segments) {
      const { texts } = segment.columns;
      for (let slot = first; slot < Math.min(end, size); slot++) {
        if ((slot - first) % runLength === 0 && cache.keys.isRun(texts, (slot - first) * keyWords, next, runLength)) {
          for (let at = slot; at < slot + runLength; at++) rows[at] = next += 1;
          slot += runLength - 1;
          continue;
        }
        if (!(fileOf[slot]! >= 0) || rows[slot] !== 0) continue;
        const row = cache.keys.find(texts, (slot - first) * keyWords, next, other);
        if (row === next) rows[slot] = next += 1;
        else if (row !== undefined) [rows[slot], next, other] = [row + 1, row + 1, next];
        else if (understands(embedder, languageAt(slot, layout))) missing.push(slot);
      }
    }
    this.#looked = { corpus, generation, version, known: cache.size, missing };
    return missing;
  }

  /** Embeds documents, some at a time: the texts of all would fill memory. Says how many texts there were, and how many were new. */
  async #embed(
    slots: readonly number[],
    textsOf: (slots: readonly number[]) => EmbeddedText[],
    { embedder, cache }: Loaded,
    { onProgress, ...options }: EmbedMissingOptions,
  ): Promise<{ texts: number; embedded: number }> {
    const sum = { texts: 0, embedded: 0 };
    for (let from = 0; from < slots.length && !(from > 0 && options.isEnough?.()); from += someTexts) {
      const texts = textsOf(slots.slice(from, from + someTexts));
      const told = ({ done }: { done: number }) => onProgress?.({ done: from + done, total: slots.length });
      sum.texts += texts.length;
      sum.embedded += await embedMissing(cache, embedder, texts, { ...options, onProgress: told });
    }
    return sum;
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
