import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { KeyStore } from '../../src/base/ports.ts';
import { openMemory } from '../../src/memory/open-memory.ts';
import { failingFileSystem, ProcessGroup } from '../helpers/failing-fs.ts';
import { keysOf, newTestMemory } from '../helpers/memories.ts';
import { fsck, git, tryGit } from '../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../helpers/program.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const secret = 'Marzipandrache Vollmondquitte zwischen Zimtsternschnuppen';
const words = [...secret.split(' '), ...secret.split(' ').map((word) => word.toLowerCase())].filter(
  (word) => word.length > 8,
);
const traces = [
  ...words,
  ...[0, 1, 2].map((shift) => Buffer.from(secret.slice(shift)).toString('base64').slice(4, 28)),
];

/** Everything below .git, packs unpacked by native git: what whoever gets hold of the folder can read. */
function everythingIn(directory: string): string {
  const env = { GIT_DIR: join(directory, '.git') };
  const objects = tryGit(directory, ['cat-file', '--batch-all-objects', '--batch', '--buffer'], undefined, env).stdout;
  const refs = git(directory, 'for-each-ref', '--format=%(refname) %(contents)');
  const folder = join(directory, '.git');
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(
      (entry) => `${join(entry.parentPath, entry.name)}\n${readFileSync(join(entry.parentPath, entry.name), 'latin1')}`,
    );
  const names = git(directory, 'log', '--all', '--name-only', '--format=%B');
  return [objects, refs, ...files, names].join('\n');
}

function leaksIn(directory: string): string[] {
  const all = everythingIn(directory);
  expect(all.length).toBeGreaterThan(1000);
  // The lines that give it away, so that a failure tells where.
  return all.split('\n').filter((line) => traces.some((trace) => line.includes(trace)));
}

async function newPrivate(paths: readonly string[], keys = keysOf(), extra = {}) {
  const made = await newTestMemory({ keys, ...extra });
  await made.memory.keys.new({ paths });
  return { ...made, keys };
}

