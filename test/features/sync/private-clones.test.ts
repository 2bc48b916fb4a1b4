// Private files in clones: made by native git, by `init --from` and by sync, with the key, without it, and with one that comes later.

import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { refusal } from '../../helpers/error-manners.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { keysOf } from '../../helpers/memories.ts';
import { fsck, git, hasGit, tryGit } from '../../helpers/native-git.ts';
import { buildProgram, programEnvironment } from '../../helpers/program.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const served = gitServerForTests();
const network = { ...machineNetwork(), credentialFor: async () => serverCredential };

const word = 'Vollmondquitte';
const [ada, bob] = ['knowledge/people/ada.md', 'knowledge/people/bob.md'];
const text = `# Ada\n\n- one ${word}\n- two\n- three\n`;

let made = 0;
/** A bare repository behind the server: its folder, and its address. */
function newRemote(): { folder: string; address: string } {
  made += 1;
  const folder = bareRepository(path.join(served.root, `p${made}.git`));
  return { folder, address: `${served.server.origin}/p${made}.git` };
}

const open = (dir: string, keys: ReturnType<typeof keysOf>, options = {}): Promise<Memory> =>
  openMemory({ dir, create: true, durability: 'fast', network, keys, ...options });

/** A memory with private files that a remote has, and its key. */
async function newShared() {
  const remote = newRemote();
  const keys = keysOf();
  const memory = await open(temporaryFolder(), keys);
  await memory.keys.new({ paths: ['knowledge/people/**'] });
  await memory.write(ada, text);
  await memory.write(bob, `# Bob\n\n- ${word}\n`);
  await memory.write('knowledge/projects/sea.md', '# Sea\n\nA lighthouse\n');
  await memory.commit();
  await memory.sync({ remote: remote.address });
  return { remote, keys, memory, key: keys.texts[0]! };
}

const fileOf = (dir: string, file: string) => readFileSync(path.join(dir, file), 'latin1');
const edit = (dir: string, file: string, from: string, to: string) =>
  writeFileSync(path.join(dir, file), readFileSync(path.join(dir, file), 'utf8').replace(from, to));

/** Native git as a person runs it who has the key, or has none. */
const person = (key: string | null) => {
  const environment = programEnvironment({
    XDG_CONFIG_HOME: temporaryFolder(),
    GIT_AUTHOR_NAME: 'Person',
    ...(key === null ? {} : { GIT_MEMORY_KEY: key }),
  });
  return (dir: string, ...parameters: string[]) => tryGit(dir, parameters, undefined, environment);
};

/** The lines of any object of a repository, reachable or not, in which a word stands. */
function openWords(folder: string, wanted = word): string[] {
  const { stdout } = spawnSync('git', ['-C', folder, 'cat-file', '--batch-all-objects', '--batch', '--buffer'], {
    encoding: 'latin1',
    maxBuffer: 1 << 28,
  });
  expect(stdout.length).toBeGreaterThan(500);
  return stdout.split('\n').filter((line) => line.toLowerCase().includes(wanted.toLowerCase()));
}

