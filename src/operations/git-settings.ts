// How files of native git's own are written: by rename, and not while git writes them.

import { MemoryError } from '../errors.ts';
import type { Repository } from '../git/repository.ts';

/** Throws LOCKED while native git writes a file of its own. */
export function checkUnlocked({ disk }: Repository, path: string): void {
  if (!disk.exists(`${path}.lock`)) return;
  throw new MemoryError('LOCKED', 'another program holds the configuration of the repository', {
    where: `${path}.lock`,
    hint: 'Repeat the call when it is done; without one, remove the file',
  });
}

/** Replaces a file by rename. */
export function replaceFile({ disk }: Repository, path: string, text: string): void {
  const temporary = disk.temporaryName(`${path}_`);
  disk.writeNew(temporary, [Buffer.from(text)]);
  disk.rename(temporary, path);
}
