// The models of this user: added from a folder or from where models come from, and measured. One of each use is the default. Commands alone ask for
// this.
//
//   <user's data>/models/<name>           models that were added from a folder
//   <user's cache>/models/<owner>/<name>  models that can be fetched again
//   <user's data>/model.json              which of them are used, see user-model.ts

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { MemoryError, orElse } from '../base/errors.ts';
import type * as types from '../base/types.ts';
import { dot, normalise } from '../base/vectors.ts';
import {
  addedModels,
  defaultModelCache,
  hasWeights,
  isModelFolder,
  missingFile,
  placeOfModel,
  removeUnfinished,
  scorerWeightsIn,
  unfinishedPrefix,
} from './model-folder.ts';
import {
  bytesBelow,
  installedRuntime,
  installRuntime,
  type RuntimePackage,
  removeRuntime,
  runtimeFolder,
} from './model-runtime.ts';
import { packaged } from './package.ts';
import { isRuntimeInstalled, type RunOptions } from './running-model.ts';
import { defaultModel, type TransformersOptions, transformersEmbedder } from './transformers.ts';
import { turnScorer } from './turn-scorer.ts';
import { chooseUserModel, userModel, userScorer } from './user-model.ts';

export interface AddModelOptions {
  /** The package that is to run it, in the user's folder; default: what is installed anywhere, else `@huggingface/transformers`. */
  readonly runtime?: RuntimePackage;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { what: string; done: number; total: number }) => void;
}

