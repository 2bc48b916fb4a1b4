// Consolidation with all it takes: an embedder or words to compare by, a model if one is set, and the runner.

import { MemoryError } from '../../base/errors.ts';
import type { TextModel } from '../../base/ports.ts';
import { tokensOf } from '../../base/tokenizer.ts';
import type { ConsolidateMemoriesOptions, ConsolidateResult } from '../../base/types.ts';
import type { SemanticIndex } from '../../search/index.ts';
import {
  type ConsolidateItem,
  type ConsolidateOptions,
  consolidation,
  type OpenCluster,
} from '../lifecycle/consolidate.ts';
import { vectorOfTerms } from '../lifecycle/hashed-words.ts';
import { cosineLikeness, type Likeness, wordLikeness } from '../lifecycle/likeness.ts';
import { modelMerger } from '../lifecycle/model-merge.ts';
import { type RunOptions, type RunPorts, runPass } from '../write/run-pass.ts';

/** What comparing takes beside running a pass. */
export interface LikenessPorts extends RunPorts {
  /** The model that somebody chose; null when nobody did. */
  readonly semantics: () => SemanticIndex | null;
}

export interface ConsolidatePorts extends LikenessPorts {
  /** Merges what is in doubt; null where a person does. */
  readonly model: TextModel | null;
}

/** Merges memories that say the same; see {@link consolidation}. */
export async function consolidateMemories(
  ports: ConsolidatePorts,
  { ids, uncertain, likeness = 'vectors', ...running }: ConsolidateMemoriesOptions,
  besides: Pick<RunOptions, 'trailers'> = {},
): Promise<ConsolidateResult> {
  const { store, catalog, model, configurationOf } = ports;
  const snapshot = store.snapshot();
  const open: OpenCluster[] = [];
  let comparedBy = '';
  let note: string | undefined;
  const isPrivate = configurationOf(snapshot).private.length > 0;
  const options: ConsolidateOptions = {
    likenessOf: (texts, signal) =>
      likeness === 'words'
        ? Promise.resolve(wordLikeness(texts))
        : vectorLikeness(ports.semantics(), texts, isPrivate, signal, (why) => {
            note = why;
          }),
    ...(ids === undefined ? {} : { ids: ids.map((id) => catalog.find(snapshot, id).record.id) }),
    ...(uncertain ? { uncertain } : {}),
    // What is private stays on this machine.
    ...(model === null || (isPrivate && model.isRemote !== false)
      ? {}
      : { merger: modelMerger(model, running.signal === undefined ? {} : { signal: running.signal }) }),
    onOpen: (cluster) => open.push(cluster),
    onLikeness: (by) => {
      comparedBy = by;
    },
  };
  const result = await runPass<ConsolidateOptions, ConsolidateItem>(ports, consolidation, options, {
    ...running,
    ...besides,
    isByRule: ids === undefined,
  });
  return { ...result, comparedBy, ...(note === undefined ? {} : { comparedNote: note }), open };
}

/** Compares by the model, or by words and their parts where there is none or it fails, with a note that says why. */
export async function vectorLikeness(
  semantics: SemanticIndex | null,
  texts: readonly string[],
  isPrivate: boolean,
  signal: AbortSignal | undefined,
  onFailure: (why: string) => void,
): Promise<Likeness> {
  if (semantics !== null) {
    try {
      const { embedder, vectors } = await semantics.vectorsOf(
        texts.map((text) => ({ text, isPrivate })),
        signal === undefined ? {} : { signal },
      );
      return cosineLikeness(embedder, vectors, texts);
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      onFailure(error.message);
    }
  }
  const vectors = texts.map((text) => vectorOfTerms(tokensOf(text)));
  // A text without a word has a vector of zeros, which is like nothing.
  return cosineLikeness(
    'hashed words',
    vectors.map((vector) => (vector.some((value) => value !== 0) ? vector : null)),
    texts,
  );
}
