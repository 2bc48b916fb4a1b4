// The preset `reference`: the tools of the reference memory server in its names and shapes, kept as files that git and people read.

import { InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { MemoryHost } from '../../../src/apps/mcp/host.ts';
import { createServer } from '../../../src/apps/mcp/server.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { TestClient } from './client.ts';

async function serve(dir: string, readOnly = false) {
  const host = new MemoryHost({ dir, readOnly, start: dir, environment: {}, logger: { warn: () => undefined } });
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await (await createServer({ host, tools: 'reference' })).connect(serverSide);
  const client = await TestClient.over(clientSide, 'legacy');
  const close = async () => {
    await client.close();
    await host.close();
  };
  return { host, client, close };
}

const ada = { name: 'Ada', entityType: 'person', observations: ['Speaks Spanish', 'Two\n\n  lines'] };
const acme = { name: 'Acme Ltd.', entityType: 'company', observations: [] };
const works = { from: 'Ada', to: 'Acme Ltd.', relationType: 'works at' };
const loose = { from: 'nobody', to: 'nothing', relationType: 'is' };

it('answers as the reference server does', async () => {
  const dir = temporaryFolder();
  const { client, close } = await serve(dir);
  const { tools } = await client.client.listTools();
  expect(
    tools.map(({ name, annotations: hints }) => [
      name,
      hints?.readOnlyHint,
      hints?.destructiveHint,
      hints?.idempotentHint,
    ]),
  ).toEqual([
    ['create_entities', false, false, false],
    ['create_relations', false, false, false],
    ['add_observations', false, false, false],
    ['delete_entities', false, true, true],
    ['delete_observations', false, true, true],
    ['delete_relations', false, true, true],
    ['read_graph', true, false, true],
    ['search_nodes', true, false, true],
    ['open_nodes', true, false, true],
  ]);
  const data = async (name: string, input = {}) => (await client.call(name, input)).data;
  expect(await data('read_graph')).toEqual({ entities: [], relations: [] });
  const made = await client.call('create_entities', { entities: [ada, acme] });
  expect(made.data).toEqual({ entities: [ada, acme] });
  expect(JSON.parse(made.text)).toEqual([ada, acme]);
  // What is there stays as it is; names differ by every letter.
  const twin = { ...ada, name: 'ada', observations: [] };
  expect(await data('create_entities', { entities: [{ ...ada, observations: ['x'] }, twin] })).toEqual({
    entities: [twin],
  });
  expect(await data('create_relations', { relations: [works, works, loose] })).toEqual({ relations: [works, loose] });
  expect(await data('create_relations', { relations: [works] })).toEqual({ relations: [] });
  const observations = [{ entityName: 'Ada', contents: ['Speaks Spanish', 'Likes tea'] }];
  expect(await data('add_observations', { observations })).toEqual({
    results: [{ entityName: 'Ada', addedObservations: ['Likes tea'] }],
  });
  const grown = { ...ada, observations: [...ada.observations, 'Likes tea'] };
  const graph = await data('read_graph');
  expect(graph.entities).toEqual([grown, acme, twin]);
  expect(graph.relations).toEqual([works, loose]);
  // All or nothing.
  const half = [observations[0], { entityName: 'Eve', contents: ['x'] }].map((one) => ({ ...one, contents: ['half'] }));
  expect(await client.call('add_observations', { observations: half })).toMatchObject({ isError: true, text: /Eve/ });
  expect(await client.call('create_entities', { entities: [{ ...ada, name: ' ' }] })).toMatchObject({ isError: true });
  expect(await client.call('create_entities', {})).toMatchObject({ isError: true, text: /needs entities/ });
  expect(await data('read_graph')).toEqual(graph);

  expect(await data('search_nodes', { query: 'LIKES' })).toEqual({ entities: [grown], relations: [works] });
  expect(await data('search_nodes', { query: 'Which language does Ada speak, Spanish?' })).toMatchObject({
    relations: [works],
  });
  expect(await data('search_nodes', { query: 'zebra' })).toEqual({ entities: [], relations: [] });
  expect(await data('open_nodes', { names: ['Acme Ltd.', 'Eve'] })).toEqual({ entities: [acme], relations: [works] });
  const [content] = (await client.client.readResource({ uri: 'memory://knowledge-graph' })).contents as {
    text: string;
  }[];
  expect(JSON.parse(content!.text)).toEqual(graph);

  const success = (message: string) => ({ success: true, message });
  const deletions = [{ entityName: 'Ada', observations: ['Two\n\n  lines', 'never said'] }];
  expect(await data('delete_observations', { deletions })).toEqual(success('Observations deleted successfully'));
  expect(await data('delete_relations', { relations: [loose, loose] })).toEqual(
    success('Relations deleted successfully'),
  );
  expect(await data('open_nodes', { names: ['Ada'] })).toMatchObject({
    entities: [{ observations: ['Speaks Spanish', 'Likes tea'] }],
  });
  expect(await data('delete_entities', { entityNames: ['Acme Ltd.', 'ada'] })).toEqual(
    success('Entities deleted successfully'),
  );
  expect(await data('read_graph')).toMatchObject({ entities: [{ name: 'Ada' }], relations: [] });
  await close();
  if (hasGit) expect(fsck(dir)).toBe('');
});

it('keeps files that people read, and gives a reader nothing that writes', async () => {
  const dir = temporaryFolder();
  const { client, close } = await serve(dir);
  await client.call('create_entities', { entities: [ada, acme] });
  await client.call('create_relations', { relations: [works] });
  await close();
  const { client: reader, host, close: end } = await serve(dir, true);
  expect(await (await host.memory()).read('knowledge/people/ada.md')).toMatch(
    /^---\ntype: person\nname: Ada\nentity_type: person\ncreated: \S+\n---\n\n# Ada\n\n## Observations\n\n- Speaks Spanish\n- Two\n {2}\n {4}lines\n\n## Relations\n\n- \[\[ada\|Ada\]\] works at \[\[acme-ltd\|Acme Ltd.\]\]\n$/,
  );
  expect((await reader.client.listTools()).tools.map(({ name }) => name)).toEqual([
    'read_graph',
    'search_nodes',
    'open_nodes',
  ]);
  expect((await reader.call('open_nodes', { names: ['Ada'] })).data).toEqual({ entities: [ada], relations: [works] });
  await end();
});
