// A folder for an example: the one named as the first argument, else a new one below the folder for temporary files, removed at the end.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export function scratch() {
  if (process.argv[2] !== undefined) return process.argv[2];
  const folder = mkdtempSync(join(tmpdir(), 'git-memory-example-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
