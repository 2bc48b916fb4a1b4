// Memories of earlier versions get what new ones have: statement and subject, from the turns that they were taken from.

import { expect, it } from 'vitest';
import { formatMemory, memoryPath, newMemory } from '../../src/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';

const time = '2026-02-16T08:00:00Z';
const said = ['I moved to Tromsø yesterday.', 'We meet at the harbour.', 'My sister Torunn works at the cannery.'];

/** A store as an earlier version left it: words, sources, and none of the newer fields. */
async function storeOfOld() {
  const made = await newTestMemory();
  const messages = said.map((text) => ({ role: 'user', speaker: 'Eilif', text, time }));
  const { path } = await made.memory.capture({ session: 'old', messages });
  for (const [at, content] of [...said.entries(), [0, 'Eilif has left Bergen for good.'] as const]) {
    const id = `old-${at}${said.includes(content) ? '' : '-edited'}`;
    const record = newMemory({
      id,
      content,
      now: Date.parse(time),
      category: 'fact',
      sources: [{ path, turn: at + 1, role: 'user' }],
    });
    await made.memory.write(memoryPath(id), formatMemory(record));
  }
  await made.memory.write(
    memoryPath('foreign'),
    formatMemory(newMemory({ id: 'foreign', content: 'Without a source.', now: 0 })),
  );
  await made.memory.commit();
  return made;
}

it('fill is shown first, is one commit that undo takes back, keeps ids and words, and lets nothing be extracted twice', async () => {
  const { memory } = await storeOfOld();
  const { tip } = memory;
  const before = await memory.list();
  const planned = await memory.maintenance.run({ tasks: ['fill'], dryRun: true });
  const ids = planned.runs[0]!.result!.items.flatMap(({ ids: some }) => some).sort();
  expect(ids).toEqual(expect.arrayContaining(['old-0', 'old-2']));
  expect(ids).not.toContain('old-0-edited');
  expect(planned.runs[0]!.result!.left).toContainEqual({
    id: 'old-0-edited',
    why: expect.stringContaining('its turn'),
  });
  expect(memory.tip).toBe(tip);

  const { result } = (await memory.maintenance.run({ tasks: ['fill'] })).runs[0]!;
  expect(result!.commits).toHaveLength(1);
  expect(await memory.get('old-0')).toMatchObject({
    content: said[0],
    statement: expect.stringMatching(/^Eilif moved to Tromsø .*2026-02-15/),
    subject: 'Eilif',
  });
  expect((await memory.get('old-2')).statement).toContain('Eilif’s sister Torunn'.replace('’', "'"));
  const after = await memory.list();
  expect(after.memories.map(({ id, content }) => [id, content])).toEqual(
    before.memories.map(({ id, content }) => [id, content]),
  );
  expect((await memory.maintenance.run({ tasks: ['fill'] })).runs[0]!.result!.items).toEqual([]);

  await memory.extract();
  const contents = (await memory.list()).memories.map(({ content }) => content);
  for (const text of said) expect(contents.filter((one) => one === text)).toHaveLength(1);
  await memory.undo(result!.commits[0]!);
  expect((await memory.get('old-0')).statement).toBeUndefined();
  await memory.close();
});
