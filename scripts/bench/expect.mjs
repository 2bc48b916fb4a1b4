// What testing a memory costs: 1,000 expectations, two thirds of them contexts, over 10,000 memories, in a new process; and what a change costs that has
// none to judge.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, ms, table, verdict } from './measure.mjs';

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
  process.send({ took: performance.now() - began, cpu: (user + system) / 1000, total, failed });
  await memory.close();
}

export async function benchExpect({ root, chosenSizes }) {
  heading('expect: 1,000 expectations of a memory, in a new process');
  const rows = [['memories', 'all of them', 'CPU', 'CPU of one', 'failed']];
  let last;
  for (const size of chosenSizes ?? [1000, 10_000]) {
    const dir = `${root}-${size}`;
    await build(dir, size);
    last = await new Promise((resolve, reject) => {
      const child = fork(self, ['--measure', dir]);
      child.once('message', resolve);
      child.once('exit', (code) => code !== 0 && reject(new Error(`exit ${code}`)));
    });
    const { took, cpu, total, failed } = last;
    rows.push([
      size.toLocaleString('en-US'),
      `${ms(took)} ms`,
      `${ms(cpu)} ms`,
      `${ms(cpu / total)} ms`,
      String(failed),
    ]);
  }
  table(rows);
  verdict(last.cpu < 20_000, `${last.total} expectations take ${ms(last.cpu)} ms of processor, 20,000 at most`);
}

if (process.argv[2] === '--measure') await measureIn(process.argv[3]);
