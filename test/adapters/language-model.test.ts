import { createOpenAI } from '@ai-sdk/openai';
import { describe, expect, it } from 'vitest';
import { type LanguageModelOptions, languageModel } from '../../src/adapters/language-model.ts';
import { parseModelName } from '../../src/adapters/model-provider.ts';
import { refusal } from '../helpers/error-manners.ts';
import { type LanguageServer, type Reply, serveLanguage } from '../helpers/language-server.ts';

const schema = {
  type: 'object',
  properties: { items: { type: 'array', items: { type: 'string' } } },
  required: ['items'],
  additionalProperties: false,
};
const request = {
  system: 'Find what matters.',
  prompt: '[1 user] Hello.',
  name: 'memories',
  schema,
  maxOutputTokens: 300,
};
const names = ['openai/gpt-5-mini', 'anthropic/claude-haiku-4-5', 'ollama/llama3.2:3b', 'openai-compatible/org/model'];

async function modelOf(name: string, server: Pick<LanguageServer, 'url'>, more: Partial<LanguageModelOptions> = {}) {
  const pauses: number[] = [];
  const model = await languageModel({
    model: name,
    baseUrl: server.url,
    apiKey: 'key-of-a-test',
    environment: {},
    pause: async (ms) => void pauses.push(ms),
    ...more,
  });
  return { model, pauses, shape: model.shape! };
}

/** Answers in turn, the last one for ever. */
const inTurn =
  (...replies: Reply[]) =>
  (_: unknown, count: number): Reply =>
    replies[Math.min(count, replies.length) - 1]!;

