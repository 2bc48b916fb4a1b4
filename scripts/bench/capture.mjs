// One capture, durable, in repositories of growing size: ours, the floor, native git, isomorphic-git; bare and checked out.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import iso from 'isomorphic-git';
import { openMemory } from '../../dist/index.js';
import { describe, newObjects, recordingFileSystem, replayer } from './floor.mjs';
import { heading, inTurns, median, ms, quiet, ratio, table, verdict } from './measure.mjs';
import { fastImport, hasSqlite, sqliteRows, twoSyncs } from './others.mjs';
import { checkOut, git, makeBare, textOf, writeText } from './repositories.mjs';

const rounds = 100;
const durable = ['-c', 'core.fsync=objects,reference,index', '-c', 'core.fsyncMethod=fsync'];
const author = { name: 'Bench', email: 'bench@example.org' };

// Processes that share a repository must not use the same session twice.
let count = process.pid * 10_000;
const input = () => {
  count += 1;
  return { session: `ses_bench${count}`, messages: [{ role: 'user', text: textOf(count + 5_000_000) }] };
};

export async function benchCapture({ root, sizes, hasGit }) {
  heading(
    'One capture (690 bytes, durable), milliseconds: medians, and the fastest tenth where other programs disturb least',
  );
  if (!hasGit) return console.log('  needs native git to build its repositories and to compare with');
  const rows = [
    [
      'files',
      'ours',
      'floor',
      'native',
      'isomorphic',
      '/floor',
      'native/',
      '| checked out',
      'adds',
      'index plainly',
      '/index',
    ],
  ];
  const results = [];
  for (const size of sizes) {
    const result = await measureSize(`${root}/${size}`, size);
    results.push(result);
    const { ours, floor, native, isomorphic, both, index } = result;
    for (const [name, of] of [
      [size, median],
      ['  quiet', quiet],
    ]) {
      rows.push([
        name,
        ms(of(ours)),
        ms(of(floor)),
        ms(of(native)),
        ms(of(isomorphic)),
        ratio(of(ours) / of(floor)),
        ratio(of(native) / of(ours)),
        ms(of(both)),
        ms(of(both) - of(ours)),
        ms(of(index)),
        ratio((of(both) - of(ours)) / of(index)),
      ]);
    }
    fs.rmSync(`${root}/${size}`, { recursive: true, force: true });
  }
  table(rows);
  console.log(`  one capture writes ${results.at(-1).written}`);
  console.log(`  checked out it writes ${results.at(-1).writtenBoth}`);
  const of = (name) => results.map((result) => median(result[name]));
  const worst = Math.max(...results.map((result) => median(result.ours) / median(result.floor)));
  verdict(worst <= 2, `at most 2x the floor: ${ratio(worst)}`);
  const at = results.find(({ size }) => size === 10_000);
  if (at) {
    const cheaper = median(at.native) / median(at.ours);
    verdict(cheaper >= 10, `at least 10x cheaper than native add+commit at 10,000 files: ${ratio(cheaper)}`);
  }
  if (results.length > 1) {
    const growth = of('ours').at(-1) / of('ours')[0];
    const floorGrowth = of('floor').at(-1) / of('floor')[0];
    verdict(
      growth <= 1.5,
      `grows by at most 1.5x from ${sizes[0]} to ${sizes.at(-1)} files: ${ratio(growth)} (the floor: ${ratio(floorGrowth)})`,
    );
  }
  compareOthers(results.at(-1));
  const added = results.map((result) => (median(result.both) - median(result.ours)) / median(result.index));
  verdict(
    Math.max(...added) <= 2,
    `a checked-out branch adds at most 2x git's index file: ${added.map(ratio).join(', ')}`,
  );
}

/** What else could keep the same text, one at a time and for good. */
function compareOthers({ size, usage, ...times }) {
  const names = {
    ours: 'ours, bare',
    both: 'ours, checked out',
    native: 'git add and git commit',
    live: 'live git fast-import, a checkpoint each',
    sqlite: 'SQLite, WAL, synchronous=full',
    syncs: 'two files synced',
  };
  console.log(`\n  beside others, ${size.toLocaleString('en')} files`);
  table([
    ['', 'median', 'quiet', 'ours/', 'processor', 'peak MB'],
    ...Object.entries(names)
      .filter(([name]) => times[name] !== undefined)
      .map(([name, shown]) => [
        shown,
        ms(median(times[name])),
        ms(quiet(times[name])),
        ratio(median(times.ours) / median(times[name])),
        ms(usage[name].cpuMs),
        usage[name].peakMb.toFixed(0),
      ]),
  ]);
  console.log('  Processor and memory are those of the process that asks: native git and SQLite work in others.');
}

