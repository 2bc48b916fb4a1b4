import { describe, expect, it } from 'vitest';
import { followedMemories } from '../../../src/core/extract/followed-memories.ts';
import { KnownMemories } from '../../../src/core/extract/known-memories.ts';
import { MemoryCatalog } from '../../../src/store/memory-catalog.ts';
import { newTestMemory } from '../../helpers/memories.ts';

describe('the memories that an extraction knows', () => {
  it('are those of the state it looks at, whoever changed them since: remembered, edited, forgotten, committed, undone', async () => {
    const { memory } = await newTestMemory();
    const catalog = new MemoryCatalog();
    const followed = followedMemories(catalog);
    const check = () => {
      const snapshot = memory.store.snapshot();
      const known = [...followed(snapshot).all()].map(({ id, content, status }) => `${id} ${content} ${status}`);
      const there = [...new KnownMemories(catalog.all(snapshot).values()).all()];
      expect(known.sort()).toEqual(there.map(({ id, content, status }) => `${id} ${content} ${status}`).sort());
      return known.length;
    };
    expect(check()).toBe(0);
    for (const content of ['The hedge is of beech', 'The gate is of oak', 'The wall is of brick']) {
      await memory.remember({ id: content.split(' ')[1]!, content });
      check();
    }
    await memory.commit();
    expect(check()).toBe(3);
    await memory.records.archive('gate');
    await memory.forget('hedge', { allowRemovals: true });
    expect(check()).toBe(2);
    await memory.commit();
    expect(check()).toBe(2);
    await memory.undo('HEAD');
    expect(check()).toBe(3);
    // A flat file, as other tools have it, is moved into its shard by one commit.
    const text = (await memory.read((await memory.get('wall')).path)).replaceAll('wall', 'fence');
    await memory.write('memories/fence.json', text);
    expect(check()).toBe(4);
    await memory.commit();
    await memory.maintenance.run({ tasks: ['layout'] });
    expect((await memory.get('fence')).path).toMatch(/^memories\/[0-9a-f]{2}\//);
    expect(check()).toBe(4);
  });
});
