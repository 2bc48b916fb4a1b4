// The package as others install it: what it exports is there with its types, it needs no more than it says, and runs without what is optional.

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { buildProgram, programEnvironment, projectRoot } from './helpers/program.ts';
import { temporaryFolder } from './helpers/temporary.ts';

const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as {
  exports: Record<string, string | { types: string; default: string }>;
  bin: Record<string, string>;
  files: string[];
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional?: boolean }>;
};
const entries = Object.entries(manifest.exports).flatMap(([name, target]) =>
  typeof target === 'string' ? [] : [{ name, ...target }],
);

beforeAll(buildProgram);

/** How the program names its files: each is loaded when a module in it begins. */
const loadedLater = /\(\)\s*=>\s*require\(\s*"(\.[^"]+)"\s*\)/g;
const imported =
  /(?:^|[\s;}])(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^import\s*['"]([^'"]+)['"]|\brequire\(\s*"([^"]+)"\s*\)|\b(?:import|createRequire\(import\.meta\.url\))\(\s*['"]([^'"]+)['"]\s*\)/gm;

/** The packages that a file reaches through files of ours; those that are only loaded when they are needed are told apart. */
function reached(first: string): { now: Set<string>; later: Set<string> } {
  const [now, later] = [new Set<string>(), new Set<string>()];
  const seen = new Set<string>();
  const visit = (file: string, isLater = false): void => {
    if (seen.has(file)) return;
    seen.add(file);
    expect(existsSync(file), file).toBe(true);
    const whole = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
    const text = whole.replace(loadedLater, '');
    for (const [, part] of whole.matchAll(loadedLater)) visit(join(dirname(file), part!), true);
    for (const [, from, bare, required, dynamic] of text.matchAll(imported)) {
      const target = (from ?? bare ?? required ?? dynamic)!;
      if (isBuiltin(target)) continue;
      if (!target.startsWith('.')) {
        const name = target
          .split('/')
          .slice(0, target.startsWith('@') ? 2 : 1)
          .join('/');
        ((dynamic === undefined || file.endsWith('.d.ts')) && !isLater ? now : later).add(name);
        continue;
      }
      const path = join(dirname(file), target);
      visit(file.endsWith('.d.ts') ? path.replace(/\.(?:js|ts)$/, '.d.ts') : path, isLater);
    }
  };
  visit(join(projectRoot, first));
  return { now, later };
}

/** The packages that files of ours load when a process imports an entry. */
function loadedBy(entry: string): string[] {
  const url = JSON.stringify(pathToFileURL(join(projectRoot, entry)).href);
  const script = `const Module = require('node:module');
    const [load, asked] = [Module._load, new Set()];
    const isOurs = (parent) => parent?.filename?.startsWith(${JSON.stringify(join(projectRoot, 'dist'))});
    Module._load = (id, parent, ...rest) => {
      if (isOurs(parent) && !/^[./]|^[A-Z]:/.test(id) && !Module.isBuiltin(id)) asked.add(id.split('/').slice(0, id[0] === '@' ? 2 : 1).join('/'));
      return load(id, parent, ...rest);
    };
    import(${url}).then(() => console.log(JSON.stringify([...asked])));`;
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8' })) as string[];
}

it('has every file that it exports, with types, and imports only what it names', () => {
  expect(entries.length).toBeGreaterThan(3);
  const needed = new Set(Object.keys(manifest.dependencies));
  const optional = new Set(Object.keys(manifest.peerDependencies));
  for (const name of optional) expect(manifest.peerDependenciesMeta[name]?.optional, name).toBe(true);
  const used = new Set<string>();
  for (const { name, types, default: code } of entries) {
    const { now, later } = reached(code);
    for (const one of [...now, ...later]) used.add(one);
    // What is optional may be needed by an adapter of its own alone.
    const allowed = (one: string) => needed.has(one) || (name !== '.' && optional.has(one));
    expect([name, [...now, ...loadedBy(code)].filter((one) => !allowed(one))]).toEqual([name, []]);
    expect([name, [...later].filter((one) => !needed.has(one) && !optional.has(one))]).toEqual([name, []]);
    expect([name, [...reached(types).now].filter((one) => !allowed(one))]).toEqual([name, []]);
  }
  // Nothing is installed for nobody; the program brings its own copies along.
  const { later, now } = reached('dist/apps/cli/main.js');
  const isUsed = (one: string) => used.has(one) || later.has(one) || now.has(one);
  const unused = [...needed].filter((one) => !isUsed(one));
  expect(unused).toEqual([]);
  const runByNpm = ['preinstall', 'install', 'postinstall', 'prepare'];
  expect(Object.keys(manifest.scripts).filter((name) => runByNpm.includes(name))).toEqual([]);
});

it('has types that the strictest compiler takes, and none of what is inside', () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'), { recursive: true });
  symlinkSync(projectRoot, join(folder, 'node_modules/git-memory'), 'dir');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  writeFileSync(
    join(folder, 'consumer.ts'),
    `import { type Memory, MemoryError, openMemory, type RecallResult } from 'git-memory';
     import { memoryTools } from 'git-memory/ai-sdk';
     import { GitMemoryStore } from 'git-memory/langgraph';
     const memory: Memory = await openMemory({ dir: 'memory', create: true });
     const said: { readonly id?: string } = await memory.remember({ content: 'Ada prefers short answers', tags: ['style'] });
     const found: RecallResult = await memory.recall('Ada', { limit: 3 });
     const snippets: string[] = found.hits.map((hit) => hit.snippet);
     const tools = await memoryTools(memory);
     const part = await memory.scoped({ paths: ['knowledge'] });
     const days: readonly string[] = (await part.recall('tea')).hits.map(({ path }) => path);
     new GitMemoryStore(memory);
     // @ts-expect-error A number is no text.
     await memory.recall(7);
     // @ts-expect-error What is inside is not said.
     memory.store;
     if (new Error('') instanceof MemoryError) console.log(said, snippets, tools, days);`,
  );
  const options = {
    target: 'es2023',
    module: 'nodenext',
    strict: true,
    skipLibCheck: false,
    noEmit: true,
    typeRoots: [join(projectRoot, 'node_modules/@types')],
    types: ['node'],
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['consumer.ts'] }));
  const compiler = join(projectRoot, 'node_modules/typescript-native/bin/tsc');
  const { stdout } = spawnSync(process.execPath, [compiler, '-p', folder], { encoding: 'utf8' });
  // Declarations of other packages may need a library that they do not name.
  expect(stdout.split('\n').filter((line) => line !== '' && !/^[^(]*node_modules\/(?!git-memory)/.test(line))).toEqual(
    [],
  );
}, 60_000);

