// Builds what is newer in its sources than the last build: the modules below src/*/generated/, and dist/.
// --force builds regardless; --modules makes the generated modules alone.
// Types are checked by `npm run typecheck`, and here with --check: they are half of the work.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleProgram } from './bundle.mjs';
import { writeModules } from './configuration.mjs';
import { writeLicences } from './licences.mjs';
import { writeManual } from './manual.mjs';
import { writeOutputs } from './outputs.mjs';
import { writePage } from './page.mjs';
import { pruneTypes } from './types.mjs';
import { writeWords } from './words.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const stamp = join(root, 'dist', '.built');

/** The entries that package.json exports, by the names of their files in dist/library/: the paths of their types. */
function libraryEntries() {
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return Object.fromEntries(
    Object.values(exports).flatMap(({ types, default: code }) =>
      types === undefined ? [] : [[basename(code, '.js'), join(root, types)]],
    ),
  );
}

function newest(path) {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

const sources = [
  'src',
  'ui',
  'data/english',
  'data/guard',
  'data/prompts',
  'scripts/bundle.mjs',
  'scripts/calls.mjs',
  'scripts/configuration.mjs',
  'scripts/licences.mjs',
  'scripts/manual.mjs',
  'scripts/no-validator.mjs',
  'scripts/no-yaml.cjs',
  'scripts/outputs.mjs',
  'scripts/page.mjs',
  'scripts/types.mjs',
  'scripts/words.mjs',
  'tsconfig.json',
  'tsconfig.build.json',
  'package-lock.json',
].map((name) => join(root, name));
const isFresh =
  existsSync(stamp) &&
  existsSync(join(root, 'src/base/generated')) &&
  existsSync(join(root, 'src/store/records/generated')) &&
  existsSync(join(root, 'src/apps/verbs/generated')) &&
  existsSync(join(root, 'src/memory/generated')) &&
  statSync(stamp).mtimeMs > Math.max(...sources.map(newest));

if (process.argv.includes('--modules')) {
  writeWords();
  await writeModules();
  writeOutputs(false);
} else if (!isFresh || process.argv.includes('--force')) {
  rmSync(join(root, 'dist'), { recursive: true, force: true });
  writeWords();
  await writeModules();
  writeOutputs(process.argv.includes('--force'));
  const compiler = join(root, 'node_modules', 'typescript-native', 'bin', 'tsc');
  const unchecked = process.argv.includes('--check') ? [] : ['--noCheck'];
  const result = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', ...unchecked], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (result.status !== 0) process.exit(result.status ?? 1);
  pruneTypes(root, Object.values(libraryEntries()));
  await bundleProgram(root, libraryEntries());
  await writePage(root);
  writeLicences(root);
  await writeManual(root);
  writeFileSync(stamp, '');
}
