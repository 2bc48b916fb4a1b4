// Maintenance: what is due is done, each task by itself, on the machine that is to do it.

import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import type { MaintainResult } from '../../src/base/types.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { formatMemory, memoryPath, newMemory } from '../../src/store/records/memory-record.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { hasGit, tryGit } from '../helpers/native-git.ts';

/** A memory with some that ageing has archived, and that may leave in two weeks. */
async function memoryWith(...ids: string[]) {
  const { memory, clock, directory } = await newTestMemory();
  for (const id of ids) {
    const now = clock.now();
    const record = newMemory({
      id,
      content: `Content of ${id}.`,
      now,
      importance: 0.2,
      expiresAt: now / 1000 + 1_209_600,
    });
    await memory.write(memoryPath(id), formatMemory({ ...record, status: 'archived' }));
  }
  await memory.commit();
  return { memory, clock, directory };
}

const statesOf = ({ runs }: MaintainResult) => Object.fromEntries(runs.map(({ task, state }) => [task, state]));
const runOf = ({ runs }: MaintainResult, name: string) => runs.find(({ task }) => task === name)!;

async function expiring(memory: Awaited<ReturnType<typeof memoryWith>>['memory'], id: string, time: string) {
  const record = newMemory({ id, content: 'For a while.', now: 0, expiresAt: Date.parse(time) / 1000 });
  await memory.write(memoryPath(id), formatMemory({ ...record, lastUsed: 4e9 }));
}

