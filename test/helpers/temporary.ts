// Folders for tests, on a memory-backed file system where there is one, removed when the tests of a file are done.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const base = process.platform !== 'win32' && fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
const made: string[] = [];

/** Removes a folder, though a program of git that outlives its caller may still write there: node asks again for the folder alone, not for what came. */
function removeFolder(folder: string, more = 20): void {
  try {
    fs.rmSync(folder, { recursive: true, force: true, maxRetries: 3, retryDelay: 100 });
  } catch (error) {
    if (more === 0) throw error;
    removeFolder(folder, more - 1);
  }
}

/** Removes the folders that were made until now; the set-up of each file asks for it when its tests are done. */
export function removeTemporaryFolders(): void {
  for (const folder of made.splice(0)) removeFolder(folder);
}

/** Makes an empty folder of its own. */
export function temporaryFolder(): string {
  // The engine's own places have forward slashes, on Windows too.
  const folder = fs.mkdtempSync(path.join(base, 'git-memory-test-')).replaceAll(path.sep, '/');
  made.push(folder);
  return folder;
}

/** Writes a file, with the folders that it lies in. */
export function writeDeep(file: string, content: string | Uint8Array): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, content);
}
