// Finds where models are, in a folder somebody names or among those of the user, and says what a folder must hold.

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { MemoryError } from '../base/errors.ts';
import { userData } from './user-data.ts';

/** Gives our folder in what the operating system has for files that can be made or fetched again. */
export function userCache(): string {
  const home = os.homedir();
  const base =
    process.platform === 'darwin'
      ? path.join(home, 'Library', 'Caches')
      : process.platform === 'win32'
        ? (process.env.LOCALAPPDATA ?? path.join(home, 'AppData', 'Local'))
        : process.env.XDG_CACHE_HOME || path.join(home, '.cache');
  return path.join(base, 'git-memory');
}

/** Gives the user-level folder for models. */
export const defaultModelCache = (): string => path.join(userCache(), 'models');

/** Gives the folder of models that a user added from folders of his; they could not be fetched again. */
export const addedModels = (): string => path.join(userData(), 'models');

/** A model as it is named: a folder, or an id that stands for a folder of the user. */
export interface ModelPlace {
  readonly folder: string;
  /** The id; absent when the model was named as a folder. */
  readonly id?: string;
}

/** Tells which folder `/folder`, `./folder`, `~/folder` or an id `owner/name` means: one that was added, else the cache. Throws INVALID_ARGUMENT. */
export function placeOfModel(model: string, cacheFolder?: string): ModelPlace {
  if (/^~[/\\]/.test(model)) return { folder: path.join(os.homedir(), model.slice(2)) };
  if (/^\.{0,2}[/\\]|^[A-Za-z]:[/\\]/.test(model)) return { folder: path.resolve(model) };
  if (!/^[A-Za-z0-9][\w.-]{0,99}(?:\/[A-Za-z0-9][\w.-]{0,99})?$/.test(model) || model.includes('..')) {
    throw new MemoryError('INVALID_ARGUMENT', `${JSON.stringify(model.slice(0, 100))} is no model`, {
      where: 'model',
      hint: 'Give a folder that begins with / or ./ or ~/, or an id such as Xenova/all-MiniLM-L6-v2',
    });
  }
  const within = (folder: string): string => path.join(folder, ...model.split('/'));
  const added = within(addedModels());
  const isAdded = cacheFolder === undefined && existsSync(added);
  return { folder: isAdded ? added : within(cacheFolder ?? defaultModelCache()), id: model };
}

const weightsOf = (isQuantised: boolean): string => `onnx/model${isQuantised ? '_quantized' : ''}.onnx`;

/** Names the first file that a model's folder lacks; undefined when it is complete. */
export function missingFile(folder: string, isQuantised: boolean): string | undefined {
  return ['config.json', 'tokenizer.json', weightsOf(isQuantised)].find((name) => !existsSync(path.join(folder, name)));
}

/** Tells whether a model's folder is complete with weights of that size. */
export function hasWeights(folder: string, isQuantised: boolean): boolean {
  return missingFile(folder, isQuantised) === undefined;
}

/** The weights of a scorer of turns, 8 bits or 32, and the vocabulary beside them. */
const scorerWeights = ['turns.int8.onnx', 'turns.onnx'];
const scorerVocabulary = 'vocab.txt';

/** Names the weights in the folder of a scorer of turns; undefined where it is none. */
export function scorerWeightsIn(folder: string): string | undefined {
  return scorerWeights.find((name) => existsSync(path.join(folder, name)));
}

/** Tells whether a folder holds a model, whole or not. */
export function isModelFolder(folder: string): boolean {
  return existsSync(path.join(folder, 'config.json')) || scorerWeightsIn(folder) !== undefined;
}

/** Lists the files that make a model what it is, as far as they are there. */
export function filesOfModel(folder: string, isQuantised: boolean): string[] {
  const scorer = scorerWeightsIn(folder);
  if (scorer !== undefined) return [scorerVocabulary, scorer];
  const weights = weightsOf(isQuantised);
  // Weights above 2 GiB are in a file of their own beside the graph.
  const names = ['config.json', 'tokenizer.json', 'tokenizer_config.json', weights, `${weights}_data`];
  return names.filter((name) => existsSync(path.join(folder, name)));
}

/** Gives a downloaded model its place; weights of another size that are there already stay beside it. */
export function adoptModel(finished: string, place: string): void {
  mkdirSync(path.dirname(place), { recursive: true });
  if (!existsSync(place)) {
    renameSync(finished, place);
    return;
  }
  mkdirSync(path.join(place, 'onnx'), { recursive: true });
  for (const file of readdirSync(finished, { recursive: true, encoding: 'utf8' })) {
    if (statSync(path.join(finished, file)).isFile()) renameSync(path.join(finished, file), path.join(place, file));
  }
}

export const unfinishedPrefix = '.download-';

/** Removes what was broken off more than a day ago in a folder: downloads, or what else has names with a prefix. */
export function removeUnfinished(parent: string, prefix = unfinishedPrefix): void {
  for (const name of existsSync(parent) ? readdirSync(parent) : []) {
    const folder = path.join(parent, name);
    if (!name.startsWith(prefix) || Date.now() - statSync(folder).mtimeMs < 86_400_000) continue;
    rmSync(folder, { recursive: true, force: true });
  }
}