describe.skipIf(!hasGit)('private files in a clone', () => {
  beforeAll(buildProgram, 120_000);

  it('lie open after a sync that brings their rule where the key is here, and native git stores them encrypted', async () => {
    const { remote, key, memory } = await newShared();
    const joined = await open(temporaryFolder(), keysOf(key));
    await joined.sync({ remote: remote.address });
    const dir = joined.directory;
    expect(fileOf(dir, ada)).toBe(text);
    const native = person(key);
    expect(native(dir, 'status', '--porcelain')).toMatchObject({ status: 0, stdout: '' });
    edit(dir, ada, '- two', `- two and ${word}`);
    expect(native(dir, 'commit', '-qam', 'by hand')).toMatchObject({ status: 0 });
    await joined.sync();
    expect(await joined.read(ada)).toContain(`- two and ${word}`);
    await memory.sync();
    expect(await memory.read(ada)).toContain(`- two and ${word}`);
    for (const folder of [dir, memory.directory, remote.folder]) {
      expect(openWords(folder)).toEqual([]);
      expect(fsck(folder)).toBe('');
    }
    await joined.close();
    await memory.close();
  }, 600_000);

  it('lie open once a clone of native git is opened with the key, stay as edited, and open when a key comes later', async () => {
    const { remote, key, memory } = await newShared();
    const clone = (name: string) => {
      const dir = path.join(temporaryFolder(), name);
      git('/', 'clone', '-q', remote.folder, dir);
      return dir;
    };
    const dir = clone('keyed');
    expect(fileOf(dir, ada)).not.toContain(word);
    await (await open(dir, keysOf(key))).close();
    expect([fileOf(dir, ada), git(dir, 'log', '--format=%s', '-1')]).toEqual([
      text,
      git(remote.folder, 'log', '--format=%s', '-1'),
    ]);
    expect(person(key)(dir, 'status', '--porcelain').stdout).toBe('');

    const late = clone('late');
    const keys = keysOf();
    const keyless = await open(late, keys);
    expect(fileOf(late, ada)).not.toContain(word);
    expect(git(late, 'status', '--porcelain')).toBe('');
    // What a person wrote meanwhile is no file to be shown anew.
    writeFileSync(path.join(late, bob), '# Bob\n\nwritten without the key\n');
    const { skipped } = await keyless.commit();
    expect(skipped).toMatchObject([{ path: bob, why: expect.stringContaining('key') }]);
    await keyless.keys.import(key);
    expect([fileOf(late, ada), fileOf(late, bob)]).toEqual([text, '# Bob\n\nwritten without the key\n']);
    expect(await keyless.commit()).toMatchObject({ skipped: [] });
    expect(await keyless.read(bob)).toContain('written without the key');
    await keyless.sync();
    await keyless.close();

    // The key came by another memory of the same user.
    const other = clone('other');
    await (await open(other, keysOf())).close();
    expect(fileOf(other, ada)).not.toContain(word);
    await (await open(other, keysOf(key))).close();
    expect(fileOf(other, ada)).toBe(text);
    for (const folder of [dir, late, other, memory.directory, remote.folder]) {
      expect(openWords(folder)).toEqual([]);
      expect(openWords(folder, 'written without the key')).toEqual([]);
    }
    await memory.close();
  }, 600_000);

  it('are not shown anew over what is staged', async () => {
    const { remote, key, memory } = await newShared();
    const dir = path.join(temporaryFolder(), 'clone');
    git('/', 'clone', '-q', remote.folder, dir);
    const blob = git(dir, 'rev-parse', `HEAD:${ada}`).trim();
    git(dir, 'update-index', '--cacheinfo', `100644,${blob},${bob}`);
    await (await open(dir, keysOf(key))).close();
    expect(fileOf(dir, ada)).toBe(text);
    expect(person(key)(dir, 'diff', '--name-only').stdout.trim()).toBe(bob);
    expect(git(dir, 'ls-files', '-s', bob)).toContain(blob);
    await memory.close();
  }, 600_000);

  it('get their rule by a merge, and by memory.yaml that a person edits', async () => {
    const keys = keysOf();
    const memory = await open(temporaryFolder(), keys);
    const dir = memory.directory;
    await memory.write(ada, text);
    await memory.commit();
    await memory.keys.new();
    const configuration = path.join(dir, 'memory.yaml');
    writeFileSync(configuration, `${readFileSync(configuration, 'utf8')}\nprivate:\n  - knowledge/people/**\n`);
    const native = person(keys.texts[0]!);
    // Committed by native git, and by us.
    expect(native(dir, 'commit', '-qam', 'from now on').status).toBe(0);
    await memory.close();
    const again = await open(dir, keys);
    await again.commit();
    expect(git(dir, 'show', `HEAD:${ada}`)).not.toContain(word);
    expect(fileOf(dir, ada)).toBe(text);
    expect(native(dir, 'status', '--porcelain').stdout).toBe('');
    writeFileSync(
      configuration,
      readFileSync(configuration, 'utf8').replace('people/**', 'people/**\n  - knowledge/projects/**'),
    );
    await again.write('knowledge/projects/sea.md', `# Sea\n\n${word}\n`);
    await again.commit();
    expect(git(dir, 'show', 'HEAD:knowledge/projects/sea.md')).not.toContain(word);
    expect(native(dir, 'check-attr', 'filter', 'knowledge/projects/sea.md').stdout).toContain('git-memory');
    expect(native(dir, 'status', '--porcelain').stdout).toBe('');
    await again.close();
  }, 600_000);
});

