// Asking an embedder and believing nothing: what it returns is checked here, once, whoever wrote it.

import { MemoryError } from '../../base/errors.ts';
import { sha256Hex } from '../../base/hash.ts';
import type { Embedder, EmbedOptions } from '../../base/ports.ts';
import type { VectorCache } from './vector-cache.ts';

/**
 * Embeds texts and gives one vector per text, of unit length or all zero.
 *
 * @throws MemoryError EMBEDDING_FAILED when the embedder throws or returns anything else; EMBEDDER_UNAVAILABLE as it comes. The reason
 * of an abort goes through.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: readonly string[],
  options: EmbedOptions = {},
): Promise<Float32Array[]> {
  options.signal?.throwIfAborted();
  let vectors: unknown;
  try {
    vectors = await embedder.embed(texts, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    if (error instanceof MemoryError) throw error;
    const said = error instanceof Error ? error.message : String(error);
    throw failure(embedder, `failed: ${said.slice(0, 300)}`, error);
  }
  if (!Array.isArray(vectors) || vectors.length !== texts.length) {
    const count = Array.isArray(vectors) ? `${vectors.length} vectors` : 'no list of vectors';
    throw failure(embedder, `returned ${count} for ${texts.length} texts`);
  }
  return vectors.map((vector) => unitVector(embedder, vector));
}

/** Embeds a question. */
export async function embedQuery(embedder: Embedder, text: string, signal?: AbortSignal): Promise<Float32Array> {
  const [vector] = await embedTexts(embedder, [text], { kind: 'query', ...(signal === undefined ? {} : { signal }) });
  return vector!;
}

function unitVector(embedder: Embedder, vector: unknown): Float32Array {
  if (!(vector instanceof Float32Array) || vector.length !== embedder.dimensions) {
    const what = vector instanceof Float32Array ? `${vector.length} dimensions` : 'another type';
    throw failure(embedder, `returned a vector of ${what}, not a Float32Array of ${embedder.dimensions}`);
  }
  let square = 0;
  for (const component of vector) square += component * component;
  if (!Number.isFinite(square)) throw failure(embedder, 'returned a vector with a component that is not a number');
  if (square === 0 || Math.abs(square - 1) < 1e-4) return vector;
  const length = Math.sqrt(square);
  return vector.map((component) => component / length);
}

function failure(embedder: Embedder, what: string, cause?: unknown): MemoryError {
  return new MemoryError('EMBEDDING_FAILED', `the embedder ${embedder.name} ${what}`, {
    where: 'embedder',
    ...(cause === undefined ? {} : { cause }),
  });
}

/** A text that shall have a vector. */
export interface EmbeddedText {
  /** SHA-256 of `text`, see {@link textHash}; its first 32 digits do. */
  readonly hash: string;
  readonly text: string;
  /** Its vector stays in memory. */
  readonly isPrivate?: boolean;
}

/** Hashes a text for {@link VectorCache}. */
export function textHash(text: string): string {
  return sha256Hex(text);
}

/** So many texts are embedded in one call, and so many vectors are lost at most when the process dies. */
const batchSize = 32;
const saveEvery = 1024;

/** How far to go. */
export interface EmbedMissingOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
  /** So many new vectors are worth a file; default 1. */
  readonly worthKeeping?: number;
  /** Is asked before each batch but the first; the rest stays for another time. */
  readonly isEnough?: () => boolean;
}

/**
 * Embeds those texts that the cache does not know, and keeps their vectors; returns how many there were.
 *
 * What was embedded before an error or an abort is kept.
 *
 * @throws MemoryError as {@link embedTexts}.
 */
export async function embedMissing(
  cache: VectorCache,
  embedder: Embedder,
  texts: Iterable<EmbeddedText>,
  options: EmbedMissingOptions = {},
): Promise<number> {
  const missing = new Map<string, EmbeddedText>();
  for (const text of texts) if (cache.rowOf(text.hash) === undefined) missing.set(text.hash, text);
  const waiting = [...missing.values()];
  const { signal, onProgress, isEnough, worthKeeping } = options;
  let done = 0;
  try {
    for (; done < waiting.length; done += batchSize) {
      if (done > 0 && isEnough?.()) return done;
      onProgress?.({ done, total: waiting.length });
      const batch = waiting.slice(done, done + batchSize);
      const asked = batch.map(({ text }) => text);
      const vectors = await embedTexts(embedder, asked, signal === undefined ? {} : { signal });
      for (const [at, { hash, isPrivate }] of batch.entries()) cache.add(hash, vectors[at]!, isPrivate);
      if ((done + batchSize) % saveEvery === 0) cache.save();
      // An embedder that never waits would let nobody else work, and no abort come through.
      await new Promise(setImmediate);
    }
  } finally {
    // The rest of what was written in part is worth it, too.
    cache.save(done >= saveEvery ? 1 : worthKeeping);
  }
  if (waiting.length > 0) onProgress?.({ done: waiting.length, total: waiting.length });
  return waiting.length;
}
