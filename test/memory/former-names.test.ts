import { expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';

it('a memory answers to the names that verbs had before they were families, and lists none of them', async () => {
  const { memory } = await newTestMemory();
  // biome-ignore lint/suspicious/noExplicitAny: these names are in no type.
  const former = memory as any;
  const { id } = await former.event({ type: 'commitment', content: 'Ada sends the keys' });
  expect((await former.loops()).loops).toMatchObject([{ id }]);
  await former.logChange({
    type: 'fix',
    scope: 'x',
    summary: 'The door closes',
    agent: 'ada',
    details: { entity: 'x' },
  });
  expect((await memory.project.changes()).events).toHaveLength(1);
  const kept = await memory.remember('Ada lives in Rome');
  await former.touch(kept.id);
  expect((await memory.get(kept.id!)).useCount).toBe(1);
  await former.snapshot('before');
  const other = await former.branch('explore/x', { create: true });
  expect((await former.branches()).map(({ name }: { name: string }) => name)).toContain('explore/x');
  expect(await former.snapshots()).toEqual(await memory.snapshots.list());
  expect(await former.topics('hello')).toEqual(await memory.topics.test('hello'));
  const view = await memory.at('HEAD');
  // biome-ignore lint/suspicious/noExplicitAny: likewise.
  expect((await (view as any).boot()).text).toBe((await view.project.boot()).text);
  expect('maintain' in view).toBe(false);
  expect(Object.keys(memory)).not.toContain('event');
  await other.close();
});
