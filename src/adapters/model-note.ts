// What was found out about a model on this machine, kept so that no command reads its weights again to know whose vectors are whose.
//
//   <user's cache>/model-notes/<16 hex digits of the SHA-256 of its folder and weights>.json
//   { "files": "config.json 612 1732888800000.5 … ", "hash": "<SHA-256>", "dimensions": 384, "runtime": "@huggingface/transformers@4.3.1" }
//
// Derived, and may be deleted at any moment. It counts as long as names, sizes and times of the files are as they were.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isSystemError } from '../base/errors.ts';
import { filesOfModel, userCache } from './model-folder.ts';

/** What is known of a model before it runs. */
export interface ModelNote {
  /** What it is made of, wherever it lies: SHA-256 over its files, in hexadecimal. */
  readonly hash: string;
  /** The length of its vectors. */
  readonly dimensions: number;
  /** The package that ran it last, `name@version`. */
  readonly runtime: string;
}

/** Gives what is known of a model; undefined where it has not run here, or was changed since. */
export function readNote(folder: string, isQuantised: boolean): ModelNote | undefined {
  try {
    const note = Object(JSON.parse(fs.readFileSync(placeOf(folder, isQuantised), 'utf8'))) as ModelNote & {
      files: string;
    };
    return note.files === stateOf(folder, isQuantised) ? note : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || isSystemError(error)) return undefined;
    throw error;
  }
}

/** Hashes a model, and keeps that with what its first run showed; a disk that refuses costs the next command the same again. */
export function takeNote(folder: string, isQuantised: boolean, seen: Omit<ModelNote, 'hash'>): ModelNote {
  const files = stateOf(folder, isQuantised);
  const note = { hash: hashOfModel(folder, isQuantised), ...seen };
  const place = placeOf(folder, isQuantised);
  try {
    fs.mkdirSync(path.dirname(place), { recursive: true });
    fs.writeFileSync(`${place}.${process.pid}`, `${JSON.stringify({ files, ...note })}\n`);
    fs.renameSync(`${place}.${process.pid}`, place);
  } catch (error) {
    if (!isSystemError(error)) throw error;
  }
  return note;
}

/** Forgets what is known of a model, as when the package that ran it does not any more. */
export function dropNote(folder: string, isQuantised: boolean): void {
  fs.rmSync(placeOf(folder, isQuantised), { force: true });
}

function placeOf(folder: string, isQuantised: boolean): string {
  const name = createHash('sha256').update(`${isQuantised} ${folder}`).digest('hex').slice(0, 16);
  return path.join(userCache(), 'model-notes', `${name}.json`);
}

function stateOf(folder: string, isQuantised: boolean): string {
  return filesOfModel(folder, isQuantised)
    .map((name) => {
      const { size, mtimeMs, ctimeMs } = fs.statSync(path.join(folder, name));
      return `${name} ${size} ${mtimeMs} ${ctimeMs}`;
    })
    .join('\n');
}

function hashOfModel(folder: string, isQuantised: boolean): string {
  const hash = createHash('sha256');
  for (const name of filesOfModel(folder, isQuantised)) {
    const file = path.join(folder, name);
    hash.update(`${name} ${fs.statSync(file).size}\n`);
    const descriptor = fs.openSync(file, 'r');
    try {
      const buffer = Buffer.allocUnsafe(2 ** 20);
      for (let count = -1; count !== 0; ) {
        count = fs.readSync(descriptor, buffer, 0, buffer.length, null);
        hash.update(buffer.subarray(0, count));
      }
    } finally {
      fs.closeSync(descriptor);
    }
  }
  return hash.digest('hex');
}
