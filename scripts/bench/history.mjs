// Questions to a history of 10,000 commits beside native git: blame of a file of 200 lines and 1,000 revisions, log of that file.
// Every answer comes from a fresh process, as a native one does; both are compared before they are timed.

import { fork, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { commits, file, lineCount, makeHistory } from './long-history.mjs';
import { heading, median, ms, quiet, ratio, table, time, verdict } from './measure.mjs';
import { git } from './repositories.mjs';

const rounds = Number(process.env.ROUNDS ?? 15);
const self = fileURLToPath(import.meta.url);
const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

export async function benchHistory({ root, hasGit }) {
  heading(
    `A history of ${commits.toLocaleString('en')} commits, ${file} of ${lineCount} lines changed in a tenth of them, milliseconds`,
  );
  if (!hasGit) return console.log('  needs native git to build its repository, and to compare with');
  const dir = await makeHistory(`${root}/bare`);
  const cache = `${dir}/git-memory/cache`;
  const questions = {
    blame: { native: ['blame', '--porcelain', 'main', '--', file], verb: ['blame', file] },
    'log of a file': {
      native: ['log', '--format=%H %s', 'main', '--', file],
      verb: ['log', file, '--limit', '100000'],
    },
  };
  for (const [name, { native, verb }] of Object.entries(questions)) {
    const times = { native: [], cold: [], 'new state': [], warm: [], 'cold program': [], program: [], 'bare node': [] };
    const coldCpu = [];
    for (let round = 0; round < rounds; round++) {
      times.native.push(await time(() => git(dir, native)));
      if (round < 3) {
        rmSync(cache, { recursive: true, force: true });
        const { spent, cpu } = await answered(dir, name);
        times.cold.push(spent);
        coldCpu.push(cpu);
        rmSync(cache, { recursive: true, force: true });
        times['cold program'].push(await time(() => run(dir, verb)));
      }
      // So often asked that the catalogue is whole.
      if (round === 2) for (let again = 0; again < 40; again++) await answered(dir, 'log of a file');
      // Older each time, so that no earlier answer helps.
      if (round >= 2) times['new state'].push((await answered(dir, name, `main~${5 + 20 * round}`)).spent);
      await answered(dir, name);
      times.warm.push((await answered(dir, name)).spent);
      times.program.push(await time(() => run(dir, verb)));
      times['bare node'].push(await time(() => spawnSync(process.execPath, ['-e', '0'])));
    }
    const columns = Object.keys(times);
    const base = median(times.native);
    table([
      [name, ...columns],
      ['median', ...columns.map((column) => ms(median(times[column])))],
      ['quiet', ...columns.map((column) => ms(quiet(times[column])))],
      ['x native', ...columns.map((column) => ratio(median(times[column]) / base))],
    ]);
    verdict(median(times.warm) <= base, `${name} with the catalogue takes at most native git's time`);
    verdict(median(times['new state']) <= base, `${name} of a state that was never asked before does, too`);
    console.log(`  CPU of the cold answer: ${ms(median(coldCpu))} ms`);
    verdict(median(times.cold) <= 5 * base, `${name} without one at most five times that`);
  }
  console.log(
    '  cold, warm: openMemory and the answer in a fresh process, without a catalogue and asked before; program: the whole command',
  );
}

function run(dir, verb) {
  const result = spawnSync(process.execPath, [program, ...verb, '--dir', dir, '--json'], { maxBuffer: 1 << 30 });
  if (result.status !== 0) throw new Error(`${verb.join(' ')} failed: ${result.stderr}`);
  return result.stdout;
}

/** Times an answer inside a fresh process: what a program that is running already pays for its first question. */
function answered(dir, question, at = '') {
  return new Promise((resolve, reject) => {
    const child = fork(self, ['--child', dir, question, at], { stdio: 'inherit' });
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the reader ended with ${code}`)));
  });
}

if (process.argv[2] === '--child') {
  const [, , , dir, question, at] = process.argv;
  const before = process.cpuUsage();
  const spent = await time(async () => {
    const memory = await openMemory({ dir, readOnly: true });
    const view = at === '' ? memory : await memory.at(at);
    if (question === 'blame') await view.blame(file);
    else await view.log({ path: file, limit: 100_000 });
    memory.dispose();
  });
  const { user, system } = process.cpuUsage(before);
  process.send({ spent, cpu: (user + system) / 1000 });
  process.disconnect();
}
