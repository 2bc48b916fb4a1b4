// What a command costs in a process of its own, at 1,000 memories, beside a node that does nothing: the command line answers from cold each time.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, table, verdict } from './measure.mjs';
import { textOf } from './repositories.mjs';

const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));
const memories = 1000;
const rounds = 15;
const mostRecallMs = 300;

/** Milliseconds of processor time of all processes that were waited for, or NaN where the system does not tell; in steps of 10. */
function childrenMs() {
  try {
    const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
    return (Number(fields[13]) + Number(fields[14])) * 10;
  } catch {
    return Number.NaN;
  }
}

export async function benchStart({ root }) {
  heading(`commands in processes of their own, ${memories} memories, milliseconds`);
  const memory = await openMemory({ dir: root, create: true, durability: 'fast' });
  for (let number = 0; number < memories; number += 1) {
    await memory.remember({ content: textOf(number, 20), tags: [`tag${number % 31}`] });
  }
  await memory.commit();
  await memory.close();
  const commands = {
    'node alone': ['-e', '0'],
    '--version': [program, '--version'],
    // It finds new words, and a sample of texts that may be another.
    'recall after a write': [program, 'recall', 'token plan'],
    recall: [program, 'recall', 'token plan'],
    list: [program, 'list', '--limit', '1'],
    status: [program, 'status'],
    remember: [program, 'remember'],
  };
  const walls = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  const used = Object.fromEntries(Object.keys(commands).map((name) => [name, 0]));
  // The first round fills the caches, as the first commands of a day do.
  for (let round = 0; round <= rounds; round += 1) {
    for (const [name, args] of Object.entries(commands)) {
      const given = name === 'remember' ? [...args, textOf(9_000_000 + round, 20)] : args;
      const [start, before] = [performance.now(), childrenMs()];
      const { status, stderr } = spawnSync(process.execPath, given, { cwd: root, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${name}: ${stderr}`);
      if (round === 0) continue;
      walls[name].push(performance.now() - start);
      used[name] += childrenMs() - before;
    }
  }
  table([
    ['', 'median', 'fastest', 'processor'],
    ...Object.keys(commands).map((name) => [
      name,
      ms(median(walls[name])),
      ms(Math.min(...walls[name])),
      ms(used[name] / rounds),
    ]),
  ]);
  const recall = median(walls.recall);
  verdict(recall < mostRecallMs, `recall from cold within ${mostRecallMs} ms (${ms(recall)})`);
}
