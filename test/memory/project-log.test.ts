// The log of a project as its agents use it: files laid out beside the code, what is read at the beginning, tasks, and what is wrong.

import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { formatChangelogEvent } from '../../src/store/records/changelog.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';
import { changelog, changelogText, type Draft } from '../logs/changelogs.ts';

const create = (entity: string, more: Record<string, string> = {}): Draft => ({
  type: 'create',
  details: { entity, ...more },
});

const change = { type: 'decision', scope: 'x', summary: 'y', details: { entity: 'x', rationale: 'z' } } as const;
const decided: Draft = { type: 'decision', details: change.details };

async function withLog(...drafts: Draft[]) {
  const made = await newTestMemory();
  await made.memory.write('CHANGELOG.md', changelogText(changelog(...drafts)));
  await made.memory.project.deploy(5);
  await made.memory.commit();
  return made;
}

describe('the files of a project log', () => {
  it.runIf(hasGit)('and the ledger beside them are archived, which waits for a commit like all else', async () => {
    const dir = temporaryFolder();
    git(dir, 'init', '-q');
    git(dir, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'code');
    const { memory, clock } = await newTestMemory({ dir, placement: 'project' });
    await memory.project.deploy(5);
    const log = changelog(...Array.from({ length: 52 }, (_, at): Draft => ({ ...decided, summary: `number ${at}` })));
    await memory.write('CHANGELOG.md', changelogText(log));
    const trifle = await memory.ledger.add({ content: 'it rains', priority: 'P3' });
    const kept = await memory.ledger.add({ content: 'no budget', type: 'constraint', priority: 'P0' });
    await memory.commit('before');
    const { tip } = memory;
    const tree = (await memory.at('HEAD')).tree;
    clock.advance({ days: 40 });
    await memory.maintenance.run({ tasks: ['changelog-archive', 'ledger-prune'] });
    expect(memory.tip).toBe(tip);
    expect(readFileSync(join(dir, 'CHANGELOG-archive.md'), 'utf8')).toContain('## Archive: evt-001 through evt-032');
    expect(readFileSync(join(dir, 'CHANGELOG.md'), 'utf8')).not.toContain('### evt-032');
    await memory.project.change({ ...change, summary: 'since then' });
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(3);
    const { changes, archivedChanges, events, archived, checks } = await memory.ledger.check();
    expect([changes, archivedChanges, events, archived]).toEqual([22, 32, 1, 1]);
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect((await memory.ledger.list()).events.map(({ id }) => id)).toEqual([kept.id]);
    expect((await memory.ledger.list({ archived: true })).events.map(({ id }) => id)).toEqual([trifle.id, kept.id]);
    expect(await memory.read('.memory/graph.md')).toContain('evt-054');
    for (const oid of [...commits].reverse()) expect((await memory.undo(oid)).conflicts).toEqual([]);
    expect((await memory.at('HEAD')).tree).toBe(tree);
    fsck(dir);
  });

  it.runIf(hasGit)('are laid out beside the code, wait for a commit, and leave what is there', async () => {
    const dir = temporaryFolder();
    git(dir, 'init', '-q');
    git(dir, '-c', 'user.name=A', '-c', 'user.email=a@b.c', 'commit', '-q', '--allow-empty', '-m', 'code');
    const own = '# Changelog\n\n## [1.0.0]\n\n- First release\n';
    writeFileSync(join(dir, 'CHANGELOG.md'), own);
    writeFileSync(join(dir, 'AGENTS.md'), '# Rules\n');
    const { memory } = await newTestMemory({ dir, placement: 'project' });
    const tip = memory.tip;
    expect(await memory.project.deploy(5)).toEqual({
      written: ['.memory/changelog.md', '.memory/context.md', '.memory/graph.md', 'TODO.md'],
      kept: [],
      pending: true,
    });
    expect(memory.tip).toBe(tip);
    expect(readFileSync(join(dir, 'CHANGELOG.md'), 'utf8')).toBe(own);
    expect(readFileSync(join(dir, 'AGENTS.md'), 'utf8')).toBe('# Rules\n');
    expect(readFileSync(join(dir, '.memory/graph.md'), 'utf8')).toContain('Event horizon**: (none)');
    expect((await memory.project.deploy(5)).written).toEqual([]);
    const [event] = changelog(create('auth'));
    appendFileSync(join(dir, '.memory/changelog.md'), formatChangelogEvent(event!));
    await memory.commit();
    expect(readFileSync(join(dir, '.memory/graph.md'), 'utf8')).toContain('| auth | component |');
    expect((await memory.project.boot()).layers.map(({ state }) => state)).toEqual(['fresh', 'fresh', 'fresh']);
  });

  it('are two, three or five, and no other number', async () => {
    const { memory, directory } = await newTestMemory();
    expect((await memory.project.deploy(2)).written).toEqual(['CHANGELOG.md']);
    expect((await memory.project.deploy(3)).written).toEqual(['.memory/context.md']);
    expect(existsSync(join(directory, 'AGENTS.md'))).toBe(false);
    await expect(memory.project.deploy(4 as 5)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });
});

it.runIf(hasGit)(
  'what a person writes into a file of the log that waits for its commit goes in with it where it is an event, and stays and is named where it is none',
  async () => {
    const dir = temporaryFolder();
    git(dir, 'init', '-qb', 'main');
    const { memory } = await newTestMemory({ dir, placement: 'project' });
    await memory.project.deploy(5);
    await memory.commit();
    const log = join(dir, 'CHANGELOG.md');
    const details = { entity: 'auth' };
    await memory.project.change({ type: 'create', agent: 'ada', scope: 'auth', summary: 'made', details });
    const [, , byHand] = changelog(create('one'), create('two'), create('web'));
    const later = formatChangelogEvent({ ...byHand!, id: 'evt-002', number: 2, time: '2026-02-16 10:00' });
    appendFileSync(log, later);
    appendFileSync(join(dir, 'TODO.md'), '\n- [ ] By hand\n');
    // Who asks sees it as it lies there; nothing is written for that, and the past has what was committed.
    const before = [git(dir, 'status', '--porcelain'), memory.tip];
    const { events, edited } = await memory.project.changes();
    expect(events.map(({ id }) => id)).toEqual(['evt-001', 'evt-002']);
    expect(edited).toEqual(['CHANGELOG.md']);
    expect(await memory.project.boot()).toMatchObject({ horizon: 'evt-002', edited: ['CHANGELOG.md', 'TODO.md'] });
    expect((await memory.project.todo()).tasks).toMatchObject([{ task: 'By hand' }]);
    expect((await (await memory.at('HEAD')).project.changes()).events).toEqual([]);
    expect([git(dir, 'status', '--porcelain'), memory.tip]).toEqual(before);
    expect((await memory.commit()).skipped).toEqual([]);
    expect((await memory.project.changes()).edited).toBeUndefined();
    expect((await memory.project.changes()).events.map(({ id, summary }) => [id, summary])).toEqual([
      ['evt-001', 'made'],
      ['evt-002', byHand!.summary],
    ]);
    await memory.project.change({ type: 'modify', agent: 'ada', scope: 'auth', summary: 'mended', details });
    appendFileSync(log, '\n### evt-004 | 2026-02-16 25:99 | bob | fix\n\n**Scope**: auth\n');
    expect((await memory.commit()).skipped).toMatchObject([{ path: 'CHANGELOG.md' }]);
    expect((await memory.project.changes()).events.map(({ id }) => id)).toEqual(['evt-001', 'evt-002', 'evt-003']);
    expect(readFileSync(log, 'utf8')).toMatch(/mended[\s\S]*25:99[\s\S]*auth\n$/);
    expect(git(dir, 'status', '--porcelain').split('\n')).toContain(' M CHANGELOG.md');
    await memory.close();
    expect(readFileSync(join(dir, 'TODO.md'), 'utf8')).toContain('- [ ] By hand');
    expect(fsck(dir)).toBe('');
  },
);

describe('boot', () => {
  it('gives rules, context and graph of any state, and says what was stale', async () => {
    const { memory, directory } = await withLog(create('auth'));
    writeFileSync(join(directory, 'AGENTS.md'), '# Rules\n\nBe exact.\n');
    const fresh = await memory.project.boot();
    expect(fresh.horizon).toBe('evt-001');
    expect(fresh.text).toContain('Be exact.');
    expect(fresh.text).toContain('<!-- .memory/context.md: fresh, knows evt-001 -->');
    // As native git leaves them: a log that went on, and pages that did not.
    const [, second] = changelog(create('auth'), create('web'));
    appendFileSync(join(directory, 'CHANGELOG.md'), formatChangelogEvent(second!));
    appendFileSync(join(directory, '.memory/context.md'), '\n');
    appendFileSync(join(directory, '.memory/graph.md'), '\n');
    await memory.commit();
    const stale = await memory.project.boot();
    expect(stale.layers.map(({ state }) => state)).toEqual(['fresh', 'stale', 'stale']);
    expect(stale.text).toContain('the file was stale; this is made of the log up to evt-002');
    expect(stale.text).toContain('| web | component |');
    expect(await memory.project.graph()).toMatchObject({ graph: 'stale', context: 'stale' });
    const before = await memory.at('HEAD~1');
    expect((await before.project.boot()).text).not.toContain('| web |');
    const { runs } = await memory.maintenance.run({ tasks: ['graph'] });
    expect(runs[0]!.result!.commits).toHaveLength(1);
    expect((await memory.project.boot()).layers.map(({ state }) => state)).toEqual(['fresh', 'fresh', 'fresh']);
    expect((await memory.project.graph()).problems).toEqual([]);
  });

  it('makes of a log without pages what they would say, and of no log empty ones', async () => {
    const { memory } = await newTestMemory();
    expect((await memory.project.boot()).layers.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
    await memory.write('CHANGELOG.md', changelogText(changelog(create('auth'))));
    const { text, layers } = await memory.project.boot();
    expect(layers.map(({ state }) => state)).toEqual(['missing', 'missing', 'missing']);
    expect(text).toContain('| auth | component |');
    expect(await memory.files('.memory/')).toEqual([]);
  });
});

it('what is wrong with what follows from a log is told by file and line', async () => {
  const { memory, directory } = await withLog(create('auth', { type: 'task' }));
  const edit = (path: string, change: (text: string) => string) =>
    writeFileSync(join(directory, path), change(readFileSync(join(directory, path), 'utf8')));
  edit('.memory/graph.md', (text) =>
    text
      .replace('| evt-001 | evt-001 |', '| evt-001 | evt-009 |')
      .replace(
        '|------|----|----------|---------------|------------|\n',
        '$&| auth | ghost | blocks | evt-001 | (none) |\n',
      ),
  );
  edit('.memory/context.md', (text) => text.replace('1. auth', '1. ghost').replace('evt-001 -->', 'evt-077 -->'));
  edit('TODO.md', (text) => text.replace('## Completed\n', '## Completed\n\n- [x] a — 2026-02-10, evt-044\n- [x] b\n'));
  await memory.commit();
  const { problems } = await memory.project.graph();
  const told = problems.map(({ path, line, why }) => `${path}:${line ?? ''} ${why}`);
  expect(told).toEqual([
    '.memory/graph.md:9 evt-009 is no event of the log',
    '.memory/graph.md:15 the edge leads to ghost, which is no node',
    expect.stringContaining('.memory/context.md: its horizon evt-077 is no event of the log'),
    '.memory/context.md:34 ghost is no node of the graph',
    'TODO.md:9 evt-044 is no event of the log',
    'TODO.md:10 it does not say when it was completed',
    'TODO.md:10 it names no event',
  ]);
});

describe('tasks', () => {
  it('are added, moved and completed with their event; other lines stay, and three are in progress at most', async () => {
    const { memory, directory } = await withLog(create('auth'));
    await memory.write(
      'TODO.md',
      '# Mine\n\nWords.\n\n## In Progress\n\n- one\n- two\n\n## Backlog\n\n- three (after: one)\n  more\n- four\n',
    );
    expect(await memory.project.task({ move: 'three', to: 'In Progress' })).toMatchObject({
      task: { section: 'In Progress', waitsFor: ['one'] },
    });
    await expect(memory.project.task({ move: 'four', to: 'In Progress' })).rejects.toMatchObject({ code: 'QUOTA' });
    await expect(memory.project.task({ add: 'five', to: 'In Progress' })).rejects.toMatchObject({ code: 'QUOTA' });
    await expect(memory.project.task({ complete: 'one', event: 'evt-009' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(memory.project.task({ complete: 'o', event: 'evt-001' })).rejects.toMatchObject({ code: 'AMBIGUOUS' });
    await expect(memory.project.task({ move: 'one', to: 'Completed' })).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    await expect(memory.project.task({ add: 'ONE' })).rejects.toMatchObject({ code: 'ALREADY_EXISTS' });
    await expect(memory.project.task({} as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.project.task(null as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await memory.project.task({ complete: 'one', event: 'evt-001' });
    await memory.project.task({ add: 'five' });
    await memory.commit();
    expect(readFileSync(join(directory, 'TODO.md'), 'utf8')).toBe(
      '# Mine\n\nWords.\n\n## In Progress\n\n- two\n- three (after: one)\n  more\n\n## Backlog\n\n- four\n- [ ] five\n\n' +
        '## Completed\n\n- [x] one — 2026-02-16, evt-001\n',
    );
    const { tasks, problems } = await memory.project.todo();
    expect(problems).toEqual([]);
    expect(tasks.at(-1)).toEqual({
      section: 'Completed',
      task: 'one',
      completed: '2026-02-16',
      events: ['evt-001'],
      waitsFor: [],
      line: 18,
    });
    expect(tasks.find(({ task }) => task.startsWith('three'))).toMatchObject({ waitsFor: [] });
  });

  it('of two branches merge item by item', async () => {
    const { memory } = await withLog(create('auth'));
    await memory.project.task({ add: 'one' });
    await memory.commit();
    const other = await memory.branches.open('explore/other', { create: true });
    await other.project.task({ add: 'theirs' });
    await other.project.task({ complete: 'one', event: 'evt-001' });
    await other.commit();
    await memory.project.task({ add: 'ours' });
    await memory.commit();
    const { conflicts } = await memory.merge('explore/other');
    expect(conflicts).toEqual([]);
    expect((await memory.project.todo()).tasks.map(({ task, section }) => `${section}: ${task}`).sort()).toEqual([
      'Backlog: ours',
      'Backlog: theirs',
      'Completed: one',
    ]);
    await other.close();
  });

  it('that are too many by hand are told, and stay', async () => {
    const { memory, directory } = await withLog();
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, 'TODO.md'), '## In Progress\n- a\n- b\n- c\n- d\n');
    await memory.commit();
    expect((await memory.project.todo()).problems).toEqual([
      { path: 'TODO.md', line: 5, why: 'more than 3 tasks are in progress' },
    ]);
  });
});

describe('shutdown', () => {
  it('appends events, makes the pages that are missing, and commits it all at once', async () => {
    const { memory } = await newTestMemory();
    const { events, commit, horizon } = await memory.project.shutdown([
      { type: 'create', scope: 'auth', summary: 'Auth begun', details: { entity: 'auth' } },
      { type: 'modify', scope: 'auth', summary: 'Auth has tokens', details: { entity: 'auth', status: 'planned' } },
    ]);
    expect(events.map(({ id }) => id)).toEqual(['evt-001', 'evt-002']);
    expect(horizon).toBe('evt-002');
    expect((await memory.log()).commits[0]).toMatchObject({
      oid: commit,
      operation: 'shutdown',
      paths: ['.memory/context.md', '.memory/graph.md', 'CHANGELOG.md'],
    });
    expect(await memory.read('.memory/graph.md')).toContain('| auth | component | planned | evt-001 | evt-002 |');
    expect(await memory.project.shutdown()).toEqual({ events: [], commit: null, horizon: 'evt-002' });
    await expect(memory.project.shutdown('x' as never)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    await expect(memory.project.shutdown([{ type: 'fix' } as never])).rejects.toMatchObject({
      code: 'INVALID_ARGUMENT',
    });
    expect((await memory.project.graph()).problems).toEqual([]);
  });

  it('and a task that is done without an event records one, which the graph knows', async () => {
    const { memory } = await withLog(create('auth'));
    await memory.project.task({ add: 'Write docs' });
    const { event, task } = await memory.project.task({ complete: 'docs' });
    expect(event).toBe('evt-002');
    expect(task).toMatchObject({ section: 'Completed', events: ['evt-002'] });
    expect((await memory.log()).commits[0]!.paths).toContain('TODO.md');
    expect(await memory.read('.memory/graph.md')).toContain('| Write docs | task | completed | evt-002 | evt-002 |');
    expect((await memory.project.todo()).problems).toEqual([]);
  });
});
