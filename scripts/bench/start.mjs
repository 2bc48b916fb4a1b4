// What a command costs in a process of its own, beside a node that does nothing, at 1,000 and 10,000 memories. The command line answers
// from cold each time. Judged are ratios of the fastest rounds, taken in turns, which a busy machine changes least.

import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, ratio, table, verdict } from './measure.mjs';
import { textOf } from './repositories.mjs';

const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));
const library = new URL('../../dist/library/index.js', import.meta.url).href;
const sizes = [1000, 10_000];
const rounds = 15;

/** Each with the most that it may cost, in nodes that do nothing. */
const commandsOf = (shown) => ({
  'node alone': { args: () => ['-e', '0'] },
  '--version': { args: () => [program, '--version'] },
  log: { args: () => [program, 'log', '--limit', '1'], most: 2.2 },
  show: { args: () => [program, 'show', shown], most: 2.2 },
  list: { args: () => [program, 'list', '--limit', '1'], most: 2.2 },
  status: { args: () => [program, 'status'], most: 2.5 },
  // It finds new words, and a sample of texts that may be another.
  'recall after a write': { args: () => [program, 'recall', 'token plan'] },
  recall: { args: () => [program, 'recall', 'token plan'], most: 3 },
  'hook before a commit': { args: () => [program, 'hooks', 'pre-commit'], most: 2.5 },
  'hook of a session': { args: () => [program, 'context', 'start'], most: 2.5 },
  capture: { args: (text) => [program, 'capture', '--text', text], most: 2.5 },
  remember: { args: (text) => [program, 'remember', text], most: 3 },
  'import of the library': {
    args: () => ['--input-type=module', '-e', `await import(${JSON.stringify(library)})`],
    most: 2.5,
  },
});

export async function benchStart({ root }) {
  for (const memories of sizes) {
    heading(`commands in processes of their own, ${memories.toLocaleString('en')} memories, milliseconds`);
    const dir = path.join(root, String(memories));
    const commands = commandsOf(await fill(dir, memories));
    const walls = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
    // The first rounds fill the caches, as the first commands of a day do.
    for (let round = -3; round < rounds; round += 1) {
      for (const [name, { args }] of Object.entries(commands)) {
        const given = args(textOf(9_000_000 + round * 100 + walls[name].length + name.length, 20));
        const start = performance.now();
        const { status, stderr } = spawnSync(process.execPath, given, { cwd: dir, encoding: 'utf8' });
        if (status !== 0) throw new Error(`${name}: ${stderr}`);
        if (round >= 0) walls[name].push(performance.now() - start);
      }
    }
    const fastest = (name) => Math.min(...walls[name]);
    const times = (name) => fastest(name) / fastest('node alone');
    table([
      ['', 'median', 'fastest', 'of node alone'],
      ...Object.keys(commands).map((name) => [name, ms(median(walls[name])), ms(fastest(name)), ratio(times(name))]),
    ]);
    for (const [name, { most }] of Object.entries(commands)) {
      if (most !== undefined)
        verdict(times(name) <= most, `${name} within ${ratio(most)} of node alone (${ratio(times(name))})`);
    }
  }
}

/** Makes a memory of so many memories, a hundred a commit, and gives the path of one. */
export async function fill(dir, count) {
  const memory = await openMemory({ dir, create: true, durability: 'fast' });
  for (let number = 0; number < count; number += 100) {
    await memory.rememberAll(
      Array.from({ length: 100 }, (_, at) => ({
        content: textOf(number + at, 20),
        tags: [`tag${(number + at) % 31}`],
      })),
    );
    await memory.commit();
  }
  const { memories } = await memory.list({ limit: 1 });
  await memory.close();
  return memories[0].path;
}
