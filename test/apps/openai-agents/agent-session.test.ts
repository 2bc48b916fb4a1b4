// The session in the hands of the real runner of the OpenAI Agents SDK; only the model is scripted.

import {
  Agent,
  type AgentInputItem,
  MemorySession,
  type Model,
  type ModelRequest,
  Runner,
  tool,
} from '@openai/agents-core';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { GitMemorySession } from '../../../src/apps/openai-agents/agent-session.ts';
import { openMemory } from '../../../src/index.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';

/** Says how many items it was told; asks for the weather first when somebody wants it. */
function scriptedModel(): Model {
  const usage = { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  return {
    async getResponse({ input }: ModelRequest) {
      const items = typeof input === 'string' ? [] : input;
      const last = items.at(-1);
      const wantsWeather = JSON.stringify(last).includes('weather') && last?.type !== 'function_call_result';
      const output = wantsWeather
        ? [{ type: 'function_call' as const, callId: 'c1', name: 'weather', arguments: '{"city":"Bergen"}' }]
        : [
            {
              type: 'message' as const,
              role: 'assistant' as const,
              status: 'completed' as const,
              content: [{ type: 'output_text' as const, text: `I was told ${items.length} items.` }],
            },
          ];
      return { usage, output, responseId: 'r' };
    },
    // biome-ignore lint/correctness/useYield: the runner does not stream here
    async *getStreamedResponse() {
      throw new Error('not asked for');
    },
  } as unknown as Model;
}

const agent = new Agent({
  name: 'helper',
  model: scriptedModel(),
  tools: [
    tool({
      name: 'weather',
      description: 'Tells the weather',
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => `Rain in ${city}`,
    }),
  ],
});

/** An item without what the runner numbers anew. */
const plain = (items: AgentInputItem[]) => items.map((item) => JSON.parse(JSON.stringify({ ...item, id: undefined })));

it('lets the runner go on with a conversation, as its own session does, also in another process', async () => {
  const { memory, directory: dir } = await newTestMemory();
  const runner = new Runner({ tracingDisabled: true });
  const theirs = new MemorySession({ sessionId: 'x' });
  const ours = new GitMemorySession(memory, { sessionId: 'Support 42', topic: 'Rain' });
  for (const question of ['Hello', 'How is the weather?']) {
    const answers = [];
    for (const session of [theirs, ours]) answers.push((await runner.run(agent, question, { session })).finalOutput);
    expect(answers[1]).toBe(answers[0]);
  }
  expect(plain(await ours.getItems())).toEqual(plain(await theirs.getItems()));
  expect(plain(await ours.getItems(2))).toEqual(plain(await theirs.getItems(2)));
  await memory.close();

  const again = await openMemory({ dir });
  const resumed = new GitMemorySession(again, { sessionId: 'Support 42' });
  const next = (await runner.run(agent, 'And now?', { session: resumed })).finalOutput;
  expect(next).toBe((await runner.run(agent, 'And now?', { session: theirs })).finalOutput);

  const capture = await resumed.end();
  const transcript = await again.read(capture!.path);
  expect(transcript).toContain('How is the weather?');
  expect(transcript).toContain('[tool:weather]');
  expect(transcript).toContain('And now?');
  expect((await again.recall('weather', { category: 'conversation' })).hits.length).toBeGreaterThan(0);
  await again.close();
  if (hasGit) expect(fsck(dir)).toBe('');
});

it('takes items back one by one and all at once, and keeps what was said', async () => {
  const { memory } = await newTestMemory();
  const session = new GitMemorySession(memory);
  const item = (text: string): AgentInputItem => ({ type: 'message', role: 'user', content: text });
  expect(await session.popItem()).toBeUndefined();
  await session.addItems([]);
  await session.addItems([item('one'), item('two')]);
  await session.addItems([item('three')]);
  expect(await session.popItem()).toEqual(item('three'));
  expect(await session.popItem()).toEqual(item('two'));
  expect(await session.getItems()).toEqual([item('one')]);
  expect(await session.getItems(0)).toEqual([]);
  await session.clearSession();
  expect(await session.getItems()).toEqual([]);
  expect((await memory.recall('three')).hits[0]?.category).toBe('conversation');
  await session.addItems([item('four')]);
  expect(await session.getItems()).toEqual([item('four')]);
  expect((await session.end())?.session).toMatch(/-2$/);
  expect(() => new GitMemorySession(memory, { sessionId: ' ' })).toThrow(/id of a session/);
});

it('takes no item of several when one of them is none, and says which', async () => {
  const { memory } = await newTestMemory();
  const session = new GitMemorySession(memory, { sessionId: 's' });
  const good: AgentInputItem = { type: 'message', role: 'user', content: 'good' };
  const cyclic: Record<string, unknown> = { type: 'message', role: 'user', content: 'x' };
  cyclic.self = cyclic;
  const wrong: [unknown, string][] = [
    [null, 'items'],
    [5, 'items'],
    [[null], 'items[0]'],
    [[5], 'items[0]'],
    [[good, undefined], 'items[1]'],
    [[good, [good]], 'items[1]'],
    [[{ role: 5, content: 'x' }], 'items[0]'],
    [[{ role: 'user\n## x', content: 'x' }], 'items[0]'],
    [[{ role: 'user' }], 'items[0]'],
    [[{ role: 'user', content: [null] }], 'items[0]'],
    [[{ role: 'user', content: [{ type: 'input_text', text: 5 }] }], 'items[0]'],
    [[{ type: 'function_call', name: 'x' }], 'items[0]'],
    [[good, cyclic], 'items'],
    [[{ type: 'reasoning', id: 10n }], 'items'],
  ];
  for (const [items, where] of wrong) {
    await expect(session.addItems(items as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT', where });
  }
  expect(await memory.files()).toEqual(expect.not.arrayContaining([expect.stringMatching(/^(?:state|raw)\//)]));
  await session.addItems([good, { type: 'message', role: 'developer', content: 'brief' } as never]);
  expect(await session.getItems()).toHaveLength(2);
});

it('loses no item when two programs add to one session at once', async () => {
  const { memory, directory: dir } = await newTestMemory();
  const other = await openMemory({ dir });
  const sessions = [memory, other].map((one) => new GitMemorySession(one, { sessionId: 's', transcript: false }));
  await Promise.all(
    sessions.map(async (session, who) => {
      for (let n = 0; n < 15; n += 1)
        await session.addItems([{ type: 'message', role: 'user', content: `${who}:${n}` }]);
    }),
  );
  const items = (await sessions[0]!.getItems()) as { content: string }[];
  expect(items.map(({ content }) => content).sort()).toEqual(
    [0, 1].flatMap((who) => Array.from({ length: 15 }, (_, n) => `${who}:${n}`)).sort(),
  );
  await other.close();
});
