// The log of the gate of topics does not grow for ever.

import { expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';

it('days of the gate log that nothing looks at any more leave the tree, and undo brings them back', async () => {
  const { memory, clock } = await newTestMemory({ model: null });
  const dayOf = (daysAgo: number) => new Date(clock.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
  const paths = [0, 100, 179, 181, 400].map((days) => `state/gate/${dayOf(days)}.jsonl`);
  for (const path of paths) await memory.write(path, '');
  await memory.write('state/gate/notes.txt', 'not a day\n');
  await memory.commit();
  const listed = () => memory.files('state/gate/');
  const [planned] = (await memory.maintenance.run({ tasks: ['gate-log'], dryRun: true })).runs;
  expect(planned!.result!.items.flatMap((item) => item.paths).sort()).toEqual(paths.slice(3).sort());
  expect((await listed()).length).toBe(6);
  const [done] = (await memory.maintenance.run({ tasks: ['gate-log'] })).runs;
  expect(await listed()).toEqual([...paths.slice(0, 3), 'state/gate/notes.txt'].sort());
  await memory.undo(done!.result!.commits[0]!);
  expect((await listed()).length).toBe(6);
});
