import { describe, expect, it } from 'vitest';
import { languageModel } from '../../../../src/adapters/language-model.ts';
import type { TextModel, TokenUsage } from '../../../../src/base/ports.ts';
import type { Transcript } from '../../../../src/base/types/stored-types.ts';
import type { Extraction } from '../../../../src/core/extract/extractor.ts';
import { Budget } from '../../../../src/core/extract/model/budget.ts';
import { memoryCache } from '../../../../src/core/extract/model/cache-key.ts';
import { modelExtractor } from '../../../../src/core/extract/model/model-extractor.ts';
import { refusal } from '../../../helpers/error-manners.ts';
import { answerItem, honestAnswer, shownIn } from '../../../helpers/honest-reader.ts';
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
const honest: LanguageServer['answer'] = ({ prompt }) => honestAnswer(prompt);
/** An item of the first turn of the conversation. */
const itemOf = (more: object) =>
  answerItem({ says: 'Garden number1 is painted', t: [1], quote: 'Part 1 of the plan', ...more });
const withItems = (...items: object[]): string => JSON.stringify({ items, unchanged: [], nothing: [] });

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

const codeOf = async (promise: Promise<unknown>) => (await refusal(promise)).code;

describe('the extractor of a model', () => {
  it('reads all windows, gives items in order, and counts what it took', async () => {
    const { server, model } = await connect(honest);
    const { read, extractor, budget } = setUp(model);
    const { items, dropped } = await read();
    expect(items.map(({ turns }) => turns[0])).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(items[0]).toMatchObject({ role: 'user', category: 'decision', replaces: [] });
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

  it('drops what nobody said and names it, and keeps the words of what is said otherwise', async () => {
    const { model } = await connect(({ prompt }) =>
      shownIn(prompt).before.length > 0
        ? withItems()
        : withItems(
            itemOf({ says: 'The fence of garden number1 is to be green.' }),
            itemOf({ quote: 'Nobody said so' }),
            itemOf({ says: 'The moon is made of cheese.', quote: '' }),
            itemOf({ says: 'The fence of garden number1 costs 500.' }),
          ),
    );
    const { items, dropped } = await setUp(model).read();
    expect(items).toMatchObject([{ statement: 'The fence of garden number1 is to be green.' }, { confidence: 0.5 }]);
    expect(items[1]).not.toHaveProperty('statement');
    expect(items[1]!.content).toMatch(/^Part 1 of the plan is to paint/);
    expect(dropped!.map(({ why }) => why)).toEqual([
      'no turn has its quote',
      'no turn says it',
      'nobody named the number 500',
    ]);
  });

  it('asks once more for an answer that cannot be read, and leaves the window unread after that', async () => {
    let broken = true;
    const { server, model } = await connect((question, count) => {
      if (question.prompt.includes('could not be used')) return broken ? 'still not' : honest(question, count);
      return shownIn(question.prompt).before.length > 0 ? honest(question, count) : 'Certainly! Here are';
    });
    const cache = memoryCache();
    const { read, extractor } = setUp(model, { cache });
    const { items, unread } = await read();
    expect(extractor.tally().failed).toBe(1);
    expect(items.length).toBeGreaterThan(5);
    expect(unread).toEqual([{ first: 1, last: expect.any(Number), why: expect.stringContaining('no JSON object') }]);
    expect(server.questions.filter(({ prompt }) => prompt.includes('could not be used'))).toHaveLength(1);
    broken = false;
    // What was read is kept, and only what was not is asked about again.
    const { length } = server.questions;
    const again = setUp(model, { cache });
    expect(await again.read()).toMatchObject({ items: { length: 12 } });
    expect(server.questions.length - length).toBe(2);
  });

  it('takes an echo of what it asks for no answer', async () => {
    const { model } = await connect(({ system, prompt }) => `${system}\n\n${prompt}`);
    const { items, unread } = await setUp(model).read();
    expect(items).toEqual([]);
    expect(unread!.at(-1)).toMatchObject({ last: 12, why: expect.stringContaining('no turn says any of its items') });
  });

  it('asks once for the rest of an answer that is cut, and names what may still be missing', async () => {
    let isCutAgain = false;
    const { server, model } = await connect(({ prompt }) => {
      const { turns } = shownIn(prompt);
      const items = turns.map(({ t, text }) => answerItem({ says: text, t: [t], quote: text }));
      const isRest = prompt.includes('was cut off');
      const cut = withItems(...items).slice(0, -80);
      return { text: isRest && !isCutAgain ? withItems(items.at(-1)!) : cut, isCut: !isRest || isCutAgain };
    });
    const { items, unread } = await setUp(model, { outputTokens: 400 }).read();
    expect(items).toHaveLength(12);
    expect(unread).toBeUndefined();
    expect(server.questions.some(({ prompt }) => /#1 "Part 1 of/.test(prompt))).toBe(true);
    isCutAgain = true;
    const again = await setUp(model).read();
    expect(again.items.length + again.unread!.length).toBe(12);
    expect(again.unread!.at(-1)).toEqual({ first: 12, last: 12, why: 'its answer is cut' });
  });

  it('shows a window what those before it have found, and lets it end that', async () => {
    const { model } = await connect(({ prompt }) => {
      const { claims, turns } = shownIn(prompt);
      const [first] = claims;
      const changes = first === undefined ? [] : [{ k: first.k, how: 'ends', quote: '' }];
      const said = { subject: 'the plan', changes };
      return withItems(
        ...turns.slice(0, 1).map(({ t, text }) => answerItem({ says: text, t: [t], quote: text, ...said })),
      );
    });
    const server = modelExtractor({
      ...{
        model,
        cache: memoryCache(),
        budget: setUp(model).budget,
        windowTokens: 200,
        outputTokens: 500,
        parallel: 1,
      },
    });
    const { items } = (await server.extract(transcript, { path: 'raw/conversations/a.md' })) as Extraction;
    const first = { path: 'raw/conversations/a.md', turn: 1, words: items[0]!.statement };
    expect(items.length).toBeGreaterThan(3);
    expect(items.slice(1).map(({ replaces }) => replaces)).toEqual(items.slice(1).map(() => [first]));
  });

  it('says when the model cannot be asked', async () => {
    const { server, model } = await connect(() => ({ status: 401 }));
    expect(await codeOf(setUp(model).read())).toBe('MODEL_UNAVAILABLE');
    server.answer = () => ({ status: 500 });
    expect(await codeOf(setUp(model).read())).toBe('MODEL_UNAVAILABLE');
  });

  it('lets short conversations share a request, and sorts what is said of them', async () => {
    const { server, model } = await connect(honest);
    const conversations = Array.from({ length: 60 }, (_, at) => ({
      path: `raw/conversations/${at}.md`,
      transcript: { ...transcript, turns: [{ role: 'user', time, text: `Shed ${at} has a red door.` }] },
    }));
    const cache = memoryCache();
    const setting = { model, cache, budget: setUp(model).budget, windowTokens: 3000, outputTokens: 500, parallel: 1 };
    const extractor = modelExtractor(setting);
    for (let at = 0; at < conversations.length; ) at += await extractor.ahead!(conversations.slice(at), {});
    expect(server.questions).toHaveLength(3);
    for (const [at, { path, transcript: own }] of conversations.entries()) {
      const { items } = (await extractor.extract(own, { path })) as Extraction;
      expect(items).toMatchObject([{ content: `Shed ${at} has a red door.`, turns: [1] }]);
    }
    // In another grouping nothing is asked again.
    const again = modelExtractor(setting);
    expect(await again.extract(conversations[7]!.transcript, { path: 'elsewhere' })).toMatchObject({ items: [{}] });
    expect(server.questions).toHaveLength(3);
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
        return `Sure: ${honestAnswer(prompt)}`;
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
