// Memories that fade: which are due for review, as of any time, and among the hits of a recall when asked.

import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';

/** A memory whose three records are of three ages; at the end the middle one is in the danger zone. */
async function fading() {
  const { memory, clock } = await newTestMemory();
  await memory.remember({ id: 'old', content: 'The oldest rose is white.', category: 'fact', importance: 0.2 });
  clock.advance({ days: 38 });
  await memory.remember({ id: 'middle', content: 'The hedge is of beech.', category: 'fact' });
  clock.advance({ days: 10 });
  await memory.remember({ id: 'new', content: 'The newest rose is red.' });
  await memory.commit();
  return { memory, clock };
}

it('the list of what is due tells score, priority and what fits, as of the time of the view', async () => {
  const { memory, clock } = await fading();
  const then = memory.tip!;
  const { memories, urgent } = await memory.records.due();
  expect(memories.map(({ id }) => id)).toEqual(['middle']);
  expect(memories[0]!.score).toBeCloseTo(0.22214, 5);
  expect(memories[0]!.priority).toBeCloseTo(0.92239, 5);
  expect(memories[0]).toMatchObject({ urgency: 'medium', action: 'reinforce' });
  expect(urgent).toBe(1);
  clock.advance({ days: 10 });
  expect((await memory.records.due()).memories.map(({ id }) => id)).toEqual(['new']);
  expect((await (await memory.at(then)).records.due()).memories.map(({ id }) => id)).toEqual(['middle']);
  const { memories: weak } = await memory.records.due({ weak: true });
  expect(weak.map(({ id }) => id)).toEqual(['old', 'middle', 'new']);
  expect((await memory.records.due({ weak: true, limit: 2 })).memories).toHaveLength(2);
  await expect(memory.records.due({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  await memory.records.touch('new');
  expect((await memory.records.due()).memories).toEqual([]);
});

it('the list of what is weak calls for no collection of what does not fade', async () => {
  const { memory, clock } = await fading();
  clock.advance({ days: 100 });
  const { memories, urgent } = await memory.records.due({ weak: true });
  expect(memories.map(({ id, action }) => [id, action])).toEqual([
    ['old', 'collect'],
    ['middle', 'reinforce'],
    ['new', 'reinforce'],
  ]);
  expect(urgent).toBe(1);
});

describe('reviews among the hits of a recall', () => {
  it('stand there when they are asked for, and are told from hits', async () => {
    const { memory } = await fading();
    const plain = (await memory.recall('rose')).hits;
    expect(plain.map(({ id }) => id).sort()).toEqual(['new', 'old']);
    const { hits } = await memory.recall('rose', { review: true });
    expect(hits.map(({ id, review }) => [id, review ?? false])).toEqual([
      [plain[0]!.id, false],
      [plain[1]!.id, false],
      ['middle', true],
    ]);
    expect(hits[2]).toMatchObject({ snippet: 'The hedge is of beech.', commit: memory.tip });
    expect(hits[2]!.parts.review).toBeCloseTo(0.92239, 5);
    const shares = await Promise.all(
      ([0, 0.5, false] as const).map((review) => memory.recall('rose', { review, limit: 2 })),
    );
    expect(shares.map((result) => result.hits.map((hit) => hit.review === true))).toEqual([
      [false, false],
      [false, true],
      [false, false],
    ]);
    await expect(memory.recall('rose', { review: 2 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const filtered = await memory.recall('rose', { review: true, category: 'decision' });
    expect(filtered.hits).toEqual([]);
  });

  it('write nothing', async () => {
    const { memory } = await fading();
    await memory.recall('rose', { review: true });
    expect((await memory.status()).pending).toEqual([]);
    expect((await memory.get('middle')).useCount).toBe(0);
  });
});

it('relations are listed, all of them or those of one memory', async () => {
  const { memory, clock } = await fading();
  await memory.records.relate('old', 'new', 'contradicts');
  clock.advance({ minutes: 1 });
  await memory.records.relate('middle', 'new');
  const told = async (id?: string) =>
    (await memory.records.relations(id)).relations.map(({ relationType, fromMemoryId }) => [
      fromMemoryId,
      relationType,
    ]);
  expect(await told()).toEqual([
    ['old', 'contradicts'],
    ['middle', 'related'],
  ]);
  expect(await told('ol')).toEqual([['old', 'contradicts']]);
  expect(await told('new')).toHaveLength(2);
  await expect(memory.records.relations('nobody')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

it('a list by tag follows what was written since, in the present and in the past', async () => {
  const { memory } = await newTestMemory();
  await memory.remember({ id: 'one', content: 'One.', tags: ['garden', 'roses'] });
  await memory.remember({ id: 'two', content: 'Two.', tags: ['garden'] });
  await memory.commit();
  const then = memory.tip!;
  const told = async (tag: string, view: Pick<typeof memory, 'list'> = memory) =>
    (await view.list({ tag })).memories.map(({ id }) => id).sort();
  expect([await told('garden'), await told('roses'), await told('rose')]).toEqual([['one', 'two'], ['one'], []]);
  await memory.remember({ id: 'three', content: 'Three.', tags: ['roses'] });
  await memory.forget('one');
  expect([await told('garden'), await told('roses')]).toEqual([['two'], ['three']]);
  expect(await told('roses', await memory.at(then))).toEqual(['one']);
});
