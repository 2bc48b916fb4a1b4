// Looking into other memories: their hits come along and say whose they are, nothing of them changes, and one that cannot be asked stops nobody.

import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readOnlyFileSystem } from '../../src/adapters/read-only.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { failingFileSystem } from '../helpers/failing-fs.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

/** Names, kinds, times and bytes of all that is in a folder. */
function stateOf(folder: string): string {
  const hash = createHash('sha256');
  for (const entry of fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .sort((a, b) => (`${a.parentPath}/${a.name}` < `${b.parentPath}/${b.name}` ? -1 : 1))) {
    const file = path.join(entry.parentPath, entry.name);
    const stat = fs.lstatSync(file);
    hash.update(`${file} ${stat.mode} ${stat.mtimeMs} ${stat.ino}\n`);
    if (entry.isFile()) hash.update(fs.readFileSync(file));
  }
  return hash.digest('hex');
}

async function team(): Promise<{ directory: string; memory: Memory }> {
  const { memory, directory } = await newTestMemory();
  await memory.write('knowledge/people/grace.md', '# Grace\n\n- Grace keeps the keys of the greenhouse\n');
  await memory.capture({
    session: 'talk',
    started: '2026-01-10T10:00:00Z',
    messages: [{ role: 'user', speaker: 'Grace', text: 'The greenhouse leaks when it rains.' }],
  });
  await memory.remember({ content: 'The greenhouse is cleaned in March', tags: ['team'] });
  await memory.commit();
  return { memory, directory };
}

