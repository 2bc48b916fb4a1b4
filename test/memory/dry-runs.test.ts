import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

describe('a memory that is opened read only', () => {
  it.skipIf(!hasGit)('says what a sync would bring and send, and does none', async () => {
    const remote = temporaryFolder();
    git(remote, 'init', '-q', '--bare');
    const { directory, memory } = await newTestMemory();
    await memory.note('The ferry leaves at seven.');
    await memory.close();
    const reader = await openMemory({ dir: directory, readOnly: true });
    expect(await reader.sync({ remote, dryRun: true })).toMatchObject({ state: 'planned' });
    expect(git(remote, 'for-each-ref')).toBe('');
    await expect(reader.sync({ remote })).rejects.toMatchObject({ code: 'READ_ONLY' });
    await reader.close();
  });
});
