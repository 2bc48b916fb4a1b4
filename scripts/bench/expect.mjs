// What testing a memory costs in a new process: 1,000 expectations, two thirds of them contexts, over 10,000 memories. And what a change
// costs that has none to judge.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, slowness, table, tellSlowness, verdict } from './measure.mjs';

const self = fileURLToPath(import.meta.url);
const expectations = 1000;
const places = ['Oslo', 'Porto', 'Riga', 'Split', 'Turin', 'Vigo', 'Graz', 'Bergen', 'Cork', 'Delft'];
const things = ['ferry', 'bakery', 'library', 'clinic', 'market', 'school', 'harbour', 'museum', 'bridge', 'stadium'];
const contentOf = (at) =>
  `The ${things[at % 10]} number ${at} in ${places[Math.floor(at / 10) % 10]} opens at ${6 + (at % 6)}:${10 + (at % 50)} and employs ${at % 97} people`;

async function build(dir, size) {
  const memory = await openMemory({ dir, create: true, durability: 'fast' });
  for (let from = 0; from < size; from += 100) {
    const claims = Array.from({ length: Math.min(100, size - from) }, (_, at) => ({ content: contentOf(from + at) }));
    await memory.rememberAll(claims);
  }
  for (let file = 0; file < 10; file++) {
    const entries = Array.from({ length: expectations / 10 }, (_, index) => {
      const at = Math.floor(((file * 100 + index) * size) / expectations);
      const question = `when does the ${things[at % 10]} number ${at} in ${places[Math.floor(at / 10) % 10]} open`;
      const asked = index % 3 === 0 ? `  recall: ${question}` : `  context: ${question}`;
      return `opening ${file}-${index}:\n${asked}\n  on: 2026-12-${String(1 + (index % 28)).padStart(2, '0')}\n  must: number ${at} in\n`;
    });
    await memory.write(`expect/openings-${file}.yaml`, entries.join(''));
  }
  await memory.commit();
  await memory.close();
}

async function measureIn(dir) {
  const began = performance.now();
  const before = process.cpuUsage();
  const memory = await openMemory({ dir, readOnly: true });
  const { total, failed } = await memory.test();
  const { user, system } = process.cpuUsage(before);
  const took = performance.now() - began;
  const contexts = [];
  for (let at = 0; at < 120; at++) {
    const start = process.cpuUsage();
    await memory.context(`when does the ${things[at % 10]} number ${at * 37} open`);
    const used = process.cpuUsage(start);
    contexts.push((used.user + used.system) / 1000);
  }
  process.send({ took, cpu: (user + system) / 1000, total, failed, context: median(contexts.slice(20)) });
  await memory.close();
}

export async function benchExpect({ root, chosenSizes }) {
  heading('expect: 1,000 expectations of a memory, in a new process');
  const rows = [['memories', 'all of them', 'CPU', 'CPU of one', 'failed', 'CPU of a warm context']];
  const slow = [await slowness()];
  let last;
  for (const size of chosenSizes ?? [1000, 10_000]) {
    const dir = `${root}-${size}`;
    await build(dir, size);
    last = await new Promise((resolve, reject) => {
      const child = fork(self, ['--measure', dir]);
      child.once('message', resolve);
      child.once('exit', (code) => code !== 0 && reject(new Error(`exit ${code}`)));
    });
    const { took, cpu, total, failed, context } = last;
    slow.push(await slowness());
    rows.push([
      size.toLocaleString('en-US'),
      `${ms(took)} ms`,
      `${ms(cpu)} ms`,
      `${ms(cpu / total)} ms`,
      String(failed),
      `${ms(context)} ms`,
    ]);
  }
  table(rows);
  const by = tellSlowness(slow);
  verdict(
    last.cpu < 20_000 * by,
    `${last.total} expectations take ${ms(last.cpu)} ms of processor, ${ms(20_000 * by)} at most`,
  );
  verdict(last.context <= 15 * by, `a warm context takes ${ms(last.context)} ms of processor, ${ms(15 * by)} at most`);
}

if (process.argv[2] === '--measure') await measureIn(process.argv[3]);
