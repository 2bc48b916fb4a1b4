// What has a time: when it is due, what was missed, several at once, tags that are made by themselves, and the loop of an open memory.

import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { nodeProcesses } from '../../src/adapters/node.ts';
import type { ScheduleResult } from '../../src/base/types.ts';
import { periodicTags } from '../../src/core/maintain/other-tasks.ts';
import { type SchedulePorts, startSchedule } from '../../src/core/maintain/schedule.ts';
import { taskGroups } from '../../src/core/maintain/task-groups.ts';
import { nextMatch } from '../../src/core/maintain/timetable.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { defaultConfiguration } from '../../src/store/records/configuration.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { runPortsOf } from '../helpers/passes.ts';

const taskOf = ({ tasks }: ScheduleResult, name: string) => tasks.find(({ task }) => task === name)!;
const iso = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());

it.each([
  ['0 3 * * *', 'UTC', '2026-02-16T09:00:00Z', '2026-02-17T03:00:00.000Z'],
  ['0 3 * * *', 'America/New_York', '2026-02-16T09:00:00Z', '2026-02-17T08:00:00.000Z'],
  ['0 0 * * 1', 'Asia/Tokyo', '2026-02-16T09:00:00Z', '2026-02-22T15:00:00.000Z'],
  // Clocks go forward: half past two does not come; it is done right after.
  ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-29T01:00:00.000Z'],
  // Clocks go back: half past two comes twice; it is done once.
  ['30 2 * * *', 'Europe/Berlin', '2026-10-25T00:31:00Z', '2026-10-26T01:30:00.000Z'],
  ['0 0 31 2 *', 'UTC', '2026-02-16T09:00:00Z', null],
  ['off', 'UTC', '2026-02-16T09:00:00Z', null],
])('the time of a cron expression %s in %s, after %s', (cron, zone, after, expected) => {
  expect(iso(nextMatch(cron, zone, Date.parse(after)))).toBe(expected);
});

