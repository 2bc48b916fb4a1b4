import { describe, expect, it } from 'vitest';
import { languageModel } from '../../../../src/adapters/language-model.ts';
import { MemoryError } from '../../../../src/base/errors.ts';
import type { TextModel, TokenUsage } from '../../../../src/base/ports.ts';
import type { Transcript } from '../../../../src/base/types/stored-types.ts';
import type { Extraction } from '../../../../src/core/extract/extractor.ts';
import { Budget } from '../../../../src/core/extract/model/budget.ts';
import { memoryCache } from '../../../../src/core/extract/model/cache-key.ts';
import { modelExtractor } from '../../../../src/core/extract/model/model-extractor.ts';
import { type LanguageServer, serveLanguage } from '../../../helpers/language-server.ts';

const time = Date.parse('2026-11-02T09:00:00Z');
const transcript: Transcript = {
  sessionId: 's',
  started: time,
  title: 'T',
  turns: Array.from({ length: 12 }, (_, at) => ({
    role: at % 2 === 0 ? 'user' : 'agent',
    time,
    text: `Part ${at + 1} of the plan is to paint the fence of garden number${at + 1} green.${' More words follow here.'.repeat(8)}`,
  })),
};
const itemFor = (turn: number, content = `Fence of garden number${turn} is to be painted green`) => ({
  category: 'decision',
  content,
  turns: [turn],
  confidence: 0.9,
  entities: ['Nobody'],
  topics: [],
  form: 'none',
  due: null,
});
/** Finds one item in each turn that it is to read. */
const honest: LanguageServer['answer'] = ({ prompt }) => {
  const shown = prompt.split('To be read now:').at(-1)!;
  return JSON.stringify({ items: [...shown.matchAll(/^#(\d+)/gm)].map((match) => itemFor(Number(match[1]))) });
};

function setUp(
  model: TextModel,
  more: { calls?: number; tokens?: number; cache?: ReturnType<typeof memoryCache>; outputTokens?: number } = {},
) {
  const spent: TokenUsage[] = [];
  const meter = {
    today: () => ({ calls: spent.length, tokens: spent.reduce((sum, { input, output }) => sum + input + output, 0) }),
    add: (usage: TokenUsage) => void spent.push(usage),
  };
  const { calls = 100, tokens = 1e6, cache = memoryCache(), outputTokens = 500 } = more;
  const budget = new Budget({ run: { calls, tokens }, day: { calls: 1000, tokens: 1e7 } }, meter);
  const extractor = modelExtractor({ model, cache, budget, windowTokens: 200, outputTokens, parallel: 2 });
  const read = async () => (await extractor.extract(transcript, { path: 'raw/conversations/a.md' })) as Extraction;
  return { budget, cache, extractor, read, spent };
}

async function connect(answer: LanguageServer['answer']) {
  const server = await serveLanguage(answer);
  const model = await languageModel({
    model: 'openai/gpt-5-mini',
    baseUrl: server.url,
    apiKey: 'k',
    environment: {},
    retries: 1,
    pause: async () => {},
  });
  return { server, model };
}

async function codeOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(MemoryError);
  return (error as MemoryError).code;
}

describe('the extractor of a model', () => {
  it('reads all windows, gives items in order, and counts what it took', async () => {
    const { server, model } = await connect(honest);
    const { read, extractor, budget } = setUp(model);
    const { items, dropped } = await read();
    expect(items.map(({ turns }) => turns[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(items[0]).toMatchObject({ role: 'user', entities: [], category: 'decision' });
    expect(dropped).toEqual([]);
    expect(extractor).toMatchObject({ name: 'model', model: 'openai/gpt-5-mini' });
    expect(extractor.tally()).toEqual({ asked: server.questions.length, kept: 0, failed: 0 });
    expect(server.questions.length).toBeGreaterThan(3);
    expect(budget.use()).toMatchObject({ calls: server.questions.length, isEstimated: false });
    expect(budget.use().input).toBeGreaterThan(1000);
  });

  it('pays for nothing twice: a run that stopped goes on where it was', async () => {
    const { server, model } = await connect(honest);
    const first = setUp(model, { calls: 2 });
    expect(await codeOf(first.read())).toBe('QUOTA');
    expect(server.questions).toHaveLength(2);
    const second = setUp(model, { cache: first.cache });
    await second.read();
    expect(second.extractor.tally().kept).toBe(2);
    const { length } = server.questions;
    expect(length).toBe(2 + second.extractor.tally().asked);
    const third = setUp(model, { cache: first.cache });
    expect((await third.read()).items).toHaveLength(12);
    expect(server.questions).toHaveLength(length);
    expect(third.spent).toEqual([]);
  });

  it('drops what nobody said and names it', async () => {
    const { model } = await connect(({ prompt }) =>
      !prompt.includes('To be read now')
        ? JSON.stringify({
            items: [
              itemFor(1),
              itemFor(99),
              itemFor(12),
              itemFor(1, 'The moon is made of cheese'),
              itemFor(1, 'The fence of garden number1 costs 500'),
            ],
          })
        : '{"items":[]}',
    );
    const { items, dropped } = await setUp(model).read();
    expect(items).toHaveLength(1);
    expect(dropped!.map(({ why }) => why)).toEqual([
      'the conversation has no turn 99',
      'turn 12 was not to be read',
      'turn 1 does not say it',
      'nobody named the number 500',
    ]);
  });

  it('asks once more for an answer that cannot be read, and gives up the window after that', async () => {
    let broken = true;
    const { server, model } = await connect((question, count) => {
      if (question.prompt.includes('could not be used')) return broken ? 'still not' : honest(question, count);
      return question.prompt.includes('To be read now') ? honest(question, count) : 'Certainly! Here are';
    });
    const { read, extractor } = setUp(model);
    const { items, dropped } = await read();
    expect(extractor.tally().failed).toBe(1);
    expect(items.length).toBeGreaterThan(5);
    expect(dropped).toEqual([
      { content: expect.stringMatching(/^turns? 1/), why: expect.stringContaining('not JSON') },
    ]);
    expect(server.questions.filter(({ prompt }) => prompt.includes('could not be used'))).toHaveLength(1);
    broken = false;
    const again = setUp(model);
    expect((await again.read()).items).toHaveLength(12);
  });

  it('fails as a whole when no window is answered, and says when the model cannot be asked', async () => {
    const { server, model } = await connect(() => '{"facts": 1}');
    expect(await codeOf(setUp(model).read())).toBe('MODEL_FAILED');
    server.answer = () => ({ status: 401 });
    expect(await codeOf(setUp(model).read())).toBe('MODEL_UNAVAILABLE');
    server.answer = () => ({ status: 500 });
    expect(await codeOf(setUp(model).read())).toBe('MODEL_UNAVAILABLE');
  });

  it('stops at a limit of tokens before it asks', async () => {
    const { server, model } = await connect(honest);
    expect(await codeOf(setUp(model, { tokens: 900 }).read())).toBe('QUOTA');
    expect(server.questions).toEqual([]);
  });

  it('reads with a model that only completes texts, and estimates what it took', async () => {
    const systems: string[] = [];
    const plain: TextModel = {
      name: 'mine',
      async complete({ system, prompt }) {
        systems.push(system);
        return `Sure: ${honest({ prompt } as never, 1)}`;
      },
    };
    const { read, budget } = setUp(plain);
    expect((await read()).items).toHaveLength(12);
    expect(systems[0]).toContain('JSON Schema');
    expect(budget.use().isEstimated).toBe(true);
    const failing: TextModel = { name: 'mine', complete: () => Promise.reject(new Error('out of memory')) };
    expect(await codeOf(setUp(failing).read())).toBe('MODEL_UNAVAILABLE');
  });

  it('ends with its caller', async () => {
    const { model } = await connect(() => ({ fault: 'silence' }));
    const { extractor } = setUp(model);
    const abort = new AbortController();
    setTimeout(() => abort.abort(new Error('enough')), 100);
    const reading = extractor.extract(transcript, { path: 'a', signal: abort.signal });
    await expect(reading).rejects.toThrow('enough');
  });
});
