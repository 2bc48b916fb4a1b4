// Makes a release and tries it as a stranger gets it. `npm run release -- 0.2.0` checks, sets the version and the changelog, packs, tries the
// tarball, and tells sizes, licences and parts (SBOM). Without a version nothing in the repository changes. `node scripts/release.mjs --try bun`
// packs, and tries one runtime: node, node@20, node@22, node@24, bun or deno.
//
// A trial installs the tarball into an empty project, runs the program and imports the library. A runtime that is neither here nor to be had from
// npm is named and left out. Nothing is published: `npm publish TARBALL` is for a person.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('..', import.meta.url));
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { try: { type: 'string' }, 'skip-checks': { type: 'boolean' } },
});
const [version] = positionals;
const isWindows = process.platform === 'win32';
const runtimes = ['node', 'node@20', 'node@22', 'node@24', 'bun', 'deno'];
/** What a package may weigh when it is installed, without its dependencies: 3 MB, as npm counts. */
const maxBytes = 12_000_000;
const allowedLicences = /^\(?(?:MIT|ISC|Apache-2\.0|BSD-[23]-Clause|0BSD|CC0-1\.0|BlueOak-1\.0\.0|Unlicense)\b/;

function run(command, args, options = {}) {
  return execFileSync(command, args, { cwd: root, encoding: 'utf8', shell: isWindows, maxBuffer: 1 << 28, ...options });
}

function stop(message) {
  console.error(message);
  process.exit(1);
}

function setVersion() {
  if (!/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version)) stop(`${version} is no version: write it as 0.2.0`);
  if (run('git', ['status', '--porcelain']) !== '') stop('Commit first: the work tree has changes');
  const file = join(root, 'CHANGELOG.md');
  const text = readFileSync(file, 'utf8');
  const unreleased = /^## Unreleased\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text)?.[1]?.trim();
  if (!unreleased) stop('CHANGELOG.md says nothing under "## Unreleased": write for users what changes');
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(file, text.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${day}\n`));
  run('npm', ['version', version, '--no-git-tag-version']);
}

/** Finds how to start a runtime; undefined where it cannot be had. */
function commandOf(runtime, folder) {
  if (runtime === 'node') return [process.execPath];
  const [name] = runtime.split('@');
  if (name === runtime && spawnSync(name, ['--version'], { shell: isWindows }).status === 0) return [name];
  const place = join(folder, runtime.replace('@', '-'));
  mkdirSync(place);
  writeFileSync(join(place, 'package.json'), '{"private":true}');
  // Bun and Deno fetch their program when they are installed.
  const got = spawnSync('npm', ['install', '--no-audit', '--no-fund', runtime], { cwd: place, shell: isWindows });
  const program = join(place, 'node_modules/.bin', name);
  return got.status === 0 && spawnSync(program, ['--version'], { shell: isWindows }).status === 0
    ? [program]
    : undefined;
}

const library = `
import { openMemory } from 'git-memory';
const memory = await openMemory({ dir: 'library', create: true });
await memory.remember({ content: 'The lamp stands on the desk' });
const { hits } = await memory.recall('lamp');
await memory.close();
if (!hits[0].snippet.includes('lamp')) throw new Error('nothing found');
`;

const typed = `
import { MemoryError, openMemory, type RecallResult } from 'git-memory';
const memory = await openMemory({ dir: 'library' });
const found: RecallResult = await memory.recall('lamp', { limit: 3 });
// @ts-expect-error A number is no text.
await memory.recall(7).catch((error) => error instanceof MemoryError);
console.log(found.hits.map((hit): string => hit.snippet));
`;

/** Has the compiler look at a caller of the library, and at our declarations, as strictly as it can. */
function compileIn(place) {
  writeFileSync(join(place, 'typed.ts'), typed);
  const typeRoots = [join(root, 'node_modules/@types')];
  const compilerOptions = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    noEmit: true,
    typeRoots,
    types: ['node'],
  };
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }));
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', place]);
}

/** How a client of MCP begins, over standard input. */
const asksForTools = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'trial', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/list' },
].map((message) => ({ jsonrpc: '2.0', ...message }));

function tryOn(runtime, tarball, folder) {
  const command = commandOf(runtime, folder);
  if (command === undefined) return 'left out: it is not here and npm cannot bring it';
  const place = mkdtempSync(join(folder, 'trial-'));
  writeFileSync(join(place, 'package.json'), '{"private":true,"type":"module"}');
  run('npm', ['install', '--no-audit', '--no-fund', '--omit=dev', tarball], { cwd: place, stdio: 'ignore' });
  writeFileSync(join(place, 'library.mjs'), library);
  const [program, ...before] = command;
  const script = (args) => [...before, ...(/deno/.test(program) ? ['run', '-A'] : []), ...args];
  const withInput = (input, ...args) =>
    run(program, script([join(place, 'node_modules/git-memory/dist/program/main.js'), ...args, '--dir', 'memory']), {
      cwd: place,
      input,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const memory = (...args) => withInput('', ...args);
  mkdirSync(join(place, 'memory'));
  memory('init');
  const { commit } = JSON.parse(memory('remember', 'The boat is red', '--json'));
  if (!memory('recall', 'boat').includes('The boat is red')) throw new Error(`${runtime}: recall found nothing`);
  memory('capture', '--text', 'We sail on Friday.');
  memory('undo', commit);
  memory('log');
  memory('doctor');
  memory('ui', '--export', 'page.html');
  // What these two ask for is packed in the package.
  memory('capture', '--text', 'Am Freitag segeln wir nach der Arbeit um die Insel.');
  const listed = withInput(asksForTools.map((message) => `${JSON.stringify(message)}\n`).join(''), 'mcp');
  if (!listed.includes('memory_search')) throw new Error(`${runtime}: the MCP server lists no tools`);
  run('git', ['fsck', '--strict'], { cwd: join(place, 'memory'), stdio: 'ignore' });
  run(program, script(['library.mjs']), { cwd: place, stdio: ['ignore', 'pipe', 'pipe'] });
  if (runtime === 'node') compileIn(place);
  return 'works';
}

/** Lists licences of what a user installs, by the lock file. */
function licences() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).filter(
    ([path, one]) => path !== '' && !one.dev && !one.devOptional && !one.peer,
  );
  const strange = installed.filter(([, { license }]) => !allowedLicences.test(license ?? ''));
  if (strange.length > 0)
    stop(`licences to look at: ${strange.map(([path, one]) => `${path} ${one.license}`).join(', ')}`);
  return [...new Set(installed.map(([, { license }]) => license))].sort().join(', ');
}

const folder = mkdtempSync(join(tmpdir(), 'git-memory-release-'));
if (version !== undefined) setVersion();
if (values.try === undefined && !values['skip-checks']) run('npm', ['run', 'check'], { stdio: 'inherit' });
const [packed] = JSON.parse(
  run('npm', ['pack', '--json', '--pack-destination', folder], { stdio: ['ignore', 'pipe', 'inherit'] }),
);
const tarball = join(folder, packed.filename);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(2)} MB`;
console.log(`tarball   ${tarball}`);
console.log(
  `size      ${megabytes(packed.size)}, unpacked ${megabytes(packed.unpackedSize)}, ${packed.entryCount} files`,
);
if (packed.unpackedSize > maxBytes)
  stop(`The package is larger than ${megabytes(maxBytes)}: see what grew with npm pack --dry-run`);
console.log(`licences  ${licences()}`);
let isBroken = false;
for (const runtime of values.try === undefined ? runtimes : [values.try]) {
  let outcome;
  try {
    outcome = tryOn(runtime, tarball, folder);
  } catch (error) {
    isBroken = true;
    outcome = `fails: ${String(error.stderr || error.stdout || error.message)
      .trim()
      .split('\n')
      .slice(0, 3)
      .join(' / ')}`;
  }
  console.log(`${runtime.padEnd(9)} ${outcome}`);
}
if (values.try === undefined) {
  const parts = join(folder, 'sbom.cdx.json');
  writeFileSync(parts, run('npm', ['sbom', '--omit=dev', '--omit=peer', '--omit=optional', '--sbom-format=cyclonedx']));
  console.log(`parts     ${parts}`);
} else rmSync(folder, { recursive: true, force: true });
if (isBroken) process.exit(1);
