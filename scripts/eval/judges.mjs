// The judges of cases written by hand lie beside the project; here they run on the built library. `change` is of facts that change, `handed` of
// what a model is handed over the days of a life.

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { at, chosen, readData } from './data.mjs';
import { sampler } from './metrics.mjs';

const kinds = { change: ['updates'], handed: ['lives', 'pairs', 'statements', 'gist-texts'] };
const library = new URL('../../dist/index.js', import.meta.url).href;

/** What the judges open: the library, without an option that it no longer takes, and with the embedder that is measured. */
const opener = (embedder) => `import * as library from ${JSON.stringify(library)};
export const { ephemeralFileSystem } = library;
const measured = ${embedder};
export const openMemory = ({ agent, ...options }) => library.openMemory({ ...options, ...measured });
`;

const makers = {
  words: () => '{ embedder: null }',
  table: ({ table }) =>
    `{ embedder: (await import(${JSON.stringify(new URL('../../dist/adapters/table-embedder.js', import.meta.url).href)})).tableEmbedder(${table === undefined ? '' : JSON.stringify(path.resolve(table))}) }`,
  model: ({ model = at('../models/minilm') }) =>
    `{ embedder: () => library.transformersEmbedder({ model: ${JSON.stringify(path.resolve(model))} }) }`,
};

/** Runs `kind` over its files (positionals pick some); without `--system` memories are opened as the judge opens them. */
export function evaluateJudged(kind, { positionals, every, offset, system, ...options }) {
  const folder = mkdtempSync(path.join(tmpdir(), 'judged-'));
  try {
    const manifest = { version: 'measured', type: 'module', exports: { '.': './index.js' } };
    writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
    for (const name of chosen(positionals, kinds[kind])) {
      if (!existsSync(at(`${kind}/run.mjs`))) {
        console.log(`${kind}: skipped, data not present`);
        continue;
      }
      const file = path.join(folder, `${name}-dev.json`);
      writeFileSync(file, JSON.stringify(sampler({ every, offset })(readData(`${kind}/${name}-dev.json`))));
      for (const ranking of system === undefined ? [undefined] : system.split(',')) {
        writeFileSync(path.join(folder, 'index.js'), opener(ranking === undefined ? '{}' : makers[ranking](options)));
        console.log(`\n${name}${ranking === undefined ? '' : `, ${ranking}`}:`);
        spawnSync(process.execPath, [at(`${kind}/run.mjs`), folder, file], { stdio: 'inherit' });
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
