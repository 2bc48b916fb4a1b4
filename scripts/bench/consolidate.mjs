// Merging what says the same among 10,000 memories, and making gists: in CPU time, which neighbours on the machine do not change.

import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { randomOf } from '../random.mjs';
import { heading, ms, table, verdict } from './measure.mjs';

const count = 10_000;
const limitMs = 60_000;

const cpuMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

async function spent(act) {
  const [cpu, wall] = [cpuMs(), performance.now()];
  const result = await act();
  return { result, cpu: cpuMs() - cpu, wall: performance.now() - wall };
}

/** A third of the memories repeat another one with a word more. */
function contentsOf(random) {
  const words = Array.from({ length: 4000 }, (_, at) => `w${(at * 7919).toString(36)}en`);
  const word = () => words[Math.floor(words.length * random() ** 2)];
  let text = '';
  return Array.from({ length: count }, (_, at) => {
    if (at % 3 === 2) return `${text} ${word()}`;
    text = Array.from({ length: 18 + Math.floor(random() * 12) }, word).join(' ');
    return text;
  });
}

export async function benchConsolidate({ root }) {
  heading(`${count.toLocaleString('en')} memories, a third of them near duplicates`);
  fs.mkdirSync(root, { recursive: true });
  const memory = await openMemory({ dir: `${root}/memory`, create: true, durability: 'fast' });
  const contents = contentsOf(randomOf(42));
  const written = await spent(async () => {
    for (const [at, content] of contents.entries()) await memory.remember({ id: `m${at}`, content });
    await memory.commit();
  });
  await memory.close();
  const again = await openMemory({ dir: `${root}/memory`, durability: 'fast' });
  const plan = await spent(() => again.consolidate({ dryRun: true }));
  const done = await spent(() => again.consolidate());
  const gists = await spent(() => again.gist({ all: true, dryRun: true }));
  await again.close();
  const row = (name, { cpu, wall }, note) => [name, ms(cpu), ms(wall), note];
  table([
    ['', 'CPU ms', 'wall ms', ''],
    row('remember, with the look for near duplicates', written, `${count} memories`),
    row('plan, from a fresh process', plan, `${plan.result.items.length} clusters`),
    row('plan and commit', done, `${done.result.commits.length} commits`),
    row('gists of what is left', gists, `${gists.result.items.length} gists`),
  ]);
  verdict(
    done.cpu < limitMs,
    `consolidation of ${count} memories takes under 60 s: ${(done.cpu / 1000).toFixed(1)} s of CPU`,
  );
}
