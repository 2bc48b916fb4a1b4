// An embedder that runs transformer models (running-model.ts): where the model comes from, and what its vectors are.

import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { defined, MemoryError } from '../base/errors.ts';
import type { Embedder, EmbeddingKind } from '../base/ports.ts';
import {
  adoptModel,
  defaultModelCache,
  hasWeights,
  missingFile,
  placeOfModel,
  removeUnfinished,
  unfinishedPrefix,
} from './model-folder.ts';
import { ModelProcess } from './model-process.ts';
import { firstThatWorks, installedRuntimes, type RunOptions, type Runtime, runModel } from './running-model.ts';

/** Which model to run, and how. */
export interface TransformersOptions extends RunOptions {
  /** A folder (`/`, `./` or `~/` first) or the id of a model. Default `Xenova/all-MiniLM-L6-v2`: English, 384 dimensions, 23 MB. */
  readonly model?: string;
  /** Whether the weights have 8 bits: a quarter of the size, nearly the same vectors. Default: unless there are only others. */
  readonly quantised?: boolean;
  /** Whether a model that is not in the cache may be downloaded. Default false. */
  readonly download?: boolean;
  /** Where models come from; default: HF_ENDPOINT of the environment, else `https://huggingface.co/`. */
  readonly host?: string;
  /** Where models named by an id are kept; default: where `git memory model add` keeps them, or a folder in the user's cache. */
  readonly cacheFolder?: string;
  /** What stands before each text, for models trained that way: `{ document: 'passage: ', query: 'query: ' }`. */
  readonly prefixes?: Partial<Record<EmbeddingKind, string>>;
  /** Hears of a download, in bytes. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

export const defaultModel = 'Xenova/all-MiniLM-L6-v2';

/** What the name of each such embedder begins with. */
export const modelPrefix = 'transformers:';

/** Changes when the same files would give other vectors: pooling, normalisation. */
const recipe = 'mean-pooled 1';

/**
 * Gives a transformer model: mean pooling over its word pieces, unit length. Texts are handed over in batches and run one by one. Their process
 * starts with the first of them, or at once where the model has not run here before.
 *
 * Downloads nothing unless told to, and then all or nothing, into the user's cache.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE when no package is installed or works here, or the model is not there or cannot be downloaded. From
 * `embed` it comes when the package that ran it does not any more. INVALID_ARGUMENT for a name that is no model. The reason of an abort goes through.
 */
export async function transformersEmbedder(options: TransformersOptions = {}): Promise<Embedder> {
  const { model = defaultModel, prefixes = {}, silenceMs = 60_000, signal } = options;
  const place = placeOfModel(model, options.cacheFolder);
  const isQuantised = options.quantised ?? (hasWeights(place.folder, true) || !hasWeights(place.folder, false));
  if (missingFile(place.folder, isQuantised) !== undefined) {
    if (place.id === undefined || options.download !== true) throw modelMissing(model, place.folder, isQuantised);
    const watched = { silenceMs, ...defined({ signal }) };
    await download(place.id, installedRuntimes(options), { ...options, quantised: isQuantised }, watched);
  }
  const request = { modelFolder: place.folder, isQuantised };
  const running = await runModel({ name: model, folder: place.folder, isQuantised, request }, options);
  return {
    name: `${modelPrefix}${model}`,
    fingerprint: JSON.stringify({
      recipe,
      model: running.hash,
      isQuantised,
      runtime: running.runtime,
      prefixes: { document: prefixes.document ?? '', query: prefixes.query ?? '' },
    }),
    dimensions: running.dimensions,
    embed: (texts, { kind = 'document', signal: stop } = {}) =>
      running.run(
        texts.map((text) => (prefixes[kind] ?? '') + text),
        kind === 'query',
        stop,
      ),
    close: running.close,
  };
}

function modelMissing(model: string, folder: string, isQuantised: boolean): MemoryError {
  const what = existsSync(folder)
    ? `the model in ${folder} has no ${missingFile(folder, isQuantised)}`
    : `the model ${model} is not in ${folder}`;
  return new MemoryError('EMBEDDER_UNAVAILABLE', what, {
    where: model,
    hint: 'Fetch it with `git memory model add NAME`, or add a copy of it with `git memory model add ./FOLDER`',
  });
}

/** Downloads into a folder of its own, loads the model once to see that it is whole, and only then gives it its place. */
async function download(
  id: string,
  runtimes: readonly Runtime[],
  options: TransformersOptions,
  watched: { silenceMs: number; signal?: AbortSignal },
): Promise<void> {
  const { cacheFolder = defaultModelCache(), quantised: isQuantised = true, onProgress } = options;
  const host = options.host ?? (process.env.HF_ENDPOINT || 'https://huggingface.co/');
  mkdirSync(cacheFolder, { recursive: true });
  removeUnfinished(cacheFolder);
  const temporary = mkdtempSync(path.join(cacheFolder, unfinishedPrefix));
  const request = { id, host: host.endsWith('/') ? host : `${host}/`, cacheFolder: temporary };
  try {
    const fetching = async ({ module }: Runtime): Promise<void> => {
      const loaded = await ModelProcess.start(
        { module, download: request, isQuantised },
        { ...watched, ...defined({ onProgress }) },
      );
      await loaded.close();
    };
    const hint = `Where ${host} cannot be reached, copy config.json, tokenizer.json, tokenizer_config.json and onnx/${
      isQuantised ? 'model_quantized' : 'model'
    }.onnx of the model into a folder and say \`git memory model add ./FOLDER\`; HF_ENDPOINT names another host`;
    await firstThatWorks(runtimes, watched.signal, id, 'downloaded', fetching, hint);
    const finished = path.join(temporary, ...id.split('/'));
    adoptModel(finished, path.join(cacheFolder, ...id.split('/')));
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
