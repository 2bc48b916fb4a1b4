// Names on a file system that lists them decomposed, as macOS does.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { doctor } from '../../src/memory/doctor-questions.ts';
import { macFileSystem } from '../helpers/mac-fs.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

const file = 'knowledge/\u00dcber/Caf\u00e9.md';

describe.skipIf(!hasGit)('a name with accents, where directories list it decomposed', () => {
  it('is one file: an edit by hand is taken in, and nothing is said of a second name', async () => {
    const { memory, directory } = await newTestMemory({ fs: macFileSystem() });
    await memory.write(file, '# Caf\u00e9\n');
    await memory.commit();
    expect((await memory.status()).edited).toEqual([]);
    fs.appendFileSync(path.join(directory, file), 'by hand\n');
    expect((await memory.status()).edited).toEqual([{ path: file }]);
    const { skipped } = await memory.commit();
    expect(skipped ?? []).toEqual([]);
    expect(await memory.read(file.normalize('NFD'))).toContain('by hand');
    await memory.close();
    expect(git(directory, 'status', '--porcelain')).toBe('');
    const { findings } = await doctor({ dir: directory, fs: macFileSystem() });
    expect(findings.filter(({ code }) => code !== 'HOOKS_MISSING')).toEqual([]);
  });

  it('is the name of a branch as it was given', async () => {
    const { memory } = await newTestMemory({ fs: macFileSystem() });
    await memory.remember('Ada drinks tea');
    const branch = await memory.branches.open('caf\u00e9', { create: true });
    await branch.remember('Ada drinks coffee');
    await branch.close();
    expect((await memory.branches.list()).map(({ name }) => name)).toEqual(['caf\u00e9', 'main']);
    await memory.close();
  });

  it('is seen where a person made it', async () => {
    const { memory, directory } = await newTestMemory({ fs: macFileSystem() });
    fs.mkdirSync(path.join(directory, 'knowledge'), { recursive: true });
    fs.writeFileSync(path.join(directory, 'knowledge/Stra\u00dfe-f\u00fcnf.md'), '# Road\n');
    await memory.write('knowledge/other.md', '# Other\n');
    await memory.commit();
    expect(git(directory, '-c', 'core.quotePath=false', 'ls-files', 'knowledge').split('\n')).toContain(
      'knowledge/Stra\u00dfe-f\u00fcnf.md',
    );
    await memory.close();
  });
});
