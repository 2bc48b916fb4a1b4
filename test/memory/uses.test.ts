// What counts as a use: being shown to an agent, once a day, in the next commit; and never a question of a program or a person.

import { describe, expect, it } from 'vitest';
import { memoryTools } from '../../src/apps/ai-sdk/memory-tools.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

const page = 'knowledge/places/harbour.md';

async function harbour() {
  const opened = await newTestMemory();
  const { memory } = opened;
  await memory.remember({ id: 'ferry', content: 'The ferry to the island leaves at seven.', category: 'fact' });
  await memory.remember({ id: 'crane', content: 'The crane is painted yellow.', category: 'moment' });
  await memory.write(page, '# Harbour\n\nThe lighthouse was built by two brothers.\n');
  await memory.commit();
  return opened;
}

const usesOf = async (memory: Memory, id: string): Promise<number> => (await memory.get(id)).useCount;

async function ask(memory: Memory, tool: string, input: object): Promise<string> {
  return (await memoryTools(memory, { tools: 'all' }))[tool]!.execute(input as never) as Promise<string>;
}

describe('a use', () => {
  it('is counted of what has other fields of any size, such as a gist of 70 KB', async () => {
    const { memory } = await harbour();
    await memory.remember({ id: 'long', content: `The office moved to Bergen. ${'office words '.repeat(5600)}` });
    await memory.commit();
    expect(await ask(memory, 'memory_search', { query: 'office' })).toContain('Bergen');
    await memory.handed.noteShown((await memory.recall('office')).hits);
    await memory.handed.noteShown([{ id: 'ferry', gist: 'x'.repeat(70_000) } as never]);
    await memory.commit();
    expect(await Promise.all(['long', 'ferry'].map((id) => usesOf(memory, id)))).toEqual([1, 1]);
    await expect(memory.handed.noteShown([{ id: 'x'.repeat(70_000) }])).rejects.toMatchObject({ code: 'TOO_LARGE' });
    await expect(memory.handed.noteShown([{ path: 5 } as never])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('is no question of the library, of a view, or of a memory that is only read', async () => {
    const { memory, directory } = await harbour();
    const tip = memory.tip;
    await memory.recall('ferry island');
    await memory.get('ferry');
    await memory.list();
    await memory.sessionStart();
    await memory.pack();
    await (await memory.at('HEAD')).recall('ferry island');
    await ask(memory, 'memory_search', { query: 'ferry island', at: 'HEAD' });
    const reader = await openMemory({ dir: directory, readOnly: true });
    expect(await ask(reader, 'memory_search', { query: 'ferry island' })).toContain('leaves at seven');
    await reader.close();
    await memory.commit();
    expect(memory.tip).toBe(tip);
    expect((await memory.status()).pending).toEqual([]);
  });

  it('is being found, read or listed by a tool of an agent, and not being looked at because it fades', async () => {
    const { memory } = await harbour();
    expect(await ask(memory, 'memory_search', { query: 'lighthouse brothers', limit: 1 })).toContain('lighthouse');
    await ask(memory, 'memory_get', { what: 'ferry' });
    await ask(memory, 'memory_list', { weakest: true });
    await ask(memory, 'memory_review', { weak: true });
    await memory.commit();
    expect([await usesOf(memory, 'ferry'), await usesOf(memory, 'crane')]).toEqual([1, 0]);
    expect(JSON.parse(await memory.read('state/uses.json'))).toMatchObject({ [page]: { count: 1 } });
    await ask(memory, 'memory_list', { category: 'moment' });
    await memory.commit();
    expect(await usesOf(memory, 'crane')).toBe(1);
  });

  it('counts once a day, however often and by which way it is shown, and writes nothing the second time', async () => {
    const { memory, clock } = await harbour();
    const aDay = async () => {
      for (let at = 0; at < 3; at += 1) {
        clock.advance({ hours: 1 });
        await memory.context('when does the ferry leave, and who built the lighthouse?');
        await ask(memory, 'memory_get', { what: 'ferry' });
        await ask(memory, 'memory_get', { what: page });
        await memory.commit();
      }
    };
    const counts = async () => {
      const files = JSON.parse(await memory.read('state/uses.json')) as Record<string, { count: number }>;
      return [await usesOf(memory, 'ferry'), files[page]!.count];
    };
    const log = async () => (await memory.log({ limit: 100 })).commits.length;
    const before = await log();
    await aDay();
    expect(await counts()).toEqual([1, 1]);
    expect((await log()) - before).toBe(1);
    clock.set('2026-02-17T08:00:00Z');
    await aDay();
    expect(await counts()).toEqual([2, 2]);
    expect((await log()) - before).toBe(2);
  });

  it('is of the day on which it was, also where the program that answered ran on', async () => {
    const { memory, clock } = await harbour();
    await ask(memory, 'memory_get', { what: 'ferry' });
    const monday = clock.now() / 1000;
    clock.advance({ days: 1 });
    await ask(memory, 'memory_get', { what: 'crane' });
    expect(await memory.get('ferry')).toMatchObject({ useCount: 1, lastReviewAt: monday });
    await ask(memory, 'memory_get', { what: 'ferry' });
    await memory.commit();
    expect(await memory.get('ferry')).toMatchObject({ useCount: 2, lastUsed: monday + 86_400 });
  });

  it('keeps a memory that an agent comes back to, while its neighbour fades', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.remember({ id: 'asked', content: 'The bakery sells rye on Tuesdays.', importance: 0.2 });
    await memory.remember({ id: 'other', content: 'The lift has a mirror.', importance: 0.2 });
    await memory.commit();
    for (let week = 0; week < 6; week += 1) {
      clock.advance({ days: 7 });
      await ask(memory, 'memory_search', { query: 'bakery rye' });
      await memory.commit();
      await memory.maintenance.run({ tasks: ['expire', 'gc'] });
    }
    const statuses = (await memory.list()).memories.map(({ id, status }) => [id, status]);
    expect(Object.fromEntries(statuses)).toEqual({ asked: 'active', other: 'archived' });
  });
});

describe('what a session was handed', () => {
  it('is a line for each context, from which it is made again byte for byte', async () => {
    const { memory, clock } = await harbour();
    await memory.capture({
      session: 's1',
      messages: [
        { role: 'user', speaker: 'Ada', text: 'When does the ferry leave?' },
        { role: 'agent', text: 'At seven.' },
      ],
    });
    const { text } = await memory.context('When does the ferry leave?', { session: 's1', tokens: 600 });
    await memory.context('When does the ferry leave?', { tokens: 600 });
    await memory.commit();
    const lines = await memory.read('state/handed/2026-02-16.jsonl');
    expect(lines.split('\n').filter(Boolean)).toHaveLength(1);
    expect(lines.length).toBeLessThan(100);
    const [handed, ...others] = await memory.handed.list('s1');
    expect(others).toEqual([]);
    expect(handed).toMatchObject({ session: 's1', turns: 2, tokens: 600, time: '2026-02-16T09:00:00Z' });
    clock.advance({ days: 3 });
    await memory.remember({ content: 'The ferry to the island leaves at eight since March.' });
    await memory.commit();
    const replayed = await memory.handed.replay(handed!.id);
    expect(replayed).toMatchObject({ isExact: true, session: 's1' });
    expect(replayed.text).toBe(text);
    expect(replayed.since.diff).toContain('+');
    expect(replayed.since.diff).toContain('eight since March');
    await expect(memory.handed.replay('00000000')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is made again from the commit that has what was pending, and needs a message that no turn has', async () => {
    const { memory } = await harbour();
    await memory.capture({ session: 's1', messages: [{ role: 'user', text: 'Hello there.' }] });
    await memory.remember({ content: 'The ferry to the island is called Nerissa.' });
    const { text } = await memory.context('What is the name of the ferry?', { session: 's1' });
    expect(text).toContain('Nerissa');
    await memory.commit();
    const [handed] = await memory.handed.list('s1');
    await expect(memory.handed.replay(handed!.id)).rejects.toMatchObject({ code: 'NOT_FOUND', where: 'message' });
    const { isExact, text: again } = await memory.handed.replay(handed!.id, {
      message: 'What is the name of the ferry?',
    });
    expect(again).toBe(text);
    expect(isExact).toBe(true);
  });
});
