// What a recorded conversation asks of the agent that was there, and its answer, by a real client of the protocol.

import { beforeAll, expect, it } from 'vitest';
import { openMemory } from '../../../src/memory/open-memory.ts';
import { buildProgram } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { TestClient } from './client.ts';

beforeAll(buildProgram);

it('a capture names words that may end claims, and an answer in the fields of the contract ends them', async () => {
  const folder = temporaryFolder();
  await (await openMemory({ dir: folder, create: true, durability: 'fast' })).close();
  const client = await TestClient.start(folder);
  const { data: old } = await client.call('memory_add', { content: 'The stand-up meeting is on Monday at nine' });
  const { data: other } = await client.call('memory_add', {
    content: 'The stand-up meeting takes a quarter of an hour',
  });
  const said = 'From now on the stand-up meeting is on Wednesday at ten, not on Monday any more.';
  const messages = [
    { role: 'user', text: 'Hello!' },
    { role: 'user', text: said },
  ];
  const { data: captured, text } = await client.call('memory_capture', { messages });
  expect(captured.found).toMatchObject([{ content: expect.any(String), source: `${captured.session}#2` }]);
  const [change] = captured.changes;
  expect(change.source).toBe(`${captured.session}#2`);
  expect(change.near.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([old.id, other.id]));
  expect(text).toContain('perhaps a change');
  const claims = [
    {
      ...{ says: 'The stand-up meeting is on Wednesday at ten', t: [2], quote: 'is on Wednesday at ten' },
      ...{ kind: 'constraint', standing: true, sure: 'likely', from: '2026-11-02', subject: 'stand-up meeting' },
      changes: [
        { id: old.id, how: 'replaces', quote: 'not on Monday' },
        { id: other.id, how: 'narrows' },
      ],
    },
  ];
  const { data } = await client.call('memory_add', { claims, session: captured.session });
  expect(data.claims).toMatchObject([{ category: 'principle', closed: [{ id: old.id }] }]);
  const { data: kept } = await client.call('memory_get', { what: data.claims[0].id });
  expect(kept).toMatchObject({ category: 'principle', tags: ['constraint', 'standing'], from: [`${captured.path}#2`] });
  expect((await client.call('memory_get', { what: other.id })).data.status).toBe('active');
  const wrong: readonly [object, string][] = [
    [{ says: 'x', t: 9 }, 'has 2 turns'],
    [{ says: 'x', t: 1, quote: 'Goodbye' }, 'turn 1 does not say'],
    [{ t: 1 }, 'content'],
    [{ says: 'x', kind: 'whim' }, 'kind'],
    [{ says: 'x', changes: [{ id: old.id, how: 'forgets' }] }, 'how'],
  ];
  for (const [claim, why] of wrong) {
    const refused = await client.call('memory_add', { claims: [claim], session: captured.session });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining(why) });
  }
  const unknown = await client.call('memory_add', { claims: [{ says: 'x', t: 1 }], session: 'elsewhere' });
  expect(unknown).toMatchObject({ isError: true, text: expect.stringContaining('no recorded conversation') });
  await client.close();
});