describe('the schedule', () => {
  it('tells of every task when it last ran, and when it is due by the clock of the memory', async () => {
    const { memory, clock } = await newTestMemory();
    await writeConfiguration(
      memory,
      'timezone: America/New_York\nschedule:\n  nightly: 15 4 * * *\n  tasks:\n    gc: 0 12 * * sat\n',
    );
    await memory.commit();
    expect(taskOf(await memory.maintenance.schedule(), 'pack')).toMatchObject({ when: '15 4 * * *', isDue: true });
    const first = await memory.maintenance.runDue();
    expect(first.isBusy).toBe(false);
    expect(first.runs.filter(({ state }) => state === 'failed')).toEqual([]);
    const listed = await memory.maintenance.schedule();
    expect(taskOf(listed, 'pack')).toMatchObject({ last: '2026-02-16T09:00:00Z', next: '2026-02-16T09:15:00Z' });
    expect(taskOf(listed, 'gc')).toMatchObject({ when: '0 12 * * sat', next: '2026-02-21T17:00:00Z', isDue: false });
    expect(taskOf(listed, 'expire')).toMatchObject({ when: '15 4 * * *', next: '2026-02-16T09:15:00Z' });
    clock.advance({ minutes: 14 });
    const early = await memory.maintenance.runDue();
    expect(early.runs.every(({ state }) => state === 'not due')).toBe(true);
    clock.advance({ minutes: 1 });
    const runs = (await memory.maintenance.runDue()).runs.filter(({ state }) => state === 'done');
    expect(runs.map(({ task }) => task)).toEqual(expect.arrayContaining(['nightly', 'expire', 'pack']));
  });

  it('calls its tasks by a dozen names, each task by one, which can be asked for and timed', async () => {
    const { memory } = await newTestMemory({}, 'schedule:\n  tasks:\n    fading: 0 12 * * sat\n    gc: 0 13 * * sat\n');
    const { tasks } = await memory.maintenance.schedule();
    const inGroups = Object.values(taskGroups).flatMap((group) => group.tasks);
    expect([...inGroups].sort()).toEqual(tasks.map(({ task }) => task).sort());
    expect(Object.keys(taskGroups)).toHaveLength(12);
    expect(taskOf({ tasks } as ScheduleResult, 'expire')).toMatchObject({ group: 'fading', when: '0 12 * * sat' });
    expect(taskOf({ tasks } as ScheduleResult, 'gc')).toMatchObject({ group: 'fading', when: '0 13 * * sat' });
    const { runs } = await memory.maintenance.run({ tasks: ['fading'] });
    expect(runs.map(({ task }) => task)).toEqual(['expire', 'gc']);
  });

  it('does once what was missed for a long time', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.maintenance.runDue();
    clock.advance({ days: 20 });
    expect(taskOf(await memory.maintenance.schedule(), 'pack')).toMatchObject({ isDue: true });
    const states = async () => (await memory.maintenance.runDue()).runs.find(({ task }) => task === 'pack')!.state;
    expect(await states()).toBe('done');
    expect(await states()).toBe('not due');
  });

  it('leaves a task out that is off, and names one that is unknown', async () => {
    const { memory } = await newTestMemory();
    await memory.configure({ 'schedule.tasks.tag-daily': 'off' });
    expect(taskOf(await memory.maintenance.schedule(), 'tag-daily')).toMatchObject({ when: 'when asked for' });
    expect(taskOf(await memory.maintenance.schedule(), 'tag-daily')).not.toHaveProperty('next');
    await memory.configure({ 'schedule.tasks.sweep': '0 1 * * *' });
    await expect(memory.maintenance.schedule()).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    await expect(memory.configure({ 'schedule.nightly': 'at night' })).rejects.toMatchObject({
      code: 'INVALID_CONFIG',
    });
  });

  it('commits a batch that has waited long enough', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.maintenance.runDue();
    await memory.remember('Ada lives in Rome');
    expect(taskOf(await memory.maintenance.schedule(), 'commit')).toMatchObject({
      next: '2026-02-16T09:30:00Z',
      isDue: false,
    });
    clock.advance({ minutes: 30 });
    const { runs } = await memory.maintenance.runDue();
    expect(runs.find(({ task }) => task === 'commit')).toMatchObject({
      state: 'done',
      result: { commits: [memory.tip] },
    });
    expect((await memory.status()).pending).toEqual([]);
  });

  it('ends experiments that expired, but for what is on them alone', async () => {
    const { memory, clock } = await newTestMemory();
    for (const name of ['explore/empty', 'explore/own']) {
      const branch = await memory.branches.open(name, { create: true });
      if (name === 'explore/own') await branch.remember('Only here');
      await branch.close();
    }
    clock.advance({ days: 8 });
    const planned = await memory.maintenance.run({ tasks: ['explore'], dryRun: true });
    expect(planned.runs[0]!.result!.items.map(({ why }) => why.split(' ')[0])).toEqual(['explore/empty']);
    expect((await memory.branches.list()).map(({ name }) => name)).toContain('explore/empty');
    const { runs } = await memory.maintenance.run({ tasks: ['explore'] });
    expect(runs[0]!.result).toMatchObject({ left: [{ id: 'explore/own' }] });
    expect((await memory.branches.list()).map(({ name }) => name).sort()).toEqual(['explore/own', 'main']);
  });
});