describe('a language model', () => {
  it.each(names)('is asked in the protocol of its provider, with the schema: %s', async (name) => {
    const server = await serveLanguage(() => ({ text: '{"items":["a"]}', usage: { input: 21, output: 5 } }));
    const { model, shape } = await modelOf(name, server);
    expect(model).toMatchObject({ name, isRemote: false });
    expect(await shape(request)).toEqual({ text: '{"items":["a"]}', usage: { input: 21, output: 5 } });
    const [question] = server.questions;
    expect(question).toMatchObject({
      system: request.system,
      prompt: request.prompt,
      maxTokens: 300,
      key: 'key-of-a-test',
    });
    expect(question!.api).toBe({ openai: 'responses', anthropic: 'messages' }[name.split('/')[0]!] ?? 'chat');
    expect(question!.model).toBe(name.slice(name.indexOf('/') + 1));
    expect(question!.schema).toMatchObject({ type: 'object', required: ['items'] });
    if (question!.api === 'responses') expect(question!.body.store).toBe(false);
  });

  it('holds older models of Anthropic to the schema by a tool', async () => {
    const server = await serveLanguage(() => '{"items":["b"]}');
    const { shape } = await modelOf('anthropic/claude-3-5-haiku-latest', server);
    expect((await shape(request)).text).toBe('{"items":["b"]}');
    expect(server.questions[0]!.body.tools).toHaveLength(1);
  });

  it('can be an object of the AI SDK', async () => {
    const server = await serveLanguage(() => '{"items":[]}');
    const model = await languageModel({ model: createOpenAI({ baseURL: server.url, apiKey: 'k' })('gpt-5-nano') });
    expect(model).toMatchObject({ name: 'openai.responses/gpt-5-nano', isRemote: true });
    expect(await model.complete({ system: 's', prompt: 'p' })).toBe('{"items":[]}');
  });

  it.each(names)('gives text that is no JSON to whoever asked: %s', async (name) => {
    const server = await serveLanguage(() => 'Certainly! Here');
    const { shape } = await modelOf(name, server);
    expect(await shape(request)).toMatchObject({ text: 'Certainly! Here', usage: { output: 4 } });
    expect(server.questions).toHaveLength(1);
  });

  it.each(names)('says when the answer was cut off: %s', async (name) => {
    const server = await serveLanguage(() => ({ text: '{"items":["a', isCut: true }));
    const { shape } = await modelOf(name, server);
    expect(await shape(request)).toMatchObject({ text: '{"items":["a', isCut: true });
  });

  it('is asked in words where the server knows no schemas, and from then on', async () => {
    const server = await serveLanguage(({ schema: given }) =>
      given === undefined ? '{"items":["c"]}' : { status: 400, message: 'response_format is not supported' },
    );
    const { shape } = await modelOf('openai-compatible/small', server);
    expect((await shape(request)).text).toBe('{"items":["c"]}');
    expect((await shape(request)).text).toBe('{"items":["c"]}');
    expect(server.questions.map(({ schema: given }) => given !== undefined)).toEqual([true, false, false]);
    expect(server.questions[1]!.system).toContain(JSON.stringify(schema));
  });

  it('waits as long as a busy server asks for, and longer each time where it does not say', async () => {
    const server = await serveLanguage(
      inTurn(
        { status: 429, headers: { 'retry-after': '7' } },
        { status: 500 },
        { status: 503, headers: { 'retry-after-ms': '20' } },
        '{"items":[]}',
      ),
    );
    const { shape, pauses } = await modelOf('openai/gpt-5-mini', server, { retries: 3 });
    expect((await shape(request)).text).toBe('{"items":[]}');
    expect(pauses[0]).toBe(7000);
    expect(pauses[1]).toBeGreaterThanOrEqual(1500);
    expect(pauses[1]).toBeLessThanOrEqual(2000);
    expect(pauses[2]).toBe(20);
  });

  it('is given up where it asks for more patience than anybody has', async () => {
    const server = await serveLanguage(() => ({ status: 429, headers: { 'retry-after': '3600' }, message: 'quota' }));
    const { shape, pauses } = await modelOf('anthropic/claude-haiku-4-5', server);
    expect(await refusal(shape(request))).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(pauses).toEqual([]);
  });

  it.each(names)('is asked again when the connection is cut, and given up in the end: %s', async (name) => {
    const server = await serveLanguage(() => ({ fault: 'cut' }));
    const { shape, pauses } = await modelOf(name, server, { retries: 2 });
    const error = await refusal(shape(request));
    expect(error.code).toBe('MODEL_UNAVAILABLE');
    expect(server.questions).toHaveLength(3);
    expect(pauses).toHaveLength(2);
  });

  it.each(names)('is not asked again with a key that is wrong, and the key is not shown: %s', async (name) => {
    const server = await serveLanguage(() => ({ status: 401, message: 'Incorrect API key provided: key-of-a-test' }));
    const { shape } = await modelOf(name, server);
    const error = await refusal(shape(request));
    expect(error.code).toBe('MODEL_UNAVAILABLE');
    expect(error.message).toContain('key is missing, wrong');
    expect(`${error.message}${JSON.stringify(error)}`).not.toContain('key-of-a-test');
    expect(server.questions).toHaveLength(1);
  });

  it('is asked once more when it is silent for too long, and then later', async () => {
    const server = await serveLanguage(inTurn({ fault: 'silence' }, '{"items":[]}'));
    const { shape } = await modelOf('openai/gpt-5-mini', server, { timeoutMs: 200 });
    expect((await shape(request)).text).toBe('{"items":[]}');
    server.answer = () => ({ fault: 'silence' });
    expect((await refusal(shape(request))).code).toBe('MODEL_UNAVAILABLE');
    expect(server.questions).toHaveLength(4);
  });

  it('stops at once when its caller aborts, while it waits for an answer and between two attempts', async () => {
    const server = await serveLanguage(() => ({ fault: 'silence' }));
    const { model, shape } = await modelOf('openai/gpt-5-mini', server);
    const abort = new AbortController();
    const asked = shape({ ...request, signal: abort.signal });
    while (server.questions.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort(new Error('enough'));
    await expect(asked).rejects.toThrow('enough');
    server.answer = () => ({ status: 500 });
    const patient = await languageModel({ model: model.name, baseUrl: server.url, apiKey: 'k', environment: {} });
    const second = new AbortController();
    setTimeout(() => second.abort(new Error('enough')), 150);
    await expect(patient.complete({ system: 's', prompt: 'p', signal: second.signal })).rejects.toThrow('enough');
  });

  it('is not believed when it answers without end', async () => {
    const server = await serveLanguage(() => ({ fault: 'flood' }));
    const { shape } = await modelOf('openai/gpt-5-mini', server);
    const error = await refusal(shape(request));
    expect(error.code).toBe('MODEL_FAILED');
    expect(error.message).toContain('longer than');
    expect(server.questions).toHaveLength(1);
  });

  it('may refuse one request, which is no reason to give it up', async () => {
    const server = await serveLanguage(() => ({ status: 413, message: 'too many tokens' }));
    const { model } = await modelOf('anthropic/claude-haiku-4-5', server);
    expect((await refusal(model.complete({ system: 's', prompt: 'p' }))).code).toBe('MODEL_FAILED');
  });

  it('says what is missing: server, key, address, model', async () => {
    const nobody = { url: 'http://127.0.0.1:1/v1' };
    const { shape } = await modelOf('ollama/llama3.2', nobody, { retries: 0 });
    expect(await refusal(shape(request))).toMatchObject({ code: 'MODEL_UNAVAILABLE', where: 'ollama/llama3.2' });
    const without = (model: string, environment = {}) => refusal(languageModel({ model, environment }));
    expect(await without('openai/gpt-5-mini')).toMatchObject({ code: 'MODEL_UNAVAILABLE', where: 'OPENAI_API_KEY' });
    expect(await without('anthropic/x')).toMatchObject({ code: 'MODEL_UNAVAILABLE', where: 'ANTHROPIC_API_KEY' });
    expect(await without('openai-compatible/x')).toMatchObject({ where: 'GIT_MEMORY_MODEL_URL' });
    expect(await without('openai-compatible/x', { GIT_MEMORY_MODEL_URL: 'file:///etc' })).toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect(await without('gpt-5-mini')).toMatchObject({ code: 'INVALID_ARGUMENT', where: 'model' });
    expect(await refusal(languageModel({ model: {} as never }))).toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('is told from its address to leave the machine or not', async () => {
    const of = async (model: string, environment: Record<string, string>) =>
      (await languageModel({ model, environment })).isRemote;
    expect(await of('openai/x', { OPENAI_API_KEY: 'k' })).toBe(true);
    expect(await of('openai/x', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://localhost:9/v1' })).toBe(false);
    expect(await of('ollama/x', {})).toBe(false);
    expect(await of('ollama/x', { OLLAMA_HOST: 'gpu.example' })).toBe(true);
    expect(await of('openai-compatible/x', { GIT_MEMORY_MODEL_URL: 'http://127.0.0.1.example/v1' })).toBe(true);
  });
});

describe('a name of a model', () => {
  it('has a provider and an id, which may have slashes and colons', () => {
    expect(parseModelName('ollama/hf.co/org/model:Q4_K_M')).toEqual({
      provider: 'ollama',
      id: 'hf.co/org/model:Q4_K_M',
    });
    for (const bad of ['', 'openai', 'openai/', 'OpenAI/x', 'evil/x', 'openai/ x', 'openai/x\ny', 'openai//x']) {
      expect(parseModelName(bad)).toBeUndefined();
    }
  });
});
