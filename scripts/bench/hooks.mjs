// What the pre-commit hook adds to a commit of ten files by native git, beside an empty hook and none; and what it loads.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { openMemory } from '../../dist/index.js';
import { heading, median, ms, quiet, table, verdict } from './measure.mjs';

const rounds = 15;
const filesPerCommit = 10;
const limitMs = 300;

export async function benchHooks({ root, chosenSizes, hasGit }) {
  if (!hasGit) return;
  for (const size of chosenSizes ?? [100, 10_000]) {
    heading(`git commit of ${filesPerCommit} files beside ${size.toLocaleString('en')} knowledge files, milliseconds`);
    const dir = `${root}/hooks-${size}`;
    fs.mkdirSync(dir, { recursive: true });
    const memory = await openMemory({ dir, create: true });
    for (let number = 0; number < size; number++) {
      await memory.write(`knowledge/reference/${number % 100}/note-${number}.md`, `# Note ${number}\n\n- One\n`);
    }
    await memory.commit();
    await memory.git.installHooks();
    await memory.close();
    const hook = `${dir}/.git/hooks/pre-commit`;
    const ours = fs.readFileSync(hook, 'utf8');
    for (const name of ['post-commit', 'post-merge']) fs.rmSync(`${dir}/.git/hooks/${name}`);
    const hooks = { none: null, empty: '#!/bin/sh\nexit 0\n', 'git-memory': ours };
    const times = Object.fromEntries(Object.keys(hooks).map((name) => [name, []]));
    for (let round = 0; round < rounds; round++) {
      for (const name of Object.keys(hooks).sort(() => Math.random() - 0.5)) {
        if (hooks[name] === null) fs.rmSync(hook, { force: true });
        else fs.writeFileSync(hook, hooks[name], { mode: 0o755 });
        times[name].push(commitOnce(dir, `${name} ${round}`));
      }
    }
    const rows = Object.entries(times).map(([name, all]) => [name, ms(quiet(all)), ms(median(all))]);
    table([['hook', 'quiet', 'median'], ...rows]);
    const added = quiet(times['git-memory']) - quiet(times.empty);
    verdict(added < limitMs, `the hook adds ${ms(added)} ms to an empty one, ${limitMs} are allowed`);
  }
}

function commitOnce(dir, message) {
  for (let number = 0; number < filesPerCommit; number++) {
    const path = `${dir}/knowledge/reference/${number}/note-${number}.md`;
    fs.writeFileSync(path, `# Note ${number}\n\n- ${message}\n`);
  }
  const git = (...args) =>
    spawnSync('git', ['-C', dir, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], { encoding: 'utf8' });
  git('add', '-A');
  const started = performance.now();
  const { status, stderr } = git('commit', '-qm', message);
  const spent = performance.now() - started;
  if (status !== 0) throw new Error(stderr);
  return spent;
}