describe('private texts', () => {
  it('leave no trace of their words in git, journal, caches or messages, whatever is done with them', async () => {
    const { memory, directory, clock, keys } = await newPrivate([
      'raw/conversations/**',
      'memories/**',
      'knowledge/people/**',
      'topics/**',
    ]);
    expect(directory).not.toBe('');
    const session = await memory.startSession({ topic: secret });
    await session.message('user', `We decided to use ${secret} for the launch. My favourite colour is ${secret}.`);
    // An open session waits in the journal.
    expect(leaksIn(directory)).toEqual([]);
    await session.end();
    const { id } = await memory.remember({ content: secret, tags: ['x'] });
    await memory.remember({ content: `${secret} again` });
    expect(leaksIn(directory)).toEqual([]);
    await memory.write('knowledge/people/ada.md', `# Ada\n\n- Likes ${secret}\n`);
    await memory.write(
      'topics/cake.md',
      `---\nname: cake\ntriggers:\n  - type: keyword\n    patterns: [cake]\n---\n\n${secret}\n`,
    );
    await memory.commit();
    await memory.edit('knowledge/people/ada.md', 'Likes', 'Loves');
    await memory.records.touch(id!);
    await memory.commit();
    await memory.extract();
    clock.advance({ days: 2 });
    await memory.maintenance.run({ force: true });
    await memory.maintenance.night();
    expect((await memory.recall('Vollmondquitte')).hits.length).toBeGreaterThan(0);
    await memory.context('what about the cake and Vollmondquitte');
    expect((await memory.learned('Vollmondquitte')).commits.length).toBeGreaterThan(0);
    expect((await memory.blame('knowledge/people/ada.md')).lines.map(({ text }) => text)).toContain(
      `- Loves ${secret}`,
    );
    const diff = await memory.diff((await memory.log({ limit: 200 })).commits.at(-1)!.oid);
    expect(JSON.stringify(diff)).toContain('Vollmondquitte');
    await memory.undo((await memory.log({ path: 'knowledge/people/ada.md', limit: 1 })).commits[0]!.oid);
    await memory.experiments.run?.({ name: 'x', limit: 1 } as never).catch(() => undefined);
    await memory.snapshots.create('one');
    await memory.maintenance.reindex();
    await memory.close();
    expect(leaksIn(directory)).toEqual([]);
    expect(fsck(directory)).toBe('');
    const again = await openMemory({ dir: directory, keys, readOnly: true });
    expect((await again.recall('Vollmondquitte')).hits.length).toBeGreaterThan(0);
    expect((await again.get(id!)).content).toBe(secret);
    await again.close();
    // Our own memory still knows every word: the search above would find nothing in an empty repository.
    expect(keys.texts).toHaveLength(1);
  });

  it('lie open in no folder of git when a process dies that was about to show them, and the next one clears away', async () => {
    const { memory, directory, keys } = await newPrivate(['knowledge/people/**']);
    await memory.close();
    const { fs } = failingFileSystem(({ operation, path }) =>
      operation === 'renameSync' && path.includes('.git-memory-open/') ? { kill: true } : null,
    );
    const group = new ProcessGroup();
    const life = group.spawn();
    const { memory: dying } = await newTestMemory({ dir: directory, keys, fs, processes: life.processes });
    await dying.write('knowledge/people/ada.md', `# Ada\n\n${secret}\n`);
    await dying.commit().catch(() => undefined);
    life.kill();
    const [left] = readdirSync(join(directory, '.git-memory-open')).filter((name) => name !== '.gitignore');
    expect(readFileSync(join(directory, '.git-memory-open', left!), 'utf8')).toContain(secret);
    expect(leaksIn(directory)).toEqual([]);
    expect(git(directory, 'status', '--porcelain', '-uall')).not.toContain('.git-memory-open');
    const { memory: next } = await newTestMemory({ dir: directory, keys, processes: group.spawn().processes });
    await next.commit();
    expect(await next.read('knowledge/people/ada.md')).toContain(secret);
    await next.close();
    expect(readdirSync(directory)).not.toContain('.git-memory-open');
  });

  it('are told apart by their key: without it reading fails by code and path, the rest goes on, and nothing open is written', async () => {
    const { memory, directory, keys } = await newPrivate(['knowledge/people/**', 'memories/**']);
    await memory.write('knowledge/people/ada.md', `# Ada\n\n${secret}\n`);
    await memory.write('knowledge/projects/sea.md', '# Sea\n\nA lighthouse at the harbour\n');
    const { id } = await memory.remember({ content: secret });
    await memory.commit();
    await memory.close();
    for (const other of [keysOf(), await otherKey()]) {
      const stranger = await openMemory({ dir: directory, keys: other, durability: 'fast' });
      const missing = { code: 'PRIVATE_KEY_MISSING', message: expect.stringContaining('knowledge/people/ada.md') };
      await expect(stranger.read('knowledge/people/ada.md')).rejects.toMatchObject(missing);
      await expect(stranger.get(id!)).rejects.toMatchObject({ code: 'PRIVATE_KEY_MISSING' });
      const found = await stranger.recall('lighthouse');
      expect(found.hits.map(({ path }) => path)).toEqual(['knowledge/projects/sea.md']);
      expect(found.locked).toBe(2);
      expect((await stranger.recall('Vollmondquitte')).hits).toEqual([]);
      expect(await stranger.list()).toMatchObject({ memories: [], locked: 1 });
      const { commits } = await stranger.log();
      expect(commits.length).toBeGreaterThan(1);
      const { files } = await stranger.diff(commits.at(-1)!.oid);
      expect(files.find(({ path }) => path === 'knowledge/people/ada.md')).toMatchObject({ binary: true, patch: '' });
      await expect(stranger.write('knowledge/people/ada.md', 'open')).rejects.toMatchObject(missing);
      await expect(stranger.remember({ content: 'open' })).rejects.toMatchObject({ code: 'PRIVATE_KEY_MISSING' });
      await expect(stranger.keys.new({ isRotation: true })).rejects.toMatchObject({ code: 'PRIVATE_KEY_MISSING' });
      expect((await stranger.keys.status()).keys).toMatchObject([{ files: 2, isHere: false }]);
      await stranger.write('knowledge/projects/sky.md', '# Sky\n\nfree for all\n');
      await stranger.commit();
      await stranger.close();
    }
    expect(leaksIn(directory)).toEqual([]);
    // A key that comes later opens everything, in the same process, too.
    const late = keysOf();
    const returned = await openMemory({ dir: directory, keys: late, durability: 'fast' });
    expect((await returned.list()).memories).toEqual([]);
    await returned.keys.import(keys.texts[0]!);
    expect((await returned.list()).memories.map(({ content }) => content)).toEqual([secret]);
    expect((await returned.recall('Vollmondquitte')).hits.length).toBeGreaterThan(0);
    await expect(returned.keys.import(`${keys.texts[0]!.slice(0, -1)}!`)).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await returned.close();
  });

  it('tell by path that they were cut or changed', async () => {
    const { memory, directory, keys } = await newPrivate(['knowledge/people/**']);
    await memory.write('knowledge/people/ada.md', `# Ada\n\n${secret}\n`);
    await memory.commit();
    await memory.close();
    const blob = spawnSync('git', ['-C', directory, 'cat-file', 'blob', 'HEAD:knowledge/people/ada.md']).stdout;
    for (const damaged of [blob.subarray(0, -1), flipped(blob, blob.length - 1), flipped(blob, 45)]) {
      const clone = temporaryFolder();
      git(clone, 'clone', '-q', directory, 'clone');
      const dir = join(clone, 'clone');
      writeFileSync(join(dir, 'knowledge/people/ada.md'), damaged);
      git(dir, 'commit', '-qam', 'damaged');
      const other = await openMemory({ dir, keys, durability: 'fast' });
      const told = { code: 'PRIVATE_DAMAGED', message: expect.stringContaining('knowledge/people/ada.md') };
      await expect(other.read('knowledge/people/ada.md')).rejects.toMatchObject(told);
      expect((await other.recall('Vollmondquitte')).hits).toEqual([]);
      await other.close();
    }
  });

  it('become private, and get another key, in one commit; what was kept of their words goes', async () => {
    const keys = keysOf();
    const { memory, directory } = await newTestMemory({ keys });
    for (let count = 0; count < 70; count++) {
      await memory.write(`knowledge/projects/p${count}.md`, `# ${count}\n\n${secret} ${count}\n`);
    }
    await memory.commit();
    await memory.recall('Vollmondquitte');
    await memory.keys.new({ paths: ['knowledge/projects/**'] });
    await memory.recall('Vollmondquitte');
    const old = (await memory.keys.status()).key!;
    const tip = () => tryGit(directory, ['grep', '-a', '-c', 'Vollmondquitte', 'HEAD']).stdout;
    expect(tip()).toBe('');
    const folder = join(directory, '.git/git-memory');
    const kept = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter(
        (entry) => entry.isFile() && /vollmondquitte/i.test(readFileSync(join(entry.parentPath, entry.name), 'latin1')),
      )
      .map((entry) => join(entry.parentPath, entry.name));
    expect(kept).toEqual([]);
    const before = git(directory, 'rev-parse', 'HEAD:knowledge/projects/p1.md');
    const rotated = await memory.keys.new({ isRotation: true });
    expect(git(directory, 'rev-list', '--count', `${rotated.commit}^..HEAD`).trim()).toBe('1');
    expect(git(directory, 'rev-parse', 'HEAD:knowledge/projects/p1.md')).not.toBe(before);
    expect((await memory.keys.status()).keys).toEqual([{ id: rotated.id, files: 70, isHere: true }]);
    expect(rotated.id).not.toBe(old);
    await expect(memory.keys.new()).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    // Undo of the rotation brings the old key back, and with it texts that can be read.
    await memory.undo(rotated.commit!);
    expect((await memory.keys.status()).keys).toEqual([{ id: old, files: 70, isHere: true }]);
    expect(await memory.read('knowledge/projects/p1.md')).toContain(secret);
    await memory.close();
    expect(fsck(directory)).toBe('');
  });
});

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}

