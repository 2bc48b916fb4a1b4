// Writes the manual page dist/git-memory.1.gz, which `git memory --help` shows where the package is installed with npm -g. Run by the build.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

/** Makes the page of the compiled program in `dist/`. */
export async function writeManual(root) {
  const load = (path) => import(pathToFileURL(join(root, 'dist', path)).href);
  const [{ formatManual }, { wholeProgram }, { loadVerbs }] = await Promise.all(
    ['apps/cli/manual.js', 'apps/cli/program.js', 'apps/verbs/index.js'].map(load),
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const page = formatManual(await wholeProgram(), await loadVerbs(), version);
  writeFileSync(join(root, 'dist/git-memory.1.gz'), gzipSync(page, { level: 9 }));
}
