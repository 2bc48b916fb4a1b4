// Words and vectors ahead of need, so that no question has to wait for them.

import { defined, MemoryError } from '../../base/errors.ts';
import type { Embedder } from '../../base/ports.ts';
import type { ReindexOptions, ReindexResult, TimeInput } from '../../base/types.ts';
import type { HistoryCatalogue } from '../../history/index.ts';
import type { SemanticIndex } from '../../search/index.ts';
import type { MemoryCatalog } from '../../store/memory-catalog.ts';
import type { Configuration } from '../../store/records/configuration.ts';
import type { Snapshot } from '../../store/snapshot.ts';
import { changesBetween, privacyOf, type Searcher } from './searcher.ts';

/** So many files, records or texts are much for one process. */
const muchAtOnce = 8192;

interface Reporting {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

export interface ReindexContext {
  readonly snapshot: Snapshot;
  readonly searcher: Searcher;
  readonly configuration: Configuration;
  readonly catalog: MemoryCatalog;
  readonly history: HistoryCatalogue;
  /** Whether a part that is much is all that is done. */
  readonly isInParts: boolean;
  /** The model that somebody chose; null when nobody did. Asked after the download. */
  semantics(): SemanticIndex | null;
  /** The table of the package; null where words alone are to count. */
  table(): SemanticIndex | null;
  /** Opens an earlier state; null for a time before the first commit. */
  at(state: TimeInput): Snapshot | null;
  /** Gets the model that the configuration names. */
  download(reporting: Reporting): Promise<Embedder>;
}

/**
 * Reads, splits and keeps the words of all that is new, and gives every text its vector. With `since` only the files that changed since
 * that state get one.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE, EMBEDDING_FAILED; INVALID_ARGUMENT when there is no model to download, or for seconds
 * below zero; as {@link ReindexContext.at} for an unknown state. What was embedded until then stays.
 */
export async function reindex(
  context: ReindexContext,
  { download = false, since, seconds, signal, onProgress }: ReindexOptions,
): Promise<ReindexResult & { readonly isLeft?: true }> {
  const { snapshot, searcher, configuration } = context;
  const reporting = (what: 'Downloading' | 'Embedding'): Reporting => ({
    ...defined({ signal }),
    ...(onProgress === undefined ? {} : { onProgress: (progress) => onProgress({ what, ...progress }) }),
  });
  if (seconds !== undefined && !(seconds >= 0))
    throw new MemoryError('INVALID_ARGUMENT', `${seconds} is no number of seconds`, { where: 'seconds' });
  const before = since === undefined ? null : context.at(since);
  if (download) {
    if (configuration.embedder.model === undefined) {
      throw new MemoryError('INVALID_ARGUMENT', 'memory.yaml names no model to download', {
        where: 'embedder.model',
        hint: 'Name one there, such as Xenova/all-MiniLM-L6-v2; or `git memory model add` fetches one for all your memories',
      });
    }
    await (await context.download(reporting('Downloading'))).close?.();
  }
  let embedded = { embedder: null as string | null, embedded: 0, known: 0, left: 0 };
  const nothing = { documents: 0, read: 0 };
  const { catalog, history } = context;
  const isMuch = (done: number) => context.isInParts && done > muchAtOnce;
  // The table is made where no words are held.
  const isTableDue = context.isInParts && searcher.isKept(snapshot) && catalog.count(snapshot) === null;
  if (isTableDue && isMuch(catalog.stored(snapshot).length)) return { ...embedded, ...nothing, isLeft: true };
  const words = searcher.prepare(snapshot);
  if (isMuch(words.read)) return { ...embedded, ...words, isLeft: true };
  catalog.stored(snapshot);
  // What is pending is not in any commit yet, so it has changed since every one.
  const changed = before && changesBetween(before, snapshot);
  for (const semantics of [context.table(), context.semantics()]) {
    if (semantics === null) continue;
    embedded = await semantics.embedAll(searcher.layoutOf(snapshot), privacyOf(configuration.private), {
      ...reporting('Embedding'),
      ...defined({ seconds, isWanted: changed === null ? undefined : (path: string) => changed.has(path) }),
    });
  }
  if (isMuch(embedded.embedded)) return { ...embedded, ...words, isLeft: true };
  if (seconds === undefined) history.complete(snapshot.commit);
  return { ...embedded, ...words };
}
