// A person who changes branches, stashes and resets with native git in the work tree in which the engine writes. What comes and goes with
// that is no hand edit: no commit of the engine takes an acknowledged word from the branch. Native git and its log are the judges.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { goingOn, longRunMs } from '../helpers/long-run.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const rounds = Number(process.env.CHECKOUT_ROUNDS ?? 2);
const page = 'knowledge/log.md';

/** What the person does over and over; each may fail for want of a lock, and goes on. */
const habits: Readonly<Record<string, string>> = {
  'changes branches': 'git checkout -q other; sleep 0.02; git checkout -q main',
  stashes: `echo typed >> ${page}; git stash -q; git stash drop -q`,
  'resets the work tree': 'git reset -q --hard',
  'takes entries out of the index': `git rm -q --cached ${page}; git reset -q`,
  'does all of that': `git checkout -q other; git checkout -q main; git stash -q; git stash drop -q; git reset -q --hard; git rm -q --cached ${page}; git reset -q`,
};

/** Lists what commits of the engine took from the branch: files, lines of the page, uses. */
function takenByEngine(directory: string): string[] {
  const moves = fs
    .readFileSync(path.join(directory, '.git/logs/refs/heads/main'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('\tgit-memory: ') && !/^0+ /.test(line))
    .map((line) => line.split(' ').slice(0, 2) as [from: string, to: string]);
  const pairs = moves.map(([from, to]) => `${to} ${from}\n`).join('');
  const parameters = ['diff-tree', '--stdin', '-r', '--no-renames', '--raw', '--numstat', '--no-abbrev'];
  const { stdout } = tryGit(directory, parameters, pairs);
  expect(stdout.match(/^[0-9a-f]{40}$/gm)).toEqual(moves.map(([, to]) => to));
  const taken: string[] = [];
  const uses: { readonly name: string; readonly to: string; readonly blobs: readonly string[] }[] = [];
  let to = '';
  for (const line of stdout.split('\n')) {
    if (/^[0-9a-f]{40}$/.test(line)) to = line;
    const change = /^:\d+ \d+ (\w+) (\w+) (\w)\t(.*)$/.exec(line);
    if (change !== null) {
      const [, before = '', after = '', status, name = ''] = change;
      if (status === 'D') taken.push(`${name} in ${to}`);
      else if (status === 'M' && name.startsWith('memories/')) uses.push({ name, to, blobs: [before, after] });
    }
    const lines = /^(?:\d+|-)\t(\d+|-)\t(.*)$/.exec(line);
    if (lines?.[2] === page && lines[1] !== '0') taken.push(`${lines[1]} lines of ${page} in ${to}`);
  }
  const records = tryGit(
    directory,
    ['cat-file', '--batch'],
    uses.flatMap(({ blobs }) => `${blobs.join('\n')}\n`).join(''),
  );
  const counts = [...records.stdout.matchAll(/"use_count": (\d+)/g)].map(([, count]) => Number(count));
  expect(counts).toHaveLength(2 * uses.length);
  for (const [at, use] of uses.entries())
    if (counts[2 * at + 1]! < counts[2 * at]!) taken.push(`a use of ${use.name} in ${use.to}`);
  return taken;
}

describe.runIf(hasGit)('an engine that writes beside a person who', () => {
  it.each(Object.entries(habits))(
    '%s takes nothing from the branch',
    async (_, habit) => {
      const directory = temporaryFolder();
      const first = await openMemory({ dir: directory, create: true, durability: 'fast' });
      await first.remember({ id: 'used', content: 'what is used over and over' });
      await first.write(page, '# Log\n\n- line 0\n');
      await first.commit();
      git(directory, 'branch', 'other');
      for (let i = 0; i < 2; i++) await first.remember({ id: `old-${i}`, content: `old words ${i}` });
      await first.edit(page, '# Log\n\n', '# Log\n\n- line of main\n');
      await first.records.touch('used');
      await first.commit();
      await first.close();
      git(directory, 'config', 'user.name', 'Person');
      git(directory, 'config', 'user.email', 'person@example.org');
      const person = spawn('sh', ['-c', `while [ ! -e .git/stop ]; do ${habit}; sleep 0.03; done`], {
        cwd: directory,
        stdio: 'ignore',
        env: { ...process.env, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
      });
      const isOver = new Promise((resolve) => person.once('exit', resolve));
      const memory = await openMemory({ dir: directory, branch: 'main', durability: 'fast', indexWaitMs: 200 });
      const hasMore = goingOn(rounds * 10);
      for (let i = 0; hasMore(i); i++) {
        try {
          await memory.remember({ id: `new-${i}`, content: `new words ${i}` });
          await memory.records.touch('used');
          await memory.edit(page, '# Log\n\n', `# Log\n\n- line ${i} of the engine\n`);
          if (i % 3 === 0) await memory.capture(`words ${i} that were said`);
          await memory.commit();
        } catch (error) {
          if (!(error instanceof MemoryError) || !['LOCKED', 'NOT_FOUND'].includes(error.code)) throw error;
        }
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      fs.writeFileSync(path.join(directory, '.git/stop'), '');
      await isOver;
      await memory.close();
      expect(takenByEngine(directory)).toEqual([]);
      expect(fsck(directory)).toBe('');
    },
    longRunMs + 120_000,
  );
});
