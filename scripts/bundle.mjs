// Bundles the program from dist/ into dist/program/: a few files instead of hundreds, its dependencies among them, and of those only what is
// used. Finding, reading and compiling what a command does not need is most of what starting takes.
//
//   main.js ─► run ─► program ─► a verb ─► words (what verbs share with the rows behind) ─► store (what the pre-commit hook needs)
//                                                                                       └─► engine (what an open memory needs) ─► the rest

import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { rolldown } from 'rolldown';

const rows = ['program', 'words', 'store', 'engine'];

/** Says which modules are loaded together, in rows that each need those before them; everything else is parted by what asks for it. */
function rowsOf(root, moduleOf) {
  const inDist = (name) => join(root, 'dist', name);
  const closureOf = (...ids) => {
    const found = new Set(ids);
    for (const id of found) for (const imported of moduleOf(id)?.importedIds ?? []) found.add(imported);
    return found;
  };
  const program = closureOf(inDist('entry/cli/run.js'));
  // A run waits for the verb that it runs: whatever the verb needs of its row must not wait for the run.
  program.delete(inDist('entry/cli/run.js'));
  const store = closureOf(inDist('memory/staged.js'));
  const engine = closureOf(inDist('memory/open-memory.js'));
  const words = closureOf(...moduleOf(inDist('verbs/index.js')).dynamicallyImportedIds);
  const rowOf = new Map();
  const put = (row, ids) => {
    for (const id of ids) if (!rowOf.has(id)) rowOf.set(id, row);
  };
  put('program', program);
  put(
    'words',
    [...words].filter((id) => store.has(id) || engine.has(id)),
  );
  put('store', store);
  put('engine', engine);
  return rowOf;
}

/** The library's rows: what every import needs, and what an open memory needs. */
function libraryRowsOf(root, moduleOf) {
  const rowOf = new Map();
  const found = new Set([join(root, 'dist/memory/open-memory.js')]);
  for (const id of found) for (const imported of moduleOf(id)?.importedIds ?? []) found.add(imported);
  for (const id of found) rowOf.set(id, 'engine');
  return rowOf;
}

/** What a part is loaded with, see start.cjs. */
const wrapped = (code) =>
  `(function (exports, require, module, __filename, __dirname, importOther) {${code.replace(/^"use strict";/, "'use strict';")}\n})`;

/** Writes what is not ASCII as escapes: strings, patterns and names mean the same, and a part's bytes are its text. */
const asAscii = (code) =>
  code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

const minify = {
  // Names of functions and classes stay, for what a stack says.
  compress: { keepNames: { function: true, class: true } },
  mangle: { keepNames: true, toplevel: false },
  codegen: { removeWhitespace: true },
};

// What a user may install beside us.
const optional = ['ai', /^@(?:ai-sdk|langchain|openai)\//, '@huggingface/transformers', '@xenova/transformers'];

/** What few commands use of Node's own modules that take long to load: they are loaded when it is called. */
const late = {
  'node:child_process': ['fork', 'spawn'],
  'node:http': ['createServer', 'request'],
  'node:https': ['request'],
  'node:tls': ['connect'],
};

const lateModules = {
  name: 'late-modules',
  resolveId: (id, importer) => (id in late && !importer?.includes('node_modules') ? `\0late:${id}` : null),
  load(id) {
    if (!id.startsWith('\0late:')) return null;
    const name = id.slice('\0late:'.length);
    return `import { createRequire } from 'node:module';
const late = createRequire(import.meta.url);
${late[name].map((one) => `export const ${one} = (...given) => late('${name}').${one}(...given);`).join('\n')}
export default { ${late[name].join(', ')} };`;
  },
};

/** The one module of ours that is imported for what it does; package.json says that none is. */
const firstModule = {
  name: 'first-module',
  resolveId: (id, importer) =>
    id === './first.js' ? { id: join(dirname(importer), id), moduleSideEffects: true } : null,
};

/** Bundles entries, by name, and gives what belongs into a folder. */
async function bundled(root, input, rowsOf, format) {
  let rowOf;
  const bundle = await rolldown({
    input,
    platform: 'node',
    // Of the library's entries, callers see what they export and nothing else.
    preserveEntrySignatures: format === 'cjs' ? 'allow-extension' : 'strict',
    plugins: [lateModules, firstModule],
    // gray-matter's own YAML engine is replaced by ours in records/front-matter.ts, so that its parser would only be loaded.
    // Of yaml the form made of modules, from which what is not used can be left out.
    resolve: {
      alias: {
        'js-yaml': join(root, 'scripts/no-yaml.cjs'),
        yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
      },
    },
    external: optional,
    // gray-matter names eval in an engine that records/front-matter.ts takes out.
    checks: { eval: false, ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  const made = await bundle.generate({
    entryFileNames: '[name].js',
    chunkFileNames: (chunk) => (rows.includes(chunk.name) ? '[name].js' : 'part-[hash].js'),
    codeSplitting: {
      includeDependenciesRecursively: format !== 'cjs',
      groups: [
        {
          debugName: 'rows',
          name: (id, modules) => {
            rowOf ??= rowsOf(root, (one) => modules.getModuleInfo(one));
            return rowOf.get(id) ?? null;
          },
        },
      ],
    },
    minify,
    format,
  });
  await bundle.close();
  return made.output;
}

/** Writes dist/library/: what `import 'git-memory'` loads, in a few files, and what it loads when it is asked for. */
export async function bundleLibrary(root, entries) {
  const folder = join(root, 'dist/library');
  const output = await bundled(root, entries, libraryRowsOf, 'esm');
  mkdirSync(folder, { recursive: true });
  for (const { fileName, code } of output) writeFileSync(join(folder, fileName), code);
  copyFileSync(join(root, 'dist/adapters/transformers-process.mjs'), join(folder, 'transformers-process.mjs'));
}

/** Writes dist/program/main.js and the parts that it loads when a verb needs them. */
export async function bundleProgram(root) {
  const folder = join(root, 'dist/program');
  const output = await bundled(root, { run: join(root, 'dist/entry/cli/run.js') }, rowsOf, 'cjs');
  mkdirSync(folder, { recursive: true });
  const hash = createHash('sha256');
  for (const { fileName, code } of output) {
    const text = wrapped(asAscii(code).replaceAll(/\bimport\((?=["'`])/g, 'importOther('));
    hash.update(`${fileName}\0${text}\0`);
    writeFileSync(join(folder, fileName), text);
  }
  // Beside it, so that Node takes main.js for what it is: the package's own files are modules.
  writeFileSync(join(folder, 'package.json'), '{ "type": "commonjs" }\n');
  const start = readFileSync(join(root, 'dist/entry/cli/start.cjs'), 'utf8');
  writeFileSync(join(folder, 'main.js'), start.replace('@BUILD@', hash.digest('hex').slice(0, 16)), { mode: 0o755 });
  // Runs in a process of its own, by its path.
  copyFileSync(join(root, 'dist/adapters/transformers-process.mjs'), join(folder, 'transformers-process.mjs'));
}
