// Machines that share a memory through a real git server.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const served = gitServerForTests();
const { root } = served;

const network = { ...machineNetwork(), credentialFor: async () => serverCredential };
const open = (dir: string, options = {}): Promise<Memory> =>
  openMemory({ dir, create: true, durability: 'fast', network, ...options });
let made = 0;
function remote(): string {
  made += 1;
  const name = `r${made}.git`;
  bareRepository(path.join(root, name));
  return `${served.server.origin}/${name}`;
}
const bareOf = (address: string) => path.join(root, address.split('/').at(-1)!);
const treeOf = (memory: Memory) => git(memory.directory, 'rev-parse', 'HEAD^{tree}').trim();

describe.skipIf(!hasGit)('sync over HTTP', () => {
  test('a memory goes to an empty remote, another machine joins it, and both stay in step', async () => {
    const address = remote();
    const a = await open(temporaryFolder());
    await a.write('knowledge/people/ada.md', '# Ada\n\n- Lives in Rome\n');
    await a.capture('We ship on Tuesday.');
    await a.commit();
    // A tree that comes again: nothing of it may be left out on the way.
    await a.write('knowledge/people/bob.md', '# Bob\n');
    const { commits } = await a.commit();
    await a.undo(commits.at(-1)!);
    const first = await a.sync({ remote: address });
    expect(first).toMatchObject({ state: 'synced', remote: 'origin', fetched: 0, conflicts: [], merges: [] });
    expect(first.pushed).toBeGreaterThan(1);
    const b = await open(temporaryFolder());
    const joined = await b.sync({ remote: address });
    expect(joined).toMatchObject({ state: 'synced', pushed: 0, commit: first.commit });
    // Two machines that begin in the same second begin with the same commit.
    expect(first.pushed - joined.fetched).toBeOneOf([0, 1]);
    expect(fs.readFileSync(path.join(b.directory, 'knowledge/people/ada.md'), 'utf8')).toContain('Rome');
    expect(git(b.directory, 'status', '--porcelain')).toBe('');

    await a.write('knowledge/people/ada.md', '# Ada\n\n- Lives in Rome\n- Speaks Italian\n');
    await b.write('knowledge/people/ada.md', '# Ada\n\n- Works in Turin\n- Lives in Rome\n');
    await a.sync();
    const merged = await b.sync();
    expect(merged.merges).toHaveLength(1);
    expect(merged).toMatchObject({ fetched: 1, pushed: 2, conflicts: [] });
    expect(await a.sync()).toMatchObject({ fetched: 2, pushed: 0, merges: [] });
    expect(await a.read('knowledge/people/ada.md')).toBe(
      '# Ada\n\n- Works in Turin\n- Lives in Rome\n- Speaks Italian\n',
    );
    expect(treeOf(a)).toBe(treeOf(b));
    expect(await a.sync()).toMatchObject({ fetched: 0, pushed: 0, merges: [] });
    for (const memory of [a, b]) {
      expect(fsck(memory.directory)).toBe('');
      expect(git(memory.directory, 'status', '--porcelain')).toBe('');
      // Native git sees by its own refs that nothing is ahead or behind.
      expect(git(memory.directory, 'rev-parse', 'origin/main').trim()).toBe(memory.tip);
      await memory.close();
    }
    expect(fsck(bareOf(address))).toBe('');
  });

  test('a push behind a remote that did not move is one conversation, and who may not push still fetches', async () => {
    const address = remote();
    const [a, b] = [await open(temporaryFolder()), await open(temporaryFolder())];
    await a.capture('We ship on Tuesday.');
    await a.sync({ remote: address });
    await b.sync({ remote: address });
    await a.snapshots.create('shipped');
    await a.capture('The ship is late.');
    const { counts } = served.server;
    const before = counts.welcome;
    expect(await a.sync()).toMatchObject({
      state: 'synced',
      fetched: 0,
      pushed: 1,
      tags: { pushed: [expect.any(String)] },
    });
    // The refs, which let nobody in without a name and so are asked for once more, and the push.
    expect(counts.welcome - before).toBe(2);
    expect(git(bareOf(address), 'rev-parse', 'main').trim()).toBe(a.tip);
    await b.capture('Meanwhile in Turin.');
    git(bareOf(address), 'config', 'http.receivepack', 'false');
    expect(await b.sync()).toMatchObject({
      state: 'offline',
      fetched: 1,
      pushed: 0,
      why: expect.stringContaining('let us in'),
    });
    expect(await b.read((await a.log({ limit: 1 })).commits[0]!.paths[0]!)).toContain('The ship is late.');
    git(bareOf(address), 'config', 'http.receivepack', 'true');
    const last = await b.sync();
    expect(last).toMatchObject({ state: 'synced', fetched: 0 });
    expect(await a.sync()).toMatchObject({ state: 'synced', commit: last.commit });
  });

  test('the wrong password, and nobody there, are told, and nothing is lost', async () => {
    const address = remote();
    const memory = await open(temporaryFolder(), {
      network: { ...network, credentialFor: async () => ({ username: 'ada', password: 'wrong' }) },
    });
    await memory.capture('A note.');
    const answer = await memory.sync({ remote: address });
    expect(answer).toMatchObject({ state: 'offline', pushed: 0 });
    expect(answer.why).toContain('does not let us in');
    await memory.close();
    const again = await open(memory.directory);
    expect(await again.sync()).toMatchObject({ state: 'synced' });
    await again.close();
    const nobody = await open(temporaryFolder());
    expect(await nobody.sync({ remote: 'http://127.0.0.1:9/x' })).toMatchObject({ state: 'offline' });
    await nobody.close();
  });
});

