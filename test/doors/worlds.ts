// What a memory holds on its disk, so that a test can tell that nothing was written.

import fs from 'node:fs';
import path from 'node:path';

/** Gives all bytes below a folder but those of locks and caches: what history was read for an answer may be kept. */
export function contentOf(directory: string): string {
  return fs
    .readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/[\\/]git-memory[\\/](?:lock|cache[\\/])/.test(file))
    .sort()
    .map((file) => `${path.relative(directory, file)} ${fs.readFileSync(file).toString('base64')}`)
    .join('\n');
}
