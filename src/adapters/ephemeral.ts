// A file system that lives in memory and is gone with the process: for trials, tests and agents that shall forget.

import { createFsFromVolume, Volume } from 'memfs';
import type { FileSystem } from '../ports.ts';

/** Makes an empty file system in memory, to be given to `openMemory({ dir: '/', fs, create: true })`. */
export function ephemeralFileSystem(): FileSystem {
  return createFsFromVolume(new Volume()) as unknown as FileSystem;
}
