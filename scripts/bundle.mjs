// Bundles the program from dist/ into dist/program/: a few files instead of hundreds, its dependencies among them, and of those only what is
// used. Finding, reading and compiling what a command does not need is most of what starting takes.
//
//   main.js ─► program ─► a verb ─► words (what verbs share with the rows behind) ─► store (what the pre-commit hook needs)
//                                                                                       └─► engine (what an open memory needs) ─► the rest

import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const rows = ['start', 'program', 'words', 'store', 'engine'];

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
  const start = closureOf(inDist('entry/cli/main.js'));
  start.delete(inDist('entry/cli/main.js'));
  const store = closureOf(inDist('memory/staged.js'));
  const engine = closureOf(inDist('memory/open-memory.js'));
  const words = closureOf(...moduleOf(inDist('verbs/index.js')).dynamicallyImportedIds);
  const rowOf = new Map();
  const put = (row, ids) => {
    for (const id of ids) if (!rowOf.has(id)) rowOf.set(id, row);
  };
  put('start', start);
  put('program', program);
  put(
    'words',
    [...words].filter((id) => store.has(id) || engine.has(id)),
  );
  put('store', store);
  put('engine', engine);
  return rowOf;
}

/** Writes dist/program/main.js and the parts that it loads when a verb needs them. */
export async function bundleProgram(root) {
  let rowOf;
  const bundle = await rolldown({
    input: { main: join(root, 'dist/entry/cli/main.js') },
    platform: 'node',
    preserveEntrySignatures: 'allow-extension',
    // gray-matter's own YAML engine is replaced by ours in records/front-matter.ts, so that its parser would only be loaded.
    // Of yaml the form made of modules, from which what is not used can be left out.
    resolve: {
      alias: {
        'node:child_process': join(root, 'scripts/late-child-process.mjs'),
        'js-yaml': join(root, 'scripts/no-yaml.cjs'),
        yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
      },
    },
    // What a user may install beside us.
    external: ['ai', /^@ai-sdk\//, '@huggingface/transformers', '@xenova/transformers'],
    // gray-matter names eval in an engine that records/front-matter.ts takes out.
    checks: { eval: false, ineffectiveDynamicImport: false },
    logLevel: 'warn',
  });
  await bundle.write({
    dir: join(root, 'dist/program'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: (chunk) => (rows.includes(chunk.name) ? '[name].js' : 'part-[hash].js'),
    codeSplitting: {
      includeDependenciesRecursively: false,
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
    // Names of functions and classes stay, for what a stack says.
    minify: {
      compress: { keepNames: { function: true, class: true } },
      mangle: { keepNames: true, toplevel: false },
      codegen: { removeWhitespace: true },
    },
  });
  await bundle.close();
  chmodSync(join(root, 'dist/program/main.js'), 0o755);
  // Runs in a process of its own, by its path.
  copyFileSync(
    join(root, 'dist/adapters/transformers-process.mjs'),
    join(root, 'dist/program/transformers-process.mjs'),
  );
}
