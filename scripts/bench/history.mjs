// Questions to a history of 10,000 commits beside native git: blame of a file of 200 lines and 1,000 revisions, log of that file.
// Every answer comes from a fresh process, as a native one does; both are compared before they are timed.

import { fork, spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, quiet, ratio, table, time, verdict } from './measure.mjs';
import { git, makeBare, randomOf, textOf } from './repositories.mjs';

const commits = 10_000;
const baseFiles = 10_000;
const everyTenth = 10;
const lineCount = 200;
const file = 'knowledge/people/ada.md';
const rounds = Number(process.env.ROUNDS ?? 15);
const self = fileURLToPath(import.meta.url);
const program = fileURLToPath(new URL('../../dist/entry/cli/main.js', import.meta.url));

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
      if (round < 5) {
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

/** Builds the history as native git packs it. */
export async function makeHistory(folder) {
  await makeBare(folder, baseFiles);
  const random = randomOf(7);
  const lines = Array.from({ length: lineCount }, (_, number) => `- ${textOf(number, 12)}`);
  const stream = [];
  for (let number = 0; number < commits; number++) {
    stream.push(`commit refs/heads/main\ncommitter Bench <bench@example.org> ${1_600_000_100 + number * 60} +0000\n`);
    stream.push(`data ${`commit ${number}\n`.length}\ncommit ${number}\n\n`);
    if (number === 0) stream.push('from refs/heads/main^0\n');
    if (number % everyTenth === 0) {
      lines[Math.floor(random() * lineCount)] = `- ${textOf(number + 10_000, 12)}`;
      push(stream, file, `${lines.join('\n')}\n`);
    } else {
      const day = Math.floor(number / 20);
      push(
        stream,
        `knowledge/journal/${2020 + Math.floor(day / 365)}/${day % 365}/${number % 20}.md`,
        `${textOf(number, 90)}\n`,
      );
    }
  }
  git(folder, ['fast-import', '--quiet', '--force'], stream.join(''));
  git(folder, ['gc', '-q', '--prune=now']);
  return folder;
}

function push(stream, path, text) {
  stream.push(`M 100644 inline ${path}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
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
