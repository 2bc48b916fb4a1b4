// The benchmark: every number stands beside what it is to be compared with, measured in turns on the same disk.
//   npm run bench                      all sections
//   npm run bench -- capture apollo    some of them: capture, batch, apollo, reading, history, pickaxe, vectors, guard, search, lifecycle, context, replay, private
//   npm run bench -- --dir FOLDER      where to write (default: the folder for temporary files; not a memory disk, or syncs cost nothing)
//   npm run bench -- capture --sizes 100,10000

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { benchAbout } from './about.mjs';
import { benchAlike } from './alike.mjs';
import { benchApollo } from './apollo.mjs';
import { benchBatch } from './batch.mjs';
import { benchCapture } from './capture.mjs';
import { benchChangelog } from './changelog.mjs';
import { benchCitations } from './citations.mjs';
import { benchConsolidate } from './consolidate.mjs';
import { benchContext } from './context.mjs';
import { benchExpect } from './expect.mjs';
import { benchFelt } from './felt.mjs';
import { benchFleet } from './fleet.mjs';
import { benchGraph } from './graph.mjs';
import { benchGrowth } from './growth.mjs';
import { benchGuard } from './guard.mjs';
import { benchHistory } from './history.mjs';
import { benchHooks } from './hooks.mjs';
import { benchImport } from './import.mjs';
import { benchLedger } from './ledger.mjs';
import { benchLifecycle } from './lifecycle.mjs';
import { benchMcp } from './mcp.mjs';
import { benchPickaxe } from './pickaxe.mjs';
import { benchPrivate } from './private.mjs';
import { benchQuestions } from './questions.mjs';
import { benchReading } from './reading.mjs';
import { benchReplay } from './replay.mjs';
import { benchSearch } from './search.mjs';
import { benchStart } from './start.mjs';
import { benchSync } from './sync.mjs';
import { benchTopics } from './topics.mjs';
import { benchTrace } from './trace.mjs';
import { benchUi } from './ui.mjs';
import { benchVectors } from './vectors.mjs';

const sections = {
  capture: benchCapture,
  batch: benchBatch,
  apollo: benchApollo,
  reading: benchReading,
  history: benchHistory,
  pickaxe: benchPickaxe,
  search: benchSearch,
  questions: benchQuestions,
  about: benchAbout,
  alike: benchAlike,
  vectors: benchVectors,
  guard: benchGuard,
  growth: benchGrowth,
  sync: benchSync,
  fleet: benchFleet,
  lifecycle: benchLifecycle,
  mcp: benchMcp,
  start: benchStart,
  ledger: benchLedger,
  graph: benchGraph,
  hooks: benchHooks,
  import: benchImport,
  changelog: benchChangelog,
  citations: benchCitations,
  consolidate: benchConsolidate,
  context: benchContext,
  expect: benchExpect,
  felt: benchFelt,
  private: benchPrivate,
  replay: benchReplay,
  topics: benchTopics,
  trace: benchTrace,
  ui: benchUi,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { dir: { type: 'string' }, sizes: { type: 'string' } },
});
const unknown = positionals.filter((name) => !(name in sections));
if (unknown.length > 0) {
  console.error(`Unknown section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}.`);
  process.exit(2);
}

const root = mkdtempSync(path.join(values.dir ?? os.tmpdir(), 'git-memory-bench-'));
const said = (command, ...parameters) => spawnSync(command, parameters, { encoding: 'utf8' }).stdout?.trim() || 'none';
process.on('exit', () => rmSync(root, { recursive: true, force: true }));
process.on('SIGINT', () => process.exit(130));
const fileSystem = said('stat', '-f', '-c', '%T', root);
const git = said('git', '--version').replace('git version ', 'git ');
console.log(
  `${os.cpus().length} × ${os.cpus()[0].model.trim()}, node ${process.version}, ${git}, ${fileSystem} at ${path.dirname(root)}`,
);
if (fileSystem === 'tmpfs')
  console.log('This is a memory disk: syncs cost nothing here, so durable writing is not measured.');

const chosenSizes = values.sizes?.split(',').map(Number);
const sizes = chosenSizes ?? [100, 1000, 10_000, 50_000];
for (const name of positionals.length > 0 ? positionals : Object.keys(sections)) {
  const started = performance.now();
  await sections[name]({ root: path.join(root, name), sizes, chosenSizes, hasGit: git !== 'none' });
  console.log(`(${name}: ${((performance.now() - started) / 1000).toFixed(0)} s)`);
}