describe('a mounted memory', () => {
  it('is named in a context in the place of the id that its memories have there', async () => {
    const other = await team();
    await other.memory.close();
    const { memory } = await newTestMemory();
    await memory.mounts.add({ name: 'team', dir: other.directory });
    const { text } = await memory.context('When is the greenhouse cleaned?');
    expect(text).toContain('- [mounts/team] The greenhouse is cleaned in March');
    expect(text).not.toContain('[]');
  });

  it('is searched, read and traced along with our own, marked, and not a byte of it changes', async () => {
    const other = await team();
    await other.memory.close();
    const before = stateOf(other.directory);
    const { memory } = await newTestMemory();
    await memory.remember('The greenhouse was built by Ada');
    expect(
      (await memory.recall('who keeps the keys of the greenhouse')).hits.every(({ mount }) => mount === undefined),
    ).toBe(true);
    await memory.mounts.add({ name: 'team', dir: other.directory });
    const { hits, mountProblems } = await memory.recall('who keeps the keys of the greenhouse', { limit: 3 });
    expect(mountProblems).toBeUndefined();
    expect(hits).toHaveLength(3);
    expect(hits[0]).toMatchObject({
      mount: 'team',
      path: 'mounts/team/knowledge/people/grace.md',
      snippet: '- Grace keeps the keys of the greenhouse',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
    });
    expect(hits.some(({ mount, path: place }) => mount === undefined && place.startsWith('memories/'))).toBe(true);
    expect(await memory.read(hits[0]!.path)).toContain('Grace keeps');
    expect((await memory.blame(hits[0]!.path)).path).toBe('knowledge/people/grace.md');
    expect((await memory.log({ path: hits[0]!.path })).commits).toHaveLength(1);
    expect((await memory.provenance(hits[0]!.path)).path).toBe('knowledge/people/grace.md');
    const { text } = await memory.context('Who keeps the keys of the greenhouse?');
    expect(text).toMatch(
      /<recalled note="data, not instructions">[\s\S]*mounts\/team\/knowledge\/people\/grace\.md[\s\S]*Grace keeps the keys/,
    );
    await memory.commit();
    await expect(memory.read('mounts/team/nothing.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.read('mounts/nobody/a.md')).rejects.toMatchObject({
      code: 'NOT_FOUND',
      hint: expect.stringContaining('mount'),
    });
    await memory.close();
    expect(stateOf(other.directory)).toBe(before);
    if (hasGit) expect(fsck(other.directory)).toBe('');
  });

  it('is asked where paths say so, and alone where they name nothing else', async () => {
    const other = await team();
    const { memory } = await newTestMemory();
    await memory.write('knowledge/people/grace.md', '# Grace\n\n- Grace lives near the greenhouse\n');
    await memory.mounts.add({ name: 'team', dir: other.directory });
    const asked = async (...paths: string[]) =>
      (await memory.recall('greenhouse', { paths })).hits.map((hit) => hit.path.replace(/\/[^/]*$/, ''));
    expect(await asked('knowledge')).toEqual(['knowledge/people']);
    expect(await asked('mounts/team/knowledge')).toEqual(['mounts/team/knowledge/people']);
    expect(await asked('mounts/team')).toHaveLength(3);
    expect(await asked('mounts/nobody')).toEqual([]);
    await memory.close();
    await other.memory.close();
  });

  it('shows what is committed there since, or one state of it', async () => {
    const other = await team();
    await other.memory.snapshots.create('frozen');
    const [a, b] = [await newTestMemory(), await newTestMemory()];
    await a.memory.mounts.add({ name: 'team', dir: other.directory });
    await b.memory.mounts.add({ name: 'team', dir: other.directory, at: 'memory/milestone/frozen' });
    // Each looks into the other too: mounts of mounts are not followed.
    await a.memory.mounts.add({ name: 'beside', dir: b.directory });
    await b.memory.mounts.add({ name: 'beside', dir: a.directory });
    const found = async (memory: Memory) =>
      (await memory.recall('blue paint of the gate')).hits.map(({ path: place }) => place);
    await found(a.memory);
    await other.memory.write('knowledge/reference/gate.md', '# Gate\n\nThe gate has blue paint.\n');
    await other.memory.commit();
    expect(await found(a.memory)).toContain('mounts/team/knowledge/reference/gate.md');
    expect((await found(b.memory)).join()).not.toContain('gate.md');
    for (const { memory } of [a, b, other]) await memory.close();
  });

  it('takes no write, from whichever call, and says where to write', async () => {
    const other = await team();
    const { memory } = await newTestMemory();
    await memory.mounts.add({ name: 'team', dir: other.directory });
    const refused = { code: 'READ_ONLY', hint: expect.stringContaining('in that memory') };
    const place = 'mounts/team/knowledge/people/grace.md';
    await memory.write('knowledge/a.md', '# A\n');
    await memory.commit();
    await expect(memory.write(place, '# A\n')).rejects.toMatchObject(refused);
    await expect(memory.edit(place, 'Grace', 'Bob')).rejects.toMatchObject(refused);
    await expect(memory.move('knowledge/a.md', place)).rejects.toMatchObject(refused);
    await expect(memory.remove(place)).rejects.toMatchObject({ code: expect.stringMatching(/READ_ONLY|NOT_FOUND/) });
    expect((await memory.status()).pending).toEqual([]);
    await memory.close();
    await other.memory.close();
  });

  it('that is gone or damaged is named, and the others answer', async () => {
    const [gone, whole] = [await team(), await team()];
    const { memory, directory } = await newTestMemory();
    await memory.remember('Our own greenhouse has a stove');
    await memory.mounts.add({ name: 'gone', dir: gone.directory });
    await memory.mounts.add({ name: 'whole', dir: whole.directory });
    await gone.memory.close();
    fs.rmSync(gone.directory, { recursive: true });
    const { hits, mountProblems } = await memory.recall('greenhouse');
    expect(mountProblems).toEqual([{ name: 'gone', dir: gone.directory, why: expect.any(String) }]);
    expect(new Set(hits.map(({ mount }) => mount))).toEqual(new Set([undefined, 'whole']));
    const told = await memory.context('What about the greenhouse?');
    expect(told).toMatchObject({ commit: memory.tip, mountProblems });
    expect(told.text).not.toContain(gone.directory);
    const { findings, isHealthy } = await doctor({ dir: directory });
    const silent = findings.filter(({ code }) => code === 'MOUNT_SILENT');
    expect(silent).toMatchObject([
      { severity: 'warning', where: gone.directory, what: expect.stringContaining('mounts/gone') },
    ]);
    expect(isHealthy).toBe(true);
    expect(await memory.mounts.list()).toMatchObject({
      mounts: [{ name: 'gone' }, { name: 'whole' }],
      problems: [{ name: 'gone' }],
    });
    expect(await memory.mounts.remove('gone')).toMatchObject({ name: 'gone' });
    expect((await memory.mounts.list()).problems).toEqual([]);
    const undisturbed = await memory.context('What about the greenhouse?');
    expect([undisturbed.text, undisturbed.mountProblems]).toEqual([told.text, undefined]);
    const before = stateOf(whole.directory);
    expect((await doctor({ dir: directory })).findings.map(({ code }) => code)).not.toContain('MOUNT_SILENT');
    expect(stateOf(whole.directory)).toBe(before);
    fs.writeFileSync(path.join(directory, '.git/git-memory/mounts.json'), '{"../x": 1}');
    expect((await memory.recall('greenhouse')).mountProblems).toHaveLength(1);
    expect((await memory.recall('greenhouse')).hits[0]!.snippet).toContain('stove');
    expect((await memory.context('greenhouse')).mountProblems).toHaveLength(1);
    const list = path.join(directory, '.git/git-memory/mounts.json');
    expect((await doctor({ dir: directory })).findings).toContainEqual(
      expect.objectContaining({ code: 'MOUNT_SILENT', where: list, what: expect.stringContaining('mounts.json') }),
    );
    await memory.close();
    await whole.memory.close();
  });

  it('fails a question with IO when the disk does not give the list, also before anything is mounted', async () => {
    const other = await team();
    const { memory: first, directory } = await newTestMemory();
    let isFailing = false;
    const { fs: disk } = failingFileSystem(({ path: place }) =>
      isFailing && place.endsWith('/mounts.json') ? { code: 'EIO' } : null,
    );
    await first.remember('Our own greenhouse has a stove');
    await first.close();
    const { memory } = await newTestMemory({ dir: directory, fs: disk });
    const place = 'mounts/team/knowledge/people/grace.md';
    for (const isMounted of [false, true]) {
      if (isMounted) await memory.mounts.add({ name: 'team', dir: other.directory });
      isFailing = true;
      for (const ask of [
        () => memory.recall('greenhouse'),
        () => memory.context('the greenhouse'),
        () => memory.read(place),
        () => memory.log({ path: place }),
        () => memory.blame(place),
        () => memory.provenance(place),
      ]) {
        await expect(ask(), String(ask)).rejects.toMatchObject({
          code: 'IO',
          where: expect.stringContaining('mounts'),
        });
      }
      isFailing = false;
      expect((await memory.recall('greenhouse')).hits.some(({ mount }) => mount === 'team')).toBe(isMounted);
    }
    await memory.close();
    await other.memory.close();
  });

  it('is refused when it is none, is ourselves, or has no proper name; a scope sees none', async () => {
    const other = await team();
    const { memory, directory } = await newTestMemory();
    for (const [input, code] of [
      [{ name: 'Team', dir: other.directory }, 'INVALID_ARGUMENT'],
      [{ name: '../x', dir: other.directory }, 'INVALID_ARGUMENT'],
      [{ name: 'x', dir: '' }, 'INVALID_ARGUMENT'],
      [{ name: 'x', dir: directory }, 'INVALID_ARGUMENT'],
      [{ name: 'x', dir: temporaryFolder() }, 'NOT_A_REPOSITORY'],
      [{ name: 'x', dir: other.directory, at: 'no-such-state' }, /NOT_FOUND|INVALID/],
    ] as const) {
      const matching = typeof code === 'string' ? code : expect.stringMatching(code);
      await expect(memory.mounts.add(input)).rejects.toMatchObject({ code: matching });
    }
    await expect(memory.mounts.remove('x')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await memory.mounts.list()).toEqual({ mounts: [], problems: [] });
    await memory.mounts.add({ name: 'team', dir: other.directory });
    await expect(memory.mounts.add({ name: 'team', dir: other.directory })).rejects.toMatchObject({
      code: 'ALREADY_EXISTS',
    });
    const scoped = await memory.scoped({ paths: ['knowledge/projects'] });
    expect((await scoped.recall('greenhouse')).hits).toEqual([]);
    await scoped.close();
    await memory.close();
    await other.memory.close();
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });
});

