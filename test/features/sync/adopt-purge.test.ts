// One machine purges while others go on: what is purged is gone from everywhere, and nothing else is.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { machineNetwork } from '../../../src/adapters/network.ts';
import { type Memory, openMemory } from '../../../src/memory/open-memory.ts';
import { bareRepository, gitServerForTests, serverCredential } from '../../helpers/git-server.ts';
import { fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';
import { tracesOf } from '../../helpers/traces.ts';

const secret = 'the blue heron sleeps by the weir';
const traces = ['blue heron', 'blue-heron', 'heron sleeps'];
const other = 'my number at the bank is seven';

const served = gitServerForTests();
const network = { ...machineNetwork(), credentialFor: async () => serverCredential };
const open = (dir = temporaryFolder()): Promise<Memory> =>
  openMemory({ dir, create: true, durability: 'fast', network, configuration: { timezone: 'UTC' } });

/** All that a clone of everything gets. */
function mirrorOf(bare: string): string {
  const folder = path.join(temporaryFolder(), 'mirror');
  git('/', 'clone', '--quiet', '--mirror', `file://${bare}`, folder);
  return folder;
}

const reads =
  (folder: string, ref = 'main') =>
  (file: string) =>
    git(folder, 'show', `${ref}:${file}`);

/** Two machines that have the same memory, with a secret in it and a milestone at it. */
async function two(remote: string): Promise<{ a: Memory; b: Memory }> {
  const [a, b] = [await open(), await open()];
  await a.remember({ id: 'calm', content: 'Braga is calm in May.' });
  await a.commit();
  await a.capture({ session: 'ses_told', messages: [{ role: 'user', text: `Say that ${secret}.` }] });
  await a.write('knowledge/people/ana.md', `# Ana\n\n- knows that ${secret}\n- is a lawyer\n`);
  await a.commit();
  await a.snapshots.create('told');
  await a.sync({ remote });
  await b.sync({ remote });
  return { a, b };
}

describe.skipIf(!hasGit)('with a remote by git http-backend', () => {
  test('what another machine pushed before the purge was known there is carried over, and no ref leads to the text', async () => {
    const bare = bareRepository(path.join(served.root, 'adopt.git'));
    const { a, b } = await two(`${served.server.origin}/adopt.git`);
    await b.remember({ id: 'harmless', content: 'The clone has learnt to swim.' });
    await b.capture({ session: 'ses_b', messages: [{ role: 'user', text: 'We paint the boat on Friday.' }] });
    await b.ledger.add({ type: 'decision', priority: 'P1', content: 'Decided to paint it red.' });
    await b.commit();
    await b.edit('knowledge/people/ana.md', '- is a lawyer', '- is a lawyer in Porto');
    await b.capture({
      session: 'ses_quote',
      messages: [
        { role: 'user', text: `You know that ${secret}.` },
        { role: 'agent', text: 'The rest of it is worth keeping.' },
      ],
    });
    await b.commit();
    await b.snapshots.create('boat');
    await b.sync();
    const authors = git(bare, 'log', '--format=%an %at', 'main').trim().split('\n');

    await a.ledger.add({ type: 'decision', priority: 'P1', content: 'Decided to sell the car.' });
    await a.purge({ text: secret });
    expect(tracesOf(a.directory, traces)).toEqual([]);
    await expect(a.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED', what: expect.stringContaining('purged') });
    expect(tracesOf(a.directory, traces)).toEqual([]);
    const planned = await a.sync({ adopt: true, dryRun: true });
    expect(planned).toMatchObject({ state: 'planned', plan: 'adopt' });
    expect(planned.carried).not.toEqual([]);
    expect(tracesOf(a.directory, traces)).toEqual([]);
    expect(tracesOf(bare, traces)).not.toEqual([]);

    const adopted = await a.sync({ adopt: true });
    expect(adopted.state).toBe('synced');
    expect(adopted.carried!.map(({ subject }) => subject)).toEqual(planned.carried!.map(({ subject }) => subject));
    const quoting = adopted.carried!.filter(({ filtered }) => filtered.length > 0);
    expect(quoting.flatMap(({ filtered }) => filtered)).toContainEqual(expect.stringContaining('raw/conversations/'));
    expect(adopted.tags.moved).toContain('memory/milestone/told');
    expect(tracesOf(a.directory, traces)).toEqual([]);
    const mirror = mirrorOf(bare);
    expect(tracesOf(mirror, traces)).toEqual([]);
    expect([fsck(mirror), fsck(a.directory)]).toEqual(['', '']);
    const read = reads(mirror);
    expect(read('knowledge/people/ana.md')).toMatch(/\[purged [0-9a-z]+\]\n- is a lawyer in Porto/);
    expect((await a.get('harmless')).content).toContain('swim');
    expect(git(mirror, 'grep', '-h', 'paint the boat', 'main', '--', 'raw')).toContain('Friday');
    expect(git(mirror, 'grep', '-h', 'worth keeping', 'main', '--', 'raw')).toContain('rest of it');
    const events = git(mirror, 'grep', '-h', 'Decided to', 'main', '--', 'ledger', 'CHANGELOG.md');
    expect(events).toContain('paint it red');
    expect(events).toContain('sell the car');
    // Each commit of the other machine is one of its own, as it was made.
    const after = git(mirror, 'log', '--format=%an %at', 'main').trim().split('\n');
    expect(authors.filter((author) => !after.includes(author))).toEqual([]);

    await expect(b.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    const followed = await b.sync({ adopt: true });
    expect(followed).toMatchObject({ state: 'synced', pushed: 0 });
    expect(b.tip).toBe(a.tip);
    expect(tracesOf(b.directory, traces)).toEqual([]);
    expect(fsck(b.directory)).toBe('');
    for (const memory of [a, b]) {
      expect(await memory.sync()).toMatchObject({ fetched: 0, pushed: 0, tags: { fetched: [], pushed: [] } });
    }
    expect(git(b.directory, 'tag')).toBe(git(a.directory, 'tag'));
    expect(git(bare, 'for-each-ref', '--format=%(refname) %(objectname)')).toBe(
      git(mirror, 'for-each-ref', '--format=%(refname) %(objectname)'),
    );
    await a.close();
    await b.close();
  });
});

describe.skipIf(!hasGit)('machines of which one purges', () => {
  const remote = () => bareRepository(path.join(temporaryFolder(), 'x.git'));
  const close = async (...memories: Memory[]) => {
    for (const memory of memories) await memory.close();
  };

  test('become one again, three of them, with what waited on each before and after the purge', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    const c = await open();
    await c.sync({ remote: bare });
    // Nobody of these has synced when a purges; some is in no commit yet.
    await b.remember({ id: 'before', content: 'It rained before.' });
    await b.commit();
    await c.write('knowledge/reference/c.md', `# C\n\n- quotes: ${secret}\n- keeps this\n`);
    await c.commit();
    await c.remember({ id: 'waiting', content: 'It waits for a commit.' });
    await a.purge({ text: secret });
    await b.remember({ id: 'after', content: 'It rained after.' });
    await a.sync({ adopt: true });
    await expect(c.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    const adopted = await c.sync({ adopt: true });
    expect(adopted.carried!.flatMap(({ filtered }) => filtered)).toContain('knowledge/reference/c.md');
    await b.sync({ adopt: true });
    for (const memory of [a, c, b]) await memory.sync();
    expect(new Set([a.tip, b.tip, c.tip]).size).toBe(1);
    for (const memory of [a, b, c]) {
      expect(tracesOf(memory.directory, traces)).toEqual([]);
      expect(fsck(memory.directory)).toBe('');
      expect(git(memory.directory, 'status', '--porcelain')).toBe('');
      for (const id of ['before', 'after', 'waiting', 'calm']) expect((await memory.get(id)).id).toBe(id);
      expect(await memory.read('knowledge/reference/c.md')).toMatch(/quotes: \[purged \w+\]\n- keeps this/);
    }
    expect(tracesOf(mirrorOf(bare), traces)).toEqual([]);
    await close(a, b, c);
  });

  test('of which each purges something else at the same time lack both, and nothing else', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    await a.write('knowledge/reference/bank.md', `# Bank\n\n- ${other}\n- opens at nine\n`);
    await a.sync();
    await b.sync();
    await a.remember({ id: 'of-a', content: 'A saw a fox.' });
    await b.remember({ id: 'of-b', content: 'B saw an owl.' });
    await a.purge({ text: secret });
    await b.purge({ text: other });
    await a.sync({ adopt: true });
    await expect(b.sync()).rejects.toMatchObject({
      code: 'REMOTE_REFUSED',
      what: expect.stringContaining('different things'),
    });
    const planned = await b.sync({ adopt: true, dryRun: true });
    expect(planned.plan).toBe('adopt');
    await b.sync({ adopt: true });
    await a.sync({ adopt: true });
    await b.sync();
    expect(a.tip).toBe(b.tip);
    for (const directory of [a.directory, b.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, [...traces, 'at the bank', 'is seven'])).toEqual([]);
      expect(fsck(directory)).toBe('');
    }
    for (const memory of [a, b]) {
      expect((await memory.get('of-a')).content).toContain('fox');
      expect((await memory.get('of-b')).content).toContain('owl');
      expect(await memory.read('knowledge/reference/bank.md')).toContain('opens at nine');
      expect(await memory.read('knowledge/people/ana.md')).toContain('is a lawyer');
      expect(await memory.files('.memory/purges/')).toHaveLength(2);
    }
    // The common part of both histories is one.
    const log = git(a.directory, 'log', '--format=%s', 'main').split('\n');
    expect(log.filter((subject) => subject.includes('Braga is calm'))).toHaveLength(1);
    await close(a, b);
  });

  test('twice is followed twice at once, also by who begins with a fresh clone', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    await b.write('knowledge/reference/b.md', `# B\n\n- ${secret}\n- ${other}\n- stays\n`);
    await b.sync();
    await a.write('knowledge/reference/bank.md', `# Bank\n\n- ${other}\n- opens at nine\n`);
    await a.purge({ text: secret });
    await a.purge({ text: other });
    await a.sync({ adopt: true });
    const fresh = await open();
    await fresh.sync({ remote: bare });
    expect(await fresh.read('knowledge/reference/b.md')).toMatch(/\[purged \w+\]\n- \[purged \w+\]\n- stays/);
    await fresh.remember({ id: 'fresh', content: 'A new machine.' });
    expect(await fresh.sync()).toMatchObject({ state: 'synced', pushed: 1 });
    await b.remember({ id: 'late', content: 'A late thought.' });
    await b.sync({ adopt: true });
    await a.sync();
    await fresh.sync();
    expect(new Set([a.tip, b.tip, fresh.tip]).size).toBe(1);
    for (const directory of [a.directory, b.directory, fresh.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, [...traces, 'at the bank'])).toEqual([]);
    }
    expect((await a.get('late')).content).toContain('late');
    await close(a, b, fresh);
  });

  test('bring no branch from before it, until they have followed', async () => {
    const bare = bareRepository(path.join(temporaryFolder(), 'branches.git'));
    const { a, b } = await two(bare);
    const side = await b.branches.open('explore/side', { create: true });
    await side.remember({ id: 'aside', content: 'Tried on a branch.' });
    await side.commit();
    await a.purge({ text: secret });
    await a.sync({ adopt: true });
    const refs = git(bare, 'for-each-ref');
    const refused = await side.sync().catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: 'REMOTE_REFUSED',
      hint: expect.stringContaining('First sync main with --adopt'),
    });
    expect(git(bare, 'for-each-ref')).toBe(refs);
    await side.close();
    await b.sync({ adopt: true });
    const again = await b.branches.open('explore/side');
    expect(await again.sync()).toMatchObject({ state: 'synced' });
    expect((await again.get('aside')).content).toBe('Tried on a branch.');
    for (const folder of [mirrorOf(bare), b.directory]) expect(tracesOf(folder, traces)).toEqual([]);
    for (const memory of [a, b, again]) await memory.close();
  });

  test('files and sessions that went whole go from what others pushed, too, with what they wrote into them', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    await b.edit('knowledge/people/ana.md', '- is a lawyer', '- is a judge');
    await b.write('knowledge/people/rui.md', '# Rui\n\n- likes bread\n');
    await b.sync();
    await a.purge({ path: 'knowledge/people/ana.md' });
    await a.purge({ session: 'ses_told' });
    await a.sync({ adopt: true });
    await b.sync({ adopt: true });
    expect(a.tip).toBe(b.tip);
    expect(await b.files('knowledge/')).toEqual(['knowledge/people/rui.md']);
    for (const directory of [a.directory, b.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, [...traces, 'is a judge', 'is a lawyer'])).toEqual([]);
    }
    await close(a, b);
  });

  test('of a session and what came from it take what another machine made of it meanwhile, too', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    const said = [
      'I prefer to be called before nine on the red telephone.',
      'We decided to sell the boat in May.',
      'Bob owns a kayak.',
    ];
    await a.capture({ session: 'ses_phone', messages: said.map((text) => ({ role: 'user' as const, text })) });
    await a.capture({
      session: 'ses_kept',
      messages: [{ role: 'user', text: 'I prefer to read in the green library.' }],
    });
    await a.sync();
    await b.sync();
    await b.extract();
    await b.remember({ id: 'own', content: 'The clone has learnt to swim.' });
    await b.commit();
    const { memories } = await b.list();
    expect(memories.filter(({ content }) => /telephone|boat|kayak/.test(content)).length).toBeGreaterThan(1);
    await a.purge({ session: 'ses_phone' }, { derived: true });
    await a.sync({ adopt: true });
    await b.sync({ adopt: true });
    await a.sync();
    expect(a.tip).toBe(b.tip);
    for (const memory of [a, b]) {
      const contents = (await memory.list()).memories.map(({ content }) => content);
      expect(contents.filter((content) => /telephone|boat|kayak|purged/.test(content))).toEqual([]);
      expect(contents).toContain('The clone has learnt to swim.');
      expect(contents.some((content) => content.includes('green library'))).toBe(true);
    }
    for (const directory of [a.directory, b.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, ['red telephone', 'sell the boat', 'owns a kayak'])).toEqual([]);
      expect(fsck(directory)).toBe('');
    }
    await close(a, b);
  });

  test('leave nothing of it in what a push that broke off left on the remote, nor in tags of other clones', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    await b.capture({ session: 'ses_more', messages: [{ role: 'user', text: `Again: ${secret}.` }] });
    await b.snapshots.create('again');
    git(b.directory, 'push', '--quiet', 'origin', `${b.tip}:refs/git-memory/partial/${b.tip!.slice(0, 12)}`);
    git(b.directory, 'tag', '-a', '-m', 'by hand', 'memory/milestone/annotated', `${b.tip}~1`);
    git(b.directory, 'push', '--quiet', 'origin', 'memory/milestone/annotated');
    await a.purge({ text: secret });
    const { tags } = await a.sync({ adopt: true });
    expect(tags.moved).toEqual(['memory/milestone/annotated', 'memory/milestone/told']);
    expect(git(bare, 'for-each-ref', '--format=%(refname)', 'refs/git-memory')).toBe('');
    expect(tracesOf(mirrorOf(bare), traces)).toEqual([]);
    const followed = await b.sync({ adopt: true });
    expect(followed.tags.pushed).toEqual(['memory/milestone/again']);
    await a.sync();
    const travelling = (folder: string) => git(folder, 'show-ref', 'told', 'again');
    expect(travelling(a.directory)).toBe(travelling(b.directory));
    expect(git(bare, 'show-ref', 'annotated')).toBe(git(b.directory, 'show-ref', 'annotated'));
    for (const directory of [a.directory, b.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, traces)).toEqual([]);
    }
    await close(a, b);
  });

  test('go on where an adoption broke off, on either side, and take the race with others', async () => {
    const bare = remote();
    const { a, b } = await two(bare);
    const c = await open();
    await c.sync({ remote: bare });
    await b.remember({ id: 'pushed', content: 'It was pushed.' });
    await b.sync();
    await a.purge({ text: secret });
    // The remote takes nothing: what came stays here, the remote as it was.
    const hook = path.join(bare, 'hooks', 'update');
    fs.writeFileSync(hook, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
    const http = `${served.server.origin}/${path.basename(bare)}`;
    fs.symlinkSync(bare, path.join(served.root, path.basename(bare)));
    git(a.directory, 'remote', 'set-url', 'origin', http);
    await expect(a.sync({ adopt: true })).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(tracesOf(a.directory, traces)).toEqual([]);
    expect((await a.get('pushed')).content).toContain('pushed');
    fs.rmSync(hook);
    // Meanwhile another machine that knows of nothing was faster.
    await c.remember({ id: 'faster', content: 'It was faster.' });
    await c.sync();
    await a.sync({ adopt: true });
    expect((await a.get('faster')).content).toContain('faster');
    expect(git(a.directory, 'log', '--format=%s', 'main').match(/It was pushed/g)).toHaveLength(1);
    expect(tracesOf(mirrorOf(bare), traces)).toEqual([]);
    // What is followed here, and broke off before it met theirs, meets it the next time.
    const abort = new AbortController();
    const cut = b.sync({
      adopt: true,
      signal: abort.signal,
      onProgress: ({ what }) => what === 'merge' && abort.abort(new Error('cut')),
    });
    await cut.catch(() => undefined);
    await b.remember({ id: 'between', content: 'It came in between.' });
    await b.sync({ adopt: true });
    await c.sync({ adopt: true });
    for (const memory of [a, b]) await memory.sync();
    expect(new Set([a.tip, b.tip, c.tip]).size).toBe(1);
    for (const directory of [a.directory, b.directory, c.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, traces)).toEqual([]);
    }
    expect((await c.get('between')).content).toContain('between');
    await close(a, b, c);
  });

  test('take what was written upon a commit that holds only the beginning of it', async () => {
    const bare = remote();
    const [a, b] = [await open(), await open()];
    await a.write('knowledge/reference/bank.md', '# Bank\n\n- my number\n');
    await a.sync({ remote: bare });
    await b.sync({ remote: bare });
    await b.remember({ id: 'alone', content: 'Written upon it.' });
    await a.write('knowledge/reference/more.md', `# More\n\n- ${other}\n`);
    await a.sync();
    await a.purge({ text: other });
    await a.sync({ adopt: true });
    const { carried } = await b.sync({ adopt: true });
    expect(carried!.map(({ subject }) => subject)).toContainEqual(expect.stringContaining('Written upon it'));
    await a.sync();
    expect(a.tip).toBe(b.tip);
    expect((await a.get('alone')).content).toContain('upon');
    for (const directory of [a.directory, b.directory, mirrorOf(bare)]) {
      expect(tracesOf(directory, ['at the bank'])).toEqual([]);
    }
    await close(a, b);
  });
});
