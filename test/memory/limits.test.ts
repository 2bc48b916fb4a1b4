import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

async function rememberMany(memory: Memory, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < count; i++) ids.push((await memory.remember(`fact ${i}`)).id!);
  await memory.commit();
  return ids;
}

const hasCode = (code: string, message: RegExp) => ({ code, message: expect.stringMatching(message) });

describe('a commit that takes many memories away', () => {
  it('has to be asked for when they are forgotten one after the other', async () => {
    const { memory } = await newTestMemory();
    const ids = await rememberMany(memory, 40);
    for (const id of ids.slice(0, 9)) await memory.forget(id);
    await expect(memory.forget(ids[9]!)).rejects.toMatchObject(hasCode('MASS_REMOVAL', /10 of 40 memories/));
    expect((await memory.commit()).commits).toHaveLength(1);
    expect((await memory.list()).memories).toHaveLength(31);
    for (const id of ids.slice(9, 30)) await memory.forget(id, { allowRemovals: true });
    await memory.commit();
    expect((await memory.list()).memories).toHaveLength(10);
  });

  it('is an ordinary one while it is a fifth of them at most', async () => {
    const { memory } = await newTestMemory();
    const ids = await rememberMany(memory, 60);
    for (const id of ids.slice(0, 12)) await memory.forget(id);
    await expect(memory.remove(`${(await memory.get(ids[12]!)).path}`)).rejects.toMatchObject({ code: 'MASS_REMOVAL' });
    await memory.commit();
    expect((await memory.list()).memories).toHaveLength(48);
  });

  it('is not made of files that somebody deleted, and nothing else is held up', async () => {
    const { memory, directory } = await newTestMemory();
    await rememberMany(memory, 20);
    fs.rmSync(path.join(directory, 'memories'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'memory.yaml'), 'flush_minutes: 10\n');
    const { commits, skipped } = await memory.commit();
    expect(commits.length).toBeGreaterThan(0);
    expect(skipped).toEqual([
      { path: 'memories', why: expect.stringMatching(/20 files are gone at once.*git memory commit/) },
    ]);
    expect((await memory.list()).memories).toHaveLength(20);
    await memory.commit('a clean sweep', { allowRemovals: true });
    expect((await memory.list()).memories).toEqual([]);
  });

  it('is not made by undo unless it is asked for; a dry run shows what it would do', async () => {
    const { memory } = await newTestMemory();
    await rememberMany(memory, 15);
    const tip = memory.tip!;
    await expect(memory.undo(tip)).rejects.toMatchObject(hasCode('MASS_REMOVAL', /15 of 15/));
    expect(memory.tip).toBe(tip);
    expect((await memory.undo(tip, { dryRun: true })).undone).toEqual([tip]);
    expect((await memory.undo(tip, { allowRemovals: true })).undone).toEqual([tip]);
    expect((await memory.list()).memories).toEqual([]);
    await memory.undo('HEAD');
    expect((await memory.list()).memories).toHaveLength(15);
  });

  it.runIf(hasGit)('is stopped by the pre-commit hook of native git', async () => {
    const { memory, directory } = await newTestMemory();
    await rememberMany(memory, 12);
    git(directory, 'rm', '-rq', 'memories');
    expect((await memory.git.checkStaged()).violations).toEqual([
      { path: 'memories', why: expect.stringMatching(/12 of 12 memories/) },
    ]);
  });

  it('is judged by the numbers of memory.yaml', async () => {
    const { memory } = await newTestMemory({}, 'limits:\n  removed_share: 0.5\n');
    const ids = await rememberMany(memory, 24);
    for (const id of ids.slice(0, 12)) await memory.forget(id);
    await expect(memory.forget(ids[12]!)).rejects.toMatchObject({ code: 'MASS_REMOVAL' });
  });
});

describe('quotas', () => {
  it('bound the messages of a session, with counts', async () => {
    const { memory } = await newTestMemory({}, 'limits:\n  session_messages: 3\n');
    const session = await memory.startSession();
    for (let i = 0; i < 3; i++) await session.message('user', `message ${i}`);
    await expect(session.message('user', 'one more')).rejects.toMatchObject(
      hasCode('QUOTA', /4 messages, and 3 are allowed/),
    );
    expect((await session.end()).turns).toBe(3);
    const messages = Array.from({ length: 4 }, (_, i) => ({ role: 'user', text: `message ${i}` }));
    await expect(memory.capture({ messages })).rejects.toMatchObject({ code: 'QUOTA' });
  });

  it('bound the memories of a branch', async () => {
    const { memory } = await newTestMemory({}, 'limits:\n  memories: 5\n');
    await rememberMany(memory, 5);
    const refused = hasCode('QUOTA', /6 memories, and 5 are allowed/);
    await expect(memory.remember('one more')).rejects.toMatchObject(refused);
    await memory.capture('Decision: we ship on Tuesday.');
    await expect(memory.extract()).rejects.toMatchObject(refused);
    await writeConfiguration(memory, 'limits:\n  memories: 6\n');
    await memory.remember('one more');
    await expect(memory.remember('and another')).rejects.toMatchObject({ code: 'QUOTA' });
    expect((await memory.commit()).commits.length).toBeGreaterThan(0);
  });

  it('bound what one file may hold', async () => {
    const { memory } = await newTestMemory({}, 'limits:\n  file_bytes: 100\n  raw_bytes: 500\n');
    await expect(memory.write('knowledge/a.md', 'x'.repeat(101))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(memory.capture('word '.repeat(100))).rejects.toMatchObject({ code: 'TOO_LARGE' });
    expect((await memory.write('knowledge/a.md', 'x'.repeat(100))).pending).toBe(true);
  });

  it('make a writer commit what waits before the journal is full', async () => {
    const { memory } = await newTestMemory({}, 'limits:\n  pending_writes: 10\n');
    for (let i = 0; i < 40; i++) {
      await memory.remember(`fact ${i}`);
      expect((await memory.status()).pending.length).toBeLessThan(10);
    }
    await memory.commit();
    expect((await memory.list()).memories).toHaveLength(40);
  });

  it.runIf(hasGit)('refuse more writes, with counts, where commits are made on request only', async () => {
    const { memory } = await newTestMemory({ placement: 'repository' });
    await memory.close();
    const { memory: project } = await newProject();
    await writeConfiguration(project, 'placement: project\nlimits:\n  pending_writes: 5\n');
    for (let i = 0; i < 4; i++) await project.remember(`fact ${i}`);
    await expect(project.remember('one more')).rejects.toMatchObject(hasCode('QUOTA', /5 writes/));
    await project.commit();
    await project.remember('one more');
  });
});

async function newProject() {
  const { memory, directory } = await newTestMemory();
  await memory.close();
  fs.rmSync(directory, { recursive: true });
  fs.mkdirSync(directory);
  if (hasGit) {
    git(directory, 'init', '-q', '-b', 'main');
    git(directory, 'commit', '-q', '--allow-empty', '-m', 'code');
  }
  return newTestMemory({ dir: directory, placement: 'project' });
}
