// Native git's housekeeping as a task of maintenance: when it is let at the repository, what keeps it away, and writers beside it.

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { machineNetwork } from '../../src/adapters/network.ts';
import type { MaintainResult } from '../../src/base/types.ts';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';

const runOf = ({ runs }: MaintainResult) => runs.find(({ task }) => task === 'git-gc')!;
const leftBy = (result: MaintainResult) => runOf(result).result!.left.map(({ why }) => why);
const named = { tasks: ['git-gc'] };

async function grown(captures = 4): Promise<{ memory: Memory; directory: string; quieten: () => void }> {
  const { memory, directory, clock } = await newTestMemory();
  for (let number = 1; number <= captures; number++) await memory.capture(`Note ${number} about the harbour.`);
  const quieten = () => {
    const time = (clock.now() - 11 * 60_000) / 1000;
    for (const entry of fs.readdirSync(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isSymbolicLink()) fs.utimesSync(path.join(entry.parentPath, entry.name), time, time);
    }
  };
  return { memory, directory, quieten };
}

const countOf = (directory: string, key: string) =>
  Number(new RegExp(`^${key}: (\\d+)$`, 'm').exec(git(directory, 'count-objects', '-v'))![1]);

describe.runIf(hasGit)('the housekeeping of native git', () => {
  it('is done by itself when git finds it due and nobody wrote for a while, and what is open goes on', async () => {
    const { memory, directory, quieten } = await grown();
    git(directory, 'config', 'gc.autoPackLimit', '3');
    expect(runOf(await memory.maintenance.run())).toMatchObject({
      state: 'not due',
      why: 'somebody wrote a moment ago',
    });
    for (let number = 5; number <= 8; number++) await memory.capture(`Note ${number} about the harbour.`);
    const packs = countOf(directory, 'packs');
    quieten();
    const { state, result } = runOf(await memory.maintenance.run());
    expect(state).toBe('done');
    expect(result!.items.map(({ why }) => why)).toEqual([
      `${packs} packs and 0 loose objects became 1 pack and 0 loose objects`,
    ]);
    expect(countOf(directory, 'packs')).toBeLessThan(packs);
    expect(fsck(directory)).toBe('');
    expect((await memory.recall('harbour', { limit: 20 })).hits).toHaveLength(8);
    expect((await memory.capture('One more about the harbour.')).commit).not.toBeNull();
    quieten();
    expect(runOf(await memory.maintenance.run())).toMatchObject({ state: 'not due', why: 'it ran lately' });
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('leaves alone what git finds in order, and a repository whose owner said so', async () => {
    const { memory, directory, quieten } = await grown();
    const ask = async () => {
      quieten();
      fs.rmSync(path.join(directory, '.git/git-memory/cache'), { recursive: true, force: true });
      const { result, state } = runOf(await memory.maintenance.run());
      return [state, result!.items.length, ...result!.left.map(({ why }) => why)];
    };
    expect(await ask()).toEqual(['done', 0]);
    git(directory, 'config', 'gc.autoPackLimit', '3');
    git(directory, 'config', '--unset', 'git-memory.gc');
    expect(await ask()).toEqual(['done', 0, 'gc.auto is 0']);
    git(directory, 'config', '--unset', 'gc.auto');
    expect(await ask()).toEqual(['done', 0, 'maintenance.auto is off']);
    git(directory, 'config', '--unset', 'maintenance.auto');
    const hook = path.join(directory, '.git/hooks/pre-auto-gc');
    fs.mkdirSync(path.dirname(hook), { recursive: true });
    fs.writeFileSync(hook, `#!/bin/sh\ntouch ${directory}/ran\n`, { mode: 0o755 });
    expect(await ask()).toEqual(['done', 0, expect.stringContaining('hook pre-auto-gc')]);
    fs.rmSync(hook);
    for (const text of ['One more.', 'And another.', 'A third.', 'A fourth.']) await memory.capture(text);
    expect(await ask()).toEqual(['done', 1]);
    git(directory, 'config', 'gc.recentObjectsHook', `touch ${directory}/ran`);
    expect(leftBy(await memory.maintenance.run(named))).toEqual([expect.stringContaining('gc.recentObjectsHook')]);
    expect(fs.existsSync(path.join(directory, 'ran'))).toBe(false);
  });

  it('is told and no failure where git is missing, busy, or stopped', async () => {
    const { memory, directory } = await grown(1);
    const mark = path.join(directory, '.git/gc.pid');
    fs.writeFileSync(mark, `${process.pid} ${hostname()}`);
    expect(leftBy(await memory.maintenance.run(named))).toEqual(['a git gc is under way']);
    await expect(memory.purge({ text: 'the harbour' })).rejects.toMatchObject({
      code: 'LOCKED',
      where: mark,
    });
    const gone = spawnSync(process.execPath, ['-e', '']).pid;
    fs.writeFileSync(mark, `${gone} ${hostname()}`);
    expect((await memory.purge({ text: 'the harbour' })).objects).toBeGreaterThan(0);
    expect(leftBy(await memory.maintenance.run(named))).toEqual([]);
    await expect(memory.maintenance.run({ ...named, signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
    await memory.close();
    const network = machineNetwork();
    const start: typeof network.programs.start = (_, ...rest) => network.programs.start('no-such-git', ...rest);
    const without = await openMemory({
      dir: directory,
      network: { ...network, programs: { ...network.programs, start } },
    });
    expect(leftBy(await without.maintenance.run(named))).toEqual(['no git is installed here']);
    await without.close();
  });

  it('takes nothing away from those who write meanwhile', async () => {
    const { memory, directory } = await grown();
    git(directory, 'config', 'gc.pruneExpire', 'now');
    const other = await openMemory({ dir: directory });
    let isOver = false;
    const paths: string[] = [];
    const write = async (handle: Memory, name: string) => {
      for (let number = 0; !isOver; number++) {
        const text = `${name} saw boat ${number}.`;
        paths.push((await handle.capture(text)).path);
        await handle.remember({ content: `Boat ${number} of ${name} is blue.` });
        // Lets what comes from the programs beside in.
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const collect = async () => {
      for (let round = 0; round < 4; round++) expect(leftBy(await memory.maintenance.run(named))).toEqual([]);
      isOver = true;
    };
    await Promise.all([collect(), write(memory, 'Ada'), write(other, 'Bo')]);
    await Promise.all([memory.close(), other.close()]);
    expect(fsck(directory)).toBe('');
    const kept = new Set(git(directory, 'ls-tree', '-r', '--name-only', '-z', 'HEAD').split('\0'));
    expect(paths.length).toBeGreaterThan(8);
    expect(paths.filter((file) => !kept.has(file))).toEqual([]);
  });
});
