// What was acknowledged gets into history before it goes, also when it came and went between two commits. Native git is the judge.

import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { blemishes, commitAll, git, hasGit } from '../helpers/native-git.ts';
import { random } from '../helpers/random.ts';
import { tracesOf } from '../helpers/traces.ts';

const page = 'knowledge/reference/page.md';

describe('what came and went within one batch', () => {
  it('is found in history: a memory that was forgotten before its first commit', async () => {
    const { memory } = await newTestMemory();
    const { id, path } = await memory.remember({ content: 'Ana keeps the key under the pot.' });
    await memory.forget(id!);
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(2);
    const log = (await memory.log({ path })).commits;
    expect(log.map(({ operation }) => operation)).toEqual(['forget', 'remember']);
    expect(new Set(log.map(({ trailers }) => trailers.find(({ key }) => key === 'Run')?.value)).size).toBe(1);
    expect((await memory.learned('under the pot')).commits.map(({ oid }) => oid).sort()).toEqual([...commits].sort());
    await memory.records.restore(id!);
    expect((await memory.get(id!)).content).toBe('Ana keeps the key under the pot.');
    expect((await memory.provenance(id!)).commits.map(({ change }) => change)).toEqual(['added', 'removed']);
  });

  it('is found in history: a relation that went with one of its ends', async () => {
    const { memory } = await newTestMemory();
    const one = await memory.remember('Deploys wait for review');
    const two = await memory.remember('Releases are on Friday');
    const { path } = await memory.records.relate(one.id!, two.id!, 'causes');
    await memory.forget(two.id!);
    await memory.commit();
    expect((await memory.log({ path })).commits.map(({ operation }) => operation)).toEqual(['forget', 'batch']);
  });

  it('is found in history: a file that was written and removed, or written twice', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write(page, 'first\n');
    await memory.remove(page);
    await memory.write(page, 'second\n');
    await memory.write(page, 'third\n');
    await memory.commit();
    const { commits } = await memory.log({ path: page });
    const texts = await Promise.all(
      commits.map(async ({ oid }) => (await memory.at(oid)).read(page).catch(() => null)),
    );
    expect(texts).toEqual(['third\n', 'second\n', 'first\n']);
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it.skipIf(!hasGit).each([
    ['the later of two versions', ['one\n', 'two\n'], 'two\n'],
    ['the last of three, of which one is a part of it', ['one\n', 'two\n', 'two\nthree\n'], 'two\nthree\n'],
    ['nothing where a file came and went', ['one\n', null], null],
  ] as const)('is found in history where a person commits %s', async (_, versions, last) => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/reference/other.md', '# Other\n');
    await memory.commit();
    for (const version of versions) await (version === null ? memory.remove(page) : memory.write(page, version));
    await memory.write('knowledge/reference/other.md', '# Other\n\nMore.\n');
    await memory.store.settle();
    commitAll(directory, 'by hand');
    expect(await memory.read(page).catch(() => null)).toBe(last);
    await memory.commit();
    expect((await memory.status()).pending).toEqual([]);
    expect(await memory.read(page).catch(() => null)).toBe(last);
    const history = git(directory, 'log', '-p', '--format=', '--', page);
    for (const version of versions) for (const line of version?.split('\n') ?? []) expect(history).toContain(line);
    expect(blemishes(directory)).toBe('');
  });

  it('can be taken back as the one run that it was', async () => {
    const { memory } = await newTestMemory();
    await memory.write(page, 'before\n');
    await memory.commit();
    await memory.write(page, 'first\n');
    await memory.write(page, 'second\n');
    await memory.remember('something else');
    await memory.commit();
    const run = (await memory.log({ limit: 1 })).commits[0]!.trailers.find(({ key }) => key === 'Run')!.value;
    expect((await memory.undo({ run })).undone).toHaveLength(2);
    expect(await memory.read(page)).toBe('before\n');
    expect((await memory.list()).memories).toEqual([]);
  });

  it('leaves nothing when a purge takes it back', async () => {
    const { memory, directory } = await newTestMemory();
    const { id } = await memory.remember('The heron sleeps by the pond.');
    await memory.forget(id!);
    await memory.write(page, 'The heron sleeps elsewhere.\n');
    await memory.write(page, 'Nothing.\n');
    await memory.purge({ text: 'heron sleeps' });
    await memory.close();
    expect(tracesOf(directory, ['heron sleeps'])).toEqual([]);
  });

  it('leaves nothing of a secret that a rule keeps out by now, and the version without it is committed', async () => {
    const { memory, directory } = await newTestMemory({}, 'version: 1\nsecrets: {mode: "off"}\n');
    await memory.commit();
    const token = `ghp_${'a1B2'.repeat(9)}`;
    await memory.write(page, `The token is ${token}.\n`);
    await writeConfiguration(memory, 'version: 1\n');
    await memory.write(page, 'The token is elsewhere.\n');
    expect((await memory.commit()).skipped).toEqual([]);
    expect((await memory.status()).pending).toEqual([]);
    expect(await memory.read(page)).toBe('The token is elsewhere.\n');
    if (hasGit) expect(git(directory, 'log', '-p', '--format=')).not.toContain(token);
  });
});

