import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { commitAll, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

function codeRepository(): string {
  const folder = temporaryFolder();
  git(folder, 'init', '-q', '-b', 'trunk');
  // A file of that name which is none of ours.
  writeFileSync(join(folder, 'memory.yaml'), 'heap: 4G\n');
  for (const text of ['one', 'two']) {
    writeFileSync(join(folder, 'code.txt'), `${text}\n`);
    commitAll(folder, text);
  }
  return folder;
}

describe.skipIf(!hasGit)('a repository that holds no memory', () => {
  it('can be asked for its history', async () => {
    const folder = codeRepository();
    const memory = await openMemory({ dir: folder, readOnly: true, anyRepository: true });
    expect((await memory.log()).commits.map(({ subject }) => subject)).toEqual(['two', 'one']);
    expect(await (await memory.at('HEAD~1')).read('code.txt')).toBe('one\n');
    await expect(memory.remember('something')).rejects.toMatchObject({ code: 'READ_ONLY' });
    await memory.close();
    await expect(openMemory({ dir: folder })).rejects.toMatchObject({ code: 'INVALID_CONFIG' });
    await expect(openMemory({ dir: folder, anyRepository: true })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('answers where HEAD is detached, and before its first commit', async () => {
    const folder = codeRepository();
    git(folder, 'checkout', '-q', '--detach', 'HEAD~1');
    const detached = await openMemory({ dir: folder, readOnly: true, anyRepository: true });
    expect((await detached.log()).commits.map(({ subject }) => subject)).toEqual(['one']);
    expect((await detached.at('trunk')).commit).toBe(git(folder, 'rev-parse', 'trunk').trim());
    await detached.close();
    const empty = temporaryFolder();
    git(empty, 'init', '-q');
    const unborn = await openMemory({ dir: empty, readOnly: true, anyRepository: true });
    expect((await unborn.log()).commits).toEqual([]);
    await expect(unborn.at('HEAD')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await unborn.close();
  });
});