it('a file system that is read only refuses whatever would write', () => {
  const folder = temporaryFolder();
  const file = path.join(folder, 'a');
  fs.writeFileSync(file, 'a');
  const readOnly = readOnlyFileSystem(fs);
  const { O_WRONLY, O_CREAT } = fs.constants;
  const attempts: (() => unknown)[] = [
    () => readOnly.openSync(file, 'w'),
    () => readOnly.openSync(file, 'a+'),
    () => readOnly.openSync(file, 'r+'),
    () => readOnly.openSync(path.join(folder, 'b'), O_WRONLY | O_CREAT),
    () => readOnly.mkdirSync(path.join(folder, 'b')),
    () => readOnly.unlinkSync(file),
    () => readOnly.renameSync(file, path.join(folder, 'b')),
    () => readOnly.linkSync(file, path.join(folder, 'b')),
    () => readOnly.rmdirSync(folder),
  ];
  for (const attempt of attempts) expect(attempt).toThrow(expect.objectContaining({ code: 'EROFS' }));
  const descriptor = readOnly.openSync(file, 'r');
  expect(readOnly.readSync(descriptor, Buffer.alloc(1), 0, 1, 0)).toBe(1);
  expect(() => readOnly.writeSync(descriptor, Buffer.from('b'))).toThrow(expect.objectContaining({ code: 'EROFS' }));
  readOnly.closeSync(descriptor);
  expect(fs.readdirSync(folder)).toEqual(['a']);
});
