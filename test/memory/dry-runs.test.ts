import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

describe('a memory that is opened read only', () => {
  it('says what an extraction would find, and does none', async () => {
    const { directory, memory } = await newTestMemory();
    await memory.capture({ messages: [{ role: 'user', speaker: 'Ines', text: 'I moved to Ghent last week.' }] });
    await memory.close();
    const reader = await openMemory({ dir: directory, readOnly: true });
    const { transcripts } = await reader.extract({ dryRun: true });
    expect(transcripts).toMatchObject([{ commit: null, created: [{ content: 'I moved to Ghent last week.' }] }]);
    await expect(reader.extract()).rejects.toMatchObject({ code: 'READ_ONLY' });
    expect((await reader.list()).memories).toEqual([]);
    await reader.close();
  });

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
