// The two tools of ChatGPT's connectors: what is found can be fetched, whatever it is.

import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { MemoryHost } from '../../../src/apps/mcp/host.ts';
import { createServer } from '../../../src/apps/mcp/server.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { TestClient } from './client.ts';

it('finds and fetches memories, files and turns with what was said around them', async () => {
  const dir = temporaryFolder();
  const host = new MemoryHost({ dir, start: dir, environment: {}, logger: { warn: () => undefined } });
  const memory = await host.memory();
  const { id } = await memory.remember({
    content: 'The valve of pump seven is stuck',
    category: 'fact',
    tags: ['pump'],
  });
  await memory.write('knowledge/reference/valve.md', '# Valves\n\nA stuck valve is opened by hand.\n');
  const { path } = await memory.capture({
    messages: ['Good morning.', 'The valve is stuck again.', 'Open it by hand.', 'Done.', 'Good night.'].map(
      (text) => ({ role: 'user', text }),
    ),
  });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  const server = await createServer({ host, tools: 'chatgpt' });
  await server.connect(serverSide);
  const client = await TestClient.over(clientSide, 'legacy');
  expect((await client.client.listTools()).tools.map(({ name }) => name)).toEqual(['search', 'fetch']);

  const { data, text } = await client.call('search', { query: 'stuck valve' });
  expect(JSON.parse(text)).toEqual(data);
  const ids = (data.results as { id: string }[]).map((result) => result.id);
  expect(ids).toEqual(expect.arrayContaining([id, 'knowledge/reference/valve.md', `${path}#2`]));
  expect((await client.call('fetch', { id })).data).toMatchObject({
    id,
    text: 'The valve of pump seven is stuck',
    metadata: { tags: 'pump' },
  });
  expect((await client.call('fetch', { id: 'knowledge/reference/valve.md' })).data.text).toContain('opened by hand');
  const turn = (await client.call('fetch', { id: `${path}#2` })).data;
  expect(turn.text).toMatch(/Good morning\.[\s\S]*stuck again[\s\S]*by hand[\s\S]*Done\.$/);
  for (const wrong of [`${path}#9`, 'nobody', 'knowledge/none.md', '../../etc/passwd', '']) {
    expect(await client.call('fetch', { id: wrong })).toMatchObject({ isError: true });
  }
  await client.close();
  await host.close();
});
