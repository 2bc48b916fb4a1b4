import { describe, expect, it } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

it('a capture of low trust waits on a branch of its own until somebody merges it', async () => {
  const { memory } = await newTestMemory({ model: null });
  await writeConfiguration(memory, 'version: 1\nauto_extract: true\ntrust: { quarantine: true }\n');
  await memory.commit();
  const tip = memory.tip;
  const mail = { messages: [{ role: 'user', text: 'Our office in Rome moved to the Via Appia in 2025.' }] };
  const { branch, path, commit } = await memory.capture({ ...mail, channel: 'web' });
  expect(branch).toMatch(/^quarantine\//);
  expect(commit).not.toBeNull();
  expect(memory.tip).toBe(tip);
  await expect(memory.read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect((await memory.recall('Via Appia')).hits).toEqual([]);
  expect((await memory.captureText('User: x\nAssistant: y', { trust: 'low' }))[0]!.branch).not.toBe(branch);
  // Others go where they always went.
  expect(await memory.capture(mail)).not.toHaveProperty('branch');

  expect((await memory.branches.compare(branch!)).ahead).not.toEqual([]);
  await memory.merge(branch!);
  expect(await memory.read(path)).toContain('Via Appia');
  expect((await memory.branches.list()).filter(({ name }) => name.startsWith('quarantine/'))).toHaveLength(2);
  await memory.undo('HEAD', { allowRemovals: true });
  await expect(memory.read(path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

const yaml = 'version: 1\nauto_extract: true\ntrust: { quarantine: true }\n';

async function newQuarantine(options: Parameters<typeof newTestMemory>[0] = {}) {
  const made = await newTestMemory({ model: null, ...options });
  await made.memory.remember('The office of Ana is in Lisbon.');
  await writeConfiguration(made.memory, yaml);
  await made.memory.commit();
  return made;
}

const rumour = 'Anna works on the platform team at the Via Appia in Rome.';

describe('a running session of low trust', () => {
  it('is recorded aside, message by message, and let in after a look', async () => {
    const { memory, directory } = await newQuarantine();
    const [tip, files] = [memory.tip, await memory.files()];
    const session = await memory.startSession({ session: 'mail', topic: 'a mail', trust: 'low' });
    await session.message('user', rumour, { attachments: [{ name: 'a.bin', bytes: Uint8Array.from([0, 1]) }] });
    expect([memory.tip, await memory.files()]).toEqual([tip, files]);
    const [waiting] = (await memory.quarantine.list()).quarantined;
    expect(waiting).toMatchObject({
      captures: [{ session: 'mail', isOpen: true, turns: [{ text: expect.stringContaining(rumour) }] }],
    });
    for (const act of [memory.quarantine.accept(waiting!.name), memory.quarantine.drop(waiting!.name)]) {
      await expect(act).rejects.toMatchObject({ code: 'CONFLICT', hint: expect.stringContaining('mail') });
    }
    const ended = await session.end();
    expect(ended).toMatchObject({ branch: waiting!.name, commit: expect.any(String) });
    expect([memory.tip, await memory.files()]).toEqual([tip, files]);
    const shown = await memory.quarantine.show(waiting!.name.replace('quarantine/', ''));
    expect(shown).toMatchObject({ name: waiting!.name, conflicts: [], captures: [{ isOpen: false, topic: 'a mail' }] });
    expect(shown.memories).toMatchObject([{ change: 'new', content: expect.stringContaining('Via Appia') }]);
    expect(shown.memories[0]!.confidence).toBeLessThanOrEqual(0.5);
    await expect(memory.quarantine.accept(shown.name, { commit: tip! })).rejects.toMatchObject({ code: 'CONFLICT' });
    const accepted = await memory.quarantine.accept(shown.name, { commit: shown.commit });
    expect(accepted).toMatchObject({ name: shown.name, commit: memory.tip, captures: 1, memories: 1, conflicts: [] });
    expect((await memory.recall('Via Appia')).hits.length).toBeGreaterThan(0);
    expect(await memory.quarantine.list()).toEqual({ quarantined: [], dropped: [] });
    expect((await memory.log({ limit: 1 })).commits[0]).toMatchObject({ operation: 'accept' });
    await memory.undo('HEAD', { allowRemovals: true });
    expect(await memory.files()).toEqual(files);
    if (hasGit) expect([fsck(directory), git(directory, 'status', '--porcelain')]).toEqual(['', '']);
  });

  it('goes on where it was when its program died, whether trust is said again or not', async () => {
    const { memory, directory, clock } = await newQuarantine();
    const session = await memory.startSession({ session: 'mail', channel: 'web' });
    await session.message('user', rumour);
    memory.dispose();
    const again = await openMemory({ dir: directory, clock, durability: 'fast', model: null });
    const resumed = await again.startSession({ session: 'mail' });
    expect(resumed.path).toBe(session.path);
    expect(await resumed.message('user', 'That was all.')).toMatchObject({ turn: 2 });
    // Closing the memory keeps what was said and lets the session wait.
    await again.close();
    const third = await openMemory({ dir: directory, clock, durability: 'fast', model: null });
    const ended = await (await third.startSession({ session: 'mail' })).end();
    expect(ended).toMatchObject({ turns: 2, branch: expect.stringMatching(/^quarantine\/s/) });
    await expect(third.read(ended.path)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(third.startSession({ session: 'mail' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await third.close();
  });

  it('stays here where nothing is quarantined, and several run side by side', async () => {
    const { memory } = await newQuarantine();
    const [low, high] = [await memory.startSession({ trust: 'low' }), await memory.startSession({})];
    const other = await memory.startSession({ trust: 'low' });
    for (const one of [low, high, other]) await one.message('user', rumour);
    expect(await high.end()).not.toHaveProperty('branch');
    expect((await low.end()).branch).not.toBe((await other.end()).branch);
    expect((await memory.quarantine.list()).quarantined).toHaveLength(2);
    await memory.close();
    const plain = await newTestMemory({ model: null });
    const session = await plain.memory.startSession({ trust: 'low' });
    await session.message('user', rumour);
    expect(await session.end()).not.toHaveProperty('branch');
    await plain.memory.close();
  });
});

describe('quarantine', () => {
  it('that is dropped leaves the evidence under a tag, and nothing else', async () => {
    const { memory } = await newQuarantine();
    const { branch, path } = await memory.capture({ text: rumour, trust: 'low' });
    const [tip, files] = [memory.tip, await memory.files()];
    const { tag, commit } = await memory.quarantine.drop(branch!);
    expect(tag).toBe(`memory/${branch}`);
    expect([memory.tip, await memory.files()]).toEqual([tip, files]);
    expect(await (await memory.at(commit)).read(path)).toContain(rumour);
    expect(await memory.quarantine.list()).toMatchObject({ quarantined: [], dropped: [{ tag, commit }] });
    for (const name of [branch!, 'nobody', 'main', '../main']) {
      const code = expect.stringMatching(/^(NOT_FOUND|INVALID_REF)$/);
      await expect(memory.quarantine.show(name)).rejects.toMatchObject({ code });
      await expect(memory.quarantine.accept(name)).rejects.toMatchObject({ code });
      await expect(memory.quarantine.drop(name)).rejects.toMatchObject({ code });
    }
    await expect(memory.quarantine.show('')).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    const open = await memory.startSession({ session: 'open', trust: 'low' });
    await open.message('user', rumour);
    const [{ name } = { name: '' }] = (await memory.quarantine.list()).quarantined;
    const kept = await memory.quarantine.drop(name, { force: true });
    expect(await (await memory.at(kept.commit)).read(open.path)).toContain(rumour);
  });

  it('changes no answer of the open branch, to the last digit', async () => {
    const clean = await newQuarantine();
    const poisoned = await newQuarantine();
    const answers = async ({ memory }: typeof clean) => {
      const asked = [];
      for (const question of ['Via Appia', 'where does Anna work', 'Rome', 'category:fact Anna', 'entity:Rome']) {
        const { hits, hints } = await memory.recall(question);
        asked.push([question, hits.map(({ path, score, snippet }) => [path, score, snippet]), hints]);
      }
      const near = await memory.remember(`${rumour} Or so they say.`);
      asked.push(near.near, (await memory.pack()).text, (await memory.learned('Via Appia')).commits.length);
      return asked;
    };
    for (let number = 0; number < 5; number++) {
      await poisoned.memory.capture({ text: `${rumour} (${number})`, channel: 'web' });
      const session = await poisoned.memory.startSession({ trust: 'low' });
      await session.message('user', rumour);
      if (number % 2 === 0) await session.end();
    }
    expect(await answers(poisoned)).toEqual(await answers(clean));
    for (const { memory } of [clean, poisoned]) await memory.close();
  });

  it('lies beside a memory inside a code repository, too', async () => {
    const directory = temporaryFolder();
    git(directory, 'init', '-q');
    git(directory, '-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'code');
    const { memory } = await newQuarantine({ dir: directory });
    const session = await memory.startSession({ session: 'mail', trust: 'low' });
    await session.message('user', rumour);
    const { branch } = await session.end();
    expect(git(directory, 'branch', '--list', 'memory/quarantine/*').trim()).toBe(`memory/${branch}`);
    expect((await memory.quarantine.list()).quarantined).toMatchObject([{ name: branch }]);
    expect(await memory.quarantine.accept(branch!)).toMatchObject({ captures: 1 });
  });
});