describe('maintenance', () => {
  it('forgets what is weak and archives what expired, each by a commit that can be taken back', async () => {
    const { memory, clock } = await memoryWith('weak', 'also-weak');
    await expiring(memory, 'gone-by', '2026-03-01T00:00:00Z');
    await expiring(memory, 'later', '2030-03-01T00:00:00Z');
    clock.advance({ days: 200 });
    const tip = memory.tip;
    const result = await memory.maintenance.run();
    expect(result.machine).toBe(hostname());
    expect(statesOf(result)).toMatchObject({ layout: 'done', expire: 'done', gc: 'done', repack: 'done' });
    expect(runOf(result, 'expire').result!.items.map(({ ids }) => ids)).toEqual([['gone-by']]);
    expect(
      runOf(result, 'gc')
        .result!.items.map(({ ids }) => ids[0])
        .sort(),
    ).toEqual(['also-weak', 'weak']);
    expect((await memory.list({ status: 'archived' })).memories.map(({ id }) => id)).toEqual(['gone-by']);
    const log = (await memory.log({ limit: 2 })).commits;
    expect(log.map(({ subject, operation }) => [operation, subject])).toEqual([
      ['gc', 'maintenance: 2 memories forgotten by decay'],
      ['expire', 'maintenance: 1 memory archived'],
    ]);
    for (const { oid } of log) await memory.undo(oid);
    const restored = await memory.at('HEAD');
    expect((await restored.list()).memories.map(({ status }) => status).sort()).toEqual([
      'active',
      'active',
      'archived',
      'archived',
    ]);
    expect(tip).not.toBe(memory.tip);
  });

  it('is due after its period, also when it found nothing to do and on another handle', async () => {
    const { memory, clock, directory } = await memoryWith('one');
    expect(statesOf(await memory.maintenance.run())).toMatchObject({ gc: 'done', layout: 'done' });
    clock.advance({ hours: 17 });
    const other = await openMemory({ dir: directory, clock });
    const again = await other.maintenance.run();
    expect(statesOf(again)).toMatchObject({ gc: 'not due', layout: 'not due', consolidate: 'not due' });
    expect(runOf(again, 'gc')).toMatchObject({ last: '2026-02-16T09:00:00Z', next: '2026-02-17T03:00:00Z' });
    clock.advance({ hours: 1 });
    expect(statesOf(await other.maintenance.run())).toMatchObject({ gc: 'done' });
    await other.close();
  });

  it('does what is named, due or not, and only that', async () => {
    const { memory } = await memoryWith('one');
    await memory.maintenance.run();
    expect(statesOf(await memory.maintenance.run({ tasks: ['gc'] }))).toEqual({ gc: 'done' });
    await expect(memory.maintenance.run({ tasks: ['sweep'] })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('follows the periods of the configuration, where 0 means only when asked for', async () => {
    const { memory, clock } = await memoryWith('one');
    await writeConfiguration(memory, 'maintain:\n  every_hours:\n    gc: 0\n    layout: 2\n');
    expect(runOf(await memory.maintenance.run(), 'gc')).toMatchObject({
      state: 'not due',
      why: 'it runs when asked for',
    });
    clock.advance({ hours: 2 });
    expect(statesOf(await memory.maintenance.run())).toMatchObject({
      layout: 'done',
      gc: 'not due',
      expire: 'not due',
    });
    expect(statesOf(await memory.maintenance.run({ tasks: ['gc'] }))).toEqual({ gc: 'done' });
    await writeConfiguration(memory, 'maintain:\n  every_hours:\n    sweep: 1\n');
    await expect(memory.maintenance.run()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
  });

  it('is left to the designated machine, but for what is local', async () => {
    const { memory, clock } = await memoryWith('weak');
    await writeConfiguration(memory, 'maintain:\n  machine: somewhere-else\n');
    clock.advance({ days: 200 });
    const result = await memory.maintenance.run();
    expect(result.designated).toBe('somewhere-else');
    expect(statesOf(result)).toMatchObject({
      layout: 'elsewhere',
      expire: 'elsewhere',
      gc: 'elsewhere',
      repack: 'done',
    });
    expect(statesOf(await memory.maintenance.run({ tasks: ['gc'] }))).toEqual({ gc: 'elsewhere' });
    await writeConfiguration(memory, `maintain:\n  machine: ${hostname()}\n`);
    expect(statesOf(await memory.maintenance.run({ tasks: ['gc'] }))).toEqual({ gc: 'done' });
    expect((await memory.list()).memories).toEqual([]);
  });

  it('shows what it would do without doing it, and is due as before', async () => {
    const { memory, clock } = await memoryWith('weak', 'weaker');
    clock.advance({ days: 200 });
    const tip = memory.tip;
    const shown = await memory.maintenance.run({ dryRun: true });
    expect(runOf(shown, 'gc')).toMatchObject({ state: 'planned', result: { commits: [] } });
    expect(runOf(shown, 'gc').result!.items).toHaveLength(2);
    expect(memory.tip).toBe(tip);
    expect(statesOf(await memory.maintenance.run())).toMatchObject({ gc: 'done' });
  });

  it('does not forget a large part of all memories unless that is meant, and goes on with the rest', async () => {
    const ids = Array.from({ length: 30 }, (_, number) => `m${number}`);
    const { memory, clock } = await memoryWith(...ids);
    clock.advance({ days: 200 });
    const shown = await memory.maintenance.run({ dryRun: true, tasks: ['gc'] });
    expect(runOf(shown, 'gc')).toMatchObject({ state: 'planned', why: '30 of 30 memories would be removed at once' });
    const result = await memory.maintenance.run();
    expect(runOf(result, 'gc')).toMatchObject({ state: 'failed', error: { code: 'MASS_REMOVAL', where: 'memories' } });
    expect(statesOf(result)).toMatchObject({ layout: 'done', repack: 'done' });
    expect((await memory.list()).memories).toHaveLength(30);
    // It did not run, so it is due still.
    const forced = await memory.maintenance.run({ force: true });
    expect(statesOf(forced)).toMatchObject({ gc: 'done', layout: 'not due' });
    expect((await memory.list()).memories).toEqual([]);
  });

  it('leaves what was brought back by undo or by git revert, until it was right after all or the time is over', async () => {
    const { memory, clock, directory } = await memoryWith('weak', 'weaker');
    clock.advance({ days: 200 });
    const collect = async () => runOf(await memory.maintenance.run({ tasks: ['gc'] }), 'gc').result!;
    const [collection] = (await collect()).commits;
    await memory.undo(collection!);
    clock.advance({ days: 29 });
    const spared = await collect();
    expect(spared.commits).toEqual([]);
    expect(spared.left).toEqual(['weaker', 'weak'].map((id) => ({ id, why: 'an undo of 2026-09-04 brought it back' })));
    await memory.undo({ redo: true });
    expect((await memory.list()).memories).toEqual([]);
    await memory.undo('HEAD');
    expect((await collect()).items).toEqual([]);
    clock.advance({ days: 31 });
    const [second] = (await collect()).commits;
    expect((await memory.list()).memories).toEqual([]);
    if (!hasGit) return;
    const time = { GIT_COMMITTER_DATE: new Date(clock.now()).toISOString() };
    expect(tryGit(directory, ['revert', '--no-edit', second!], undefined, time)).toMatchObject({ status: 0 });
    expect((await collect()).items).toEqual([]);
    await writeConfiguration(memory, 'maintain:\n  respect_undo_days: 0\n');
    expect((await collect()).items).toHaveLength(2);
  });

  it('stays until it is told to stop, and does what becomes due', async () => {
    const { memory, clock } = await memoryWith('weak');
    const controller = new AbortController();
    const seen: MaintainResult[] = [];
    const { rounds } = await memory.maintenance.runUntilStopped({
      signal: controller.signal,
      onRun: (result) => {
        seen.push(result);
        clock.advance({ days: 200 });
        if (seen.length === 2) controller.abort();
      },
    });
    expect(rounds).toBe(2);
    expect(seen.map((result) => runOf(result, 'gc').result!.items.length)).toEqual([0, 1]);
    expect((await memory.list()).memories).toEqual([]);
  });
});
