// isomorphic-git's own merge with our rules, beside our own merge of the same two branches.

import fs from 'node:fs';
import path from 'node:path';
import { merge, resolveRef } from 'isomorphic-git';
import { describe, expect, it } from 'vitest';
import { memoryMergeDriver, openMemory } from '../../../src/index.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const author = { name: 'Ada', email: 'ada@example.org' };
type Json = { content: string; use_count: number; meta: { tags?: string[] } };

async function fixture() {
  const dir = path.join(temporaryFolder(), 'memory');
  const memory = await openMemory({ dir, create: true });
  const first = await memory.remember('Ana likes green tea');
  const second = await memory.remember('Ben lives in Rome');
  await memory.close();
  git(dir, 'config', 'user.name', 'Ada');
  git(dir, 'config', 'user.email', 'ada@example.org');
  git(dir, 'branch', 'other');
  const change = (branch: string, file: string, edit: (text: string) => string | null) => {
    git(dir, 'checkout', '--quiet', branch);
    const place = path.join(dir, file);
    const after = edit(fs.readFileSync(place, 'utf8'));
    if (after === null) fs.rmSync(place);
    else fs.writeFileSync(place, after);
    git(dir, 'commit', '--quiet', '--all', '-m', `a change on ${branch}`);
    git(dir, 'checkout', '--quiet', 'main');
  };
  const copy = () => {
    const to = path.join(temporaryFolder(), 'copy');
    fs.cpSync(dir, to, { recursive: true });
    return to;
  };
  return { dir, files: [first.path, second.path] as const, change, copy };
}

const record = (edit: (record: Json) => void) => (text: string) => {
  const value = JSON.parse(text) as Json;
  edit(value);
  return `${JSON.stringify(value, null, 2)}\n`;
};
const changeTags = (tags: string[]) =>
  record(({ meta }) => {
    meta.tags = tags;
  });

describe.skipIf(!hasGit)("isomorphic-git's merge with our driver", () => {
  const mergeBy = (dir: string) =>
    merge({
      fs,
      dir,
      ours: 'main',
      theirs: 'other',
      author,
      mergeDriver: memoryMergeDriver({ fs, dir, ours: 'main' }),
    });

  it('gives the bytes that our own merge gives', async () => {
    const { files, change, copy } = await fixture();
    const [file] = files;
    change(
      'main',
      file,
      record((one) => Object.assign(one, { use_count: 3, meta: { ...one.meta, tags: ['tea'] } })),
    );
    change(
      'other',
      file,
      record((one) =>
        Object.assign(one, { use_count: 2, content: 'Ana likes green tea with milk', meta: { tags: ['drinks'] } }),
      ),
    );
    const [ours, theirs, plain] = [copy(), copy(), copy()];
    await expect(merge({ fs, dir: plain, ours: 'main', theirs: 'other', author })).rejects.toThrow(/conflict/i);
    const memory = await openMemory({ dir: ours });
    await memory.merge('other', { accept: ['records'] });
    await memory.close();
    await mergeBy(theirs);
    expect(git(theirs, 'show', `main:${file}`)).toBe(git(ours, 'show', `main:${file}`));
    expect(JSON.parse(git(theirs, 'show', `main:${file}`))).toMatchObject({
      content: 'Ana likes green tea with milk',
      use_count: 5,
    });
    expect(fsck(theirs)).toBe('');
  });

  it('stops where one side removed what the other one changed, and for what is no text', async () => {
    const { files, change, copy } = await fixture();
    change('main', files[1], changeTags(['rome']));
    change('other', files[1], () => null);
    const [ours, theirs] = [copy(), copy()];
    const tip = await resolveRef({ fs, dir: theirs, ref: 'main' });
    await expect(mergeBy(theirs)).rejects.toThrow();
    expect(await resolveRef({ fs, dir: theirs, ref: 'main' })).toBe(tip);
    const memory = await openMemory({ dir: ours });
    await memory.merge('other', { accept: ['records'] });
    expect(await memory.files()).toContain(files[1]);
    await memory.close();
    expect(() => memoryMergeDriver({ dir: ours } as never)).toThrow(/INVALID_ARGUMENT|needs the `fs`/);
    const driver = memoryMergeDriver({ fs, dir: ours });
    const contents = ['a\n', 'b \ufffd\n', 'c\n'];
    expect(await driver({ branches: [], contents, path: 'x.md' })).toEqual({
      cleanMerge: false,
      mergedText: contents[1],
    });
  });
});
