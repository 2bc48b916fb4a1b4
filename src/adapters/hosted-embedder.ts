// An embedder that asks a model on a server through the AI SDK (`ai`, optional), which batches and retries. Every text leaves the machine.

import { defined, MemoryError } from '../base/errors.ts';
import type { Embedder } from '../base/ports.ts';

/** An embedding model of a provider of the AI SDK, `openai.textEmbeddingModel('text-embedding-3-small')`; a text is an id for its gateway. */
export type HostedModel =
  | string
  | { readonly specificationVersion: string; readonly provider: string; readonly modelId: string };

/** Which model to ask, and how. */
export interface HostedEmbedderOptions {
  readonly model: HostedModel;
  /** Length of its vectors; without it one word is embedded to find out. */
  readonly dimensions?: number;
  /** Settings of the provider, `{ openai: { dimensions: 512 } }`; they are part of the fingerprint. */
  readonly providerOptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Only so many UTF-16 units of a text are sent; default 8000, since servers refuse what is too long for them. */
  readonly maxLength?: number;
  /** Default 4. */
  readonly maxParallelCalls?: number;
  /** How often a request is repeated when the server is busy or gone; default 2, with growing pauses. */
  readonly maxRetries?: number;
  /** How long one call of `embed` may take; default 120,000. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The part of the AI SDK used here; both its major versions have it. */
interface AiSdk {
  embedMany(options: {
    model: HostedModel;
    values: string[];
    maxParallelCalls: number;
    maxRetries: number;
    abortSignal: AbortSignal;
    providerOptions?: unknown;
  }): Promise<{ embeddings: number[][] }>;
}

/**
 * Makes an embedder of a hosted model.
 *
 * A blank text is not sent and has a vector of zeros.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE when the package `ai` is not installed or the model does not answer;
 * INVALID_ARGUMENT when it is no model.
 */
export async function hostedEmbedder(options: HostedEmbedderOptions): Promise<Embedder> {
  const {
    model,
    providerOptions,
    maxLength = 8000,
    maxParallelCalls = 4,
    maxRetries = 2,
    timeoutMs = 120_000,
  } = options;
  const name = nameOf(model);
  const { embedMany } = await loadSdk();

  async function ask(values: string[], signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const limit = AbortSignal.timeout(timeoutMs);
    const { embeddings } = await embedMany({
      model,
      values,
      maxParallelCalls,
      maxRetries,
      abortSignal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
      ...defined({ providerOptions }),
    });
    return embeddings.map((embedding) => Float32Array.from(embedding));
  }

  const dimensions = options.dimensions ?? (await measured(name, () => ask(['dimensions'], options.signal), options));
  return {
    name,
    fingerprint: JSON.stringify({ hosted: name, dimensions, maxLength, providerOptions: providerOptions ?? {} }),
    dimensions,
    isRemote: true,
    async embed(texts, { signal } = {}) {
      const sent = texts.map((text) => shortened(text, maxLength));
      const isBlank = (text: string): boolean => text.trim() === '';
      const values = sent.filter((text) => !isBlank(text));
      try {
        const vectors = values.length === 0 ? [] : await ask(values, signal);
        // With more or fewer than asked for, nobody knows whose they are.
        if (vectors.length !== values.length) throw new Error(`${vectors.length} vectors for ${values.length} texts`);
        return sent.map((text) => (isBlank(text) ? new Float32Array(dimensions) : vectors.shift()!));
      } catch (error) {
        signal?.throwIfAborted();
        throw new MemoryError('EMBEDDING_FAILED', `the model ${name} failed: ${reasonOf(error)}`, {
          where: name,
          cause: error,
        });
      }
    },
  };
}

async function loadSdk(): Promise<AiSdk> {
  try {
    return (await import('ai')) as unknown as AiSdk;
  } catch (error) {
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `the AI SDK cannot be loaded: ${reasonOf(error)}`, {
      where: 'ai',
      hint: 'Install it beside git-memory: npm install ai',
      cause: error,
    });
  }
}

function nameOf(model: HostedModel): string {
  if (typeof model === 'string' && model !== '') return `hosted:${model}`;
  if (typeof model === 'object' && typeof model?.modelId === 'string' && typeof model.provider === 'string')
    return `hosted:${model.provider}/${model.modelId}`;
  throw new MemoryError('INVALID_ARGUMENT', 'the model of a hosted embedder is missing', {
    where: 'model',
    hint: 'Give a model of the AI SDK, such as openai.textEmbeddingModel(…)',
  });
}

async function measured(
  name: string,
  askOnce: () => Promise<Float32Array[]>,
  { signal }: HostedEmbedderOptions,
): Promise<number> {
  try {
    const [vector] = await askOnce();
    if (vector !== undefined && vector.length > 0) return vector.length;
    throw new Error('it returned no vector');
  } catch (error) {
    signal?.throwIfAborted();
    throw new MemoryError('EMBEDDER_UNAVAILABLE', `the model ${name} does not answer: ${reasonOf(error)}`, {
      where: name,
      cause: error,
    });
  }
}

/** Cuts a text, never between the halves of a character. */
function shortened(text: string, maxLength: number): string {
  const isSplit = /[\ud800-\udbff]/.test(text[maxLength - 1] ?? '') && text.length > maxLength;
  return text.slice(0, isSplit ? maxLength - 1 : maxLength);
}

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 300);
