// The embedder that memory.yaml names, or the user chose. A shared file names models only: no server, package or code comes from it unasked.

import type { Embedder, EmbedderSource } from '../base/ports.ts';
import type { Configuration } from '../store/records/configuration.ts';
import { modelPrefix, type TransformersOptions, transformersEmbedder } from './transformers.ts';
import { userModel } from './user-model.ts';

function optionsOf({ model, quantised, documentPrefix, queryPrefix }: Configuration['embedder']): TransformersOptions {
  const prefixes = { document: documentPrefix, query: queryPrefix };
  // What a file says of weights is meant for the model that it names.
  return model === undefined ? { ...userModel(), prefixes } : { model, quantised, prefixes };
}

/** Tells whether an embedder is a model that a configuration or the user named, by its name. */
export const isModel = (embedder: string): boolean => embedder.startsWith(modelPrefix);

/** Tells how to get the embedder of a configuration; null when nobody names one, and the table of the package ranks. */
export function configuredEmbedder(configuration: Configuration['embedder']): EmbedderSource | null {
  const options = optionsOf(configuration);
  return options.model === undefined ? null : () => transformersEmbedder(options);
}

/** Downloads the model of a configuration if it is not there, and loads it. Throws as {@link transformersEmbedder}. */
export function downloadConfigured(
  configuration: Configuration['embedder'],
  options: Pick<TransformersOptions, 'signal' | 'onProgress'>,
): Promise<Embedder> {
  return transformersEmbedder({ ...optionsOf(configuration), ...options, download: true });
}
