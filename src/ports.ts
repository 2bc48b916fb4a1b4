// What the core asks of the world. adapters/ answers with the real thing, tests with scripted or failing ones.

import type fs from 'node:fs';

/**
 * Is the synchronous part of `node:fs` that the engine uses; memfs offers the same.
 *
 * Synchronous calls cost about half of what promises cost for small files, and a critical section without `await`
 * cannot be interleaved by the same process.
 */
export type FileSystem = Pick<
  typeof fs,
  | 'openSync'
  | 'closeSync'
  | 'readSync'
  | 'writeSync'
  | 'fsyncSync'
  | 'fstatSync'
  | 'ftruncateSync'
  | 'readFileSync'
  | 'readdirSync'
  | 'readlinkSync'
  | 'lstatSync'
  | 'statSync'
  | 'realpathSync'
  | 'mkdirSync'
  | 'rmdirSync'
  | 'renameSync'
  | 'linkSync'
  | 'unlinkSync'
>;

/** Tells the time: milliseconds since the Unix epoch. */
export interface Clock {
  now(): number;
}

/** Makes identifiers: unique, sortable by creation time, of `[0-9a-z]`. */
export interface IdSource {
  next(): string;
}

/** Receives what the engine has to say beside its results; the default is silence. */
export interface Logger {
  warn(message: string): void;
}
