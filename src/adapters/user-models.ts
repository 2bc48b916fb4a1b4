// The models of this user: added from a folder or from where models come from, measured, and one of them the default. Commands alone ask for this.
//
//   <user's data>/models/<name>           models that were added from a folder
//   <user's cache>/models/<owner>/<name>  models that can be fetched again
//   <user's data>/model.json              { "default": "<name>" }, see user-model.ts

import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { dot } from '../base/vectors.ts';
import { isSystemError, MemoryError } from '../errors.ts';
import type { Embedder } from '../ports.ts';
import type { AddedModel, InstalledModel, InstalledModels, ModelMeasures, RemovedModel } from '../types.ts';
import {
  addedModels,
  defaultModelCache,
  hasWeights,
  missingFile,
  placeOfModel,
  removeUnfinished,
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
import { defaultModel, transformersEmbedder } from './transformers.ts';
import { chooseUserModel, userModel } from './user-model.ts';

export interface AddModelOptions {
  /** The package that is to run it; default: what is installed, else `@huggingface/transformers`. */
  readonly runtime?: RuntimePackage;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: { what: string; done: number; total: number }) => void;
}

/** Lists the models that are here, by name, and the package that runs them. */
export function listModels(): InstalledModels {
  const { model: chosen } = userModel();
  const places = [addedModels(), defaultModelCache()];
  const models = new Map<string, InstalledModel>();
  for (const place of places) {
    for (const name of namesBelow(place)) {
      if (models.has(name)) continue;
      const folder = path.join(place, ...name.split('/'));
      models.set(name, {
        name,
        folder,
        bytes: bytesBelow(folder),
        licence: licenceOf(folder),
        isDefault: name === chosen,
      });
    }
  }
  const byName = [...models.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
  return { models: byName, runtime: installedRuntime() };
}

/**
 * Installs what runs models, fetches a model or copies it from its folder, measures it on ten texts and makes it this user's default.
 *
 * @throws MemoryError EMBEDDER_UNAVAILABLE when the package, the model or the network is not to be had; INVALID_ARGUMENT for a name that is no
 * model. The default is as it was then.
 */
export async function addModel(name: string = defaultModel, options: AddModelOptions = {}): Promise<AddedModel> {
  const { signal, onProgress } = options;
  const place = placeOfModel(name);
  if (place.id === undefined) checkWhole(place.folder);
  const stop = signal === undefined ? {} : { signal };
  const runtime =
    options.runtime ?? (installedRuntime()?.name as RuntimePackage | undefined) ?? '@huggingface/transformers';
  onProgress?.({ what: `Installing ${runtime}: step`, done: 1, total: 2 });
  await installRuntime(runtime, stop);
  const wanted = { model: name, packages: [runtime], resolveFrom: runtimeFolder(), ...stop };
  if (place.id !== undefined) {
    const report = (progress: { done: number; total: number }): void =>
      onProgress?.({ what: 'Downloading', ...progress });
    await (await transformersEmbedder({ ...wanted, download: true, onProgress: report })).close?.();
  }
  // A folder is tried where it lies: what does not run gets no place here.
  const measures = await measured(() => transformersEmbedder(wanted));
  const added = place.id ?? copyModel(place.folder);
  chooseUserModel(added);
  return { added, measures, ...listModels() };
}

/**
 * Removes a model from this machine, and with the last one the package that runs models. Where it was the default, the built-in embedder ranks
 * again.
 *
 * @throws MemoryError NOT_FOUND for a model that is not here.
 */
export function removeModel(name: string): RemovedModel {
  const { models } = listModels();
  const model = models.find((one) => one.name === name);
  if (model === undefined) {
    const here = models.length === 0 ? 'There is none' : `Here are ${models.map((one) => one.name).join(', ')}`;
    throw new MemoryError('NOT_FOUND', `there is no model ${JSON.stringify(name.slice(0, 200))} here`, {
      where: 'name',
      hint: here,
    });
  }
  if (model.isDefault) chooseUserModel(null);
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
    hint: 'A model is a folder with config.json, tokenizer.json and onnx/model_quantized.onnx or onnx/model.onnx',
  });
}

/** Lists the models below a folder: `name`, or `owner/name`. */
function namesBelow(place: string): string[] {
  const foldersOf = (folder: string): string[] =>
    existsSync(folder)
      ? readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
          entry.isDirectory() && !entry.name.startsWith('.') ? [entry.name] : [],
        )
      : [];
  return foldersOf(place).flatMap((name) =>
    existsSync(path.join(place, name, 'config.json'))
      ? [name]
      : foldersOf(path.join(place, name))
          .map((second) => `${name}/${second}`)
          .filter((both) => existsSync(path.join(place, both, 'config.json'))),
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
  try {
    const front = /^---\n([\s\S]*?)\n---/.exec(readFileSync(path.join(folder, 'README.md'), 'utf8'))?.[1] ?? '';
    return /^license:\s*['"]?([\w.+-]+)/m.exec(front)?.[1] ?? null;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EACCES')) return null;
    throw error;
  }
}

/** Each line says one thing twice, in other words. */
const sayings: readonly (readonly [string, string])[] = [
  ['The meeting was moved to Thursday afternoon.', 'We will now come together on Thursday after lunch.'],
  ['She grew up by the sea in a small harbour town.', 'Her childhood was spent in a little port on the coast.'],
  ['The build fails because a package is missing.', 'Compilation breaks since one dependency is not installed.'],
  ['He is allergic to nuts and carries medicine.', 'Peanuts make him ill, so he always has his pills with him.'],
  ['The train was late and we missed the concert.', 'Because of a delayed railway journey the show began without us.'],
];

/** Loads a model and shows it ten texts. */
async function measured(load: () => Promise<Embedder>): Promise<ModelMeasures> {
  const began = performance.now();
  const embedder = await load();
  const loaded = performance.now();
  const texts = sayings.flat();
  const vectors = await embedder.embed(texts);
  const ended = performance.now();
  await embedder.close?.();
  const nearest = vectors.map((vector, at) => {
    const likeness = vectors.map((other, index) => (index === at ? Number.NEGATIVE_INFINITY : dot(vector, other)));
    return likeness.indexOf(Math.max(...likeness));
  });
  const paired = nearest.filter((other, at) => other === (at ^ 1)).length;
  return {
    dimensions: embedder.dimensions,
    loadMs: Math.round(loaded - began),
    msPerText: Math.round(((ended - loaded) / texts.length) * 10) / 10,
    paired,
  };
}
