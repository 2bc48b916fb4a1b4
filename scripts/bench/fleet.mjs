// A fleet: so many agents, each a process with a repository of its own, and one bare repository that all sync with. Each is on a branch of
// its own, or all on one. Each writes a file and syncs, again and again without a pause, which no fleet at work does.

import { fork } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, openTable, quantile, verdict } from './measure.mjs';
import { git } from './repositories.mjs';

const self = fileURLToPath(import.meta.url);
const pushes = 5;

export async function benchFleet({ root, chosenSizes, hasGit }) {
  heading(`A fleet that syncs with one bare repository, ${pushes} times each; milliseconds of one sync`);
  if (!hasGit) return console.log('  needs native git, which serves the repository');
  for (const shared of [false, true]) {
    const head = ['median', '90 %', 'slowest', 'syncs a second', 'merges', 'commits', 'CPU a sync'];
    const print = openTable([shared ? 'all on one branch' : 'own branches', ...head]);
    for (const count of chosenSizes ?? [1, 2, 5, 10, 20]) {
      print(await measure(`${root}/${shared}-${count}`, count, shared));
    }
  }
}

async function measure(root, count, shared) {
  const bare = `${root}/shared.git`;
  fs.mkdirSync(root, { recursive: true });
  git(root, ['init', '-q', '--bare', '--initial-branch=main', bare]);
  const agents = await Promise.all(Array.from({ length: count }, (_, number) => start(root, bare, number, shared)));
  const started = performance.now();
  const done = await Promise.all(agents.map((agent) => agent.work()));
  const times = done.flatMap(({ times }) => times);
  const seconds = (performance.now() - started) / 1000;
  for (const agent of agents) await agent.end();
  const branches = git(bare, ['for-each-ref', '--format=%(refname)', 'refs/heads']).toString().trim().split('\n');
  const files = branches.flatMap((branch) =>
    git(bare, ['ls-tree', '-r', '--name-only', branch, 'knowledge/reference']).toString().trim().split('\n'),
  );
  if (files.length !== count * pushes) verdict(false, `${count} agents: all ${count * pushes} files are there`);
  const commits = Number(git(bare, ['rev-list', '--count', '--branches']).toString());
  return [
    count,
    ms(median(times)),
    ms(quantile(times, 0.9)),
    ms(Math.max(...times)),
    (times.length / seconds).toFixed(1),
    done.reduce((all, { merges }) => all + merges, 0),
    commits,
    ms(done.reduce((all, { cpu }) => all + cpu, 0) / times.length),
  ];
}

/** An agent in a process of its own that has joined the others, and works on request. */
async function start(root, bare, number, shared) {
  const branch = shared ? 'main' : `agent-${number}`;
  const child = fork(self, ['--agent', `${root}/${number}`, bare, branch, String(number)], { stdio: 'inherit' });
  const next = () =>
    new Promise((resolve, reject) => {
      child.once('message', resolve);
      child.once('exit', (code) => reject(new Error(`an agent ended with ${code}`)));
    });
  await next();
  return {
    work() {
      child.send('work');
      return next();
    },
    async end() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.send('end');
      await ended;
    },
  };
}

if (process.argv[2] === '--agent') {
  const [dir, remote, branch, number] = process.argv.slice(3);
  const memory = await openMemory({ dir, create: true, branch, configuration: { name: 'fleet' } });
  await memory.sync({ remote });
  process.on('message', async (message) => {
    if (message === 'end') {
      await memory.close();
      process.disconnect();
      return;
    }
    const times = [];
    let merges = 0;
    const before = process.cpuUsage();
    for (let push = 0; push < pushes; push++) {
      await memory.write(`knowledge/reference/of-${number}-${push}.md`, `# ${number} ${push}\n`);
      const begun = performance.now();
      const result = await memory.sync();
      if (result.state !== 'synced') throw new Error(result.why);
      times.push(performance.now() - begun);
      // On one branch each round in which somebody else was faster is one merge.
      merges += result.merges.length;
    }
    const { user, system } = process.cpuUsage(before);
    // Of the agent alone, without the git programs that it starts.
    process.send({ times, merges, cpu: (user + system) / 1000 });
  });
  process.send('ready');
}
