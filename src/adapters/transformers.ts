// An embedder that runs transformer models with transformers.js, if that is installed: @huggingface/transformers, or the older
// @xenova/transformers, beside git-memory or by `git memory model add`. Nothing here installs one; they run in a process of their own.

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { MemoryError } from '../errors.ts';
import type { Embedder, EmbeddingKind } from '../ports.ts';
import {
  adoptModel,
  defaultModelCache,
  hasWeights,
  missingFile,
  placeOfModel,
  removeUnfinished,
  unfinishedPrefix,
} from './model-folder.ts';
import { dropNote, readNote, takeNote } from './model-note.ts';
import { ModelProcess, type ModelProcessOptions } from './model-process.ts';
import { runtimeFolder } from './model-runtime.ts';

/** Which model to run, and how. */
export interface TransformersOptions {
  /**
   * A folder that begins with `/`, `./` or `~/` and holds config.json, tokenizer.json and onnx/; or the id of a model.
   * Default `Xenova/all-MiniLM-L6-v2`: English, 384 dimensions, 23 MB.
   */
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
  /** The packages to try, in this order. */
  readonly packages?: readonly string[];
  /** The file or folder from which packages are looked up; default: where git-memory is installed, then where it installs them. */
  readonly resolveFrom?: string;
  /** For how long loading or embedding may give no sign of life; default 60,000. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
  /** Hears of a download, in bytes. */
  readonly onProgress?: (progress: { done: number; total: number }) => void;
}

/** The packages that can run a model, the one that is maintained first. */
export const transformersPackages = ['@huggingface/transformers', '@xenova/transformers'] as const;

export const defaultModel = 'Xenova/all-MiniLM-L6-v2';

/** What the name of each such embedder begins with. */
export const modelPrefix = 'transformers:';

/** Changes when the same files would give other vectors: pooling, normalisation. */
const recipe = 'mean-pooled 1';

interface Runtime {
  /** `name@version`. */
  readonly name: string;
  /** The URL of its module. */
  readonly module: string;
}

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
  const runtimes = installedRuntimes(options);
  const watched = { silenceMs, ...(signal === undefined ? {} : { signal }) };

  if (missingFile(place.folder, isQuantised) !== undefined) {
    if (place.id === undefined || options.download !== true) throw modelMissing(model, place.folder, isQuantised);
    await download(place.id, runtimes, { ...options, quantised: isQuantised }, watched);
  }
  const { folder } = place;
  const start = ({ module }: Runtime, how: ModelProcessOptions): Promise<ModelProcess> =>
    ModelProcess.start({ module, modelFolder: folder, isQuantised }, how);

  let note = readNote(folder, isQuantised);
  let runtime = runtimes.find(({ name }) => name === note?.runtime);
  let running: Promise<ModelProcess> | undefined;
  if (note === undefined || runtime === undefined) {
    const { result, runtime: found } = await firstThatWorks(runtimes, signal, model, 'run', (one) =>
      start(one, watched),
    );
    running = Promise.resolve(result);
    runtime = found;
    note = takeNote(folder, isQuantised, { dimensions: result.dimensions, runtime: found.name });
  }
  const chosen = runtime;
  let isClosed = false;
  /** Starts the process that embeds; where it cannot, each package is tried again by the next command. */
  async function begin(): Promise<ModelProcess> {
    try {
      return (await firstThatWorks([chosen], undefined, model, 'run', (one) => start(one, { silenceMs }))).result;
    } catch (error) {
      dropNote(folder, isQuantised);
      throw error;
    }
  }
  /** Gives the process, a new one when the old one died. */
  async function alive(): Promise<ModelProcess> {
    if (isClosed) throw new MemoryError('CLOSED', `the embedder of ${model} was closed`, { where: model });
    const last = running;
    const usable = await last?.catch(() => undefined);
    if (usable?.isAlive) return usable;
    if (running === last) running = begin();
    const started = await running!;
    if (isClosed) await started.close();
    return started;
  }
  return {
    name: `${modelPrefix}${model}`,
    fingerprint: JSON.stringify({
      recipe,
      model: note.hash,
      isQuantised,
      runtime: runtime.name,
      prefixes: { document: prefixes.document ?? '', query: prefixes.query ?? '' },
    }),
    dimensions: note.dimensions,
    async embed(texts, { kind = 'document', signal: stop } = {}) {
      stop?.throwIfAborted();
      try {
        const process = await alive();
        stop?.throwIfAborted();
        const prefixed = texts.map((text) => (prefixes[kind] ?? '') + text);
        return await process.embed(prefixed, kind === 'query', stop);
      } catch (error) {
        stop?.throwIfAborted();
        if (error instanceof MemoryError) throw error;
        throw new MemoryError('EMBEDDING_FAILED', `the model ${model} failed: ${(error as Error).message}`, {
          where: model,
          cause: error,
        });
      }
    },
    async close() {
      isClosed = true;
      await (await running?.catch(() => undefined))?.close();
    },
  };
}

/** Tells whether a package that runs models is installed where one is looked up. */
export function isRuntimeInstalled(): boolean {
  return runtimesOf({}).length > 0;
}

/** Lists what is installed of the packages wanted, without running any of it. */
function runtimesOf({ packages = transformersPackages, resolveFrom }: TransformersOptions): Runtime[] {
  const places =
    resolveFrom === undefined
      ? [import.meta.url, path.join(runtimeFolder(), 'package.json')]
      : [path.resolve(resolveFrom, 'package.json')];
  return places.flatMap((place) => packages.flatMap((name) => runtimeFrom(place, name) ?? []));
}

function installedRuntimes(options: TransformersOptions): Runtime[] {
  const runtimes = runtimesOf(options);
  if (runtimes.length > 0) return runtimes;
  const { packages = transformersPackages } = options;
  throw new MemoryError(
    'EMBEDDER_UNAVAILABLE',
    `${packages.join(' and ')} ${packages.length > 1 ? 'are' : 'is'} not installed`,
    {
      where: 'embedder',
      hint: `Run \`git memory model add\`, or install it beside git-memory: npm install ${packages[0]}`,
    },
  );
}

function runtimeFrom(place: string, name: string): Runtime | undefined {
  const require = createRequire(place);
  for (const folder of require.resolve.paths(name) ?? []) {
    const manifest = path.join(folder, name, 'package.json');
    if (!existsSync(manifest)) continue;
    const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
    return { name: `${name}@${version}`, module: pathToFileURL(require.resolve(name)).href };
  }
  return undefined;
}

/** Tries one package after the other; what is wrong with a package is known only when it runs. */
async function firstThatWorks<Result>(
  runtimes: readonly Runtime[],
  signal: AbortSignal | undefined,
  model: string,
  done: 'run' | 'downloaded',
  run: (runtime: Runtime) => Promise<Result>,
  hint?: string,
): Promise<{ result: Result; runtime: Runtime }> {
  const failures: string[] = [];
  let cause: unknown;
  for (const runtime of runtimes) {
    try {
      return { result: await run(runtime), runtime };
    } catch (error) {
      signal?.throwIfAborted();
      failures.push(`${runtime.name}: ${(error as Error).message}`);
      cause = error;
    }
  }
  throw new MemoryError('EMBEDDER_UNAVAILABLE', `the model ${model} cannot be ${done}; ${failures.join('; ')}`, {
    where: model,
    cause,
    ...(hint === undefined ? {} : { hint }),
  });
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
        { ...watched, ...(onProgress === undefined ? {} : { onProgress }) },
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
