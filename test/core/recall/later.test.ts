// What recall hands with a hit of what was said after it.

import { expect, it } from 'vitest';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const said = [
  ['2026-01-05T10:00:00Z', 'Our landlord is Mr Okafor, he holds the garden key.'],
  ['2026-01-20T10:00:00Z', 'The bread was good today.'],
  ['2026-03-02T10:00:00Z', 'Mr Okafor sold the house, the garden key went to Lena.'],
] as const;

async function talked() {
  const { memory, clock } = await newTestMemory();
  const paths: string[] = [];
  for (const [time, text] of said) {
    clock.set(time);
    const messages = [{ role: 'user' as const, speaker: 'Ada', text, time }];
    paths.push((await memory.capture({ session: time.slice(0, 10), started: time, messages })).path);
  }
  return { memory, paths };
}

it('a hit comes with the turns that were said after it and are near it', async () => {
  const { memory, paths } = await talked();
  const { hits } = await memory.recall('Who is our landlord?');
  const hit = hits.find(({ path }) => path === paths[0])!;
  expect(hit.later).toEqual([
    {
      path: paths[2],
      turn: 1,
      line: expect.any(Number),
      speaker: 'Ada',
      role: 'user',
      time: '2026-03-02T10:00:00Z',
      snippet: said[2][1],
      link: expect.any(Number),
    },
  ]);
  expect(hit.later![0]!.link).toBeGreaterThan(0.12);
  const news = (await memory.recall('Who has the garden key?')).hits.find(({ path }) => path === paths[2])!;
  expect(news).not.toHaveProperty('later');
});

it('a memory comes with what was said after the turn that it quotes, and never with that turn', async () => {
  const { memory, paths } = await talked();
  const now = Date.parse(said[0][0]);
  const claim = newMemory({ id: 'landlord', content: said[0][1], now, sources: [{ path: paths[0]!, turn: 1 }] });
  await memory.write(memoryPath(claim.id), formatMemory(claim));
  await memory.commit();
  const [hit] = (await memory.recall('landlord', { category: 'memory' })).hits;
  expect(hit).toMatchObject({ id: 'landlord' });
  // The filter of the question holds for what was said after it.
  expect(hit).not.toHaveProperty('later');
  const places = (await memory.recall('landlord')).hits[0]!.later!.map(({ path }) => path);
  expect(places).toEqual([paths[2]]);
});
