// The embedder that memory.yaml names. It names models only: no server, no package and no code can come from a file that is
// shared with others, and nothing is downloaded for it unless a person asks.

import type { Embedder, EmbedderSource } from '../ports.ts';
import type { Configuration } from '../records/configuration.ts';
import { type TransformersOptions, transformersEmbedder } from './transformers.ts';

function optionsOf({ model, quantised, documentPrefix, queryPrefix }: Configuration['embedder']): TransformersOptions {
  return {
    ...(model === undefined ? {} : { model }),
    quantised,
    prefixes: { document: documentPrefix, query: queryPrefix },
  };
}

/** Tells how to get the embedder of a configuration; null when it names none, and the built-in one ranks. */
export function configuredEmbedder(configuration: Configuration['embedder']): EmbedderSource | null {
  return configuration.model === undefined ? null : () => transformersEmbedder(optionsOf(configuration));
}

/** Downloads the model of a configuration if it is not there, and loads it. Throws as {@link transformersEmbedder}. */
export function downloadConfigured(
  configuration: Configuration['embedder'],
  options: Pick<TransformersOptions, 'signal' | 'onProgress'>,
): Promise<Embedder> {
  return transformersEmbedder({ ...optionsOf(configuration), ...options, download: true });
}