/** Lists the models that are here, by name, and the package that runs them. */
export function listModels(): types.InstalledModels {
  const chosen = { search: userModel().model, keeping: userScorer() };
  const places = [addedModels(), defaultModelCache()];
  const models = new Map<string, types.InstalledModel>();
  for (const place of places) {
    for (const name of namesBelow(place)) {
      if (models.has(name)) continue;
      const folder = path.join(place, ...name.split('/'));
      const use = useOf(folder);
      models.set(name, {
        use,
        name,
        folder,
        bytes: bytesBelow(folder),
        licence: licenceOf(folder),
        isDefault: name === chosen[use],
      });
    }
  }
  const byName = [...models.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { models: byName, runtime: installedRuntime() };
}

const useOf = (folder: string): types.ModelUse => (scorerWeightsIn(folder) === undefined ? 'search' : 'keeping');

/** Tells whether a folder holds what a model is made of; whether all of it is there, {@link addModel} says. */
export function looksLikeModel(folder: string): boolean {
  return useOf(folder) === 'keeping' || (isModelFolder(folder) && existsSync(path.join(folder, 'onnx')));
}

/**
 * Installs what runs models unless that is there. Then fetches a model or copies it from its folder, measures it on ten texts and makes it this
 * user's default. A model of vectors ranks what is searched, a scorer of turns says what is kept.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE when the package, the model or the network is not to be had; INVALID_ARGUMENT for a name that is no
 * model. The default is as it was then.
 */
export async function addModel(name: string = defaultModel, options: AddModelOptions = {}): Promise<types.AddedModel> {
  const { signal, onProgress } = options;
  const place = placeOfModel(name);
  const use = useOf(place.folder);
  if (place.id === undefined && use === 'search') checkWhole(place.folder);
  const stop = signal === undefined ? {} : { signal };
  const runtime = options.runtime ?? (isRuntimeInstalled() ? undefined : '@huggingface/transformers');
  if (runtime !== undefined) {
    onProgress?.({ what: `Installing ${runtime}: step`, done: 1, total: 2 });
    await installRuntime(runtime, stop);
  }
  const run = options.runtime === undefined ? {} : { packages: [options.runtime], resolveFrom: runtimeFolder() };
  const wanted = { model: name, ...run, ...stop };
  if (place.id !== undefined && use === 'search') {
    const report = (progress: { done: number; total: number }): void =>
      onProgress?.({ what: 'Downloading', ...progress });
    await (await transformersEmbedder({ ...wanted, download: true, onProgress: report })).close?.();
  }
  // A folder is tried where it lies: what does not run gets no place here.
  const measures = use === 'search' ? await measured(place.folder, wanted) : await scorerMeasured(name, wanted);
  const before = (use === 'search' ? userModel().model : userScorer()) ?? null;
  const added = place.id ?? copyModel(place.folder);
  chooseUserModel(added, use);
  return { added, before, measures, ...listModels() };
}

/** Removes a model, and with the last one the package that runs models; our table ranks again, our scorers score. Throws NOT_FOUND. */
export function removeModel(name: string): types.RemovedModel {
  const { models } = listModels();
  const model = models.find((one) => one.name === name);
  if (model === undefined) {
    const here = models.length === 0 ? 'There is none' : `Here are ${models.map((one) => one.name).join(', ')}`;
    throw new MemoryError('NOT_FOUND', `there is no model ${JSON.stringify(name.slice(0, 200))} here`, {
      where: 'name',
      hint: here,
    });
  }
  if (model.isDefault) chooseUserModel(null, model.use);
  // By another name first: what is half gone is no model.
  const place = name.split('/').reduce((folder) => path.dirname(folder), model.folder);
  const going = mkdtempSync(path.join(place, unfinishedPrefix));
  renameSync(model.folder, path.join(going, 'model'));
  rmSync(going, { recursive: true, force: true });
  const runtimeBytes = models.length === 1 ? removeRuntime() : 0;
  return { removed: name, bytes: model.bytes + runtimeBytes, ...listModels() };
}

function checkWhole(folder: string): void {
  if (hasWeights(folder, true) || hasWeights(folder, false)) return;
  const what = existsSync(folder) ? `the folder has no ${missingFile(folder, true)}` : 'there is no such folder';
  throw new MemoryError('EMBEDDER_UNAVAILABLE', what, {
    where: folder,
    hint: 'A model is a folder with config.json, tokenizer.json and onnx/model_quantized.onnx or onnx/model.onnx, or with turns.int8.onnx and vocab.txt',
  });
}

function namesBelow(place: string): string[] {
  const foldersOf = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
          entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [],
        )
      : [];
  return foldersOf(place).flatMap((name) =>
    isModelFolder(path.join(place, name))
      ? [name]
      : foldersOf(path.join(place, name))
          .map((second) => `${name}/${second}`)
          .filter((both) => isModelFolder(path.join(place, both))),
  );
}

