// Turns the paths that a model writes below /memories into paths of the memory, and finds what is there.

import { MemoryError } from '../../base/errors.ts';
import type { MemoryPart } from '../../memory/open-memory.ts';

const root = '/memories';

/** A file or folder below /memories. */
export interface Place {
  /** As the model wrote it; messages repeat it. */
  readonly shown: string;
  /** Inside the memory, such as `knowledge/people/ada.md`. */
  readonly path: string;
  readonly isRoot: boolean;
}

/**
 * Finds the place that a model names.
 *
 * It is `/memories` or below it, and nothing that merely begins alike. Dots and empty segments are read as a file system would, and lead
 * nowhere above. What git or a file system cannot hold, `.git` in every spelling included, the memory itself refuses when it is written.
 *
 * @throws Error that the model is shown.
 */
export function placeOf(shown: unknown, folder: string): Place {
  if (typeof shown !== 'string' || (shown !== root && !shown.startsWith(`${root}/`))) {
    throw new Error(`Path must start with /memories, got: ${String(shown)}`);
  }
  const segments: string[] = [];
  for (const segment of shown.slice(root.length).split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) throw new Error(`Path ${shown} would escape /memories directory`);
  }
  return { shown, path: [folder, ...segments].join('/'), isRoot: segments.length === 0 };
}

/** Reads a file; null where there is none, also because the name is one that nothing can have. */
export async function readFile(memory: MemoryPart, path: string): Promise<string | null> {
  try {
    return await memory.read(path, { hideForgotten: true });
  } catch (error) {
    if (error instanceof MemoryError && ['NOT_FOUND', 'INVALID_PATH'].includes(error.code)) return null;
    throw error;
  }
}

/** Lists the paths of all files below a folder, relative to it; empty where there is none, since git keeps no empty folder. */
export async function filesBelow(memory: MemoryPart, path: string): Promise<string[]> {
  const files = await memory.files(path).catch((error: unknown) => {
    if (error instanceof MemoryError && error.code === 'INVALID_PATH') return [];
    throw error;
  });
  return files.filter((file) => file.startsWith(`${path}/`)).map((file) => file.slice(path.length + 1));
}
