// Lock files of native git: what is written while one stands, what an error says of it, and which ones doctor takes for left behind.

import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { posix as path } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { badManners } from '../helpers/error-manners.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
});

const quick = { indexWaitMs: 30 };
const said = { messages: [{ role: 'user' as const, text: 'We go on.' }] };

async function repository(placement: 'repository' | 'bare' = 'repository') {
  const { memory, directory } = await newTestMemory({ placement, ...quick });
  await memory.remember('One is told');
  await memory.commit();
  return { memory, directory, gitDirectory: placement === 'bare' ? directory : path.join(directory, '.git') };
}

/** Puts a lock file there, so many minutes old. */
function lock(file: string, minutes = 0): string {
  fs.writeFileSync(file, '');
  const time = Date.now() / 1000 - minutes * 60;
  fs.utimesSync(file, time, time);
  return file;
}

describe('while a lock of the branch stands', () => {
  it.each(['repository', 'bare'] as const)('a capture waits in the journal (%s)', async (placement) => {
    const { memory, directory, gitDirectory } = await repository(placement);
    const held = lock(path.join(gitDirectory, 'refs/heads/main.lock'));
    const tip = memory.tip;
    const packs = () => fs.readdirSync(path.join(gitDirectory, 'objects/pack'));
    const before = packs();
    const captured = await memory.capture(said);
    expect(captured).toMatchObject({ commit: null });
    await memory.remember('Two is told');
    expect(memory.tip).toBe(tip);
    expect(packs()).toEqual(before);
    await expect(memory.commit()).rejects.toMatchObject({
      code: 'LOCKED',
      where: held,
      message: expect.stringMatching(/holds the branch: main\.lock is \d+ s old and of \S+; /),
    });
    memory.dispose();
    fs.rmSync(held);
    const again = await openMemory({ dir: directory, ...quick });
    await again.commit();
    expect(await again.read(captured.path)).toContain('We go on.');
    expect((await again.list()).memories).toHaveLength(2);
    expect((await again.status()).pending).toEqual([]);
    await again.close();
  });

  it('an undo fails, and changes nothing', async () => {
    const { memory, gitDirectory } = await repository();
    const held = lock(path.join(gitDirectory, 'refs/heads/main.lock'));
    const error = await memory.undo(memory.tip!).catch((reason) => reason);
    expect(error).toMatchObject({ code: 'LOCKED', where: held });
    expect(badManners(error)).toEqual([]);
  });
});

describe.runIf(hasGit && process.platform === 'linux')('doctor', () => {
  const names = ['index.lock', 'HEAD.lock', 'refs/heads/main.lock', 'packed-refs.lock', 'config.lock', 'shallow.lock'];
  const found = async (dir: string, fix = true) =>
    (await doctor({ dir, fix })).findings.filter(({ code }) => code.startsWith('LOCK_'));

  it('puts aside what no process holds', async () => {
    const { memory, directory, gitDirectory } = await repository();
    await memory.close();
    const files = names.map((name) => lock(path.join(gitDirectory, name), 11));
    const told = await found(directory);
    expect(told.map(({ code, where, isFixed }) => [code, where, isFixed])).toEqual(
      files.toSorted().map((file) => ['LOCK_LEFT', file, true]),
    );
    expect(told[0]!.what).toMatch(/\.lock is 11 min old and of \S+; no process of this machine uses it/);
    expect(files.filter((file) => fs.existsSync(file))).toEqual([]);
    const again = await openMemory({ dir: directory, ...quick });
    expect(await again.capture(said)).toMatchObject({ commit: expect.any(String) });
    await again.close();
  });

  it('leaves what is young, or open in a process', async () => {
    const { memory, directory, gitDirectory } = await repository();
    await memory.close();
    const young = lock(path.join(gitDirectory, 'packed-refs.lock'), 5);
    const open = lock(path.join(gitDirectory, 'index.lock'), 60);
    const descriptor = fs.openSync(open, 'r');
    started.push(spawn('sleep', ['60'], { stdio: [descriptor, 'ignore', 'ignore'] }));
    fs.closeSync(descriptor);
    const told = await found(directory);
    expect(told.map(({ code, where, isFixed }) => [code, where, isFixed])).toEqual([
      ['LOCK_HELD', open, false],
      ['LOCK_HELD', young, false],
    ]);
    expect(told[0]!.what).toContain(`sleep (process ${started[0]!.pid}) uses it`);
    expect(fs.existsSync(open) && fs.existsSync(young)).toBe(true);
  });

  it('leaves the index to a commit whose editor is open, from wherever git was called', async () => {
    const { memory, directory, gitDirectory } = await repository();
    await memory.close();
    fs.appendFileSync(path.join(directory, 'memory.yaml'), '# A word.\n');
    const editor = `touch ${gitDirectory}/editing; sleep 60 #`;
    const options = { cwd: '/', stdio: 'ignore', env: { ...process.env, GIT_EDITOR: editor }, detached: true } as const;
    const child = spawn('git', [`--git-dir=${gitDirectory}`, `--work-tree=${directory}`, 'commit', '-a'], options);
    try {
      while (!fs.existsSync(path.join(gitDirectory, 'editing')))
        await new Promise((resolve) => setTimeout(resolve, 10));
      const held = path.join(gitDirectory, 'index.lock');
      expect(fs.existsSync(held)).toBe(true);
      fs.utimesSync(held, 0, 0);
      const [finding] = await found(directory);
      expect(finding).toMatchObject({ code: 'LOCK_HELD', where: held, isFixed: false });
      expect(finding!.what).toContain(`git (process ${child.pid}) uses it`);
      expect(fs.existsSync(held)).toBe(true);
    } finally {
      process.kill(-child.pid!, 'SIGKILL');
    }
    await new Promise((resolve) => child.once('exit', resolve));
    expect((await found(directory)).map(({ code, isFixed }) => [code, isFixed])).toEqual([['LOCK_LEFT', true]]);
    expect(git(directory, 'status', '--porcelain').trim()).toBe('M memory.yaml');
  });

  it('names the command where nobody can see what runs', async () => {
    const { memory, directory, gitDirectory } = await repository();
    await memory.close();
    const held = lock(path.join(gitDirectory, 'index.lock'), 60);
    const readdirSync = (name: string, ...rest: never[]) => {
      if (name === '/proc') throw Object.assign(new Error('ENOENT'), { code: 'ENOENT', syscall: 'scandir' });
      return (fs.readdirSync as (...all: unknown[]) => unknown)(name, ...rest);
    };
    const elsewhere = { ...fs, readdirSync } as unknown as typeof fs;
    const { findings } = await doctor({ dir: directory, fix: true, fs: elsewhere });
    expect(findings.find(({ where }) => where === held)).toMatchObject({
      code: 'LOCK_LEFT',
      isFixed: false,
      fix: expect.stringContaining(`\`rm ${held}\``),
    });
    expect(fs.existsSync(held)).toBe(true);
  });
});
