// Vectors ahead of need, so that no question has to wait for them.

import { MemoryError } from '../errors.ts';
import type { Embedder } from '../ports.ts';
import type { Configuration } from '../records/configuration.ts';
import { builtInEmbedder } from '../search/built-in-embedder.ts';
import type { SemanticIndex } from '../search/vectors/semantic-index.ts';
import type { Snapshot } from '../store/snapshot.ts';
import type { ReindexOptions, ReindexResult } from '../types.ts';
import { privacyOf, type Searcher } from './searcher.ts';

interface Reporting {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

export interface ReindexContext {
  readonly snapshot: Snapshot;
  readonly searcher: Searcher;
  readonly configuration: Configuration;
  /** The embedder that is not built in; null when there is none. Asked after the download. */
  semantics(): SemanticIndex | null;
  /** Gets the model that the configuration names. */
  download(reporting: Reporting): Promise<Embedder>;
}

/** Gives every text its vector. Throws EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED, INVALID_ARGUMENT when there is no model to download. */
export async function reindex(
  context: ReindexContext,
  { download = false, signal, onProgress }: ReindexOptions,
): Promise<ReindexResult> {
  const { snapshot, searcher, configuration } = context;
  const reporting = (what: 'Downloading' | 'Embedding'): Reporting => ({
    ...(signal === undefined ? {} : { signal }),
    ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress({ what, ...progress }) }),
  });
  if (download) {
    if (configuration.embedder.model === undefined) {
      throw new MemoryError('INVALID_ARGUMENT', 'memory.yaml names no model to download', {
        where: 'embedder.model',
        hint: 'Name one there, such as Xenova/all-MiniLM-L6-v2',
      });
    }
    await (await context.download(reporting('Downloading'))).close?.();
  }
  const semantics = context.semantics();
  if (semantics === null) return { embedder: builtInEmbedder.name, embedded: 0, known: 0 };
  const documents = searcher.layoutOf(snapshot);
  return semantics.embedAll(documents, privacyOf(configuration.private), reporting('Embedding'));
}
