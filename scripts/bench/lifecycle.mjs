// What time does to 10,000 memories: loading them, planning to forget, and the commit that forgets, beside the floor of each.

import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, ratio, table, time, verdict } from './measure.mjs';
import { checkOut, makeBare } from './repositories.mjs';

const count = 10_000;
const rounds = 7;

/** The floor of loading: reading the same files from disk and parsing their JSON. */
function readFolder(folder) {
  for (const shard of fs.readdirSync(folder)) {
    for (const name of fs.readdirSync(`${folder}/${shard}`)) {
      JSON.parse(fs.readFileSync(`${folder}/${shard}/${name}`, 'utf8'));
    }
  }
}

function removeFiles(folder) {
  for (const shard of fs.readdirSync(folder)) {
    for (const name of fs.readdirSync(`${folder}/${shard}`)) fs.unlinkSync(`${folder}/${shard}/${name}`);
  }
}

async function timed(dir, act) {
  const memory = await openMemory({ dir });
  const took = await time(() => act(memory));
  await memory.close();
  return took;
}

export async function benchLifecycle({ root, hasGit }) {
  heading(`${count.toLocaleString('en')} memories, milliseconds`);
  if (!hasGit) return console.log('  needs native git to build its repositories');
  fs.mkdirSync(root, { recursive: true });
  // All of them faded and were archived years ago: the largest collection there can be.
  const aged = { status: 'archived', importance: 0.1, expires_at: 1_515_974_400 };
  const bare = await makeBare(`${root}/bare`, count, 1, aged);
  const tree = checkOut(bare, `${root}/tree`);
  const times = { files: [], cold: [], kept: [], warm: [], plan: [], again: [] };
  for (let round = 0; round < rounds; round++) {
    times.files.push(await time(() => readFolder(`${tree}/memories`)));
    fs.rmSync(`${bare}/git-memory/cache`, { recursive: true, force: true });
    times.cold.push(await timed(bare, (memory) => memory.list()));
    times.kept.push(
      (await timed(bare, async (memory) => {
        await memory.list();
        times.warm.push(await time(() => memory.list()));
      })) - times.warm.at(-1),
    );
    fs.rmSync(`${bare}/git-memory/cache`, { recursive: true, force: true });
    times.plan.push(
      (await timed(bare, async (memory) => {
        await memory.maintenance.run({ tasks: ['gc'], dryRun: true });
        times.again.push(await time(() => memory.maintenance.run({ tasks: ['gc'], dryRun: true })));
      })) - times.again.at(-1),
    );
  }
  // Beside the floor of a checked-out collection: its files have to go, one by one.
  const gone = `${root}/gone`;
  fs.cpSync(`${tree}/memories`, gone, { recursive: true });
  const floor = await time(() => removeFiles(gone));
  const commit = {};
  for (const [name, dir] of Object.entries({ bare, 'checked out': tree })) {
    const copy = `${root}/copy-${name.replace(' ', '-')}`;
    // Checked out anew: of files that were copied git's index knows nothing, and each would have to be read first.
    if (name === 'bare') fs.cpSync(dir, copy, { recursive: true });
    else checkOut(bare, copy);
    commit[name] = await timed(copy, async (memory) => {
      const { runs } = await memory.maintenance.run({ tasks: ['gc'], force: true });
      if (runs[0].result?.items.length !== count) throw new Error(`forgot ${JSON.stringify(runs[0]).slice(0, 300)}`);
    });
  }
  const row = (name, values) => [name, ms(median(values)), ratio(median(values) / median(times.files))];
  table([
    ['', 'median', '/reading and parsing the files'],
    row('reading and parsing the files', times.files),
    row('list, from objects', times.cold),
    row('list, by another process, from its cache', times.kept),
    row('list, again', times.warm),
    row('plan of a collection, from objects', times.plan),
    row('plan of a collection, again', times.again),
    row('removing the files', [floor]),
    ...Object.entries(commit).map(([name, value]) => row(`plan and commit that forgets all, ${name}`, [value])),
  ]);
  verdict(median(times.cold) < 1000, `loads 10,000 memories from objects in under 1 s: ${ms(median(times.cold))} ms`);
  verdict(
    median(times.kept) < 500,
    `loads 10,000 memories from its cache in under 0.5 s: ${ms(median(times.kept))} ms`,
  );
  verdict(median(times.plan) < 1000, `plans a collection in under 1 s: ${ms(median(times.plan))} ms`);
  for (const [name, value] of Object.entries(commit)) {
    verdict(
      value - median(times.plan) < 2000,
      `commits it in under 2 s, ${name}: ${ms(value - median(times.plan))} ms`,
    );
  }
}