describe.skipIf(!hasGit)('native git beside private files', () => {
  beforeAll(buildProgram, 120_000);

  it('keeps them whole and encrypted through stash, checkout, branches and CRLF, and two edits merge', async () => {
    const { remote, key, memory } = await newShared();
    const native = person(key);
    const run = (dir: string, ...parameters: string[]) => {
      const result = native(dir, ...parameters);
      expect(`${parameters.join(' ')}: ${result.status} ${result.stderr}`).toContain(': 0 ');
      return result.stdout;
    };
    const dir = path.join(temporaryFolder(), 'joined');
    run('/', 'memory', 'init', dir, '--from', remote.folder);
    expect(fileOf(dir, ada)).toBe(text);
    run(dir, 'config', 'core.autocrlf', 'true');
    run(dir, 'memory', 'hooks', 'install');
    edit(dir, ada, '- three\n', '- three\r\n- Zimtstern\r\n');
    run(dir, 'stash');
    expect(fileOf(dir, ada)).toBe(text);
    run(dir, 'stash', 'pop');
    const crlf = text.replace('- three\n', '- three\r\n- Zimtstern\r\n');
    expect(fileOf(dir, ada)).toBe(crlf);
    run(dir, 'commit', '-qam', 'by hand');
    run(dir, 'checkout', '-q', '--detach', 'HEAD~1');
    expect(fileOf(dir, ada)).toBe(text);
    run(dir, 'checkout', '-q', 'main');
    expect(fileOf(dir, ada)).toBe(crlf);
    expect(run(dir, 'status', '--porcelain')).toBe('');
    // Both sides edited it.
    await memory.edit(ada, '- two', '- two of the other');
    await memory.commit();
    await memory.sync();
    expect(run(dir, 'memory', 'sync')).toContain('in step');
    await memory.sync();
    const merged = await memory.read(ada);
    expect(merged).toContain('- two of the other');
    expect(merged).toContain('- Zimtstern');
    expect(fileOf(dir, ada)).toBe(merged);
    // Native git pushes what the filter stored.
    edit(dir, bob, word, `${word} and Zimtstern`);
    run(dir, 'commit', '-qam', 'by hand again');
    run(dir, 'push', '-q', remote.folder, 'main');
    await memory.sync();
    expect(await memory.read(bob)).toContain('Zimtstern');
    for (const folder of [dir, memory.directory, remote.folder]) {
      expect([...openWords(folder), ...openWords(folder, 'Zimtstern')]).toEqual([]);
      expect(fsck(folder)).toBe('');
    }
    await memory.close();
  }, 600_000);
});

