// Names that are one where case is ignored, and files where folders are needed: what has no place is refused or left out, and
// holds up nothing else.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, hasGit, tryGit } from '../helpers/native-git.ts';
import { writeDeep } from '../helpers/temporary.ts';

const folder = 'knowledge/reference';

/** A commit of somebody else in a bare repository. */
function commitFile(directory: string, file: string, text: string): void {
  const run = (parameters: string[], input?: string) => {
    const variables = { GIT_INDEX_FILE: path.join(directory, 'index-of-a-test') };
    const { status, stdout, stderr } = tryGit(directory, parameters, input, variables);
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const blob = run(['hash-object', '-w', '--stdin'], text);
  run(['read-tree', 'main']);
  run(['update-index', '--add', '--cacheinfo', `100644,${blob},${file}`]);
  run(['update-ref', 'refs/heads/main', run(['commit-tree', '-p', 'main', '-m', 'theirs', run(['write-tree'])])]);
}

describe('a file that has no place beside the others', () => {
  it('is refused before it is acknowledged, beside what is committed and what waits', async () => {
    const { memory } = await newTestMemory();
    await memory.write(`${folder}/committed.md`, '# One\n');
    await memory.commit();
    await memory.write(`${folder}/größe.md`, '# Two\n');
    for (const name of ['Committed.md', 'GRÖSSE.md', 'Größe.md', 'größe.md/x.md', 'committed.md/x.md']) {
      await expect(memory.write(`${folder}/${name}`, '# Three\n'), name).rejects.toMatchObject({
        code: 'INVALID_PATH',
      });
    }
    await expect(memory.write(folder, '# Three\n')).rejects.toMatchObject({ code: 'INVALID_PATH' });
    expect((await memory.status()).pending).toHaveLength(1);
    // What is gone stands in nobody's way.
    await memory.remove(`${folder}/committed.md`);
    await memory.write(`${folder}/Committed.md`, '# Four\n');
    const { skipped } = await memory.commit();
    expect(skipped).toEqual([]);
    expect(await memory.files()).toEqual(expect.arrayContaining([`${folder}/Committed.md`, `${folder}/größe.md`]));
    expect(await memory.files()).not.toContain(`${folder}/committed.md`);
  });

  it.each([
    ['a twin by case', `${folder}/ada.md`, `${folder}/Ada.md`],
    ['a twin by the folding of letters', `${folder}/straße.md`, `${folder}/STRASSE.md`],
    ['a folder where a file is', `${folder}/ada.md`, `${folder}/ada.md/more.md`],
  ])('written by hand, is left out, reported, and holds up nothing: %s', async (_, first, second) => {
    const { memory, directory } = await newTestMemory();
    await memory.write(first, '# First\n');
    await memory.commit();
    if (second.startsWith(`${first}/`)) fs.rmSync(path.join(directory, first));
    writeDeep(path.join(directory, second), '# Second\n');
    const { id } = await memory.remember('Something else.');
    const { commits, skipped } = await memory.commit();
    expect(commits.length).toBeGreaterThan(0);
    expect(skipped.map(({ path: left }) => left)).toContain(second);
    expect((await memory.status()).pending).toEqual([]);
    expect((await memory.get(id!)).content).toBe('Something else.');
    expect(fs.readFileSync(path.join(directory, second), 'utf8')).toBe('# Second\n');
    await memory.close();
    if (hasGit) expect(fsck(directory)).toBe('');
  });

  it.runIf(hasGit)('after somebody else took its place, waits and holds up nothing', async () => {
    const { memory, directory } = await newTestMemory({ placement: 'bare' });
    await memory.write(`${folder}/Ada.md`, '# Pending\n');
    await memory.remember({ id: 'first', content: 'Before it.' });
    commitFile(directory, `${folder}/ada.md`, '# Committed\n');
    const { commits, skipped } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(skipped).toMatchObject([{ path: `${folder}/Ada.md`, why: expect.stringContaining(`${folder}/ada.md`) }]);
    expect((await memory.get('first')).content).toBe('Before it.');
    expect(await memory.read(`${folder}/Ada.md`)).toBe('# Pending\n');
    // The caller takes it back and keeps it elsewhere.
    await memory.remove(`${folder}/Ada.md`);
    await memory.write(`${folder}/ada-lovelace.md`, '# Pending\n');
    await memory.commit();
    expect((await memory.status()).pending).toEqual([]);
    expect(await memory.read(`${folder}/ada.md`)).toBe('# Committed\n');
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('comes with a merge all the same: both branches hold it', async () => {
    const { memory } = await newTestMemory();
    const side = await memory.branches.open('side', { create: true });
    await side.write(`${folder}/Ada.md`, '# Side\n');
    await side.commit();
    await side.close();
    await memory.write(`${folder}/ada.md`, '# Main\n');
    await memory.commit();
    const { commit, conflicts } = await memory.merge('side');
    expect(commit).not.toBeNull();
    expect(conflicts).toEqual([]);
    expect(await memory.read(`${folder}/Ada.md`)).toBe('# Side\n');
    expect(await memory.read(`${folder}/ada.md`)).toBe('# Main\n');
  });
});