it('tags that are made by themselves name each day and week that is over and changed something, also when nobody ran for days', async () => {
  const { memory, clock } = await newTestMemory();
  const atDay: Record<string, string> = {};
  // Monday to Sunday, then nothing.
  for (const day of ['2026-02-16', '2026-02-18', '2026-02-22']) {
    clock.set(`${day}T10:00:00Z`);
    await memory.write('knowledge/reference/days.md', `# ${day}\n`);
    await memory.commit();
    atDay[day] = memory.tip!;
  }
  clock.set('2026-02-25T10:00:00Z');
  await memory.write('knowledge/reference/days.md', '# today\n');
  await memory.commit();
  const planned = await memory.maintenance.run({ tasks: ['tag-daily', 'tag-weekly'], dryRun: true });
  expect(planned.runs.map(({ result }) => result!.items.length)).toEqual([3, 1]);
  expect(await memory.snapshots.list()).toEqual([]);
  await memory.maintenance.run({ tasks: ['tag-daily', 'tag-weekly'] });
  expect(Object.fromEntries((await memory.snapshots.list()).map(({ tag, commit }) => [tag, commit]))).toEqual({
    'memory/daily/2026-02-16': atDay['2026-02-16'],
    'memory/daily/2026-02-18': atDay['2026-02-18'],
    'memory/daily/2026-02-22': atDay['2026-02-22'],
    'memory/weekly/2026-W08': atDay['2026-02-22'],
  });
  const again = await memory.maintenance.run({ tasks: ['tag-daily', 'tag-weekly'] });
  expect(again.runs.map(({ result }) => result!.items.length)).toEqual([0, 0]);
  await memory.configure({ 'tags.daily': false });
  clock.set('2026-02-27T10:00:00Z');
  const off = await memory.maintenance.run({ tasks: ['tag-daily'] });
  expect(off.runs[0]!.result!.items).toEqual([]);
});

describe('the loop of an open memory', () => {
  function portsOf(memory: Awaited<ReturnType<typeof newTestMemory>>['memory'], clock: { now(): number }) {
    const warnings: string[] = [];
    const ports = runPortsOf(memory, clock);
    const made: SchedulePorts = {
      maintenance: { ...ports, tasks: periodicTags(ports) },
      processes: nodeProcesses(),
      logger: { warn: (message) => warnings.push(message) },
      nonce: () => `nonce${Math.random().toString(36).slice(2)}`,
    };
    return { made, warnings };
  }

  async function until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await sleep(20);
  }

  it('does what is due after a while, and ends when the memory is closed', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.write('knowledge/reference/a.md', '# A\n\n- One\n');
    await memory.commit();
    clock.advance({ days: 2 });
    const { made, warnings } = portsOf(memory, clock);
    const stop = startSchedule(made, 1);
    await until(() => memory.store.repository.refs.read('refs/tags/memory/daily/2026-02-16') !== null);
    await stop();
    expect(warnings).toEqual([]);
  });

  it('does nothing where the configuration says so', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.configure({ 'schedule.auto': false });
    await memory.commit();
    clock.advance({ days: 2 });
    const { made } = portsOf(memory, clock);
    let asked = 0;
    const { configurationOf } = made.maintenance;
    const counting: typeof configurationOf = (snapshot) => {
      asked += 1;
      return configurationOf(snapshot);
    };
    const maintenance = { ...made.maintenance, configurationOf: counting };
    const stop = startSchedule({ ...made, maintenance }, 1);
    await until(() => asked > 0);
    await sleep(50);
    await stop();
    expect(await memory.snapshots.list()).toEqual([]);
  });

  it('tells of what fails and goes on, and a stop before it began waits for nothing', async () => {
    const { memory, clock } = await newTestMemory();
    const { made, warnings } = portsOf(memory, clock);
    const failing = {
      ...made,
      maintenance: {
        ...made.maintenance,
        configurationOf: () => ({ ...defaultConfiguration(), timezone: 'Mars' }),
      },
    };
    const stop = startSchedule(failing, 1);
    await until(() => warnings.length > 0);
    await stop();
    await startSchedule(made)();
  });

  it('is begun by who stays, and closes with the memory', async () => {
    const { directory, memory } = await newTestMemory();
    await memory.close();
    const staying = await openMemory({ dir: directory, schedule: true });
    await staying.close();
    await expect(staying.maintenance.schedule()).rejects.toMatchObject({ code: 'CLOSED' });
  });
});
