// What a native commit leaves behind that read the index before the engine's commit and wrote it after: made here step by step, since
// nothing holds native git in that instant. `git write-tree` writes the index as `git commit` does.

import { copyFileSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { failingFileSystem } from '../helpers/failing-fs.ts';
import { fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

interface Place {
  readonly dir: string;
  readonly memory: Memory;
}

async function place(): Promise<Place> {
  const dir = join(temporaryFolder(), 'memory');
  const memory = await openMemory({ dir, create: true });
  await memory.write('knowledge/plan.md', '# Plan\n\nWe ship on Tuesday.\n');
  await memory.commit();
  return { dir, memory };
}

/** Runs `between` after native git has read the index and before it writes what it read, in the second of the last commit. */
async function whileGitCommits(dir: string, between: () => Promise<unknown>): Promise<void> {
  const read = join(dir, '.git/index.read');
  copyFileSync(join(dir, '.git/index'), read);
  await between();
  expect(tryGit(dir, ['write-tree'], undefined, { GIT_INDEX_FILE: read }).status).toBe(0);
  const time = Number(git(dir, 'log', '-1', '--format=%ct'));
  utimesSync(read, time, time);
  renameSync(read, join(dir, '.git/index'));
}

/** What git says, which writes no index of its own for it. */
const status = (dir: string): string[] =>
  git(dir, '--no-optional-locks', 'status', '--porcelain', '--untracked-files=all')
    .split('\n')
    .filter((line) => line !== '')
    .sort();

describe.skipIf(!hasGit)('files that a checkout has left as they were before commits of the engine', () => {
  it('follow the branch, and are taken for no edit by hand', async () => {
    for (const next of ['commit', 'edit'] as const) {
      const { dir, memory } = await place();
      await memory.close();
      const main = join(dir, '.git/refs/heads/main');
      const read = readFileSync(main);
      git(dir, 'checkout', '-qb', 'other');
      // The engine commits while the checkout, which has read where the branch is, is on its way to it.
      const other = await openMemory({ dir, branch: 'main' });
      await other.edit('knowledge/plan.md', 'Tuesday', 'Friday');
      await other.write('knowledge/people/eve.md', '# Eve\n');
      await other.commit();
      const written = readFileSync(main);
      writeFileSync(main, read);
      git(dir, 'checkout', '-q', 'main');
      writeFileSync(main, written);
      const past = new Date(Date.now() - 60_000);
      utimesSync(join(dir, '.git/index'), past, past);
      expect(status(dir)).toEqual(['D  knowledge/people/eve.md', 'M  knowledge/plan.md']);
      if (next === 'edit') await other.edit('knowledge/plan.md', '# Plan\n', '# Plan\n\nAt last.\n');
      await other.commit();
      expect(status(dir)).toEqual([]);
      expect(readFileSync(join(dir, 'knowledge/plan.md'), 'utf8')).toContain('We ship on Friday.');
      expect(await other.read('knowledge/plan.md')).toContain('We ship on Friday.');
      expect((await other.log({ operation: 'edit' })).commits).toHaveLength(next === 'edit' ? 1 : 0);
      await other.close();
    }
  });
});

describe.skipIf(!hasGit)('files of a branch that is checked out while it moves without them', () => {
  it('follow it, also where git has the index before they can', async () => {
    for (const isHeld of [false, true]) {
      const { dir, memory } = await place();
      await memory.close();
      git(dir, 'checkout', '-qb', 'other');
      const lock = join(dir, '.git/index.lock');
      let isMoving = false;
      // The engine has seen that the branch is checked out nowhere, and moves it.
      const { fs } = failingFileSystem(({ path }) => {
        if (!isMoving || !path.includes('refs/heads/main.lock')) return null;
        isMoving = false;
        git(dir, 'checkout', '-q', 'main');
        if (isHeld) writeFileSync(lock, '', { flag: 'wx' });
        return null;
      });
      const other = await openMemory({ dir, branch: 'main', fs });
      await other.edit('knowledge/plan.md', 'Tuesday', 'Friday');
      await other.write('knowledge/people/eve.md', '# Eve\n');
      isMoving = true;
      await other.commit();
      expect(isMoving).toBe(false);
      if (isHeld) rmSync(lock);
      else expect(status(dir)).toEqual([]);
      // What takes entries out of the index leaves nothing that tells of the checkout.
      git(dir, 'rm', '-q', '--cached', 'knowledge/plan.md');
      git(dir, 'reset', '-q');
      await other.edit('knowledge/plan.md', '# Plan\n', '# Plan\n\nAt last.\n');
      await other.commit();
      expect(status(dir)).toEqual([]);
      expect(readFileSync(join(dir, 'knowledge/plan.md'), 'utf8')).toContain('We ship on Friday.');
      expect((await other.log({ operation: 'edit' })).commits).toHaveLength(1);
      await other.close();
    }
  });
});

describe.skipIf(!hasGit)('an index that native git has put back to before commits of the engine', () => {
  it('gets their entries back with the next commit, and keeps what a person staged', async () => {
    const { dir, memory } = await place();
    await memory.write('knowledge/people/eve.md', '# Eve\n');
    writeFileSync(join(dir, 'own.txt'), 'of a person\n');
    git(dir, 'add', 'own.txt');
    await whileGitCommits(dir, async () => {
      await memory.commit();
      await memory.write('knowledge/plan.md', '# Plan\n\nWe ship on Friday.\n');
      await memory.commit();
    });
    expect(status(dir)).toEqual([
      '?? knowledge/people/eve.md',
      'A  own.txt',
      'D  knowledge/people/eve.md',
      'MM knowledge/plan.md',
    ]);
    const before = Number(git(dir, 'rev-list', '--count', 'HEAD'));
    await memory.commit();
    expect(status(dir)).toEqual(['A  own.txt']);
    // Nothing had to be committed for it.
    expect(Number(git(dir, 'rev-list', '--count', 'HEAD'))).toBe(before);
    expect(fsck(dir)).toBe('');
    await memory.close();
  });

  it('is left alone where a person took an entry out', async () => {
    const { dir, memory } = await place();
    await memory.write('knowledge/people/eve.md', '# Eve\n');
    await memory.commit();
    git(dir, 'rm', '-q', '--cached', 'knowledge/people/eve.md');
    const left = status(dir);
    expect(left).toEqual(['?? knowledge/people/eve.md', 'D  knowledge/people/eve.md']);
    await memory.commit();
    expect(status(dir)).toEqual(left);
    await memory.close();
  });

  it('is left alone where it was written later, where a file has changed since, and where it has some of the entries', async () => {
    for (const change of ['late', 'edited', 'partly'] as const) {
      const { dir, memory } = await place();
      await memory.write('knowledge/people/eve.md', '# Eve\n');
      await memory.write('knowledge/people/ada.md', '# Ada\n');
      await whileGitCommits(dir, () => memory.commit());
      const index = join(dir, '.git/index');
      if (change === 'late') utimesSync(index, new Date(), new Date(Date.now() + 60_000));
      if (change === 'edited') rmSync(join(dir, 'knowledge/people/eve.md'));
      if (change === 'partly') {
        git(dir, 'add', 'knowledge/people/ada.md');
        git(dir, 'write-tree');
      }
      const written = readFileSync(index);
      await memory.commit();
      expect([change, readFileSync(index).equals(written)]).toEqual([change, true]);
      await memory.close();
    }
  });

  it('is seen by a program that was not there, when it captures', async () => {
    const { dir, memory } = await place();
    await memory.write('knowledge/people/eve.md', '# Eve\n');
    await whileGitCommits(dir, () => memory.commit());
    await memory.close();
    const other = await openMemory({ dir });
    await other.remember('Eve likes tea in the morning');
    await other.commit();
    expect(status(dir)).toEqual([]);
    await other.close();
  });
});
