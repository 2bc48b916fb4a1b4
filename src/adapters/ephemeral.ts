// A file system in memory (memfs, loaded when asked for): for trials, tests, machines without a disk, and agents that shall forget.

import { createRequire } from 'node:module';
import type { FileSystem } from '../base/ports.ts';

/** Makes an empty file system in memory, to be given to `openMemory({ dir: '/', fs, create: true })`. */
export function ephemeralFileSystem(): FileSystem {
  const { createFsFromVolume, Volume } = createRequire(import.meta.url)('memfs') as typeof import('memfs');
  return createFsFromVolume(new Volume()) as unknown as FileSystem;
}
