// Other names for knowledge files and folders, and the removal of folders: each all or nothing, and to be taken back.

import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';

async function memoryWithFiles() {
  const { memory } = await newTestMemory();
  await memory.write('knowledge/people/ada.md', '# Ada\n');
  await memory.write('knowledge/people/old/bob.md', '# Bob\n');
  await memory.write('knowledge/other.md', 'other\n');
  await memory.commit();
  return memory;
}

const mine = async (memory: Awaited<ReturnType<typeof memoryWithFiles>>) =>
  (await memory.files('knowledge')).filter((path) => !/MEMORY|identity/.test(path));

describe('move', () => {
  it('gives a file or a folder another name, in one commit that undo takes back', async () => {
    const memory = await memoryWithFiles();
    const before = (await memory.status()).commit;
    expect(await memory.move('knowledge/people', 'knowledge/friends')).toMatchObject({
      path: 'knowledge/friends/ada.md',
      pending: true,
    });
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(await mine(memory)).toEqual([
      'knowledge/friends/ada.md',
      'knowledge/friends/old/bob.md',
      'knowledge/other.md',
    ]);
    expect((await memory.log({ path: 'knowledge/friends/ada.md', follow: true })).commits).toHaveLength(2);
    await memory.undo(commits[0]!);
    expect((await memory.diff(before!)).files).toEqual([]);
  });

  it('moves nothing where a name is taken, missing, its own or not for it', async () => {
    const memory = await memoryWithFiles();
    const refused = [
      ['knowledge/people', 'knowledge/other.md', 'ALREADY_EXISTS'],
      ['knowledge/other.md', 'knowledge/people', 'ALREADY_EXISTS'],
      ['knowledge/nobody.md', 'knowledge/somebody.md', 'NOT_FOUND'],
      ['knowledge/people', 'knowledge/people/all', 'INVALID_ARGUMENT'],
      ['knowledge/other.md', '../other.md', 'INVALID_PATH'],
      ['knowledge/other.md', 'elsewhere/other.md', 'INVALID_PATH'],
    ] as const;
    for (const [from, to, code] of refused) await expect(memory.move(from, to)).rejects.toMatchObject({ code });
    const { path } = await memory.capture('a note');
    await expect(memory.move(path, 'knowledge/note.md')).rejects.toMatchObject({ code: 'IMMUTABLE' });
    const { path: record } = await memory.remember('Something');
    await expect(memory.move(record, 'knowledge/record.json')).rejects.toMatchObject({ code: 'INVALID_PATH' });
    expect(await mine(memory)).toEqual([
      'knowledge/other.md',
      'knowledge/people/ada.md',
      'knowledge/people/old/bob.md',
    ]);
  });
});

it('the removal of a folder takes all below it when that is said, and nothing otherwise', async () => {
  const memory = await memoryWithFiles();
  await expect(memory.remove('knowledge/people')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await memory.remove('knowledge/people', { recursive: true });
  expect(await mine(memory)).toEqual(['knowledge/other.md']);
  const { commits } = await memory.commit();
  await memory.undo(commits[0]!);
  expect(await mine(memory)).toHaveLength(3);
});
