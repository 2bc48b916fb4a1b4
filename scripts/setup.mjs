// Makes a bare clone runnable: installs what the lock file names and, with --build, compiles src/ into dist/.
// Prints nothing when there is nothing to do. Needs only Node and npm.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');

function isInstalled() {
  const stamp = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(stamp)) return false;
  if (statSync(stamp).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs) return true;
  // The lock file is newer by date (a fresh checkout); compare what it asks for with what is there.
  const wanted = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(stamp, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) => path === '' || entry.optional || present[path]?.version === entry.version,
  );
}

function run(command, args) {
  const result = spawnSync(command, args, { cwd: root, stdio: ['ignore', 2, 2], shell: process.platform === 'win32' });
  if (result.status !== 0) {
    console.error(`\`${command} ${args.join(' ')}\` failed; the lines above say why.`);
    process.exit(result.status ?? 1);
  }
}

if (!isInstalled()) {
  console.error('First run: installing dependencies with npm ci …');
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error']);
}
if (process.argv.includes('--build')) run(process.execPath, [join(root, 'scripts', 'build.mjs')]);
