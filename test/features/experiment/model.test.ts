// An experiment with a language model, over a real connection: what it reads, what it costs, and what the comparison says of that.

import { expect, it } from 'vitest';
import { languageModel } from '../../../src/adapters/language-model.ts';
import { formatComparison } from '../../../src/features/experiment/report.ts';
import { honestAnswer } from '../../helpers/honest-reader.ts';
import { serveLanguage } from '../../helpers/language-server.ts';
import { newTestMemory, writeConfiguration } from '../../helpers/memories.ts';

it('reads with a model, pays for nothing twice, and tells cost, tokens and calls', async () => {
  const server = await serveLanguage(({ prompt }) => ({
    text: honestAnswer(prompt),
    usage: { input: 100, output: 10 },
  }));
  const settings = { baseUrl: server.url, apiKey: 'k', environment: {}, retries: 1, pause: async () => {} };
  const model = await languageModel({ model: 'openai/gpt-5-mini', ...settings });
  const { memory } = await newTestMemory({ model: null });
  const prices = '[{ model: openai/gpt-5-mini, input: 1000, output: 2000 }]';
  await writeConfiguration(memory, `version: 1\nextract: { model: { prices: ${prices} } }\n`);
  for (const [day, text] of [
    'The fence gets painted green.',
    'The gate gets painted blue.',
    'The roof is red.',
  ].entries()) {
    const time = `2026-02-1${day}T08:00:00Z`;
    await memory.capture({ session: `s${day}`, messages: [{ role: 'user', text, time }] });
  }
  await memory.extract();
  const tip = memory.tip;
  const controller = new AbortController();
  const onProgress = ({ done }: { done: number }) => done === 1 && controller.abort(new Error('enough'));
  const { signal } = controller;
  await expect(memory.experiments.run('model', { model, parallel: 1, signal, onProgress })).rejects.toThrow('enough');
  const ran = await memory.experiments.run('model', { model, parallel: 1 });
  expect(ran).toMatchObject({ isFinished: true, created: 3, extractor: 'model@4' });
  expect(ran.cost).toMatchObject({ calls: 3, inputTokens: 300, outputTokens: 30 });
  expect(ran.cost.price).toBeCloseTo(0.36);
  expect(server.questions).toHaveLength(3);
  expect(server.questions[0]).toMatchObject({ api: 'responses', model: 'gpt-5-mini' });
  expect(memory.tip).toBe(tip);
  const compared = await memory.experiments.compare('main', 'model');
  expect(compared.a.cost).toBeNull();
  expect(compared.b).toMatchObject({
    name: 'model',
    memories: 3,
    cost: { calls: 3, inputTokens: 300, outputTokens: 30 },
  });
  expect(formatComparison(compared)).toContain('extracted by model@4: 3 calls, 330 tokens, cost 0.3600');
  // The same once more costs nothing: what was answered is kept.
  const again = await memory.experiments.run('again', { model });
  expect(again).toMatchObject({ created: 3, cost: { calls: 0 } });
  expect(server.questions).toHaveLength(3);
  await server.close();
});
