// What frameworks hand on from programs and models: wrong input is a MemoryError, and what is only written otherwise is read.

import { expect, it } from 'vitest';
import { memoryTools } from '../../src/apps/ai-sdk/memory-tools.ts';
import { GitMemoryStore } from '../../src/apps/langgraph/memory-store.ts';
import { memoryTool } from '../../src/apps/memory-tool/memory-tool.ts';
import { callTool, failureAnswer } from '../../src/apps/tool-answers.ts';
import { toolsOf } from '../../src/apps/tools.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';

it('a set of tools, a command and an item that are none are INVALID_ARGUMENT', async () => {
  const { memory } = await newTestMemory();
  const store = new GitMemoryStore(memory);
  const refused = async (call: Promise<unknown>, where: string) =>
    expect(await call.catch((error: unknown) => error)).toMatchObject({ code: 'INVALID_ARGUMENT', where });
  await refused(memoryTools(memory, { tools: 'bogus' as never }), 'tools');
  await refused(memoryTool(memory).execute(undefined as never), 'command');
  await refused(memoryTool(memory).execute({ command: 5 } as never), 'command');
  await refused(store.put(['x'], 5 as never, {}), 'key');
  await refused(store.get(['x'], 5 as never), 'key');
  await refused(store.put(['x'], 'k', { a: 10n }), 'value');
  expect(await memory.files('store/')).toEqual([]);
});

const tools = new Map((await toolsOf('everyday', false)).map((tool) => [tool.entry.name, tool]));

async function call(memory: Memory, name: string, given: unknown) {
  return callTool(tools.get(name)!, async () => memory, given, {}).catch((error: unknown) =>
    failureAnswer(error, new Map()),
  );
}

it('a model may write numbers and flags as texts, and say nothing in optional fields', async () => {
  const { memory } = await newTestMemory();
  await memory.remember('The plan is with Grace');
  const found = await call(memory, 'memory_search', { query: 'plan', limit: '5', since: '', category: null });
  expect(found).toMatchObject({ isError: false, data: { hits: [{ snippet: expect.stringContaining('Grace') }] } });
  expect(await call(memory, 'memory_list', { weakest: 'true', limit: '1', tag: '' })).toMatchObject({ isError: false });
  const claims = [{ content: 'Ada likes tea', due: null, tags: null }];
  expect(await call(memory, 'memory_add', { claims, session: '' })).toMatchObject({ isError: false });
  expect((await call(memory, 'memory_search', { query: 'plan', limit: 'five' })).text).toContain('not "five"');
  expect((await call(memory, 'memory_search', { query: 'plan', limit: '500' })).text).toContain('50 or less');
  expect((await call(memory, 'memory_search', { query: null })).isError).toBe(true);
});

it('a capture takes messages as models have them, and speaks of its own fields', async () => {
  const { memory } = await newTestMemory();
  const messages = [
    { role: 'user', content: 'The valve is stuck.', time: null },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I call' },
        { type: 'text', text: 'the plumber.' },
      ],
    },
  ];
  const { data, isError } = await call(memory, 'memory_capture', { messages, text: null });
  expect(isError).toBe(false);
  expect(await memory.read(data.path as string)).toMatch(/The valve is stuck\.[\s\S]*I call\nthe plumber\./);
  const { text } = await call(memory, 'memory_capture', {});
  expect(text).toMatch(/INVALID_ARGUMENT.*messages.*role.*text/);
  expect(text).not.toMatch(/standard input|files/);
});

it('an event closes a promise by the id of its memory, and is shown by its own', async () => {
  const { memory } = await newTestMemory();
  const promise = { content: 'I will send the plan to Grace', category: 'commitment', due: '2026-12-01' };
  const { id } = (await call(memory, 'memory_add', promise)).data;
  const unknown = await call(memory, 'memory_event', { content: 'sent', closes: 'nobody' });
  expect(unknown.text).toMatch(/NOT_FOUND.*closes.*EVT-.*memory_status/);
  await memory.commit();
  const closed = await call(memory, 'memory_event', { content: 'The plan was sent to Grace', closes: id });
  expect(closed).toMatchObject({ isError: false, data: { id: expect.stringMatching(/^EVT-/) } });
  expect((await memory.ledger.loops()).loops).toEqual([]);
  const shown = await call(memory, 'memory_get', { what: closed.data.id });
  expect(shown).toMatchObject({ isError: false, data: { id: closed.data.id, category: 'commitment' } });
  expect(shown.text).toContain('The plan was sent to Grace');
  expect((await call(memory, 'memory_get', { what: 'EVT-20200101-001' })).text).toMatch(/NOT_FOUND.*memory_status/);
});

it('a memory that is too long for one answer comes in parts that together are the whole', async () => {
  const { memory } = await newTestMemory();
  const words = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`).join(' ');
  for (const content of [`${words(20_000)} end.`, `first\n\n${words(3000)}\nlast`, 'x'.repeat(30_000)]) {
    const { id } = await memory.remember(content);
    const parts: string[] = [];
    for (let line: unknown = 1; line !== undefined; ) {
      const { text, data } = await call(memory, 'memory_get', { what: id, line });
      expect(text.length).toBeLessThan(14_000);
      parts.push(data.content as string);
      line = data.next;
      expect(text.includes(`goes on at line ${line}`)).toBe(line !== undefined);
    }
    expect(parts.join('').replace(/\s/g, '')).toBe(content.replace(/\s/g, ''));
  }
});

it.each(['memory_event', 'memory_add'])('%s names a due day that no calendar has', async (name) => {
  const { memory } = await newTestMemory();
  const { data } = await call(memory, name, { content: 'I will call Grace', due: '2026-02-30' });
  expect(data).toMatchObject({
    error: { code: 'INVALID_DATE', where: 'due', hint: expect.stringContaining('tomorrow') },
  });
});
