// Bundles the program from dist/ into dist/program/: a few files instead of some three hundred, its dependencies among them, and of
// those only what is used. Finding and reading many small files is most of what starting takes.

import { chmodSync, copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** Writes dist/program/main.js and the parts that it loads when a verb needs them. */
export async function bundleProgram(root) {
  const bundle = await rolldown({
    input: { main: join(root, 'dist/entry/cli/main.js') },
    platform: 'node',
    // gray-matter's own YAML engine is replaced by ours in records/front-matter.ts, so that its parser would only be loaded.
    // Of yaml the form made of modules, from which what is not used can be left out.
    resolve: {
      alias: {
        'js-yaml': join(root, 'scripts/no-yaml.cjs'),
        yaml: join(root, 'node_modules/yaml/browser/dist/index.js'),
      },
    },
    // What a user may install beside us.
    external: ['ai', /^@ai-sdk\//, '@huggingface/transformers', '@xenova/transformers'],
    // gray-matter names eval in an engine that records/front-matter.ts takes out.
    checks: { eval: false },
    logLevel: 'warn',
  });
  await bundle.write({
    dir: join(root, 'dist/program'),
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'part-[hash].js',
    // Names stay, for what a stack says.
    minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
  });
  await bundle.close();
  chmodSync(join(root, 'dist/program/main.js'), 0o755);
  // Runs in a process of its own, by its path.
  copyFileSync(
    join(root, 'dist/adapters/transformers-process.mjs'),
    join(root, 'dist/program/transformers-process.mjs'),
  );
}
