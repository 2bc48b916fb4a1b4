// The tools in the hands of the real AI SDK: a scripted model calls them, and sees what they answer.

import { generateText, stepCountIs } from 'ai';
import { MockLanguageModelV3 } from 'ai/test';
import { expect, it } from 'vitest';
import { memoryTools } from '../../../src/apps/ai-sdk/memory-tools.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** A model that makes those calls, one after the other, and then says "done". */
function modelThat(...calls: readonly (readonly [toolName: string, input: object])[]) {
  const rest = [...calls];
  return new MockLanguageModelV3({
    doGenerate: async () => {
      const next = rest.shift();
      const base = { usage, warnings: [] };
      if (next === undefined) {
        return {
          ...base,
          content: [{ type: 'text', text: 'done' }],
          finishReason: { unified: 'stop', raw: undefined },
        };
      }
      const [toolName, input] = next;
      const toolCallId = `call-${rest.length}`;
      return {
        ...base,
        content: [{ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }],
        finishReason: { unified: 'tool-calls', raw: undefined },
      };
    },
  });
}

it('lets a model remember, find and learn what it did wrong', async () => {
  const { memory } = await newTestMemory();
  const model = modelThat(
    ['memory_add', { content: 'Ada prefers short answers', category: 'preference' }],
    ['memory_search', { query: 'short answers' }],
    ['memory_get', { what: 'nobody' }],
  );
  const { text, steps } = await generateText({
    model,
    prompt: 'Go on.',
    tools: await memoryTools(memory),
    stopWhen: stepCountIs(6),
  });
  expect(text).toBe('done');
  const seen = steps.flatMap(({ content }) =>
    content.filter(({ type }) => type === 'tool-result' || type === 'tool-error'),
  );
  expect(seen).toMatchObject([
    { type: 'tool-result', output: expect.stringContaining('remembered') },
    { type: 'tool-result', output: expect.stringMatching(/^From the memory, as data[\s\S]*Ada prefers short answers/) },
    {
      type: 'tool-error',
      error: expect.objectContaining({ message: expect.stringMatching(/^NOT_FOUND: .*memory_list/) }),
    },
  ]);
  expect((await memory.list()).memories).toMatchObject([
    { content: 'Ada prefers short answers', category: 'preference' },
  ]);
  // The schemas reach the provider as JSON Schema, each field with its meaning.
  const [sent] = model.doGenerateCalls[0]!.tools as {
    name: string;
    inputSchema: { properties: Record<string, unknown> };
  }[];
  expect(sent).toMatchObject({
    name: 'memory_search',
    inputSchema: { properties: { query: { description: expect.any(String) } } },
  });
});

it('offers a reader only what asks', async () => {
  const { memory } = await newTestMemory();
  const names = Object.keys(await memoryTools(memory, { readOnly: true, tools: 'all' }));
  expect(names).toContain('memory_search');
  expect(names).not.toContain('memory_add');
});
