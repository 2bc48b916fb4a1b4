// Runs a model in a process of its own, by @huggingface/transformers or the older @xenova/transformers; nothing here installs one.

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { defined, MemoryError } from '../base/errors.ts';
import { dropNote, type ModelNote, readNote, takeNote } from './model-note.ts';
import { type ModelInput, ModelProcess, type ModelProcessOptions, type ModelRequest } from './model-process.ts';
import { runtimeFolder } from './model-runtime.ts';

/** With what a model runs. */
export interface RunOptions {
  /** The packages to try, in this order. */
  readonly packages?: readonly string[];
  /** The file or folder from which packages are looked up; default: where git-memory is installed, then where it installs them. */
  readonly resolveFrom?: string;
  /** For how long loading or answering may give no sign of life; default 60,000. */
  readonly silenceMs?: number;
  readonly signal?: AbortSignal;
}

/** The packages that can run a model, the one that is maintained first. */
export const transformersPackages = ['@huggingface/transformers', '@xenova/transformers'] as const;

export interface Runtime {
  /** `name@version`. */
  readonly name: string;
  /** The URL of its module. */
  readonly module: string;
}

/** A model that is there, and how it is loaded. */
export interface RunnableModel {
  /** What the user calls it. */
  readonly name: string;
  readonly folder: string;
  readonly isQuantised: boolean;
  /** What its process is given beside the package. */
  readonly request: Omit<ModelRequest, 'module'>;
}

/** A model with the process that runs it. */
export interface RunningModel extends ModelNote {
  /** Gives a vector for each input, in order; a question goes first. Throws EMBEDDING_FAILED, EMBEDDER_UNAVAILABLE, CLOSED, the abort's reason. */
  run(inputs: readonly ModelInput[], isQuestion: boolean, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/** Makes a model ready; its process starts with the first input, or at once if it never ran here. Throws EMBEDDER_UNAVAILABLE, the abort's reason. */
export async function runModel(
  { name: model, folder, isQuantised, request }: RunnableModel,
  options: RunOptions,
): Promise<RunningModel> {
  const { silenceMs = 60_000, signal } = options;
  const runtimes = installedRuntimes(options);
  const watched = { silenceMs, ...defined({ signal }) };
  const start = ({ module }: Runtime, how: ModelProcessOptions): Promise<ModelProcess> =>
    ModelProcess.start({ module, ...request }, how);

  let note = readNote(folder, isQuantised);
  let runtime = runtimes.find((one) => one.name === note?.runtime);
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
  /** Starts the process; where it cannot, each package is tried again by the next command. */
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
    if (isClosed) throw new MemoryError('CLOSED', `the model ${model} was closed`, { where: model });
    const last = running;
    const usable = await last?.catch(() => undefined);
    if (usable?.isAlive) return usable;
    if (running === last) running = begin();
    const started = await running!;
    if (isClosed) await started.close();
    return started;
  }
  return {
    hash: note.hash,
    dimensions: note.dimensions,
    runtime: runtime.name,
    async run(inputs, isQuestion, stop) {
      stop?.throwIfAborted();
      try {
        const process = await alive();
        stop?.throwIfAborted();
        return await process.run(inputs, isQuestion, stop);
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
export const isRuntimeInstalled = (): boolean => runtimesOf({}).length > 0;

/** Lists what is installed of the packages wanted, without running any of it. */
function runtimesOf({ packages = transformersPackages, resolveFrom }: RunOptions): Runtime[] {
  const places =
    resolveFrom === undefined
      ? [import.meta.url, path.join(runtimeFolder(), 'package.json')]
      : [path.resolve(resolveFrom, 'package.json')];
  return places.flatMap((place) => packages.flatMap((name) => runtimeFrom(place, name) ?? []));
}

/** Lists the packages that may run a model. Throws EMBEDDER_UNAVAILABLE where there is none. */
export function installedRuntimes(options: RunOptions): Runtime[] {
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
export async function firstThatWorks<Result>(
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
    ...defined({ hint }),
  });
}
