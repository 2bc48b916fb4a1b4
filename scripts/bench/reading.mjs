// Reading 10,000 memories in a fresh process: list, get, recall, and the memory it takes.

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, table, time } from './measure.mjs';
import { makeBare, textOf } from './repositories.mjs';

const size = 10_000;
const self = fileURLToPath(import.meta.url);

export async function benchReading({ root, hasGit }) {
  heading(`A fresh process and ${size.toLocaleString('en')} memories, milliseconds`);
  if (!hasGit) return console.log('  needs native git to build its repository');
  const dir = await makeBare(`${root}/bare`, size, 1);
  const runs = [];
  for (let round = 0; round < 5; round++) {
    runs.push(
      await new Promise((resolve, reject) => {
        const child = fork(self, ['--child', dir], { stdio: 'inherit' });
        child.once('message', resolve);
        child.once('exit', (code) => code !== 0 && reject(new Error(`the reader ended with ${code}`)));
      }),
    );
  }
  const names = Object.keys(runs[0]);
  table([names, names.map((name) => ms(median(runs.map((run) => run[name]))))]);
}

if (process.argv[2] === '--child') {
  const dir = process.argv[3];
  const result = {};
  let memory;
  result.open = await time(async () => {
    memory = await openMemory({ dir, readOnly: true });
  });
  result['cold get'] = await time(() => memory.get('base000042'));
  result['cold list'] = await time(() => memory.list({ limit: 20 }));
  result['RSS after list'] = process.memoryUsage().rss / 2 ** 20;
  result['cold recall'] = await time(() => memory.recall(textOf(1_000_042, 4)));
  const warm = [];
  for (let number = 0; number < 30; number++) {
    warm.push(await time(() => memory.recall(textOf(number, 3))));
  }
  result['warm recall'] = median(warm);
  result['warm list'] = await time(() => memory.list({ limit: 20 }));
  result['RSS after recall'] = process.memoryUsage().rss / 2 ** 20;
  await memory.close();
  process.send(result);
  process.disconnect();
}