async function measureSize(root, size) {
  fs.mkdirSync(root, { recursive: true });
  const bare = await makeBare(`${root}/bare`, size);
  const [tree, nativeTree, isoTree] = ['tree', 'native', 'iso'].map((name) => checkOut(bare, `${root}/${name}`));
  const live = `${root}/live.git`;
  git(root, ['clone', '-q', '--bare', bare, live]);
  const { times, said, usage } = await inTurns(
    import.meta.url,
    {
      ours: { options: { dir: bare } },
      floor: { options: { dir: bare, folder: `${root}/floor` } },
      both: { as: 'ours', options: { dir: tree } },
      index: { options: { index: `${tree}/.git/index`, target: `${root}/index` } },
      native: { options: { dir: nativeTree }, rounds: size >= 10_000 ? 10 : 20 },
      live: { options: { dir: live } },
      ...(hasSqlite ? { sqlite: { options: { target: `${root}/table.db` } } } : {}),
      syncs: { options: { target: `${root}/syncs` } },
      isomorphic: { options: { dir: isoTree }, rounds: size >= 10_000 ? 3 : 10 },
    },
    { rounds },
  );
  const status = git(tree, ['status', '--porcelain']).toString();
  if (status !== '') throw new Error(`git status is not clean after the captures: ${status}`);
  for (const folder of [bare, tree]) git(folder, ['fsck', '--strict', '--connectivity-only']);
  return { size, ...times, usage, written: said.floor, writtenBoth: describe((await recordOne(tree)).recording) };
}

const nameOf = (kind, round) => `raw/conversations/2026/02/16/0930-ses_${kind}${round}.md`;

/** The competitors; each runs in a process of its own. */
export const competitors = {
  ours: async ({ dir }) => {
    const memory = await openMemory({ dir });
    return { run: () => memory.capture(input()), close: () => memory.close() };
  },

  floor: async ({ dir, folder }) => {
    const { recording, objects } = await recordOne(dir);
    return { run: replayer(recording, objects, dir, folder), close: () => describe(recording) };
  },

  live: async ({ dir }) => withTexts(fastImport(dir)),
  sqlite: async ({ target }) => withTexts(sqliteRows(target)),
  syncs: async ({ target }) => twoSyncs(target),

  index: async ({ index, target }) => ({ run: () => writeIndexPlainly(index, target) }),

  native: async ({ dir }) => ({
    prepare: (round) => writeText(path.join(dir, nameOf('native', round)), textOf(round + 7_000_000)),
    run: (round) => {
      git(dir, [...durable, 'add', nameOf('native', round)]);
      git(dir, [...durable, 'commit', '-qm', `conversation: ${round}`]);
    },
  }),

  isomorphic: async ({ dir }) => {
    const cache = {};
    return {
      prepare: (round) => writeText(path.join(dir, nameOf('iso', round)), textOf(round + 8_000_000)),
      run: async (round) => {
        await iso.add({ fs, dir, filepath: nameOf('iso', round), cache });
        await iso.commit({ fs, dir, message: `conversation: ${round}`, author, cache });
      },
    };
  },
};

const withTexts = ({ run, ...rest }) => ({ ...rest, run: (round) => run(textOf(round + 6_500_000)) });

/** Records what one capture of a warm process writes. */
async function recordOne(dir) {
  const recorder = recordingFileSystem();
  const memory = await openMemory({ dir, fs: recorder.fs });
  for (let round = 0; round < 3; round++) await memory.capture(input());
  const before = memory.tip;
  const recording = await recorder.record(() => memory.capture(input()));
  const objects = newObjects(dir, before, memory.tip);
  await memory.close();
  return { recording, objects };
}

function writeIndexPlainly(index, target) {
  const bytes = fs.readFileSync(index);
  const content = bytes.subarray(0, -20);
  const descriptor = fs.openSync(`${target}.lock`, 'w');
  fs.writeSync(descriptor, content);
  fs.writeSync(descriptor, createHash('sha1').update(content).digest());
  fs.fsyncSync(descriptor);
  fs.closeSync(descriptor);
  fs.renameSync(`${target}.lock`, target);
}
