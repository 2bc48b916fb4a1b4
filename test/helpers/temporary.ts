// Folders for tests, on a memory-backed file system where there is one, removed when the tests of a file are done.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll } from 'vitest';

const base = fs.existsSync('/dev/shm') ? '/dev/shm' : os.tmpdir();
const made: string[] = [];

afterAll(() => {
  for (const folder of made.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

/** Makes an empty folder of its own. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(base, 'git-memory-test-'));
  made.push(folder);
  return folder;
}