it('runs in an empty folder with nothing optional', () => {
  const folder = temporaryFolder();
  const modules = join(folder, 'node_modules');
  const own = join(modules, 'git-memory');
  // Of the package, types are not needed to run.
  for (const name of ['package.json', ...manifest.files.filter((one) => !one.endsWith('.d.ts'))])
    cpSync(join(projectRoot, name), join(own, name), { recursive: true });
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean; peer?: boolean }>;
  };
  for (const [path, { dev, optional, devOptional, peer }] of Object.entries(lock.packages)) {
    if (path === '' || dev || optional || devOptional || peer || !existsSync(join(projectRoot, path))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    if (!existsSync(join(folder, path))) symlinkSync(join(projectRoot, path), join(folder, path));
  }
  writeFileSync(
    join(folder, 'first.mjs'),
    `import { ephemeralFileSystem, openMemory } from 'git-memory';
     import 'git-memory/memory-tool';
     const memory = await openMemory({ dir: 'memory', create: true });
     await memory.remember('Ada prefers short answers');
     const { hits } = await memory.recall('how does Ada like answers');
     await memory.close();
     const trial = await openMemory({ dir: '/', fs: ephemeralFileSystem(), create: true });
     await trial.remember('Ada drinks tea');
     console.log(JSON.stringify({ found: hits[0].snippet, trial: (await trial.recall('tea')).hits[0].snippet }));`,
  );
  const environment = programEnvironment();
  const library = spawnSync(process.execPath, ['first.mjs'], { cwd: folder, env: environment, encoding: 'utf8' });
  expect(library.stderr).toBe('');
  expect(JSON.parse(library.stdout)).toEqual({
    found: 'Ada prefers short answers',
    trial: 'Ada drinks tea',
  });
  const program = join(own, manifest.bin['git-memory']!);
  const asked = spawnSync(process.execPath, [program, 'recall', 'Ada', '--dir', 'memory', '--json'], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  expect(JSON.parse(asked.stdout)).toMatchObject({ hits: [{ snippet: 'Ada prefers short answers' }] });
  // The page is a file beside the program.
  const copied = spawnSync(process.execPath, [program, 'ui', '--export', 'page.html', '--dir', 'memory'], {
    cwd: folder,
    env: environment,
    encoding: 'utf8',
  });
  expect(copied.stderr).toBe('');
  expect(readFileSync(join(folder, 'page.html'), 'utf8')).toMatch(/^<!doctype html>/i);
});