/** Copies a model to this user's models, under the name of its folder and whole from the moment that it has it. */
function copyModel(folder: string): string {
  const place = addedModels();
  const name =
    path
      .basename(folder)
      .replace(/[^\w.-]/g, '-')
      .replace(/^[^A-Za-z0-9]+|\.{2,}/g, '') || 'model';
  const target = path.join(place, name);
  if (path.resolve(folder) === target) return name;
  mkdirSync(place, { recursive: true });
  removeUnfinished(place);
  const unfinished = mkdtempSync(path.join(place, unfinishedPrefix));
  try {
    cpSync(folder, path.join(unfinished, 'new'), { recursive: true, dereference: true });
    if (existsSync(target)) renameSync(target, path.join(unfinished, 'old'));
    renameSync(path.join(unfinished, 'new'), target);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return name;
}

function licenceOf(folder: string): string | null {
  const read = () => readFileSync(path.join(folder, 'README.md'), 'utf8');
  const [, front = ''] = /^---\n([\s\S]*?)\n---/.exec(orElse(read, '', 'ENOENT', 'ENOTDIR', 'EACCES')) ?? [];
  return /^license:\s*['"]?([\w.+-]+)/m.exec(front)?.[1] ?? null;
}

/** What a model is shown, from data/model-probe.json, which says what is what. */
interface Probe {
  readonly pairs: readonly (readonly [string, string])[];
  readonly models: readonly { readonly name: string; readonly vectors: readonly string[] }[];
  readonly turns: { readonly kept: readonly string[]; readonly left: readonly string[] };
}

const probe = (): Probe => JSON.parse(packaged('data/model-probe.json')) as Probe;

/** Two models that were trained apart are as like as chance, 0.1 or less; so much says that it is the same one. */
const sameModel = 0.8;

/** Loads a model, shows it ten texts, and finds out how far weights of 8 bits stray from those that they were made of. */
async function measured(folder: string, options: TransformersOptions): Promise<types.ModelMeasures> {
  const { pairs, models } = probe();
  const texts = pairs.flat();
  const began = performance.now();
  const embedder = await transformersEmbedder(options);
  // The process begins with its first text.
  await embedder.embed(['']);
  const loaded = performance.now();
  const vectors = await embedder.embed(texts);
  const ended = performance.now();
  await embedder.close?.();
  const nearest = vectors.map((vector, at) => {
    const likeness = vectors.map((other, index) => (index === at ? Number.NEGATIVE_INFINITY : dot(vector, other)));
    return likeness.indexOf(Math.max(...likeness));
  });
  const paired = nearest.filter((other, at) => other === (at ^ 1)).length;
  const isQuantised = hasWeights(folder, true);
  const known = models.map(({ name, vectors: kept }) => {
    const exact = kept.map((text) => normalise(Float32Array.from(new Int8Array(Buffer.from(text, 'base64')))));
    return {
      with: name,
      cosine: meanCosine(
        vectors.filter((_, at) => at % 2 === 0),
        exact,
      ),
    };
  });
  return {
    use: 'search',
    dimensions: embedder.dimensions,
    runtime: JSON.parse(embedder.fingerprint).runtime,
    loadMs: Math.round(loaded - began),
    msPerText: Math.round(((ended - loaded) / texts.length) * 10) / 10,
    paired,
    isQuantised,
    agreement: isQuantised
      ? (known.find(({ cosine }) => cosine > sameModel) ?? (await besideFullWeights(folder, options, texts, vectors)))
      : null,
  };
}

/** Compares with the 32-bit weights in the same folder; null where there are none. */
async function besideFullWeights(
  folder: string,
  options: TransformersOptions,
  texts: readonly string[],
  vectors: readonly Float32Array[],
): Promise<types.ModelMeasures['agreement']> {
  if (!hasWeights(folder, false)) return null;
  const full = await transformersEmbedder({ ...options, quantised: false });
  const exact = await full.embed(texts);
  await full.close?.();
  return { with: 'onnx/model.onnx', cosine: meanCosine(vectors, exact) };
}

function meanCosine(some: readonly Float32Array[], others: readonly ArrayLike<number>[]): number {
  if (some[0]!.length !== others[0]!.length) return 0;
  return some.reduce((sum, vector, at) => sum + dot(vector, others[at]!), 0) / some.length;
}

/** Loads a scorer, and shows it ten turns: those that are worth it have to stand before those that are not. */
async function scorerMeasured(name: string, options: RunOptions): Promise<types.ScorerMeasures> {
  const { kept, left } = probe().turns;
  const texts = [...kept, ...left].map((text) => ({ text }));
  const began = performance.now();
  const scorer = await turnScorer(name, options);
  try {
    await scorer.score([{ text: '' }]);
    const loaded = performance.now();
    const worths = (await scorer.score(texts)).map(([worth]) => worth!);
    const ended = performance.now();
    const first = new Set([...worths].sort((one, other) => other - one).slice(0, kept.length));
    return {
      use: 'keeping',
      runtime: scorer.runtime,
      loadMs: Math.round(loaded - began),
      msPerText: Math.round(((ended - loaded) / texts.length) * 10) / 10,
      told: worths.filter((worth, at) => first.has(worth) === at < kept.length).length,
    };
  } finally {
    await scorer.close?.();
  }
}
