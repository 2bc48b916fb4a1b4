// The schedule as several real processes: one does the work, a dead one holds nobody up.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { buildProgram, programEnvironment, programPath } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

interface Answer {
  readonly isBusy: boolean;
  readonly runs: readonly { readonly task: string; readonly state: string }[];
}

async function run(directory: string, ...args: string[]): Promise<string> {
  const child = spawn(process.execPath, [programPath, ...args, '--dir', directory], { env: programEnvironment() });
  let out = '';
  let error = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    error += text;
  });
  const [status] = (await once(child, 'close')) as [number];
  expect({ status, error }).toEqual({ status: 0, error: '' });
  return out;
}

describe('git memory maintain schedule', () => {
  beforeAll(buildProgram, 240_000);

  it('is run by several at once, and everything is done once', async () => {
    const directory = `${temporaryFolder()}/memory`;
    const memory = await openMemory({ dir: directory, create: true });
    for (const id of ['one', 'two', 'three']) {
      const record = newMemory({ id, content: `For a while: ${id}.`, now: Date.now(), expiresAt: 1_000_000_000 });
      await memory.write(memoryPath(id), formatMemory(record));
    }
    await memory.close();
    const outs = await Promise.all(
      Array.from({ length: 4 }, () => run(directory, 'maintain', 'schedule', 'run', '--json')),
    );
    const answers = outs.map((out) => JSON.parse(out) as Answer);
    const ran = answers.filter(({ runs }) => runs.some(({ task, state }) => task === 'expire' && state === 'done'));
    expect(ran).toHaveLength(1);
    const again = await openMemory({ dir: directory });
    expect((await again.log({ operation: 'upkeep' })).commits).toHaveLength(1);
    expect((await again.list({ status: 'archived' })).memories).toHaveLength(3);
    await again.close();
    expect(await run(directory, 'maintain', 'schedule', 'run')).toBe('Nothing is due.\n');
    const listed = await run(directory, 'maintain', 'schedule', 'tasks');
    const short = await run(directory, 'maintain', 'schedule');
    expect(short.replace(/\s+/g, ' ')).toContain('git memory maintain schedule run');
    expect(short).not.toContain('tag-daily');
    expect(short).toMatch(/^tags +\d{4}-/m);
    expect(listed).toMatch(/^tag-daily +0 0 \* \* \* +\d{4}-/m);
    expect(await run(directory, 'maintain', 'schedule', 'crontab')).toMatch(
      /^\*\/15 \* \* \* \* \S+ \S+ maintain schedule run --dir /,
    );
  });

  it('takes the lock of a dead process over', async () => {
    const directory = `${temporaryFolder()}/memory`;
    await (await openMemory({ dir: directory, create: true })).close();
    await run(directory, 'maintain', 'schedule', 'run');
    const dead = { pid: 2 ** 22 - 1, start: '1', boot: 'another boot', space: '', host: 'nowhere', nonce: 'dead' };
    writeFileSync(`${directory}/.git/git-memory/schedule/lock`, `${JSON.stringify(dead)}\n`);
    // It is of another machine, so nobody can know; the same of this machine is taken over.
    expect(JSON.parse(await run(directory, 'maintain', 'schedule', 'run', '--json'))).toMatchObject({ isBusy: true });
    const { self } = (await import('../../../src/adapters/node.ts')).nodeProcesses();
    writeFileSync(
      `${directory}/.git/git-memory/schedule/lock`,
      `${JSON.stringify({ ...self, pid: 2 ** 22 - 1, start: '1', nonce: 'dead' })}\n`,
    );
    expect(JSON.parse(await run(directory, 'maintain', 'schedule', 'run', '--json'))).toMatchObject({ isBusy: false });
  });
});