describe.skipIf(!hasGit)('what would go open', () => {
  beforeAll(buildProgram, 120_000);

  /** A clone of native git in which nobody has told git of the filter. */
  const bareClone = (remote: { folder: string }) => {
    const dir = path.join(temporaryFolder(), 'clone');
    git('/', 'clone', '-q', remote.folder, dir);
    return dir;
  };

  it('is refused by sync, whoever committed it, with a way that keeps the words', async () => {
    const { remote, key, memory } = await newShared();
    const dir = bareClone(remote);
    writeFileSync(path.join(dir, ada), '# Ada\n\n- Himmelsleiter\n');
    git(dir, 'commit', '-qam', 'by hand');
    const commit = git(dir, 'rev-parse', 'HEAD').trim();
    const clone = await open(dir, keysOf(key));
    const error = await refusal(clone.sync());
    expect(error).toMatchObject({ code: 'PRIVATE_OPEN' });
    expect(error.message).toContain(ada);
    expect(error.message).toContain(commit.slice(0, 12));
    expect(openWords(remote.folder, 'Himmelsleiter')).toEqual([]);
    expect(fileOf(dir, ada)).toContain('Himmelsleiter');
    // The hint, to the letter.
    const native = person(key);
    const [add, amend] = [...error.hint!.matchAll(/`git ([^`]+)`/g)].map((match) => match[1]!.split(' '));
    expect(native(dir, ...add!).status).toBe(0);
    expect(native(dir, ...amend!).status).toBe(0);
    expect(await clone.sync()).toMatchObject({ state: 'synced', pushed: 1 });
    expect(await clone.read(ada)).toContain('Himmelsleiter');
    await memory.sync();
    expect(await memory.read(ada)).toContain('Himmelsleiter');
    for (const folder of [remote.folder, memory.directory]) expect(openWords(folder, 'Himmelsleiter')).toEqual([]);
    await clone.close();
    await memory.close();
  }, 600_000);

  it('is encrypted by the next flush, and still refused by sync for the commit before that', async () => {
    const { remote, key, memory } = await newShared();
    const dir = bareClone(remote);
    writeFileSync(path.join(dir, ada), '# Ada\n\n- Himmelsleiter\n');
    git(dir, 'commit', '-qam', 'by hand');
    const commit = git(dir, 'rev-parse', 'HEAD').trim();
    const clone = await open(dir, keysOf(key));
    await clone.commit();
    expect(git(dir, 'show', `HEAD:${ada}`)).not.toContain('Himmelsleiter');
    expect(await clone.read(ada)).toContain('Himmelsleiter');
    const error = await refusal(clone.sync());
    expect(error).toMatchObject({ code: 'PRIVATE_OPEN', message: expect.stringContaining(commit.slice(0, 12)) });
    expect(error.message).toContain('git memory purge');
    expect(openWords(remote.folder, 'Himmelsleiter')).toEqual([]);
    await clone.close();
    await memory.close();
  }, 600_000);

  it('is encrypted where a person edited the file that lay there encrypted; an edited ciphertext is left aside and named', async () => {
    const { remote, key, memory } = await newShared();
    const dir = bareClone(remote);
    const cipher = readFileSync(path.join(dir, bob));
    writeFileSync(path.join(dir, ada), '# Ada\n\n- Himmelsleiter\n');
    for (const damaged of [
      cipher.subarray(0, -1),
      cipher.subarray(0, 50),
      Buffer.from(cipher.toString('latin1').replaceAll('\n', '\r\n'), 'latin1'),
      Buffer.concat([
        Buffer.from('<<<<<<< HEAD\n'),
        cipher,
        Buffer.from('=======\n'),
        cipher,
        Buffer.from('>>>>>>> theirs\n'),
      ]),
      Buffer.from(cipher.toString('utf8')),
    ]) {
      writeFileSync(path.join(dir, bob), damaged);
      const clone = await open(dir, keysOf(key));
      const { skipped } = await clone.commit();
      expect(skipped.map((one) => one.path)).toEqual([bob]);
      expect(await clone.read(bob)).toContain(word);
      expect(readFileSync(path.join(dir, bob)).equals(damaged)).toBe(true);
      expect((await clone.git.checkStaged()).violations).toEqual([]);
      await clone.close();
      const native = person(key);
      expect(native(dir, 'add', bob).status).toBe(0);
      const opened = await open(dir, keysOf(key));
      expect((await opened.git.checkStaged()).violations.map((one) => one.path)).toEqual([bob]);
      expect(native(dir, 'memory', 'hooks', 'pre-commit').status).not.toBe(0);
      await opened.close();
      expect(native(dir, 'reset', '-q', bob).status).toBe(0);
    }
    expect(git(dir, 'show', `HEAD:${ada}`)).not.toContain('Himmelsleiter');
    expect(openWords(dir, 'Himmelsleiter')).toEqual([]);
    await memory.close();
  }, 600_000);

  it('that comes from a remote is named, and costs itself only', async () => {
    const { remote, keys, memory } = await newShared();
    const dir = bareClone(remote);
    writeFileSync(path.join(dir, ada), '# Ada\n\n- Himmelsleiter\n');
    writeFileSync(path.join(dir, bob), readFileSync(path.join(dir, bob)).subarray(0, -3));
    writeFileSync(path.join(dir, 'knowledge/projects/sea.md'), '# Sea\n\nA lighthouse and a harbour\n');
    git(dir, 'commit', '-qam', 'by hand');
    git(dir, 'push', '-q', 'origin', 'main');
    // Both sides moved, and one of the files on both.
    await memory.write(bob, `# Bob\n\n- ${word}\n- and more\n`);
    await memory.commit();
    const result = await memory.sync();
    expect(result.faults).toEqual([
      { path: ada, fault: 'open' },
      { path: bob, fault: 'damaged' },
    ]);
    expect(await memory.read('knowledge/projects/sea.md')).toContain('harbour');
    expect(await memory.read(ada)).toContain('Himmelsleiter');
    // Of two versions the whole one stands.
    expect(await memory.read(bob)).toContain('and more');
    await memory.commit();
    expect(git(memory.directory, 'show', `HEAD:${ada}`)).not.toContain('Himmelsleiter');
    expect((await memory.sync()).faults).toBeUndefined();

    const late = await open(temporaryFolder(), keysOf(keys.texts[0]!));
    writeFileSync(path.join(dir, 'x'), '');
    git(dir, 'pull', '-q', '--rebase', 'origin', 'main');
    writeFileSync(path.join(dir, bob), 'git-memory private 1 cut');
    git(dir, 'commit', '-qam', 'by hand again');
    git(dir, 'push', '-q', 'origin', 'main');
    const joined = await late.sync({ remote: remote.address });
    expect(joined.faults).toEqual([{ path: bob, fault: 'open' }]);
    expect(await late.read(ada)).toContain('Himmelsleiter');
    expect((await late.recall('lighthouse')).hits.length).toBeGreaterThan(0);
    await late.close();
    await memory.close();
  }, 600_000);
});
