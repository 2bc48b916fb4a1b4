// The replay of an experiment: 1,000 conversations onto a branch, beside what their commits cost native git, `git add` and `git commit`
// for each. Both bring the same files; what is extracted is not what native git is asked for.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, ratio, table, time, verdict } from './measure.mjs';

let conversations = 1000;
const rounds = 2;

const subjects = 'the search index|the session cache|the nightly build|the billing service|the mobile app'.split('|');
const tools = 'Postgres Redis Valkey SQLite Kafka Nginx Terraform Vitest Rolldown Playwright'.split(' ');
const people = 'Anna Bruno Carla Dmitri Elena Farid Grace Hugo Irina Jonas'.split(' ');
const pick = (list, number) => list[number % list.length];

/** What people and an agent say in a conversation: some of it worth keeping, most of it not. */
function turnsOf(number) {
  const [subject, tool, person] = [pick(subjects, number), pick(tools, number * 7), pick(people, number * 3)];
  return [
    ['user', `Good morning, can we look at ${subject} again? It was slow on run ${number}.`],
    ['agent', `Of course. The last run took ${number % 90} minutes, most of it in step ${number % 7}.`],
    ['user', `We decided to use ${tool} for ${subject} of team ${number}.`],
    [
      'agent',
      'Understood. I will change the configuration and start another run, then we look at the numbers together.',
    ],
    ['user', `${person} works on ${subject} of team ${number}. I prefer reports with less than ${number} lines.`],
    ['agent', 'Here is the log of the run, nothing unusual in it as far as I can see; the warnings are known.'],
    ['user', `Fine. I will send the summary of run ${number} to ${person} by Friday.`],
    ['agent', 'Good, then that is all for today.'],
  ];
}

function gitWith(options, dir, ...parameters) {
  const result = spawnSync('git', ['-C', dir, ...parameters], { encoding: 'utf8', maxBuffer: 1 << 28, ...options });
  if (result.status !== 0) throw new Error(`git ${parameters[0]} failed: ${result.stderr}`);
  return result.stdout;
}

const git = (dir, ...parameters) => gitWith({}, dir, ...parameters);

/** Captures all conversations, in as few commits as an import makes. */
async function captured(dir) {
  const memory = await openMemory({ dir, create: true });
  const texts = Array.from({ length: conversations }, (_, number) => {
    const start = Date.parse('2026-01-01T09:00:00Z') + number * 3_600_000;
    const lines = turnsOf(number).map(([role, text], turn) =>
      JSON.stringify({ role, text, time: new Date(start + turn * 60_000).toISOString() }),
    );
    return { path: `s${number}.jsonl`, text: lines.join('\n') };
  });
  await memory.import(texts, { as: 'conversations' });
  await memory.close();
}

/** What each commit of the replay wrote, as names and bytes. */
function commitsOf(dir, range) {
  const oids = git(dir, 'rev-list', '--reverse', range);
  const commits = [];
  const listing = gitWith({ input: oids }, dir, 'diff-tree', '--stdin', '-r', '--diff-filter=AM');
  for (const line of listing.split('\n')) {
    const [meta, name] = line.split('\t');
    if (name === undefined) commits.push([]);
    else commits.at(-1).push([name, meta.split(' ')[3]]);
  }
  const filled = commits.filter((files) => files.length > 0);
  const bytes = blobsOf(
    dir,
    filled.flat().map(([, oid]) => oid),
  );
  return filled.map((files) => files.map(([name, oid]) => [name, bytes.get(oid)]));
}

/** Reads blobs with one process: `<oid> blob <size>`, the bytes, a line feed. */
function blobsOf(dir, oids) {
  const stdout = gitWith({ input: Buffer.from(oids.join('\n')), encoding: 'buffer' }, dir, 'cat-file', '--batch');
  const blobs = new Map();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(10, at);
    const [oid, , size] = stdout.toString('utf8', at, end).split(' ');
    blobs.set(oid, stdout.subarray(end + 1, end + 1 + Number(size)));
    at = end + 2 + Number(size);
  }
  return blobs;
}

/** Writes and commits the same with native git, each process as it comes with git. */
async function natively(dir, commits) {
  fs.mkdirSync(dir, { recursive: true });
  git(dir, 'init', '-q');
  git(dir, 'config', 'user.email', 'bench@localhost');
  git(dir, 'config', 'user.name', 'bench');
  git(dir, 'config', 'gc.auto', '0');
  return time(() => {
    for (const [number, files] of commits.entries()) {
      for (const [name, text] of files) {
        const place = path.join(dir, name);
        fs.mkdirSync(path.dirname(place), { recursive: true });
        fs.writeFileSync(place, text);
      }
      git(dir, 'add', ...files.map(([name]) => name));
      git(dir, 'commit', '-q', '-m', `extract: conversation ${number}`);
    }
  });
}

/** Adds up the time within the commit function of the store: merge, rules, objects, pack, ref, with their syncs. */
async function measured(dir, name) {
  const { BranchStore } = await import('../../dist/store/branch-store.js');
  const { commit } = BranchStore.prototype;
  let gitMs = 0;
  BranchStore.prototype.commit = async function timed(...parameters) {
    const started = performance.now();
    try {
      return await commit.apply(this, parameters);
    } finally {
      gitMs += performance.now() - started;
    }
  };
  const memory = await openMemory({ dir });
  try {
    let result;
    const wholeMs = await time(async () => {
      result = await memory.experiments.run(name);
    });
    return { wholeMs, gitMs, result };
  } finally {
    BranchStore.prototype.commit = commit;
    await memory.close();
  }
}

export async function benchReplay({ root, hasGit, chosenSizes }) {
  conversations = chosenSizes?.[0] ?? 1000;
  heading(`replay of ${conversations.toLocaleString('en')} conversations, milliseconds`);
  if (!hasGit) return console.log('  needs native git to compare with');
  fs.mkdirSync(root, { recursive: true });
  const dir = `${root}/memory`;
  await captured(dir);
  const { result } = await measured(dir, 'warm');
  const commits = commitsOf(dir, `${result.base}..${result.commit}`);
  const times = { whole: [], git: [], native: [] };
  // Before, between and behind, so that whatever else the machine does meets both.
  for (let round = 0; round <= rounds; round++) {
    const { wholeMs, gitMs } = await measured(dir, `round-${round}`);
    times.whole.push(wholeMs);
    times.git.push(gitMs);
    if (round < rounds) times.native.push(await natively(`${root}/native-${round}`, commits));
  }
  const [whole, own, native] = [times.whole, times.git, times.native].map(median);
  table([
    ['', 'in all', 'each', 'native / this'],
    ['git add + git commit', ms(native), ms(native / commits.length), ratio(1)],
    ['replay, its git part', ms(own), ms(own / commits.length), ratio(native / own)],
    ['replay, whole (rules)', ms(whole), ms(whole / commits.length), ratio(native / whole)],
  ]);
  console.log(`  ${commits.length} commits with files and ${result.created} memories, in one pack`);
  verdict(
    native / own >= 20,
    `the git part of a replay is at least 20x cheaper than native git: ${ratio(native / own)}`,
  );
  verdict(native / whole >= 3, `the whole replay is at least 3x cheaper than that: ${ratio(native / whole)}`);
}
