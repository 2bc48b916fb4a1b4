// Boxes as an extraction makes them: in its commit, undone with it, and merged.

import { describe, expect, it } from 'vitest';
import { parseBox } from '../../src/store/records/box-file.ts';
import { parseRecentExtractions, recentExtractionsPath } from '../../src/store/records/recent-extractions.ts';
import { newTestMemory } from '../helpers/memories.ts';

async function talk(memory: Awaited<ReturnType<typeof newTestMemory>>['memory'], session: string, ...words: string[]) {
  await memory.capture({ session, topic: 'Storage', messages: words.map((text) => ({ role: 'user', text })) });
  return memory.extract();
}

const boxesOf = async (memory: Awaited<ReturnType<typeof newTestMemory>>['memory']) => {
  const snapshot = memory.store.snapshot();
  return [...snapshot.list('boxes/').keys()].map((path) => parseBox(snapshot.readText(path)!, path));
};

const recentOf = ({ store }: Awaited<ReturnType<typeof newTestMemory>>['memory']) =>
  parseRecentExtractions(store.snapshot().readText(recentExtractionsPath));

describe('an extraction', () => {
  it('puts its memories into a box and counts itself, in its own commit', async () => {
    const { memory } = await newTestMemory();
    const { transcripts } = await talk(memory, 's1', 'We decided to use Postgres.', 'I prefer tabs to spaces.');
    const [{ boxes, created, commit }] = transcripts as [(typeof transcripts)[number]];
    expect(boxes).toHaveLength(1);
    expect((await boxesOf(memory))[0]!.memories.map(({ id }) => id).sort()).toEqual(created.map(({ id }) => id).sort());
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ oid: commit });
    expect(memory.tip).toBe(commit);
    expect(recentOf(memory)).toHaveLength(1);
    await talk(memory, 's2', 'We agreed to keep sessions in Redis.');
    expect(await boxesOf(memory)).toHaveLength(1);
    expect(recentOf(memory)).toHaveLength(2);
  });

  it('can be undone when others have added to the box that it began, or sealed it', async () => {
    const { memory, clock } = await newTestMemory();
    const first = (await talk(memory, 's1', 'We decided to use Postgres.')).transcripts[0]!;
    const second = (await talk(memory, 's2', 'We agreed to keep sessions in Redis.')).transcripts[0]!;
    clock.advance({ hours: 2 });
    await talk(memory, 's3', 'We decided to rent a server in Lisbon.');
    const undone = await memory.undo(first.commit!);
    expect(undone.conflicts).toEqual([]);
    const boxes = await boxesOf(memory);
    expect(boxes.map(({ memories }) => memories.length)).toEqual([1, 1]);
    expect(boxes.flatMap(({ memories }) => memories.map(({ id }) => id))).not.toContain(first.created[0]!.id);
    expect(recentOf(memory)).toHaveLength(2);
    await memory.undo(second.commit!);
    expect(await boxesOf(memory)).toHaveLength(1);
    await memory.undo(undone.commit!);
    expect((await boxesOf(memory)).flatMap(({ memories }) => memories.map(({ id }) => id))).toContain(
      first.created[0]!.id,
    );
  });

  it('on two branches merges to boxes that hold all of both', async () => {
    const { memory } = await newTestMemory();
    await talk(memory, 's1', 'We decided to use Postgres.');
    const branch = await memory.branches.open('other', { create: true });
    await talk(branch, 's2', 'We agreed to keep sessions in Redis.');
    await talk(memory, 's3', 'We decided that backups run at night.');
    const { conflicts } = await memory.merge('other');
    expect(conflicts).toEqual([]);
    const ids = (await boxesOf(memory)).flatMap(({ memories }) => memories.map(({ id }) => id));
    const all = (await memory.list()).memories.map(({ id }) => id);
    expect(ids.sort()).toEqual(all.sort());
    expect(recentOf(memory)).toHaveLength(3);
    await branch.close();
  });
});

it('the question for boxes lists them by day, topic, trace, state and memory, shows one with what became of its memories, also as of then', async () => {
  const { memory } = await newTestMemory();
  const talk = (text: string, time: string) => memory.capture({ messages: [{ role: 'user', text, time }] });
  await talk('We decided to use Postgres for billing.', '2026-02-10T10:00:00Z');
  await memory.extract();
  await memory.snapshots.create('first');
  await talk('We decided that Postgres for billing gets backups at night.', '2026-02-11T10:00:00Z');
  await talk('I prefer tabs over spaces.', '2026-02-13T10:00:00Z');
  await memory.extract();
  await memory.maintenance.run({ tasks: ['boxes'] });
  const all = (await memory.knowledge.boxes()).boxes;
  expect(all.map(({ day, count }) => `${day} ${count}`)).toEqual(['2026-02-10 1', '2026-02-11 1', '2026-02-13 1']);
  const [first, second, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
  expect(first.traceId).toBe(second.traceId);
  const idsOf = async (filter: Parameters<typeof memory.knowledge.boxes>[0]) =>
    (await memory.knowledge.boxes(filter)).boxes.map(({ id }) => id);
  expect(await idsOf({ day: '2026-02-11' })).toEqual([second.id]);
  expect(await idsOf({ topic: first.topics[0]!.toUpperCase() })).toEqual([first.id, second.id]);
  expect(await idsOf({ trace: first.traceId! })).toEqual([first.id, second.id]);
  expect(await idsOf({ status: 'open' })).toEqual([]);
  expect(await idsOf({ limit: 1 })).toEqual([third.id]);
  const box = await memory.knowledge.box(first.id.slice(0, 6));
  expect(box.trace.map(({ id }) => id)).toEqual([second.id]);
  expect(box.memories).toMatchObject([{ words: 'We decided to use Postgres for billing.', state: 'active' }]);
  expect(await idsOf({ memory: box.memories[0]!.id })).toEqual([first.id]);
  await memory.forget(box.memories[0]!.id, { allowRemovals: true });
  // What a box held of it is held no more, and a box that held nothing else goes.
  await expect(memory.knowledge.box(first.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const then = await memory.at('memory/milestone/first');
  expect((await then.knowledge.boxes()).boxes).toMatchObject([{ id: first.id, status: 'open' }]);
  expect((await then.knowledge.box(first.id)).memories[0]!.state).toBe('active');
  await expect(memory.knowledge.box('nothing')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(memory.knowledge.box('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(memory.knowledge.boxes({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await expect(memory.knowledge.boxes({ day: 'monday' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
});
