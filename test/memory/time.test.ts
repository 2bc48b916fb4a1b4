import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

describe('a view of the past', () => {
  it('answers as the branch answered then: by day, time, tag, commit and branch', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.write('knowledge/plan.md', '# Plan\n\nWe store everything in SQLite.\n');
    await memory.commit();
    const first = memory.tip!;
    await memory.snapshots.create('before/rewrite');
    clock.set('2026-02-20T12:00:00Z');
    await memory.write('knowledge/plan.md', '# Plan\n\nWe store everything in git.\n');
    await memory.commit();
    for (const when of [
      '2026-02-16',
      '2026-02-19',
      '2026-02-20T11:59:59Z',
      'memory/before/rewrite',
      'before/rewrite',
      first,
      first.slice(0, 8),
      'main~1',
      new Date('2026-02-18'),
    ]) {
      const view = await memory.at(when);
      expect(view.commit).toBe(first);
      expect((await view.recall('where do we store everything')).hits[0]!.snippet).toContain('SQLite');
    }
    expect((await (await memory.at('2026-02-20')).recall('store everything')).hits[0]!.snippet).toContain('git');
    expect((await memory.at('main')).commit).toBe(memory.tip);
    await expect(memory.at('2026-02-15')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.at('2026-02-31')).rejects.toMatchObject({ code: 'INVALID_DATE' });
    await expect(memory.at('no-such-tag')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('never goes back in order when the clock does', async () => {
    const { memory, clock, directory } = await newTestMemory();
    await memory.capture('one');
    clock.set('2026-02-16T08:00:00Z');
    await memory.capture('two');
    clock.set('2026-02-15T12:00:00Z');
    await memory.capture('three');
    const times = (await memory.log()).commits.map((commit) => commit.time);
    expect(times).toEqual(times.slice().sort().reverse());
    const sequences = (await memory.log()).commits.map((c) =>
      Number(c.trailers.find(({ key }) => key === 'Sequence')!.value),
    );
    expect(sequences).toEqual([4, 3, 2, 1]);
    if (hasGit) expect(git(directory, 'rev-list', '--count', 'main').trim()).toBe('4');
  });

  it('does not follow a parent that lies more than a day ahead', async () => {
    const { memory, clock } = await newTestMemory();
    clock.set('2046-01-01T00:00:00Z');
    await memory.capture('from a clock that was wrong');
    clock.set('2026-02-16T10:00:00Z');
    await memory.capture('after it was set right');
    expect((await memory.log()).commits[0]!.time).toBe('2026-02-16T10:00:00Z');
  });

  it('has snapshots that never move', async () => {
    const { memory, clock } = await newTestMemory();
    expect((await memory.snapshots.create('daily')).tag).toBe('memory/daily/2026-02-16');
    expect((await memory.snapshots.create('weekly')).tag).toBe('memory/weekly/2026-W08');
    expect((await memory.snapshots.create('v1')).tag).toBe('memory/milestone/v1');
    clock.advance({ days: 1 });
    await memory.capture('more');
    const [first] = await memory.snapshots.list();
    const second = await memory.snapshots.create('v1');
    expect(second).toMatchObject({ tag: expect.stringMatching(/^memory\/milestone\/v1-[A-Za-z0-9-]+$/), isNew: true });
    expect((await memory.snapshots.create('v1')).tag).toBe(second.tag);
    await memory.capture('and more');
    expect((await memory.snapshots.create('v1')).tag).toBe(`${second.tag}-2`);
    expect((await memory.snapshots.list()).map(({ tag }) => tag)).toEqual([
      'memory/daily/2026-02-16',
      'memory/milestone/v1',
      'memory/weekly/2026-W08',
      second.tag,
      `${second.tag}-2`,
    ]);
    expect((await memory.snapshots.list())[0]).toEqual(first);
  });

  it('has a daily and a weekly snapshot only where something changed since the last one', async () => {
    const { memory, clock } = await newTestMemory();
    expect(await memory.snapshots.create('daily')).toMatchObject({ tag: 'memory/daily/2026-02-16', isNew: true });
    clock.advance({ days: 1 });
    expect(await memory.snapshots.create('daily')).toMatchObject({ tag: 'memory/daily/2026-02-16', isNew: false });
    await memory.remember('something');
    expect(await memory.snapshots.create('daily')).toMatchObject({ tag: 'memory/daily/2026-02-17', isNew: true });
    await memory.remember('something else');
    await expect(memory.snapshots.create('daily')).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    expect(await memory.snapshots.create('weekly')).toMatchObject({ tag: 'memory/weekly/2026-W08', isNew: true });
  });
});

it('the log is filtered by path, operation, session and time, and read in pages', async () => {
  const { memory, clock } = await newTestMemory();
  const { session } = await memory.capture('one');
  clock.advance({ days: 1 });
  await memory.write('knowledge/a.md', 'a\n');
  await memory.commit();
  clock.advance({ days: 1 });
  await memory.write('knowledge/a.md', 'b\n');
  await memory.commit();
  const subjects = async (filter: Parameters<typeof memory.log>[0]) =>
    (await memory.log(filter)).commits.map((c) => c.subject);
  expect(await subjects({ path: 'knowledge/a.md' })).toHaveLength(2);
  expect(await subjects({ path: 'knowledge' })).toHaveLength(2);
  expect(await subjects({ operation: 'capture' })).toEqual(['conversation: one']);
  expect(await subjects({ session })).toHaveLength(1);
  expect(await subjects({ since: '2026-02-17', until: '2026-02-17' })).toEqual(['memory: knowledge/a.md added']);
  const all = (await memory.log()).commits.map((c) => c.oid);
  const pages: string[] = [];
  for (let after: string | undefined; ; ) {
    const page = await memory.log({ limit: 1, ...(after ? { after } : {}) });
    pages.push(...page.commits.map((c) => c.oid));
    after = page.next;
    if (!after) break;
  }
  expect(pages).toEqual(all);
});

it('provenance leads from a memory to the commit, the session and the words of the turn', async () => {
  const { memory } = await newTestMemory();
  const capture = await memory.capture({
    messages: [
      { role: 'user', text: 'What did we say about formatting?', time: '2026-02-16T10:00:00Z' },
      { role: 'user', text: 'I prefer tabs over spaces.', time: '2026-02-16T10:01:00Z', speaker: 'Ana' },
    ],
    session: 'ses_tabs',
  });
  const { transcripts } = await memory.extract();
  const [created] = transcripts[0]!.created;
  const origin = await memory.provenance(created!.id);
  expect(origin).toMatchObject({ id: created!.id, alive: true, extractor: expect.stringMatching(/^rules@/) });
  expect(origin.commits).toMatchObject([{ oid: transcripts[0]!.commit, operation: 'extract', change: 'added' }]);
  expect(origin.sources).toMatchObject([
    {
      path: capture.path,
      session: 'ses_tabs',
      turn: 2,
      speaker: 'Ana',
      text: 'I prefer tabs over spaces.',
      commit: capture.commit,
    },
  ]);
});

it('a day that no calendar has is refused wherever a day is given, by the name of what was given', async () => {
  const { memory } = await newTestMemory();
  const content = 'Pay the rent';
  const day = '2026-02-30';
  const error = (where: string) => ({
    code: 'INVALID_DATE',
    where,
    what: expect.stringContaining(`"${day}" is not a da`),
    hint: expect.stringContaining('2026-02-16'),
  });
  await expect(memory.remember({ content, due: day })).rejects.toMatchObject(error('due'));
  await expect(memory.remember({ content, validUntil: day })).rejects.toMatchObject(error('validUntil'));
  await expect(memory.ledger.add({ content, type: 'commitment', due: day })).rejects.toMatchObject(error('due'));
  await expect(memory.pack({ day })).rejects.toMatchObject(error('day'));
  await expect(memory.knowledge.list({ day })).rejects.toMatchObject(error('day'));
  expect((await memory.status()).pending).toEqual([]);
  const { path } = await memory.remember({ content, due: '2026-03-01T12:00:00Z' });
  expect(JSON.parse(await memory.read(path))).toMatchObject({ due: '2026-03-01' });
});
