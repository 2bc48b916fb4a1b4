// The server over HTTP, on a real port: who gets in, and that several clients share one memory.

import { request } from 'node:http';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MemoryHost } from '../../../src/apps/mcp/host.ts';
import { type HttpServer, serveOverHttp } from '../../../src/apps/mcp/http.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { eras, TestClient } from './client.ts';

function hostOf(dir: string): MemoryHost {
  return new MemoryHost({ dir, start: dir, environment: {}, logger: { warn: () => undefined } });
}

describe('over HTTP', () => {
  let server: HttpServer;
  beforeAll(async () => {
    server = await serveOverHttp({ host: hostOf(temporaryFolder()), tools: 'all' }, { port: 0 });
  });
  afterAll(() => server.close());

  function connect(mode: (typeof eras)[number]): Promise<TestClient> {
    const requestInit = { headers: { Authorization: `Bearer ${server.token}` } };
    return TestClient.over(new StreamableHTTPClientTransport(new URL(server.url), { requestInit }), mode);
  }

  /** Sends a ping with those headers, and gives the status. */
  function status(headers: Record<string, string>, path = '/mcp'): Promise<number | undefined> {
    const { hostname, port } = new URL(server.url);
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const all = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers };
    return new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path, method: 'POST', headers: all }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  it.each(eras)('serves a client of the %s revision', async (mode) => {
    const client = await connect(mode);
    const content = `Known to ${mode}`;
    const { data } = await client.call('memory_add', { content });
    const { data: found } = await client.call('memory_get', { what: data.id });
    expect(found).toMatchObject({ content });
    await client.close();
  });

  it('shares one memory among its clients', async () => {
    const [one, other] = await Promise.all(eras.map(connect));
    const { data } = await one!.call('memory_add', { content: 'The valve is stuck' });
    expect((await other!.call('memory_search', { query: 'stuck valve' })).data.hits).toMatchObject([{ id: data.id }]);
    await Promise.all([one!.close(), other!.close()]);
  });

  it.each(eras)(
    'tells a client of the %s revision what others changed, and nothing it did not ask for',
    async (mode) => {
      const [writer, reader, other] = await Promise.all([connect('legacy'), connect(mode), connect(mode)]);
      const { data: kept } = await writer!.call('memory_add', { content: `The ${mode} tea is green` });
      const { data: beside } = await writer!.call('memory_add', { content: `The ${mode} coffee is black` });
      const [uri, besideUri] = [kept, beside].map(({ id }) => `memory://memories/${id}`);
      const told: string[] = [];
      const isTold = new Promise<void>((resolve) => {
        reader!.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
          told.push(params.uri);
          if (params.uri === uri) resolve();
        });
      });
      const toldOther: string[] = [];
      other!.client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
        toldOther.push(params.uri);
      });
      if (mode === 'legacy') await reader!.client.subscribeResource({ uri: uri! });
      else await reader!.client.listen({ resourceSubscriptions: [uri!] });
      await writer!.call('memory_touch', { id: beside.id });
      await writer!.call('memory_touch', { id: kept.id });
      await isTold;
      expect(told).not.toContain(besideUri);
      expect(toldOther).toEqual([]);
      await Promise.all([writer!.close(), reader!.close(), other!.close()]);
    },
  );

  it('knows no session that it did not begin, or that ended', async () => {
    const transport = new StreamableHTTPClientTransport(new URL(server.url), {
      requestInit: { headers: { Authorization: `Bearer ${server.token}` } },
    });
    const client = await TestClient.over(transport, 'legacy');
    const authorization = { Authorization: `Bearer ${server.token}` };
    const own = { ...authorization, 'Mcp-Session-Id': transport.sessionId! };
    expect(await status(own)).toBe(200);
    expect(await status({ ...own, Authorization: 'Bearer wrong' })).toBe(401);
    await transport.terminateSession();
    expect(await status(own)).toBe(404);
    expect(await status({ ...authorization, 'Mcp-Session-Id': '../' })).toBe(404);
    await client.close();
  });

  it('lets in only who knows the token', async () => {
    expect(await status({ Authorization: `Bearer ${server.token}` })).toBe(200);
    expect(await status({})).toBe(401);
    expect(await status({ Authorization: 'Bearer wrong' })).toBe(401);
    expect(await status({ Authorization: server.token })).toBe(401);
  });

  it('refuses web pages and names that are not this machine, token or not', async () => {
    const authorization = { Authorization: `Bearer ${server.token}` };
    expect(await status({ ...authorization, Origin: 'https://evil.example' })).toBe(403);
    expect(await status({ ...authorization, Host: 'evil.example' })).toBe(403);
    expect(await status({ ...authorization, Origin: 'http://localhost:3000' })).toBe(200);
  });

  it('has one address', async () => {
    expect(await status({ Authorization: `Bearer ${server.token}` }, '/')).toBe(404);
    expect(await status({ Authorization: `Bearer ${server.token}` }, '/mcp/../etc')).toBe(404);
  });

  it('outlives targets that are no addresses, with and without the token', async () => {
    for (const target of ['//', '//[', 'http://', '/%', '/mcp?x=//[']) {
      expect(await status({}, target)).toBe(target.startsWith('/mcp') ? 401 : 404);
      expect(await status({ Authorization: `Bearer ${server.token}` }, target)).toBe(
        target.startsWith('/mcp') ? 200 : 404,
      );
    }
    expect(await status({ Authorization: `Bearer ${server.token}` })).toBe(200);
  });
});

it('needs a token worth the name and a port that is free', async () => {
  const host = hostOf(temporaryFolder());
  await expect(serveOverHttp({ host, tools: 'everyday' }, { port: 0, token: 'short' })).rejects.toMatchObject({
    code: 'INVALID_ARGUMENT',
  });
  const first = await serveOverHttp({ host, tools: 'everyday' }, { port: 0 });
  const port = Number(new URL(first.url).port);
  await expect(serveOverHttp({ host, tools: 'everyday' }, { port })).rejects.toMatchObject({ code: 'IO' });
  await first.close();
});
