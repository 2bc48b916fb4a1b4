// Lives of months by the scheduler: what the engine adds to history beside what was recorded, and what a person sees of it.

import { expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import type { ManualClock } from '../helpers/memories.ts';
import { newTestMemory } from '../helpers/memories.ts';

const makers = ['Odile Brandt', 'Pavel Ruzek', 'Salt Lane Pottery', 'Birch Hall', 'Nadia Okoro'];
const kinds = [
  ['decision', 'P1', (n: number) => `Fire the blue glaze at ${1000 + n} degrees`],
  ['fact', 'P2', (n: number) => `The kiln of the yard holds ${n} bowls`],
  ['fact', 'P3', (n: number) => `It was ${n % 30} degrees in the yard`],
  ['commitment', 'P1', (n: number) => `Deliver crate ${n} to the market`],
  ['preference', 'P2', (n: number) => `Wants handles of ${n} millimetres`],
] as const;

/** Runs what is due every few hours of a day. */
async function aDay(memory: Memory, clock: ManualClock, noon?: () => Promise<void>): Promise<string[]> {
  const failed: string[] = [];
  for (let hour = 0; hour < 24; hour += 6) {
    clock.advance({ hours: 6 });
    if (hour === 6) await noon?.();
    const { runs } = await memory.maintenance.runDue();
    failed.push(...runs.flatMap(({ task, state, why }) => (state === 'failed' ? [`${task}: ${why}`] : [])));
  }
  return failed;
}

const operationsOf = async (memory: Memory) =>
  (await memory.log({ limit: 10_000 })).commits.map(({ operation }) => operation);
const tagsOf = async (memory: Memory) => (await memory.snapshots.list()).map(({ tag }) => tag);

it('makes of 145 events in five months, one a day, a commit a night beside them, and keeps few tags', async () => {
  const { memory, clock } = await newTestMemory();
  let events = 0;
  for (let day = 0; day < 150; day += 1) {
    const failed = await aDay(memory, clock, async () => {
      if (events < 145) {
        const [type, priority, say] = kinds[events % kinds.length]!;
        const entity = makers[events % makers.length]!;
        await memory.ledger.add({ type, priority, entity, content: say(events) });
        events += 1;
      }
      if (day % 3 !== 1) return;
      const text = `We decided to glaze bowl ${day} in the north room because the yard is damp.`;
      await memory.capture({ session: `s${day}`, messages: [{ role: 'user', text }] });
    });
    expect(failed).toEqual([]);
  }
  expect(events).toBe(145);
  const recorded = ['init', 'event', 'capture', 'extract'];
  const own = (await operationsOf(memory)).filter((one) => !recorded.includes(one ?? ''));
  expect(own.length).toBeLessThanOrEqual(150);
  const tags = await tagsOf(memory);
  expect(tags.length).toBeLessThanOrEqual(60);
  expect(tags.filter((tag) => tag.startsWith('memory/daily/')).length).toBeLessThanOrEqual(15);
  // Reports of the last nights, and one for each month before.
  const reports = await memory.files('knowledge/consolidation-reports');
  expect(reports.length).toBeLessThan(70);
  const core = await memory.read('knowledge/memory/MEMORY.md');
  expect(core).toMatch(
    /## Key Decisions\n(?:.*\n)*- 2026-\d\d-\d\d: Fire the blue glaze at \d+ degrees \[source: EVT-/,
  );
  expect((await memory.ledger.check()).ok).toBe(true);
}, 900_000);

it('adds nothing in 130 days on which nothing happens, once what was left to do is done', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.ledger.add({ type: 'decision', priority: 'P1', entity: 'Birch Hall', content: 'Rent the hall for May' });
  await memory.capture({ session: 's', messages: [{ role: 'user', text: 'We decided to rent the hall for May.' }] });
  for (let day = 0; day < 20; day += 1) expect(await aDay(memory, clock)).toEqual([]);
  const before = (await operationsOf(memory)).length;
  for (let day = 0; day < 130; day += 1) expect(await aDay(memory, clock)).toEqual([]);
  const later = (await operationsOf(memory)).slice(0, -before);
  // What fades, moves to the archive or becomes overdue is a change.
  expect(later.length).toBeLessThanOrEqual(6);
  expect((await tagsOf(memory)).length).toBeLessThanOrEqual(12);
}, 900_000);

it('joins what the tasks of a round do into one commit, which can be taken back', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: 'The hall has 90 chairs' });
  await memory.maintenance.runDue();
  clock.advance({ days: 1 });
  await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: 'The hall has 12 tables' });
  const { commit: tip } = await memory.at('HEAD');
  const { runs } = await memory.maintenance.runDue();
  const made = (await memory.log({ limit: 10 })).commits.slice(0, 2);
  expect(made[1]!.oid).toBe(tip);
  expect(made[0]).toMatchObject({ operation: 'upkeep', paths: expect.arrayContaining(['recall/pack.md']) });
  expect(runs.find(({ task }) => task === 'nightly')!.result!.commits).toEqual([made[0]!.oid]);
  expect(await memory.read('knowledge/entities/birch-hall.md')).toContain('12 tables');
  expect(await memory.read('recall/pack.md')).toContain('12 tables');
  expect((await memory.ledger.check()).ok).toBe(true);
  await memory.undo(made[0]!.oid);
  expect(await memory.read('knowledge/entities/birch-hall.md')).not.toContain('12 tables');
});

it('leaves no commit for lists alone, which wait for something that is missed', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.remember({ content: 'The hall is painted green', tags: ['hall'] });
  await memory.commit();
  await memory.maintenance.runDue();
  await memory.remember({ content: 'The doors are made of oak', tags: ['hall'] });
  await memory.commit();
  const { commit: tip } = await memory.at('HEAD');
  clock.advance({ days: 1 });
  const { runs } = await memory.maintenance.runDue();
  expect(runs.find(({ task }) => task === 'topics')).toMatchObject({ state: 'done', result: { commits: [] } });
  expect((await memory.at('HEAD')).commit).toBe(tip);
  await memory.ledger.add({ type: 'fact', priority: 'P1', entity: 'Birch Hall', content: 'The hall has 90 chairs' });
  clock.advance({ days: 1 });
  await memory.maintenance.runDue();
  expect((await memory.log({ limit: 1 })).commits[0]!.paths).toContain('state/topics.json');
});
