// When was this learned, in a history of 10,000 commits, beside `git log -S`; and the difference of states beside `git diff`.
// Native git answers as a process. We answer as a library in a fresh process (without and with filters) and as the whole program.

import { fork, spawnSync } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { baseFiles, commits, file, lineCount, makeHistory } from './long-history.mjs';
import { heading, median, ms, ratio, table, time, verdict } from './measure.mjs';
import { git } from './repositories.mjs';

const rounds = Number(process.env.ROUNDS ?? 7);
const self = fileURLToPath(import.meta.url);
const program = fileURLToPath(new URL('../../dist/program/main.js', import.meta.url));

const needles = {
  'absent, 10 letters': 'xyzzyplugh',
  'rare, 9 letters': 'marrowfat',
  'rare, 4 letters': 'pea!',
  'two words': 'prefers cache',
  'rare, 2 letters': 'q9',
};

export async function benchPickaxe({ root, hasGit }) {
  heading(
    `When a text came or went, ${commits.toLocaleString('en')} commits, ${file} of ${lineCount} lines in a tenth of them, milliseconds`,
  );
  if (!hasGit) return console.log('  needs native git to build its repository, and to compare with');
  const dir = await makeHistory(`${root}/bare`);
  const cache = `${dir}/git-memory/cache`;
  const columns = ['native', 'cold', 'warm', 'program', 'again'];
  const rows = [['', ...columns, 'warm/native', 'program/native', 'hits']];
  const ratios = {};
  for (const [name, needle] of Object.entries(needles)) {
    const times = Object.fromEntries(columns.map((column) => [column, []]));
    let hits = 0;
    for (let round = 0; round < rounds; round++) {
      let expected = '';
      times.native.push(
        await time(() => {
          expected = git(dir, ['log', `-S${needle}`, '--format=%H', 'main']).toString();
        }),
      );
      if (round === 0) {
        rmSync(cache, { recursive: true, force: true });
        times.cold.push((await answered(dir, needle)).spent);
      }
      const { spent, again, found } = await answered(dir, needle);
      times.warm.push(spent);
      times.again.push(again);
      times.program.push(await time(() => run(dir, ['learned', needle, '--limit', '100000', '--json'])));
      if (found.join('\n') !== expected.trim()) throw new Error(`the answers differ for ${needle}`);
      hits = found.length;
    }
    const [native, warm, whole] = [times.native, times.warm, times.program].map(median);
    ratios[name] = [warm / native, whole / native];
    const cells = columns.map((column) => ms(median(times[column])));
    rows.push([name, ...cells, ratio(warm / native), ratio(whole / native), hits]);
  }
  table(rows);
  console.log(
    `  cold, warm: openMemory and the answer in a fresh process, without and with the cache (${size(cache)}); again: asked twice; program: all of it`,
  );
  verdict(
    Object.values(ratios).every(([warm]) => warm <= 1),
    'with the cache at most the time of git log -S',
  );
  const filtered = Object.keys(needles).filter((name) => Buffer.byteLength(needles[name]) >= 4);
  verdict(
    filtered.every((name) => ratios[name][0] <= 1 / 3),
    'and a third of it for four letters and more',
  );
  verdict(
    filtered.every((name) => ratios[name][1] <= 1),
    'the whole program at most the time of git log -S for four letters and more',
  );
  await benchDiff(dir);
}

async function benchDiff(dir) {
  heading(`What differs between two states of ${baseFiles.toLocaleString('en')} files and more, milliseconds`);
  const rows = [['', 'native', 'first', 'again', 'native --stat', 'first --stat']];
  let oneApart = 0;
  for (const apart of [1, 100, 5000]) {
    const range = [`main~${apart}`, 'main'];
    const times = { native: [], first: [], again: [], nativeStat: [], stat: [] };
    for (let round = 0; round < rounds; round++) {
      times.native.push(await time(() => git(dir, ['diff', '--no-renames', ...range])));
      times.nativeStat.push(await time(() => git(dir, ['diff', '--no-renames', '--numstat', ...range])));
      const memory = await openMemory({ dir, readOnly: true });
      const ends = [
        git(dir, ['rev-parse', range[0]]).toString().trim(),
        git(dir, ['rev-parse', range[1]]).toString().trim(),
      ];
      // The packs are open and the code is warm, as in a process that has answered before; the trees are new to it.
      await memory.diff('main~8', 'main~7');
      times.first.push(await time(() => memory.diff(ends[0], ends[1])));
      times.again.push(await time(() => memory.diff(ends[0], ends[1])));
      memory.dispose();
      const other = await openMemory({ dir, readOnly: true });
      await other.diff('main~8', 'main~7');
      times.stat.push(await time(() => other.diff(ends[0], ends[1], { patch: false })));
      other.dispose();
    }
    if (apart === 1) oneApart = median(times.first);
    const { native, first, again, nativeStat, stat } = Object.fromEntries(
      Object.entries(times).map(([name, values]) => [name, ms(median(values))]),
    );
    rows.push([`${apart} commits apart`, native, first, again, nativeStat, stat]);
  }
  table(rows);
  verdict(oneApart < 2, 'two trees one commit apart take less than 2 ms');
}

function size(folder) {
  const bytes = ['history', 'text'].map((name) => statSync(`${folder}/${name}`).size);
  return bytes
    .map((count, index) => `${['catalogue', 'filters'][index]} ${(count / 2 ** 20).toFixed(1)} MiB`)
    .join(', ');
}

function run(dir, verb) {
  const result = spawnSync(process.execPath, [program, ...verb, '--dir', dir], { maxBuffer: 1 << 30 });
  if (result.status !== 0) throw new Error(`${verb.join(' ')} failed: ${result.stderr}`);
  return result.stdout;
}

/** Times an answer inside a fresh process: what a program that is running already pays for its first question. */
function answered(dir, needle) {
  return new Promise((resolve, reject) => {
    const child = fork(self, ['--child', dir, needle], { stdio: 'inherit' });
    child.once('message', resolve);
    child.once('exit', (code) => code !== 0 && reject(new Error(`the reader ended with ${code}`)));
  });
}

if (process.argv[2] === '--child') {
  const [, , , dir, needle] = process.argv;
  let found = [];
  let memory;
  const spent = await time(async () => {
    memory = await openMemory({ dir, readOnly: true });
    found = (await memory.learned(needle, { limit: 100_000 })).commits.map(({ oid }) => oid);
  });
  const again = await time(() => memory.learned(needle, { limit: 100_000 }));
  memory.dispose();
  process.send({ spent, again, found: [...new Set(found)] });
  process.disconnect();
}
