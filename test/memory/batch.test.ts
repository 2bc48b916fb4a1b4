import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { openMemory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';

describe('the batch', () => {
  it('is durable and visible before it is committed, to this process and to others', async () => {
    const { memory, directory } = await newTestMemory();
    const {
      id,
      path: where,
      pending,
    } = await memory.remember({ content: 'Ana prefers short answers', tags: ['people'] });
    expect(pending).toBe(true);
    const other = await openMemory({ dir: directory, readOnly: true });
    expect((await other.get(id!)).meta.tags).toEqual(['people']);
    expect((await other.recall('short answers')).hits[0]).toMatchObject({ id, commit: null });
    await vi.waitFor(() => expect(fs.existsSync(path.join(directory, where))).toBe(true));
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect((await memory.recall('short answers')).hits[0]!.commit).toBe(commits[0]);
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it('leaves nothing in the work tree of a file that came and went, whoever died in between', async () => {
    const { memory, directory } = await newTestMemory();
    const name = 'knowledge/reference/page.md';
    const file = path.join(directory, name);
    await memory.write(name, '# Page\n');
    await vi.waitFor(() => expect(fs.existsSync(file)).toBe(true));
    await memory.remove(name);
    // Before the work tree follows: as if the process were killed here.
    memory.dispose();
    const next = await openMemory({ dir: directory });
    await next.remember('something else');
    await next.commit();
    expect(fs.existsSync(file)).toBe(false);
    expect((await next.commit()).commits).toEqual([]);
    expect(await next.files()).not.toContain(name);
    await next.close();
  });

  it('becomes one commit for each run of the same kind, in order', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.remember('one');
    await memory.remember('two');
    await memory.write('knowledge/identity/USER.md', '---\ntype: identity\nrole: user\n---\n\n# User\n');
    await memory.write('knowledge/reference/git.md', '# Git\n');
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(3);
    const log = (await memory.log()).commits;
    expect(log.slice(0, 3).map((commit) => commit.subject)).toEqual([
      'memory: knowledge/reference/git.md added',
      'identity: knowledge/identity/USER.md added',
      'memory: 2 memories added',
    ]);
    const runs = new Set(log.slice(0, 3).map((commit) => commit.trailers.find(({ key }) => key === 'Run')?.value));
    expect(runs.size).toBe(1);
    if (hasGit) expect(fsck(directory)).toBe('');
  });

  it('of thousands of records becomes several commits, and can be undone as the run it was', async () => {
    const { memory } = await newTestMemory();
    for (let i = 0; i < 23; i++)
      await memory.rememberAll(Array.from({ length: 100 }, (_, at) => ({ content: `fact ${i * 100 + at}` })));
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(3);
    expect((await memory.list()).memories).toHaveLength(2300);
    const run = (await memory.log({ limit: 1 })).commits[0]!.trailers.find(({ key }) => key === 'Run')!.value;
    // A commit may be named by mistake; who names a run means all of it.
    await expect(memory.undo(commits[0]!)).rejects.toMatchObject({ code: 'MASS_REMOVAL' });
    expect((await memory.undo({ run })).undone).toHaveLength(3);
    expect(await memory.files('memories/')).toEqual([]);
  });

  it('is flushed when overdue by whoever opens next, and by close', async () => {
    const { memory, clock, directory } = await newTestMemory();
    await memory.remember('soon');
    memory.dispose();
    const early = await openMemory({ dir: directory, clock, durability: 'fast' });
    expect((await early.status()).pending).toHaveLength(1);
    early.dispose();
    clock.advance({ minutes: 31 });
    const late = await openMemory({ dir: directory, clock, durability: 'fast' });
    expect((await late.status()).pending).toEqual([]);
    await late.remember('at close');
    await late.close();
    const last = await openMemory({ dir: directory, clock, durability: 'fast' });
    expect((await last.status()).pending).toEqual([]);
    expect((await last.list()).memories).toHaveLength(2);
    await last.close();
  });

  it('takes in what a person wrote in an editor as a commit of its own', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/people/ana.md', '# Ana\n\n- likes tea\n- lives in Graz\n');
    await memory.commit();
    fs.writeFileSync(path.join(directory, 'knowledge/people/ana.md'), '# Ana\n\n- likes coffee\n- lives in Graz\n');
    fs.writeFileSync(path.join(directory, 'knowledge/people/ben.md'), '# Ben\n');
    await memory.edit('knowledge/people/ana.md', '- lives in Graz', '- lives in Linz');
    expect(await memory.read('knowledge/people/ana.md')).toBe('# Ana\n\n- likes coffee\n- lives in Linz\n');
    await memory.commit();
    const operations = (await memory.log()).commits.map((commit) => commit.operation);
    expect(operations.slice(0, 3)).toEqual(['edit', 'edit', 'edit']);
    expect(await memory.read('knowledge/people/ben.md')).toBe('# Ben\n');
    if (hasGit) expect(git(directory, 'status', '--porcelain')).toBe('');
  });

  it('does not take an older pending version in the work tree for a hand edit', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.write('knowledge/a.md', 'first\n');
    await vi.waitFor(() => expect(fs.existsSync(path.join(directory, 'knowledge/a.md'))).toBe(true));
    await memory.write('knowledge/a.md', 'second\n');
    memory.dispose();
    const next = await openMemory({ dir: directory, durability: 'fast' });
    await next.commit();
    expect(await next.read('knowledge/a.md')).toBe('second\n');
    expect(fs.readFileSync(path.join(directory, 'knowledge/a.md'), 'utf8')).toBe('second\n');
    expect((await next.log()).commits.map(({ operation }) => operation)).toEqual(['write', 'write', 'init']);
    await next.close();
  });

  it('leaves a hand edit that breaks a rule where it is, says so, and goes on', async () => {
    const { memory, directory } = await newTestMemory();
    const { path: where } = await memory.capture('words that were said');
    const file = path.join(directory, where);
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('said', 'sung'));
    fs.writeFileSync(path.join(directory, 'knowledge.txt'), 'not of the layout');
    await memory.remember('something');
    const { commits, skipped } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(skipped).toMatchObject([{ path: where, why: expect.stringMatching(/never changed/) }]);
    expect(fs.readFileSync(file, 'utf8')).toContain('sung');
    expect(await memory.read(where)).toContain('said');
  });

  it('refuses a write that expects another version', async () => {
    const { memory } = await newTestMemory();
    await memory.write('knowledge/a.md', 'one\n', { ifBlob: null });
    await expect(memory.write('knowledge/a.md', 'two\n', { ifBlob: null })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await memory.read('knowledge/a.md')).toBe('one\n');
  });

  it('lets records be touched, archived, forgotten, and found again in history', async () => {
    const { memory, clock } = await newTestMemory();
    const { id } = await memory.remember({ content: 'Ana likes tea', category: 'preference' });
    await memory.commit();
    clock.advance({ days: 10 });
    const before = (await memory.get(id!)).score;
    await memory.records.touch(id!);
    expect((await memory.get(id!)).score).toBeGreaterThan(before);
    await memory.records.archive(id!);
    // Its event is taken back, and both lines say so.
    expect((await memory.recall('tea')).hits.map(({ category, until }) => ({ category, until }))).toEqual([
      { category: 'ledger', until: expect.any(String) },
      { category: 'ledger', until: expect.any(String) },
    ]);
    await memory.commit();
    await memory.forget(id!);
    expect((await memory.recall('tea')).hits).toEqual([]);
    await memory.commit();
    expect((await memory.recall('tea')).hits).toEqual([]);
    await expect(memory.get(id!)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const origin = await memory.provenance(id!);
    expect(origin).toMatchObject({ alive: false, id });
    expect(origin.commits.map((commit) => commit.change)).toEqual(['added', 'modified', 'removed']);
  });
});