describe.skipIf(!hasGit)('a folder as remote', () => {
  test('is cloned by native git with another HEAD, and the branch that holds the memory is named', async () => {
    const folder = temporaryFolder();
    git(folder, 'init', '-q', '--bare', '-b', 'trunk', 'hub.git');
    const memory = await open(path.join(folder, 'a'));
    await memory.note('The key is in the drawer.');
    await memory.sync({ remote: path.join(folder, 'hub.git') });
    await memory.close();
    git(folder, 'clone', '-q', 'hub.git', 'b');
    const opened = openMemory({ dir: path.join(folder, 'b') });
    await expect(opened).rejects.toMatchObject({
      code: 'NOT_A_MEMORY',
      hint: expect.stringContaining('git switch main'),
    });
    git(path.join(folder, 'b'), 'switch', '-q', 'main');
    const clone = await openMemory({ dir: path.join(folder, 'b') });
    expect((await clone.recall('key')).hits).toHaveLength(1);
    await clone.close();
  });

  test('that is not there is a wrong name at first, and a disk that is away once it was followed', async () => {
    const folder = temporaryFolder();
    const [bare, moved] = [path.join(folder, 'x.git'), path.join(folder, 'y.git')];
    const memory = await open(temporaryFolder());
    await expect(memory.sync({ remote: bare })).rejects.toMatchObject({
      code: 'REMOTE_UNAVAILABLE',
      hint: expect.stringContaining('git init --bare'),
    });
    bareRepository(bare);
    expect(await memory.sync({ remote: bare })).toMatchObject({ state: 'synced' });
    fs.renameSync(bare, moved);
    expect(await memory.sync()).toMatchObject({ state: 'offline' });
    await memory.close();
  });

  test('is synced with by the git program, and none of its hooks is run', async () => {
    const bare = bareRepository(path.join(temporaryFolder(), 'x.git'));
    const proof = path.join(temporaryFolder(), 'ran');
    fs.writeFileSync(path.join(bare, 'hooks/post-receive'), `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
    const a = await open(temporaryFolder());
    await a.capture('A note.');
    expect(await a.sync({ remote: bare })).toMatchObject({ state: 'synced', address: bare });
    expect(git(bare, 'rev-parse', 'main').trim()).toBe(a.tip);
    expect(fs.existsSync(proof)).toBe(false);
    await a.close();
  });
});
