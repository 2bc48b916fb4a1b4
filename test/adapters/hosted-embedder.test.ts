import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { afterAll, describe, expect, it } from 'vitest';
import { type HostedEmbedderOptions, hostedEmbedder } from '../../src/adapters/hosted-embedder.ts';
import { embedTexts } from '../../src/search/vectors/embed-texts.ts';
import { refusal } from '../helpers/error-manners.ts';

interface Request {
  readonly model: string;
  readonly input: string[];
  readonly dimensions?: number;
  readonly authorization: string | undefined;
}

/** Counts three letters. */
const vectorOf = (text: string): number[] => [...'abc'].map((letter) => text.split(letter).length - 1);

/** A server that speaks the embeddings protocol of OpenAI; `answer` may send something else instead. */
async function serve(
  answer: (request: Request, response: http.ServerResponse, count: number) => boolean = () => false,
) {
  const requests: Request[] = [];
  const server = http.createServer((message, response) => {
    let body = '';
    message.on('data', (chunk) => {
      body += chunk;
    });
    message.on('end', () => {
      const request: Request = { ...JSON.parse(body), authorization: message.headers.authorization };
      requests.push(request);
      if (answer(request, response, requests.length)) return;
      response.writeHead(200, { 'content-type': 'application/json' });
      const data = request.input.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text) }));
      response.end(JSON.stringify({ object: 'list', data, model: request.model, usage: { prompt_tokens: 1 } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const provider = createOpenAICompatible({
    name: 'loopback',
    baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    apiKey: 'key-of-a-test',
  });
  return { requests, model: provider.textEmbeddingModel('letters-3') };
}

const failWith = (status: number, message: string) => (_: Request, response: http.ServerResponse) => {
  response.writeHead(status, { 'content-type': 'application/json', 'retry-after-ms': '1' });
  response.end(JSON.stringify({ error: { message, type: 'test', code: null, param: null } }));
  return true;
};

describe('a hosted embedder', () => {
  it('asks the server, in order, in as many requests as its model needs', async () => {
    const { requests, model } = await serve();
    const embedder = await hostedEmbedder({ model });
    expect(embedder).toMatchObject({ name: 'hosted:loopback.embedding/letters-3', dimensions: 3 });
    const texts = Array.from({ length: 5000 }, (_, number) => `${'a'.repeat(number % 7)}b`);
    const vectors = await embedder.embed(texts);
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map(vectorOf));
    expect(requests.length).toBeGreaterThan(2);
    expect(requests[1]).toMatchObject({ model: 'letters-3', authorization: 'Bearer key-of-a-test' });
  });

  it('does not ask before it must, when the dimensions are given', async () => {
    const { requests, model } = await serve();
    const embedder = await hostedEmbedder({ model, dimensions: 3 });
    expect(requests).toEqual([]);
    expect(embedder.fingerprint).toBe((await hostedEmbedder({ model })).fingerprint);
  });

  it('sends no blank text, and of a long one the beginning', async () => {
    const { requests, model } = await serve();
    const embedder = await hostedEmbedder({ model, dimensions: 3, maxLength: 10 });
    const vectors = await embedder.embed(['', 'ab', ' \n', `${'c'.repeat(9)}📏${'a'.repeat(100)}`]);
    expect(vectors.map((vector) => [...vector])).toEqual([
      [0, 0, 0],
      [1, 1, 0],
      [0, 0, 0],
      [0, 0, 9],
    ]);
    expect(requests.map(({ input }) => input)).toEqual([['ab', 'c'.repeat(9)]]);
    await embedder.embed(['', ' ']);
    expect(requests).toHaveLength(1);
  });

  it('passes on settings of the provider, and is told apart by them', async () => {
    const { requests, model } = await serve();
    const settings: HostedEmbedderOptions = {
      model,
      dimensions: 3,
      providerOptions: { loopback: { dimensions: 3 } },
    };
    const embedder = await hostedEmbedder(settings);
    await embedder.embed(['a']);
    expect(requests[0]?.dimensions).toBe(3);
    expect(embedder.fingerprint).not.toBe((await hostedEmbedder({ model, dimensions: 3 })).fingerprint);
  });

  it('tries again when the server is busy', async () => {
    const { requests, model } = await serve((request, response, count) =>
      count < 3 ? failWith(429, 'busy')(request, response) : false,
    );
    const embedder = await hostedEmbedder({ model, dimensions: 3 });
    expect([...(await embedder.embed(['ab']))[0]!]).toEqual([1, 1, 0]);
    expect(requests).toHaveLength(3);
  });

  it('says what the server said when it refuses', async () => {
    const { model } = await serve(failWith(401, 'no such key'));
    const missing = await refusal(hostedEmbedder({ model }));
    expect(missing.code).toBe('EMBEDDER_UNAVAILABLE');
    expect(missing.message).toContain('does not answer: no such key');
    const failed = await refusal((await hostedEmbedder({ model, dimensions: 3 })).embed(['a']));
    expect(failed.code).toBe('EMBEDDING_FAILED');
    expect(failed.message).toContain('no such key');
    expect(JSON.stringify(failed)).not.toContain('key-of-a-test');
  });

  it('waits for a silent server no longer than told, and stops when told', async () => {
    const { model } = await serve(() => true);
    const slow = await hostedEmbedder({ model, dimensions: 3, timeoutMs: 300 });
    expect((await refusal(slow.embed(['a']))).code).toBe('EMBEDDING_FAILED');
    const stop = new AbortController();
    const embedder = await hostedEmbedder({ model, dimensions: 3 });
    const stopped = embedder.embed(['a'], { signal: stop.signal });
    setTimeout(() => stop.abort(new Error('enough')), 100);
    await expect(stopped).rejects.toThrow('enough');
  });

  it('does not take vectors whose owners are unknown', async () => {
    const { model } = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const data = request.input.slice(1).map((_, index) => ({ index, embedding: [1, 0, 0] }));
      response.end(JSON.stringify({ data, usage: { prompt_tokens: 1 } }));
      return true;
    });
    const embedder = await hostedEmbedder({ model, dimensions: 3 });
    expect((await refusal(embedder.embed(['a', 'b']))).message).toContain('1 vectors for 2 texts');
  });

  it('has its vectors checked like any other', async () => {
    const { model } = await serve();
    const embedder = await hostedEmbedder({ model, dimensions: 4 });
    expect((await refusal(embedTexts(embedder, ['a']))).message).toContain('3 dimensions, not a Float32Array of 4');
  });

  it.each([undefined, '', {}, { modelId: 'x' }])('of %j is refused', async (model) => {
    expect((await refusal(hostedEmbedder({ model: model as never }))).code).toBe('INVALID_ARGUMENT');
  });
});
