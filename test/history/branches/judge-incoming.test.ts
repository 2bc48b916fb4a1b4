// Branches that others wrote with native git, in a clone of their own: what of them comes in, and what has to be accepted or cannot be.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Memory } from '../../../src/memory/open-memory.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { commitAll, fsck, git, hasGit } from '../../helpers/native-git.ts';
import { temporaryFolder } from '../../helpers/temporary.ts';

const talk = (session: string, said: string) => ({
  session,
  messages: [
    { role: 'user', text: said, time: '2026-02-16T09:00:00Z' },
    { role: 'assistant', text: 'Noted.', time: '2026-02-16T09:01:00Z' },
  ],
});

/** A memory with a page, a record and a closed conversation, and a clone of it in which somebody else commits. */
async function place() {
  const { memory, directory } = await newTestMemory();
  const { path: record } = await memory.remember('The mooring of Ida is number 14');
  await memory.write('knowledge/harbour.md', '# Harbour\n\n- The crane is out of order.\n');
  await memory.capture(talk('s1', 'The pilot comes at six.'));
  await memory.commit();
  const clone = path.join(temporaryFolder(), 'clone');
  git(directory, 'clone', '-q', directory, clone);
  const conversation = (await memory.files('raw/conversations'))[0]!;
  const file = (name: string) => path.join(clone, name);
  const commit = (files: Readonly<Record<string, string | null>>, message = 'a change') => {
    for (const [name, text] of Object.entries(files)) {
      fs.mkdirSync(path.dirname(file(name)), { recursive: true });
      if (text === null) fs.rmSync(file(name));
      else fs.writeFileSync(file(name), text);
    }
    commitAll(clone, message);
    git(directory, 'fetch', '-q', clone, '+HEAD:refs/heads/theirs');
  };
  return { memory, directory, clone, record: record!, conversation, file, commit };
}

const edited = (name: string, from: RegExp, to: string) => fs.readFileSync(name, 'utf8').replace(from, to);
const tipOf = (memory: Memory) => memory.tip;