async function otherKey(): Promise<KeyStore> {
  const { memory, keys } = await newPrivate(['x/**']);
  await memory.close();
  return keys;
}

describe('native git', () => {
  beforeAll(buildProgram, 120_000);

  it('sees ciphertext without the key, and with it open files that it diffs, merges and stores encrypted', async () => {
    const { memory, directory, keys } = await newPrivate(['knowledge/people/**']);
    const file = 'knowledge/people/ada.md';
    await memory.write(file, `# Ada\n\n- one ${secret}\n- two\n- three\n`);
    await memory.commit();
    await memory.close();
    const environment = programEnvironment({ GIT_MEMORY_KEY: keys.texts[0]!, XDG_CONFIG_HOME: temporaryFolder() });
    const run = (dir: string, ...parameters: string[]) => {
      const result = tryGit(dir, parameters, undefined, environment);
      expect(`${result.status} ${result.stderr}`).toMatch(/^0 /);
      return result.stdout;
    };
    // Our own commit left the file open, and git agrees that nothing is to be stored.
    expect(readFileSync(join(directory, file), 'utf8')).toContain(secret);
    expect(run(directory, 'status', '--porcelain')).toBe('');
    run(directory, 'update-index', '--really-refresh');
    writeFileSync(join(directory, file), readFileSync(join(directory, file)));
    expect(run(directory, 'status', '--porcelain')).toBe('');
    // A clone without the key.
    const plain = join(temporaryFolder(), 'plain');
    git(directory, 'clone', '-q', directory, plain);
    expect(readFileSync(join(plain, file)).includes(secret)).toBe(false);
    expect(git(plain, 'status', '--porcelain')).toBe('');
    // Another with it.
    const other = join(temporaryFolder(), 'other');
    git(directory, 'clone', '-q', directory, other);
    run(other, 'memory', 'hooks', 'install');
    expect(readFileSync(join(other, file), 'utf8')).toContain(secret);
    expect(run(other, 'status', '--porcelain')).toBe('');
    const edit = (dir: string, from: string, to: string) =>
      writeFileSync(join(dir, file), readFileSync(join(dir, file), 'utf8').replace(from, to));
    edit(other, '- three', '- three of other');
    expect(run(other, 'diff')).toContain('+- three of other');
    run(other, 'commit', '-qam', 'other');
    edit(directory, '- two', '- two of ours');
    run(directory, 'memory', 'hooks', 'install');
    run(directory, 'commit', '-qam', 'ours');
    run(directory, 'fetch', '-q', other, 'main');
    run(directory, 'merge', '-q', '-m', 'both', 'FETCH_HEAD');
    const merged = readFileSync(join(directory, file), 'utf8');
    expect(merged).toContain('- two of ours');
    expect(merged).toContain('- three of other');
    expect(run(directory, 'status', '--porcelain')).toBe('');
    expect(leaksIn(directory)).toEqual([]);
    expect(leaksIn(other)).toEqual([]);
    // Who lost the key cannot store an open text.
    const keyless = programEnvironment({ XDG_CONFIG_HOME: temporaryFolder() });
    edit(other, '- three', '- 3');
    expect(tryGit(other, ['add', file], undefined, keyless).status).not.toBe(0);
    mkdirSync(join(other, 'knowledge/people/x'), { recursive: true });
    writeFileSync(join(other, 'knowledge/people/x/new.md'), secret);
    expect(tryGit(other, ['add', '-A'], undefined, keyless).status).not.toBe(0);
    expect(leaksIn(other)).toEqual([]);
    const again = await openMemory({ dir: directory, keys, durability: 'fast' });
    expect(await again.read(file)).toBe(merged);
    await again.close();
  });
});
