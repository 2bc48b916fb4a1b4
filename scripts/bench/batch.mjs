// The batch: one remembered thing with its commit against the floor, and how many awaited `remember` calls a second there are.

import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { describe, newObjects, recordingFileSystem, replayer } from './floor.mjs';
import { heading, inTurns, median, ms, quantile, ratio, table, time, verdict } from './measure.mjs';
import { checkOut, makeBare, textOf } from './repositories.mjs';

const size = 1000;
const awaited = 1000;
let count = process.pid * 10_000;
const input = () => {
  count += 1;
  return { id: `bench${count}`, content: textOf(count + 6_000_000, 20) };
};

async function rememberAndCommit(memory) {
  await memory.remember(input());
  await memory.commit();
}

export async function benchBatch({ root, hasGit }) {
  heading(`remember + commit at ${size.toLocaleString('en')} files, milliseconds`);
  if (!hasGit) return console.log('  needs native git to build its repositories');
  fs.mkdirSync(root, { recursive: true });
  const bare = await makeBare(`${root}/bare`, size);
  const places = { bare, 'checked out': checkOut(bare, `${root}/tree`) };
  const rows = [['', 'ours', 'p95', 'floor', '/floor', '| awaited remembers a second', 'with the flush']];
  const notes = [];
  for (const [name, dir] of Object.entries(places)) {
    const folder = `${root}/floor-${name.replace(' ', '-')}`;
    const { times, said } = await inTurns(
      import.meta.url,
      { ours: { options: { dir } }, floor: { options: { dir, folder } } },
      { rounds: 100 },
    );
    const memory = await openMemory({ dir });
    let flushMs = 0;
    const allMs = await time(async () => {
      for (let number = 0; number < awaited; number++) await memory.remember(input());
      flushMs = await time(() => memory.commit());
    });
    await memory.close();
    const perSecond = (awaited / allMs) * 1000;
    const { ours, floor } = times;
    rows.push([
      name,
      ms(median(ours)),
      ms(quantile(ours, 0.95)),
      ms(median(floor)),
      ratio(median(ours) / median(floor)),
      ((awaited / (allMs - flushMs)) * 1000).toFixed(0),
      `${perSecond.toFixed(0)} (flush ${ms(flushMs)} ms)`,
    ]);
    notes.push({ name, written: said.floor, floor: median(ours) / median(floor), perSecond });
  }
  table(rows);
  for (const { name, written } of notes) console.log(`  ${name}, one remember and its commit write ${written}`);
  for (const { name, floor } of notes)
    verdict(floor <= 2, `a single-record commit costs at most 2x the floor, ${name}: ${ratio(floor)}`);
  for (const { name, perSecond } of notes)
    verdict(perSecond >= 500, `at least 500 awaited remembers a second, ${name}: ${perSecond.toFixed(0)}`);
}

/** The competitors; each runs in a process of its own. */
export const competitors = {
  ours: async ({ dir }) => {
    const memory = await openMemory({ dir });
    return { run: () => rememberAndCommit(memory), close: () => memory.close() };
  },

  floor: async ({ dir, folder }) => {
    const recorder = recordingFileSystem();
    const memory = await openMemory({ dir, fs: recorder.fs });
    for (let round = 0; round < 3; round++) await rememberAndCommit(memory);
    const before = memory.tip;
    const recording = await recorder.record(() => rememberAndCommit(memory));
    const objects = newObjects(dir, before, memory.tip);
    await memory.close();
    return { run: replayer(recording, objects, dir, folder), close: () => describe(recording) };
  },
};
