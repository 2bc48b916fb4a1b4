// Purge: what was taken out is in no object, ref, log, journal, cache or file of the repository. Native git is the judge.

import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Memory, openMemory } from '../../src/memory/open-memory.ts';
import { keysOf, newTestMemory } from '../helpers/memories.ts';
import { blemishes, commitAll, fsck, git, hasGit, newRepository, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { tracesOf } from '../helpers/traces.ts';

const secret = 'the "blue heron" sleeps by the açude';
/** Parts of it that stand in each form: quoted, as JSON, as a slug, cut off. */
const traces = ['blue heron', 'blue-heron', 'the açude', 'heron\\" sleeps'];

/** Says where, for who reads a failure. */
const tracesIn = (directory: string, wanted: readonly string[] = traces) => tracesOf(directory, wanted);

/** A memory that has heard the secret in every way it can hear one. */
async function compromised(): Promise<{ memory: Memory; directory: string }> {
  const { memory, directory, clock } = await newTestMemory({ configuration: { timezone: 'UTC' } });
  await memory.capture({
    session: 'ses_first',
    messages: [{ role: 'user', text: 'We decided to move to Braga in May.' }],
  });
  const before = (await memory.snapshots.create('quiet')).commit;
  clock.advance({ minutes: 5 });
  await memory.capture({
    session: 'ses_second',
    topic: `where ${secret} all day`,
    messages: [
      { role: 'user', text: `I prefer that ${secret}.\nTell nobody.` },
      {
        role: 'agent',
        text: `> [tool:note] ${JSON.stringify({ text: secret })}\n\nThe "blue\nheron" sleeps by the açude. Noted: ${secret}`,
      },
      { role: 'user', text: 'base64: '.concat(Buffer.from(`x ${secret} y`).toString('base64')) },
    ],
  });
  await memory.extract();
  await memory.remember({ id: 'bird-one', content: `Ana says that ${secret}.`, tags: ['birds'] });
  await memory.remember({ id: 'bird-two', content: `Ana says ${secret}, she does.` });
  await memory.write(
    'knowledge/people/ana.md',
    `---\ntitle: ${secret}\n---\n\n# Ana\n\n- knows that ${secret}\n- lawyer\n`,
  );
  await memory.commit(`what ${secret}`);
  await memory.records.consolidate({ ids: ['bird-one', 'bird-two'] });
  await memory.ledger.add({ type: 'commitment', content: `Remember: ${secret}` });
  await memory.snapshots.create('told');
  await memory.recall('where does the heron sleep');
  await memory.learned(secret);
  await memory.blame('knowledge/people/ana.md');
  await memory.log();
  expect(before).not.toBe('');
  return { memory, directory };
}

describe.skipIf(!hasGit)('purge of a text', () => {
  it.each(['zeros', 'none'])('leaves it in no pack that nothing needs, with %s for an index', async (way) => {
    const { memory, directory } = await newTestMemory();
    await memory.note('The blue heron sleeps by the weir');
    await memory.close();
    const stray = path.join(temporaryFolder(), 'stray.md');
    fs.writeFileSync(stray, 'The blue heron eats frogs\n');
    const oid = git(directory, 'hash-object', '-w', stray).trim();
    const pack = path.join(directory, '.git/objects/pack/pack');
    const name = execFileSync('git', ['-C', directory, 'pack-objects', '-q', pack], { input: `${oid}\n` });
    git(directory, 'prune-packed');
    const index = `${pack}-${String(name).trim()}.idx`;
    const { size } = fs.statSync(index);
    fs.rmSync(index);
    if (way === 'zeros') fs.writeFileSync(index, Buffer.alloc(size));
    const again = await openMemory({ dir: directory });
    await again.purge({ text: 'blue heron' });
    await again.close();
    expect(fsck(directory)).toBe('');
    expect(fs.existsSync(`${pack}-${String(name).trim()}.pack`)).toBe(false);
    expect(tracesIn(directory, ['blue heron'])).toEqual([]);
  });

  it('leaves it in no object, ref, log, journal, cache or file, and git finds nothing wrong', async () => {
    const { memory, directory } = await compromised();
    const side = await memory.branches.open('explore/side', { create: true });
    await side.remember({ id: 'bird-three', content: `On a side branch ${secret}.` });
    await side.commit();
    await side.startSession({ session: 'ses_open' }).then((open) => open.message('user', `Pending: ${secret}`));
    side.dispose();
    // What native git keeps in its own ways: a stash, an annotated tag, a note, a pack, a commit that nothing leads to.
    fs.writeFileSync(path.join(directory, 'knowledge/people/rui.md'), `# Rui\n\n- heard that ${secret}\n`);
    git(directory, 'add', '-A');
    git(directory, 'stash', 'push', '-m', `about ${secret}`);
    git(directory, 'tag', '-a', 'v1', '-m', `first, ${secret}`);
    git(directory, 'notes', 'add', '-m', `noted ${secret}`, 'HEAD');
    git(directory, 'commit', '-q', '--allow-empty', '-m', `lost ${secret}`);
    git(directory, 'reset', '-q', '--soft', 'HEAD~1');
    git(directory, 'repack', '-q', '-a', '-d', '--write-bitmap-index');
    git(directory, 'commit-graph', 'write', '--reachable');
    git(directory, 'pack-refs', '--all');
    const quiet = git(directory, 'rev-parse', 'refs/tags/memory/milestone/quiet');
    const shape = git(directory, 'log', '--format=%an %ae %at %ct %P', 'main').split('\n').length;
    expect(tracesIn(directory)).toHaveLength(traces.length);

    const planned = await memory.purge({ text: secret }, { dryRun: true });
    expect(planned.commit).toBeNull();
    expect(tracesIn(directory)).toHaveLength(traces.length);

    const result = await memory.purge({ text: secret });
    expect(fsck(directory)).toBe('');
    expect(tryGit(directory, ['fsck', '--strict', '--full', '--unreachable']).status).toBe(0);
    expect(tracesIn(directory)).toEqual([]);
    expect(git(directory, 'status', '--porcelain')).toBe('');
    expect(result.left).toEqual([]);
    expect(git(directory, 'rev-parse', 'refs/tags/memory/milestone/quiet')).toBe(quiet);
    expect(git(directory, 'log', '--format=%an %ae %at %ct %P', 'main').split('\n')).toHaveLength(shape + 1);
    expect(git(directory, 'stash', 'list')).toContain('[purged');
    expect(git(directory, 'notes', 'show', 'HEAD~1')).toContain('[purged');
    expect(git(directory, 'show', 'HEAD:knowledge/people/ana.md')).toContain('- lawyer');
    expect(result.commit).toBe(git(directory, 'rev-parse', 'main').trim());
    expect(result.refs.map(({ ref }) => ref)).toEqual(
      expect.arrayContaining([
        'refs/heads/main',
        'refs/heads/explore/side',
        'refs/stash',
        'refs/notes/commits',
        'refs/tags/v1',
      ]),
    );
    await memory.recall('where does the heron sleep');
    expect((await memory.log()).commits[0]!.operation).toBe('purge');
    await memory.close();
    expect(tracesIn(directory)).toEqual([]);
    const again = await openMemory({ dir: directory });
    expect(await again.purge({ text: secret }).catch((error) => error.code)).toBe('NOT_FOUND');
    await again.close();
  });
});

/** A small memory with the secret, native commits beside the engine's, and its tag; fast to copy. */
async function small(): Promise<string> {
  const { memory, directory } = await newTestMemory({ configuration: { timezone: 'UTC' } });
  await memory.remember({ id: 'calm', content: 'Braga is calm in May.' });
  await memory.commit();
  await memory.capture({ session: 'ses_told', messages: [{ role: 'user', text: `Say that ${secret}.` }] });
  await memory.snapshots.create('told');
  await memory.write('knowledge/people/ana.md', `# Ana\n\n- knows that ${secret}\n`);
  await memory.close();
  return directory;
}

describe.skipIf(!hasGit)('beside private texts', () => {
  it('the memory that purged goes on writing, and git sees what is private as before', async () => {
    const { memory, directory } = await newTestMemory({ keys: keysOf() });
    await memory.keys.new({ paths: ['knowledge/people/**'] });
    await memory.write('knowledge/people/ana.md', '# Ana\n\n- lawyer\n');
    await memory.remember({ id: 'bird', content: secret });
    await memory.commit();
    await memory.purge({ text: secret });
    await memory.write('knowledge/people/ana.md', '# Ana\n\n- lawyer in Braga\n');
    expect((await memory.commit()).commits).toHaveLength(1);
    expect(tryGit(directory, ['grep', '-a', 'Braga', 'HEAD']).stdout).toBe('');
    expect(await memory.read('knowledge/people/ana.md')).toContain('Braga');
    // Its file goes from the work tree with it, and does not come back as a hand edit.
    await memory.purge({ path: 'knowledge/people/ana.md' });
    expect(fs.existsSync(path.join(directory, 'knowledge/people/ana.md'))).toBe(false);
    expect(await memory.status()).toMatchObject({ edited: [] });
  });

  it('a purge of a text says that it did not look into them', async () => {
    const { memory } = await newTestMemory({ keys: keysOf() });
    await memory.remember({ id: 'calm', content: 'Braga is calm in May.' });
    await memory.keys.new({ paths: ['knowledge/people/**'] });
    await memory.write('knowledge/people/ana.md', `# Ana\n\n- knows that ${secret}\n`);
    await memory.commit();
    await expect(memory.purge({ text: secret })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      what: expect.stringContaining('1 version of private files, being encrypted, was not looked into'),
      hint: expect.stringContaining('--path'),
    });
    const { left } = await memory.purge({ text: 'calm in May' }, { dryRun: true });
    expect(left).toEqual([{ where: 'private files', why: expect.stringContaining('was not looked into') }]);
    await memory.purge({ path: 'knowledge/people/ana.md' });
    expect((await memory.purge({ text: 'calm in May' })).left).toEqual([]);
  });
});

