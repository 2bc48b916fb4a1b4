// A file system that lives in memory and is gone with the process: for trials, tests and agents that shall forget. It is that of memfs, which
// whoever wants it installs; nothing else here needs it.

import { createRequire } from 'node:module';
import { MemoryError } from '../errors.ts';
import type { FileSystem } from '../ports.ts';

/**
 * Makes an empty file system in memory, to be given to `openMemory({ dir: '/', fs, create: true })`.
 *
 * @throws MemoryError NOT_FOUND when the package memfs is not installed.
 */
export function ephemeralFileSystem(): FileSystem {
  const { createFsFromVolume, Volume } = memfs();
  return createFsFromVolume(new Volume()) as unknown as FileSystem;
}

function memfs(): typeof import('memfs') {
  try {
    return createRequire(import.meta.url)('memfs') as typeof import('memfs');
  } catch (cause) {
    throw new MemoryError('NOT_FOUND', 'a memory that lives in memory alone needs the package memfs', {
      hint: 'Install it with `npm install memfs`, or open a folder',
      cause,
    });
  }
}
