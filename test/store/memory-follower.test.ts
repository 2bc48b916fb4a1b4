import { expect, it } from 'vitest';
import { takeTurns } from '../../src/base/take-turns.ts';
import { MemoryCatalog } from '../../src/store/memory-catalog.ts';
import { MemoryFollower } from '../../src/store/memory-follower.ts';
import { newTestMemory } from '../helpers/memories.ts';

it('a first look in turns with others knows what is there, whoever looks, writes and removes between two turns', async () => {
  const { memory } = await newTestMemory();
  for (const id of ['hedge', 'gate', 'wall']) await memory.remember({ id, content: `The ${id} is old` });
  await memory.commit();
  const before = memory.store.snapshot();
  for (const isDisturbed of [false, true]) {
    const known = new Set<string>();
    const follower = new MemoryFollower(new MemoryCatalog(), {
      put: ({ path }) => known.add(path),
      remove: (path) => known.delete(path),
    });
    let turns = 0;
    const wait = takeTurns(0);
    await follower.begin(before, async () => {
      turns += 1;
      await wait();
      if (!isDisturbed || turns !== 2) return;
      await memory.forget('hedge', { allowRemovals: true });
      await memory.forget('gate', { allowRemovals: true });
      await memory.remember({ id: 'fence', content: 'The fence is new' });
      await memory.commit();
      follower.follow(memory.store.snapshot());
    });
    expect(turns).toBe(isDisturbed ? 2 : 3);
    const now = memory.store.snapshot();
    follower.follow(now);
    expect([...known].sort()).toEqual([...new MemoryCatalog().all(now).keys()].sort());
    expect(known.size).toBe(isDisturbed ? 2 : 3);
  }
});

it('a turn is waited for only where it is due', async () => {
  expect(takeTurns(Number.POSITIVE_INFINITY)()).toBeUndefined();
  let isServed = false;
  setImmediate(() => {
    isServed = true;
  });
  await takeTurns(0)();
  expect(isServed).toBe(true);
});
