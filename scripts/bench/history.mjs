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
    const times = { native: [], cold: [], warm: [], 'cold program': [], program: [], 'bare node': [] };
    for (let round = 0; round < rounds; round++) {
      times.native.push(await time(() => git(dir, native)));
      if (round < 3) {
        rmSync(cache, { recursive: true, force: true });
        times.cold.push(await answered(dir, name));
        rmSync(cache, { recursive: true, force: true });
        times['cold program'].push(await time(() => run(dir, verb)));
      }
      times.warm.push(await answered(dir, name));
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
    verdict(median(times.cold) <= 5 * base, `${name} without one at most five times that`);
  }
  console.log(
    '  cold, warm: openMemory and the answer in a fresh process, without and with a catalogue; program: the whole command',
  );
}

function run(dir, verb) {
  const result = spawnSync(process.execPath, [program, ...verb, '--dir', dir, '--json'], { maxBuffer: 1 << 30 });
  if (result.status !== 0) throw new Error(`${verb.join(' ')} failed: ${result.stderr}`);
  return result.stdout;
}

/** Times an answer inside a fresh process: what a program that is running already pays for its first question. */
function answered(dir, question) {
  return new Promise((resolve, reject) => {
    const child = fork(self, ['--child', dir, question], { stdio: 'inherit' });
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the reader ended with ${code}`)));
  });
}

if (process.argv[2] === '--child') {
  const [, , , dir, question] = process.argv;
  const spent = await time(async () => {
    const memory = await openMemory({ dir, readOnly: true });
    if (question === 'blame') await memory.blame(file);
    else await memory.log({ path: file, limit: 100_000 });
    memory.dispose();
  });
  process.send(spent);
  process.disconnect();
}