describe('a batch is one commit', () => {
  it('for any number of uses, tags and additions', async () => {
    const { memory } = await newTestMemory();
    const { id } = await memory.remember('Ana likes tea');
    await memory.write(page, '# Page\n\n- one\n\nEnd.\n');
    for (let i = 0; i < 10; i++) {
      await memory.records.touch(id!, { boost: true });
      await memory.edit(page, '\nEnd.', `- more ${i}\n\nEnd.`);
    }
    expect((await memory.commit()).commits).toHaveLength(1);
    for (let i = 0; i < 10; i++) await memory.records.touch(id!);
    expect((await memory.commit()).commits).toHaveLength(1);
  });

  it('for edits of different lines of what is committed, and uses of what is archived then', async () => {
    const { memory } = await newTestMemory();
    const { id } = await memory.remember('Ana likes tea');
    await memory.write(page, Array.from({ length: 10 }, (_, line) => `- line ${line}\n`).join(''));
    await memory.commit();
    for (let line = 0; line < 10; line++) await memory.edit(page, `- line ${line}`, `- edited ${line}`);
    await memory.records.touch(id!);
    await memory.records.archive(id!);
    expect((await memory.commit()).commits).toHaveLength(1);
  });

  it('for each version that is replaced', async () => {
    const { memory } = await newTestMemory();
    for (let i = 0; i < 10; i++) await memory.write(page, `version ${i}\n`);
    expect((await memory.commit()).commits).toHaveLength(10);
  });
});

describe.runIf(hasGit)('of any batch', () => {
  it.each(Array.from({ length: 12 }, (_, seed) => seed))('no version is lost (seed %i)', async (seed) => {
    const below = random(seed);
    const { memory, directory } = await newTestMemory();
    const words = new Set<string>();
    const paths = ['knowledge/a.md', 'knowledge/b.md', 'topics/c.md'];
    for (let step = 0; step < 30; step++) {
      const path = paths[below(paths.length)]!;
      const word = `word-${seed}-${step}`;
      const text = await memory.read(path).catch(() => null);
      const action = below(6);
      if (action === 0) await memory.commit();
      else if (action === 1 && text !== null) await memory.remove(path);
      else if (action === 2 && text !== null)
        await memory.write(path, `${text}- ${word}\n`).then(() => words.add(word));
      else if (action === 3) await memory.remember({ id: word, content: word }).then(() => words.add(word));
      else if (action === 4 && words.size > 0) {
        const id = [...words][below(words.size)]!;
        await memory.forget(id).catch(() => undefined);
      } else await memory.write(path, `# ${word}\n`).then(() => words.add(word));
    }
    await memory.close();
    const history = git(directory, 'log', '-p', '--format=', 'main');
    expect([...words].filter((word) => !new RegExp(`${word}\\b`).test(history))).toEqual([]);
    expect(blemishes(directory)).toBe('');
    const again = await openMemory({ dir: directory, durability: 'fast' });
    expect((await again.commit()).commits).toEqual([]);
    await again.close();
  });
});