describe.skipIf(!hasGit)('what others have', () => {
  it('a memory that another process has open answers from no old text, keeps none on the disk, and writes nothing it planned before', async () => {
    const directory = await small();
    const other = await openMemory({ dir: directory });
    const old = (await other.log()).commits[0]!.oid;
    const view = await other.at(old);
    expect(await view.read('knowledge/people/ana.md')).toContain('heron');
    await other.recall('heron');
    const session = await other.startSession({ session: 'ses_running' });
    await session.message('user', `Between us: ${secret}`);
    const memory = await openMemory({ dir: directory });
    await memory.purge({ text: secret });
    await expect(view.read('knowledge/people/ana.md')).rejects.toMatchObject({ code: 'PURGED' });
    await expect(view.recall('heron')).rejects.toMatchObject({ code: 'PURGED' });
    await expect(other.at(old)).rejects.toMatchObject({ code: 'PURGED' });
    await expect(session.message('agent', 'Fine.')).rejects.toMatchObject({ code: 'PURGED' });
    const again = await other.startSession({ session: 'ses_running' });
    await again.message('agent', 'Fine.');
    await again.end();
    expect(JSON.stringify(await other.recall('heron'))).not.toContain('blue heron');
    await other.log();
    await other.learned('Braga');
    await other.close();
    await memory.close();
    expect(tracesIn(directory)).toEqual([]);
    expect(fsck(directory)).toBe('');
  });

  it.each([
    ['its path', { session: undefined, topic: secret }],
    ['its id', { session: 'ses_lynx777', topic: 'Ana' }],
  ])('is not written again as the name of a running session that had it in %s', async (_, { session: id, topic }) => {
    const directory = await small();
    const other = await openMemory({ dir: directory });
    const session = await other.startSession({ topic, ...(id === undefined ? {} : { session: id }) });
    await session.message('user', 'I met Ana.');
    await other.remember({ id: 'before', content: 'Ana plays chess.' });
    const memory = await openMemory({ dir: directory });
    await memory.purge({ text: id ?? secret });
    await other.remember({ id: 'bob', content: 'I met Bob.' });
    await other.commit();
    expect((await other.get('bob')).sources ?? []).toEqual([]);
    await other.close();
    await memory.close();
    expect(tracesIn(directory, id === undefined ? traces : ['lynx'])).toEqual([]);
  });

  it('of something else leaves the running session the source of what is remembered', async () => {
    const directory = await small();
    const other = await openMemory({ dir: directory });
    const session = await other.startSession({ session: 'ses_running' });
    await session.message('user', 'I met Ana.');
    const memory = await openMemory({ dir: directory });
    await memory.purge({ text: secret });
    await memory.close();
    await other.remember({ id: 'bob', content: 'I met Bob.' });
    expect((await other.get('bob')).sources).toMatchObject([{ path: session.path }]);
    await other.close();
  });

  it('an old clone cannot bring it back: refused, and when it is adopted it comes without it', async () => {
    const directory = await small();
    const remote = temporaryFolder();
    git(remote, 'init', '-q', '--bare');
    const memory = await openMemory({ dir: directory });
    await memory.sync({ remote });
    const clone = temporaryFolder();
    git(clone, 'clone', '-q', '-b', 'main', remote, '.');
    const copy = `${temporaryFolder()}/copy`;
    git(clone, 'clone', '-q', '--mirror', remote, copy);
    const old = await openMemory({ dir: clone });
    await old.sync();
    await old.remember({ id: 'copied', content: `Somebody told the clone that ${secret}.` });
    await old.remember({ id: 'harmless', content: 'The clone has learnt to swim.' });
    await old.commit();
    await memory.purge({ text: secret });
    await expect(memory.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    expect(tracesIn(directory)).toEqual([]);
    await memory.sync({ adopt: true });
    expect(tracesIn(directory)).toEqual([]);
    expect(git(remote, 'rev-parse', 'main')).toBe(git(directory, 'rev-parse', 'main'));
    await expect(old.sync()).rejects.toMatchObject({ code: 'REMOTE_REFUSED' });
    await old.sync({ adopt: true });
    await memory.sync();
    expect(tracesIn(directory)).toEqual([]);
    expect((await memory.get('harmless')).content).toContain('swim');
    expect(tracesIn(clone)).toEqual([]);
    // By hand, past the engine: a merge of the old history, pushed.
    git(clone, 'fetch', '-q', copy, 'main');
    git(clone, 'merge', '-q', '--no-edit', '-s', 'ours', '--allow-unrelated-histories', 'FETCH_HEAD');
    git(clone, 'push', '-q', 'origin', 'main');
    await expect(memory.sync()).rejects.toMatchObject({ code: 'PURGED' });
    expect(tracesIn(directory)).toEqual([]);
    expect(await memory.sync({ adopt: true })).toMatchObject({ state: 'synced' });
    expect(tracesIn(directory)).toEqual([]);
    expect(git(remote, 'log', '--format=%b%s', 'main')).not.toContain('heron');
    await old.close();
    await memory.close();
  });
});

describe.skipIf(!hasGit)('purge of whole files', () => {
  it('takes a session out with what came from it alone, and quotations of it where that is asked for', async () => {
    const { memory, directory } = await newTestMemory({ configuration: { timezone: 'UTC' } });
    await memory.capture('We decided to move to Braga in May.');
    const said = 'I prefer to be called before nine on the red telephone.';
    await memory.capture({
      session: 'ses_gone',
      topic: 'red telephone hours',
      messages: [{ role: 'user', text: said }],
    });
    await memory.extract();
    await memory.write('knowledge/reference/calls.md', `# Calls\n\n- ${said}\n- and mail\n`);
    await memory.commit();
    const listed = await memory.purge({ session: 'ses_gone' }, { dryRun: true });
    expect(listed.derived.some((file) => file.startsWith('memories/'))).toBe(true);
    const result = await memory.purge({ session: 'ses_gone' }, { derived: true });
    expect(result.files.some((file) => file.startsWith('raw/conversations/'))).toBe(true);
    expect(tracesIn(directory, ['red telephone', 'red-telephone'])).toEqual([]);
    expect(await memory.read('knowledge/reference/calls.md')).toContain('- and mail');
    expect(blemishes(directory)).toBe('');
  });

  it('takes out a session by an id of two letters, and none that only has them in its name', async () => {
    const { memory } = await newTestMemory({ configuration: { timezone: 'UTC' } });
    await memory.capture({ session: 's1', topic: 'Ana', messages: [{ role: 'user', text: 'I met Ana.' }] });
    await memory.capture({ session: 's10', topic: 's1 again', messages: [{ role: 'user', text: 'I met Bob.' }] });
    await memory.purge({ session: 's1' });
    expect(await memory.files('raw/conversations/')).toEqual([expect.stringContaining('-s10-')]);
    await expect(memory.purge({ session: 's1' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.purge({ session: ' ' })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('takes a memory out with its relations, and a folder; what came before can still be undone, the purge cannot', async () => {
    const { memory, directory } = await newTestMemory({ configuration: { timezone: 'UTC' } });
    await memory.remember({ id: 'stays', content: 'Braga is calm.' });
    await memory.remember({ id: 'goes', content: 'The walrus is crimson.' });
    await memory.records.relate('stays', 'goes');
    await memory.write('knowledge/people/walrus.md', '# W\n\n- tusks of ivory\n');
    await memory.write('knowledge/projects/atlas.md', '# Atlas\n');
    await memory.commit();
    await memory.edit('knowledge/projects/atlas.md', '# Atlas', '# Atlas, the second');
    const { commits } = await memory.commit();
    await memory.purge({ id: 'goes' });
    await memory.purge({ path: 'knowledge/people' });
    expect(tracesIn(directory, ['walrus is crimson', 'tusks of ivory'])).toEqual([]);
    expect((await memory.list()).memories.map(({ id }) => id)).toEqual(['stays']);
    await expect(memory.at(commits[0]!)).rejects.toMatchObject({ code: 'PURGED' });
    await expect(memory.undo('HEAD')).rejects.toMatchObject({ code: 'PURGED' });
    const edit = (await memory.log()).commits.find(({ paths }) => paths?.includes('knowledge/projects/atlas.md'))!;
    await memory.undo(edit.oid);
    expect(await memory.read('knowledge/projects/atlas.md')).toBe('# Atlas\n');
    await expect(memory.purge({ text: 'nobody said this' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.purge({ id: 'never-there' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(fsck(directory)).toBe('');
  });

  it('touches branches of code only where it is told to', async () => {
    const directory = newRepository();
    fs.writeFileSync(path.join(directory, 'code.txt'), `// ${secret}\n`);
    commitAll(directory, 'code');
    const before = git(directory, 'rev-parse', 'main');
    const { memory } = await newTestMemory({ dir: directory, placement: 'branch' });
    await memory.capture(`The code says ${secret}.`);
    await expect(memory.purge({ text: secret })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect((await memory.purge({ text: secret }, { dryRun: true })).foreign).toEqual(['refs/heads/main']);
    expect(git(directory, 'rev-parse', 'main')).toBe(before);
    await memory.purge({ text: secret }, { allRefs: true });
    expect(tracesIn(directory)).toEqual([]);
    expect(fs.readFileSync(path.join(directory, 'code.txt'), 'utf8')).toContain('[purged');
    expect(blemishes(directory)).toBe('');
  });
});
