// An embedder made of any function that turns texts into lists of numbers.

import { MemoryError } from '../base/errors.ts';
import type { Embedder, EmbedOptions } from '../base/ports.ts';

/** What an embedder is made of. */
export interface FunctionEmbedderOptions
  extends Pick<Embedder, 'name' | 'fingerprint' | 'dimensions' | 'isRemote' | 'isInstant'> {
  /** Gives one list of `dimensions` numbers per text, in order; of any length in space, it is brought to unit length. */
  readonly embed: (
    texts: readonly string[],
    options: EmbedOptions,
  ) => readonly ArrayLike<number>[] | Promise<readonly ArrayLike<number>[]>;
}

/** Makes an embedder of a function. Throws INVALID_ARGUMENT when something is missing. */
export function functionEmbedder(options: FunctionEmbedderOptions): Embedder {
  const { name, fingerprint, dimensions, isRemote = false, isInstant = false, embed } = options;
  const refuse = (where: string, what: string): never => {
    throw new MemoryError('INVALID_ARGUMENT', `${where} of an embedder must be ${what}`, { where });
  };
  if (typeof name !== 'string' || name === '') refuse('name', 'a text');
  if (typeof fingerprint !== 'string' || fingerprint === '') refuse('fingerprint', 'a text');
  if (!Number.isInteger(dimensions) || dimensions < 1 || dimensions > 65_536)
    refuse('dimensions', 'a whole number from 1 to 65536');
  if (typeof embed !== 'function') refuse('embed', 'a function');
  return {
    name,
    fingerprint: JSON.stringify({ function: name, fingerprint }),
    dimensions,
    isRemote,
    isInstant,
    async embed(texts, options = {}) {
      const vectors = await embed(texts, options);
      // What is not a list of numbers becomes a vector of another length, and is refused where all vectors are checked.
      return vectors.map((vector) => (vector instanceof Float32Array ? vector : Float32Array.from(vector)));
    },
  };
}
