// What rules of earlier versions ended, as their commits tell it: listed and opened again, while what an act ended stays ended.

import path from 'node:path';
import { expect, it } from 'vitest';
import type { MemoryRecord } from '../../../src/base/types/stored-types.ts';
import { closed } from '../../../src/store/claims/claim.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { commitAll, fsck } from '../../helpers/native-git.ts';
import { writeDeep } from '../../helpers/temporary.ts';

it('what rules ended is listed, opened again one by one, and left alone then', async () => {
  const { memory, clock, directory } = await newTestMemory();
  await memory.remember({ id: 'start', content: 'Something is known.' });
  await memory.commit();
  await memory.store.settle();
  const now = clock.now();
  const commit = (records: readonly MemoryRecord[], message: string) => {
    for (const record of records) {
      const file = path.join(directory, memoryPath(record.id));
      writeDeep(file, formatMemory(record));
    }
    commitAll(directory, message);
  };
  const made = (id: string) => newMemory({ id, content: `This is what ${id} says.`, now });
  const end = (id: string, by: string) => closed(made(id), { by, from: now / 1000, now: now / 1000 });
  commit(['old', 'other', 'given', 'since'].map(made), 'extract: 4 memories');
  const trailers = (extractor: string, by: string, id: string) =>
    `extract: 1 memory\n\nOperation: extract\nSession: raw/x.md\nExtractor: ${extractor}\nMemory: ${by}\nCloses: ${id}`;
  commit([end('old', 'new'), made('new')], trailers('rules@4', 'new', 'old'));
  commit([end('given', 'model'), made('model')], trailers('model@3', 'model', 'given'));
  commit([end('since', 'guess'), made('guess')], trailers('rules/decisions@4', 'guess', 'since'));
  // Somebody said otherwise since: another claim took its place.
  commit([end('since', 'model')], 'memory: since');
  commit([end('other', 'new')], 'reconcile: other\n\nOperation: reconcile\nMemory: other\nMemory: new');
  const run = async (dryRun: boolean) => (await memory.maintenance.run({ tasks: ['reopen'], dryRun })).runs[0]!.result!;
  const shown = await run(true);
  expect(shown.items.map(({ ids, why }) => [ids[0], why.replace(/\d{4}-\d\d-\d\d/, 'DAY')]).sort()).toEqual([
    ['old', 'ended by rules on DAY, in favour of new'],
    ['other', 'ended by rules on DAY, in favour of new'],
  ]);
  const done = await run(false);
  expect(done.commits).toHaveLength(2);
  for (const id of ['old', 'other']) {
    const record = await memory.get(id);
    expect([record.status, record.replacedBy, record.validUntil]).toEqual(['active', undefined, undefined]);
  }
  for (const id of ['given', 'since']) expect((await memory.get(id)).status).toBe('superseded');
  expect((await run(false)).items).toEqual([]);
  expect(fsck(directory)).toBe('');
});
