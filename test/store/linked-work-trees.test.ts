// A branch that is checked out in another work tree of the repository: its files and index follow there.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** A memory whose branch `main` is checked out in a linked work tree, and `side` in the main one. */
async function linkedMemory() {
  const { memory, directory } = await newTestMemory();
  await memory.write('knowledge/a.md', 'one\n');
  await memory.close();
  git(directory, 'checkout', '-q', '-b', 'side');
  const linked = path.join(temporaryFolder(), 'linked');
  git(directory, 'worktree', 'add', '-q', linked, 'main');
  return { directory, linked };
}

const statusOf = (folder: string) => git(folder, 'status', '--porcelain');

describe.runIf(hasGit)('a branch that is checked out in a linked work tree', () => {
  it('has its files and index there follow what is written from the main one', async () => {
    const { directory, linked } = await linkedMemory();
    const memory = await openMemory({ dir: directory, branch: 'main' });
    const { path: captured } = await memory.capture('words that were said');
    await memory.write('knowledge/a.md', 'two\n');
    await memory.commit();
    await memory.close();
    expect(fs.existsSync(path.join(linked, captured))).toBe(true);
    expect(fs.readFileSync(path.join(linked, 'knowledge/a.md'), 'utf8')).toBe('two\n');
    expect(fs.readFileSync(path.join(directory, 'knowledge/a.md'), 'utf8')).toBe('one\n');
    expect([statusOf(linked), statusOf(directory)]).toEqual(['', '']);
    expect(git(linked, 'reflog', '-1', 'HEAD')).toContain('git-memory');
    expect(fsck(directory)).toBe('');
  });

  it('has hand edits there taken in', async () => {
    const { directory, linked } = await linkedMemory();
    fs.appendFileSync(path.join(linked, 'knowledge/a.md'), 'by hand\n');
    const memory = await openMemory({ dir: directory, branch: 'main' });
    await memory.commit();
    expect(await memory.read('knowledge/a.md')).toBe('one\nby hand\n');
    await memory.close();
    expect(statusOf(linked)).toBe('');
  });

  it('is followed in the main work tree when it is written from a linked one, and stops when it is left', async () => {
    const { directory, linked } = await linkedMemory();
    const memory = await openMemory({ dir: linked, branch: 'side' });
    await memory.write('knowledge/b.md', 'from afar\n');
    await memory.commit();
    expect(fs.readFileSync(path.join(directory, 'knowledge/b.md'), 'utf8')).toBe('from afar\n');
    expect([statusOf(linked), statusOf(directory)]).toEqual(['', '']);
    git(directory, 'checkout', '-q', '-b', 'elsewhere');
    await memory.write('knowledge/b.md', 'later\n');
    await memory.commit();
    await memory.close();
    expect(fs.readFileSync(path.join(directory, 'knowledge/b.md'), 'utf8')).toBe('from afar\n');
    expect([statusOf(linked), statusOf(directory)]).toEqual(['', '']);
    expect(git(directory, 'show', 'side:knowledge/b.md')).toBe('later\n');
  });

  it('is followed where a bare repository has work trees', async () => {
    const { memory, directory } = await newTestMemory({ placement: 'bare' });
    await memory.close();
    const linked = path.join(temporaryFolder(), 'linked');
    git(directory, 'worktree', 'add', '-q', linked, 'main');
    for (const dir of [directory, linked]) {
      const again = await openMemory({ dir, branch: 'main' });
      await again.write('knowledge/a.md', `${dir}\n`);
      await again.close();
      expect(fs.readFileSync(path.join(linked, 'knowledge/a.md'), 'utf8')).toBe(`${dir}\n`);
      expect(statusOf(linked)).toBe('');
    }
  });

  it('passes over a work tree that is gone', async () => {
    const { directory, linked } = await linkedMemory();
    fs.rmSync(linked, { recursive: true });
    const memory = await openMemory({ dir: directory, branch: 'main' });
    await memory.write('knowledge/a.md', 'two\n');
    await memory.close();
    expect(git(directory, 'show', 'main:knowledge/a.md')).toBe('two\n');
  });
});
