// The daemon of maintenance as a real process: does what becomes due, beside other writers, survives a kill, and ends when told to.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { writeConfiguration } from '../../helpers/memories.ts';
import { blemishes, git, hasGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment, programPath } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const configuration = 'maintain:\n  every_hours:\n    expire: 0.0002\n    gc: 0\n    consolidate: 0\n';

/** Writes a memory whose time is over, from a process beside the daemon: this one. */
async function addExpired(directory: string, id: string): Promise<void> {
  const memory = await openMemory({ dir: directory });
  const record = newMemory({ id, content: `For a while: ${id}.`, now: Date.now(), expiresAt: 1_000_000_000 });
  await memory.write(memoryPath(id), formatMemory(record));
  await memory.commit();
  await memory.close();
}

/** Waits until the daemon has put a memory aside. */
async function archived(directory: string, id: string): Promise<void> {
  for (;;) {
    const text = git(directory, 'show', `main:${memoryPath(id)}`);
    if (text.includes('"status": "archived"')) return;
    await sleep(100);
  }
}

describe.runIf(hasGit)('git memory maintain --daemon', () => {
  beforeAll(buildProgram, 240_000);

  it('does what becomes due, goes on where a killed one stopped, and tells what it did when it is told to end', async () => {
    const directory = `${temporaryFolder()}/memory`;
    const memory = await openMemory({ dir: directory, create: true });
    await writeConfiguration(memory, configuration);
    await memory.close();
    const start = () => {
      const child = spawn(process.execPath, [programPath, 'maintain', '--daemon', '--json'], {
        cwd: directory,
        env: programEnvironment(),
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      const said = { out: '', error: '' };
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said.out += text;
      });
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said.error += text;
      });
      return { child, said };
    };
    const first = start();
    await addExpired(directory, 'one');
    await archived(directory, 'one');
    first.child.kill('SIGKILL');
    await once(first.child, 'close');
    await addExpired(directory, 'two');
    const second = start();
    await archived(directory, 'two');
    await addExpired(directory, 'three');
    await archived(directory, 'three');
    second.child.kill('SIGTERM');
    const [status] = await once(second.child, 'close');
    expect([status, second.said.error]).toEqual([0, '']);
    const told = JSON.parse(second.said.out);
    expect(told.rounds).toBeGreaterThanOrEqual(2);
    expect(told.runs.map(({ task }: { task: string }) => task)).toContain('expire');
    expect(blemishes(directory)).toBe('');
  }, 600_000);
});