describe.runIf(hasGit)('a branch that others wrote', () => {
  it('comes in without a word where it adds pages, records and conversations, and uses what is there', async () => {
    const { memory, directory, commit, file, record } = await place();
    commit({
      'knowledge/lock.md': '# Lock\n\n- It opens at high water.\n',
      'knowledge/harbour.md': edited(file('knowledge/harbour.md'), /out of order/, 'mended'),
      [record]: edited(file(record), /"use_count": \d+/, '"use_count": 7'),
      'raw/daily/2026-02-17.md': '# 2026-02-17\n\nFog all day.\n',
    });
    expect(await memory.merge('theirs', { dryRun: true })).not.toHaveProperty('refused');
    expect(await memory.merge('theirs')).toMatchObject({ conflicts: [], commit: expect.any(String) });
    expect(await memory.read('knowledge/harbour.md')).toContain('mended');
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('is not merged where any of its commits holds a secret, whatever its own configuration says', async () => {
    const { memory, commit } = await place();
    const secret = ['ghp', 'R4kTz8WqYb2NcVx7Lm5JdHs9PfGa1UeKoQ3i'].join('_');
    commit({ 'memory.yaml': 'secrets:\n  mode: off\n', 'knowledge/login.md': `# Login\n\nThe key is ${secret}.\n` });
    commit({ 'knowledge/login.md': '# Login\n\nAsk Ida for the key.\n' }, 'take it out again');
    const before = tipOf(memory);
    const said = await memory.merge('theirs', { accept: ['configuration'] }).catch((error) => error);
    expect(said).toMatchObject({ code: 'SECRET', hint: expect.stringContaining('git memory purge --dry-run') });
    expect(said.message).toMatch(
      /1 commit of theirs holds a secret \(github-token in knowledge\/login\.md of [0-9a-f]{12}\)/,
    );
    expect(said.message).not.toContain(secret);
    expect(tipOf(memory)).toBe(before);
    const preview = await memory.merge('theirs', { dryRun: true });
    expect(preview.refused!.secrets).toMatchObject([{ where: 'knowledge/login.md', subject: 'a change' }]);
    expect(JSON.stringify(preview)).not.toContain(secret);
    // The way that the refusal names.
    await memory.purge({ text: secret });
    expect(await memory.merge('theirs', { accept: ['configuration'] })).toMatchObject({ commit: expect.any(String) });
    await memory.close();
  });

  it('is not merged where a message of it holds a secret', async () => {
    const { memory, commit } = await place();
    commit({ 'knowledge/x.md': 'x\n' }, `login with ${['ghp', 'Zq7LmX2vBn9KcR5tWy8HdJs4PfGa1UeToQ3i'].join('_')}`);
    await expect(memory.merge('theirs')).rejects.toMatchObject({
      code: 'SECRET',
      message: expect.stringContaining('its message'),
    });
    await memory.close();
  });

  it.each([
    ['configuration', { 'memory.yaml': 'flush_minutes: 9\n' }],
    ['configuration', { '.gitattributes': '* -text\n' }],
    ['expectations', { 'expect/other.yaml': 'name: x\n' }],
    ['hooks', { 'hooks/post-commit': '#!/bin/sh\n' }],
    ['topics', { 'topics/tides.md': '---\ntriggers:\n  - type: cron\n    schedule: "0 6 * * *"\n---\n\nDo it.\n' }],
  ] as const)('has %s accepted by its word', async (what, files) => {
    const { memory, commit } = await place();
    commit(files);
    const before = tipOf(memory);
    await expect(memory.merge('theirs')).rejects.toMatchObject({
      code: 'UNACCEPTED',
      message: expect.stringContaining(Object.keys(files)[0]!),
      hint: expect.stringContaining(`--accept ${what}`),
    });
    expect(tipOf(memory)).toBe(before);
    expect(await memory.merge('theirs', { accept: [what] })).toMatchObject({ commit: expect.any(String) });
    await memory.close();
  });

  it('has what was recorded before stay as it was, unless that is accepted', async () => {
    const { memory, commit, file, record, conversation } = await place();
    commit({
      [record]: edited(file(record), /number 14/, 'number 41'),
      [conversation]: edited(file(conversation), /at six/, 'at nine'),
    });
    await expect(memory.merge('theirs')).rejects.toMatchObject({ code: 'UNACCEPTED' });
    await expect(memory.merge('theirs', { accept: ['records'] })).rejects.toMatchObject({
      code: 'UNACCEPTED',
      message: expect.stringMatching(new RegExp(`transcripts \\(${conversation} changed\\)`)),
    });
    const { refused } = await memory.merge('theirs', { dryRun: true });
    expect(refused!.changes.map(({ what, path: name, how }) => [what, name, how])).toEqual([
      ['records', record, 'changed'],
      ['transcripts', conversation, 'changed'],
    ]);
    await memory.merge('theirs', { accept: ['records', 'transcripts'] });
    expect(await memory.read(conversation)).toContain('at nine');
    await memory.close();
  });

  it('may number events of a log anew, and not word or drop one', async () => {
    const { memory, directory, clone, commit, file } = await place();
    await memory.ledger.add({ content: 'The pilot is late' });
    await memory.ledger.add({ content: 'The tug is early' });
    await memory.commit();
    git(clone, 'pull', '-q', directory, 'main');
    const log = (await memory.files('ledger')).find((name) => name.endsWith('.jsonl'))!;
    const lines = fs.readFileSync(file(log), 'utf8').trimEnd().split('\n');
    const original = `${lines.join('\n')}\n`;
    for (const text of [original.replace('late', 'punctual'), `${lines[0]}\n`]) {
      commit({ [log]: text });
      await expect(memory.merge('theirs')).rejects.toMatchObject({ code: 'UNACCEPTED' });
    }
    commit({ [log]: original.replace(/(EVT-\d+)-002/, '$1-003') });
    expect(await memory.merge('theirs', { dryRun: true })).not.toHaveProperty('refused');
    await memory.close();
  });

  it('may end a claim, and not take one away', async () => {
    const { memory, commit, file, record } = await place();
    commit({ [record]: edited(file(record), /"status": "active"/, '"status": "superseded"') });
    await memory.merge('theirs');
    commit({ [record]: null });
    await expect(memory.merge('theirs')).rejects.toMatchObject({
      code: 'UNACCEPTED',
      message: expect.stringContaining(`${record} removed`),
    });
    await memory.close();
  });

  it('may take few conversations and pages away at once, also where that is accepted', async () => {
    const { memory, directory, clone } = await place();
    for (let i = 2; i <= 30; i += 1) await memory.capture(talk(`s${i}`, `Ship ${i} has called.`));
    for (let i = 1; i <= 19; i += 1) await memory.write(`knowledge/ships/s${i}.md`, `# Ship ${i}\n`);
    await memory.commit();
    git(clone, 'pull', '-q', directory, 'main');
    const taken = (folder: string, count: number) => {
      const names = git(clone, 'ls-files', folder).trim().split('\n').slice(0, count);
      git(clone, 'rm', '-q', ...names);
      git(clone, 'commit', '-q', '-m', `without ${folder}`);
      git(directory, 'fetch', '-q', clone, '+HEAD:refs/heads/theirs');
    };
    taken('raw/conversations', 29);
    await expect(memory.merge('theirs', { accept: ['transcripts'] })).rejects.toMatchObject({
      code: 'MASS_REMOVAL',
      message: expect.stringContaining('29 of 30 files of raw/'),
    });
    git(clone, 'reset', '-q', '--hard', 'HEAD~1');
    taken('knowledge', 15);
    await expect(memory.merge('theirs')).rejects.toMatchObject({
      code: 'MASS_REMOVAL',
      message: expect.stringContaining('15 of 20 files of knowledge/'),
    });
    expect((await memory.merge('theirs', { dryRun: true })).refused).toMatchObject({
      changes: [],
      removals: expect.stringContaining('15 of 20'),
    });
    expect(await memory.merge('theirs', { allowRemovals: true })).toMatchObject({ commit: expect.any(String) });
    await memory.close();
  });

  it('is judged into another branch, too, and what is accepted has to be a word that there is', async () => {
    const { memory, commit } = await place();
    await (await memory.branches.open('explore/quay', { create: true })).close();
    commit({ 'memory.yaml': 'flush_minutes: 9\n' });
    await expect(memory.merge('theirs', { into: 'explore/quay' })).rejects.toMatchObject({ code: 'UNACCEPTED' });
    await expect(memory.merge('theirs', { accept: ['all'] as never })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
      what: expect.stringContaining('accept.0 is configuration, expectations'),
    });
    await memory.merge('theirs', { into: 'explore/quay', accept: ['configuration'] });
    await memory.close();
  });

  it('is let out of quarantine by the same rules', async () => {
    const { memory, directory, clone, commit } = await place();
    git(clone, 'checkout', '-q', '-b', 'x');
    commit({ 'raw/daily/2026-02-18.md': '# 2026-02-18\n\nA letter came.\n', 'memory.yaml': 'flush_minutes: 9\n' });
    git(directory, 'branch', '-q', 'quarantine/letter', 'theirs');
    expect((await memory.quarantine.show('letter')).refused!.changes).toMatchObject([{ what: 'configuration' }]);
    await expect(memory.quarantine.accept('letter')).rejects.toMatchObject({ code: 'UNACCEPTED' });
    await memory.quarantine.accept('letter', { accept: ['configuration'] });
    expect(await memory.read('memory.yaml')).toContain('flush_minutes: 9');
    await memory.close();
  });
});
