// The changelog of a project: appended one by one, never changed, kept apart from changelogs of another kind, reconciled when branches meet.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangeInput } from '../../src/base/types.ts';
import { doctor } from '../../src/memory/doctor-questions.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, fsck, git, hasGit, tryGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const file = 'CHANGELOG.md';
const decide = (summary: string, more: Partial<ChangeInput> = {}): ChangeInput => ({
  type: 'decision',
  scope: 'all',
  summary,
  agent: 'ada',
  ...more,
});
const told = async (memory: Memory, filter = {}) =>
  (await memory.project.changes(filter)).events.map(({ id, summary, refs }) => [id, summary, ...refs].join(' '));

describe('an event of the changelog', () => {
  it('stands behind the preamble as text that never changes, and is one commit', async () => {
    const { memory, directory } = await newTestMemory({ configuration: { timezone: 'America/New_York' } });
    const first = await memory.project.change({
      type: 'create',
      scope: 'parser',
      summary: 'The parser\n reads CSV',
      details: { entity: 'parser', type: 'component', documents: ['guide', 'manual'] },
      tags: ['csv', '#io'],
      agent: 'builder',
    });
    expect(first).toMatchObject({ id: 'evt-001', path: file, commit: memory.tip });
    const preamble = (await memory.read(file)).split('## Event Log\n')[0]!;
    await memory.project.change({ type: 'test', scope: 'parser', summary: 'All pass', details: { target: 'parser' } });
    await memory.project.change(decide('No semicolons', { supersedes: 'evt-001' }));
    expect(await memory.read(file)).toBe(
      `${preamble}## Event Log

### evt-001 | 2026-02-16 04:00 | builder | create

**Scope**: parser
**Summary**: The parser reads CSV

**Details**:
- entity: parser
- type: component
- documents: guide, manual

**Refs**: none
**Tags**: csv, io

### evt-002 | 2026-02-16 04:00 | git-memory | test

**Scope**: parser
**Summary**: All pass

**Details**:
- target: parser

**Refs**: none

### evt-003 | 2026-02-16 04:00 | ada | decision

**Scope**: all
**Summary**: No semicolons

**Details**:
- supersedes: evt-001

**Refs**: evt-001
`,
    );
    const lines = (await memory.read(file)).split('\n');
    expect(lines[first.event.line - 1]).toContain('### evt-001');
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit).toMatchObject({ subject: 'event: evt-003 decision "No semicolons"', paths: [file] });
    expect(await told(memory)).toEqual(['evt-002 All pass', 'evt-003 No semicolons evt-001']);
    expect(await told(memory, { superseded: true, type: 'create' })).toEqual(['evt-001 The parser reads CSV']);
    expect(await told(memory, { chain: 'evt-003' })).toHaveLength(2);
    expect(await told(memory, { since: '2026-02-16', until: '2026-02-16', scope: 'PARS', tag: 'x' })).toEqual([]);
    expect(await memory.ledger.check()).toMatchObject({ ok: true, changes: 3 });
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it.each([
    [{ ...decide('x'), summary: ' ' }, 'INVALID_ARGUMENT', 'summary'],
    [{ ...decide('x'), type: 'archive' }, 'INVALID_ARGUMENT', 'type'],
    [{ ...decide('x'), type: 'insight' }, 'INVALID_ARGUMENT', 'type'],
    [{ ...decide('x'), scope: undefined }, 'INVALID_ARGUMENT', 'scope'],
    [{ ...decide('x'), colour: 'red' }, 'INVALID_ARGUMENT', 'colour'],
    [{ ...decide('x'), summary: 'x'.repeat(501) }, 'INVALID_ARGUMENT', '500'],
    [{ ...decide('x'), agent: 'a | b' }, 'INVALID_ARGUMENT', 'agent'],
    [{ ...decide('x'), tags: ['a,b'] }, 'INVALID_ARGUMENT', 'tags'],
    [{ ...decide('x'), details: { 'a:b': 'c' } }, 'INVALID_ARGUMENT', 'a:b'],
    [{ ...decide('x'), details: { supersedes: 'evt-001' } }, 'INVALID_ARGUMENT', 'supersedes'],
    [{ ...decide('x'), type: 'blocker', details: { blocked_entity: 'a' } }, 'INVALID_ARGUMENT', 'blocking_entity'],
    [{ ...decide('x'), refs: ['evt-009'] }, 'NOT_FOUND', 'evt-009'],
    [{ ...decide('x'), refs: ['EVT-20260216-001'] }, 'INVALID_ARGUMENT', 'refs'],
    [{ ...decide('x'), time: 'noon' }, 'INVALID_DATE', 'noon'],
    [{ ...decide('x'), time: '2026-02-16T08:59:00Z' }, 'INVALID_ARGUMENT', 'before that of evt-001'],
    [null, 'INVALID_ARGUMENT', 'null'],
  ])('that says %o is answered with %s and writes nothing', async (input, code, what) => {
    const { memory } = await newTestMemory();
    await memory.project.change(decide('first'));
    const { tip } = memory;
    await expect(memory.project.change(input as never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(what),
    });
    expect(memory.tip).toBe(tip);
  });

  it('is never earlier than the one before it, whatever the clock says, but for a mistake of days', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.project.change(decide('one'));
    clock.advance({ minutes: -90 });
    expect((await memory.project.change(decide('two'))).event.time).toBe('2026-02-16 09:00');
    await memory.project.change(decide('three', { time: '2027-01-01T00:00:00Z' }));
    expect((await memory.project.change(decide('four'))).event.time).toBe('2026-02-16 07:30');
    const { checks } = await memory.ledger.check();
    expect(checks.flatMap(({ problems }) => problems)).toMatchObject([
      { path: file, id: 'evt-004', why: expect.stringContaining('before that of evt-003') },
    ]);
  });

  it('keeps secrets out', async () => {
    const { memory } = await newTestMemory();
    const token = `ghp_${'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'}`;
    const { redacted, event } = await memory.project.change(decide(`The token is ${token}`));
    expect(event.summary).toContain('[redacted:');
    const lines = (await memory.read(file)).split('\n');
    expect(lines[redacted![0]!.line - 1]).toContain('[redacted:');
  });

  it('cannot be changed or taken away; what is added by hand has to be the next events', async () => {
    const { memory } = await newTestMemory();
    await memory.project.change(decide('one'));
    await memory.project.change(decide('two'));
    const text = await memory.read(file);
    await expect(memory.edit(file, ': one\n', ': three\n')).rejects.toMatchObject({ code: 'IMMUTABLE' });
    await expect(memory.remove(file)).rejects.toMatchObject({ code: 'IMMUTABLE' });
    await expect(memory.write(file, text.replace('## Event Log', '## Log'))).rejects.toMatchObject({
      code: 'IMMUTABLE',
    });
    const lines = text.split('\n').length;
    for (const [added, why] of [
      [
        '\n### evt-004 | 2026-02-16 09:00 | ada | fix\n',
        `${file}:${lines + 1} the id evt-004 is not the next one, evt-003`,
      ],
      ['\n### evt-002 | 2026-02-16 09:00 | ada | fix\n', 'evt-002 is not the next one'],
      ['\n### evt-003 | 2026-02-16 08:00 | ada | fix\n', 'before that of evt-002'],
      ['\n### evt-003 | 2026-02-16 09:00 | ada | mend\n', 'a type that is none'],
      ['\nleft over\n', 'part of none'],
    ] as const) {
      await expect(memory.write(file, text + added)).rejects.toMatchObject({
        code: 'INVALID_RECORD',
        message: expect.stringContaining(why),
      });
    }
    // A form that is clear is taken, and what stands before the log is the project's own.
    const added = '## EVT-3 - 2026-02-16 - ada - Fix\nSummary: by hand\n';
    await memory.write(file, text.replace('# Changelog', '# What we did') + added);
    expect(await told(memory)).toEqual(['evt-001 one', 'evt-002 two', 'evt-003 by hand']);
    expect((await memory.project.change(decide('four', { refs: ['evt-003'] }))).id).toBe('evt-004');
    expect(await memory.read(file)).toContain(`\n${added}\n### evt-004`);
    // What it lacks is named, and nothing else is wrong with it.
    const { checks } = await memory.ledger.check();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([
      { path: file, line: lines, id: 'evt-003', why: 'the event has no scope' },
    ]);
    expect((await memory.project.changes()).bent.length).toBeGreaterThan(2);
  });

  it('goes on behind an event that broke off, and gives no number twice', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.project.change(decide('one'));
    await memory.close();
    const broken = `${fs.readFileSync(path.join(directory, file), 'utf8')}\n### evt-002 | 2026-02-1`;
    fs.writeFileSync(path.join(directory, file), broken);
    if (!hasGit) return;
    git(directory, 'commit', '-qam', 'torn', '--no-verify');
    const { memory: again } = await newTestMemory({ dir: directory });
    expect((await again.project.change(decide('three'))).id).toBe('evt-003');
    expect((await again.read(file)).startsWith(`${broken}\n\n### evt-003`)).toBe(true);
    const { ok, checks } = await again.ledger.check();
    expect(ok).toBe(false);
    const problems = checks.flatMap((check) => check.problems);
    expect(problems.map(({ line, why }) => [line, why.slice(0, 20)])).toEqual([
      [expect.any(Number), 'the heading of an ev'],
      [undefined, 'evt-002 is missing'],
    ]);
  });
});

describe('a project that has a changelog of another kind', () => {
  const other = '# Changelog\n\n## 1.2.0\n\n- Added: events\n';

  it('keeps it, and its events stand aside', async () => {
    const { memory } = await newTestMemory();
    await memory.write(file, other);
    await memory.commit();
    expect(await memory.project.change(decide('one'))).toMatchObject({ id: 'evt-001', path: '.memory/changelog.md' });
    expect((await memory.project.change(decide('two'))).id).toBe('evt-002');
    await memory.edit(file, '1.2.0', '1.3.0');
    await memory.commit();
    expect(await memory.read(file)).toBe(other.replace('1.2.0', '1.3.0'));
    expect(await told(memory)).toEqual(['evt-001 one', 'evt-002 two']);
  });

  it.skipIf(!hasGit)('keeps it also where it is not committed yet, and nothing is committed unasked', async () => {
    const dir = temporaryFolder();
    git(dir, 'init', '-qb', 'main');
    fs.writeFileSync(path.join(dir, file), other);
    const { memory } = await newTestMemory({ dir, placement: 'project' });
    const tip = memory.tip;
    expect(await memory.project.change(decide('one'))).toMatchObject({ path: '.memory/changelog.md', commit: null });
    expect((await memory.project.change(decide('two', { refs: ['evt-001'] }))).id).toBe('evt-002');
    expect(memory.tip).toBe(tip);
    expect(fs.readFileSync(path.join(dir, file), 'utf8')).toBe(other);
    expect(fs.readFileSync(path.join(dir, '.memory/changelog.md'), 'utf8')).toContain('### evt-002');
    expect((await memory.commit()).commits).toHaveLength(2);
    expect(git(dir, 'status', '--porcelain').trim()).toBe(`?? ${file}`);
  });

  it('is called by its form, and so is one of events without their section', async () => {
    const { memory } = await newTestMemory();
    const releases = '# Changelog\n\n## [Unreleased]\n\n## [1.1.0] - 2026-01-03\n\n### Added\n\n- Maps\n\n## 1.0.0\n';
    await memory.write(file, releases);
    const missing = 'the section "## Event Log" is missing';
    const form = `${missing}: this file has the form of Keep a Changelog, with 2 releases, and events of the project stand in .memory/changelog.md`;
    const formOf = async () => (await memory.project.changes()).bent.map(({ path, line, why }) => [path, line, why]);
    expect(await formOf()).toEqual([[file, 1, form]]);
    await memory.project.change(decide('beside'));
    expect(await formOf()).toEqual([[file, 1, form]]);
    // It is right as it is: the events have a file of their own.
    expect((await memory.ledger.check()).ok).toBe(true);
    const { memory: other } = await newTestMemory();
    await other.write(
      file,
      '# Log\n\n### evt-001 | 2026-02-16 08:00 | ada | fix\n\n**Summary**: by hand\n\n**Refs**: none\n',
    );
    const problems = (await other.ledger.check()).checks.flatMap((check) => check.problems);
    expect(problems.map(({ line, why }) => [line, why])).toEqual([
      [1, `${missing}; events are read from the first one on`],
      [3, 'the event has no scope'],
    ]);
    expect((await other.project.changes()).bent.map(({ why }) => why)).toEqual(problems.map(({ why }) => why));
  });

  it('that starts with a log of events made by hand goes on with it', async () => {
    const { memory, directory } = await newTestMemory();
    const own =
      '# Log of Atlas\n\n## Event Log\n\n### evt-001 | 2026-02-01 10:00 | eve | milestone\n**Scope**: all\n**Summary**: Begun\n';
    fs.writeFileSync(path.join(directory, file), own);
    expect(await memory.project.change(decide('next'))).toMatchObject({ id: 'evt-002', path: file });
    expect((await memory.read(file)).startsWith(own)).toBe(true);
    expect(await told(memory)).toEqual(['evt-001 Begun', 'evt-002 next']);
  });
});

it.skipIf(!hasGit)(
  'a commit by hand is refused by the hook where it changes an event, inside a project too',
  async () => {
    for (const placement of ['repository', 'project'] as const) {
      const dir = temporaryFolder();
      git(dir, 'init', '-qb', 'main');
      const { memory } = await newTestMemory({ dir, placement });
      await memory.project.change(decide('one'));
      await memory.commit();
      const text = fs.readFileSync(path.join(dir, file), 'utf8');
      fs.writeFileSync(path.join(dir, file), text.replace(': one\n', ': other\n'));
      git(dir, 'add', file);
      expect((await memory.git.checkStaged()).violations).toMatchObject([
        { path: file, why: expect.stringContaining('only grows') },
      ]);
      await memory.close();
      tryGit(dir, ['checkout', '-q', 'HEAD', '--', file]);
    }
  },
);

describe('changelogs of two agents', () => {
  it('keep every event, ours under the ids that were answered, and whoever refers to theirs follows', async () => {
    const { memory, clock, directory } = await newTestMemory();
    await memory.project.change(decide('shared'));
    const side = await memory.branches.open('side', { create: true });
    clock.advance({ minutes: 1 });
    await memory.project.change(decide('ours early'));
    clock.advance({ minutes: 1 });
    const theirs = await side.project.change(decide('theirs', { agent: 'bob' }));
    await side.project.change(decide('theirs again', { agent: 'bob', supersedes: theirs.id }));
    await side.write('TODO.md', `# Tasks\n\n- [x] Do it (${theirs.id})\n`);
    clock.advance({ minutes: 1 });
    await memory.project.change(decide('ours late, see evt-002', { refs: ['evt-002', 'evt-001'] }));
    await side.close();
    const { conflicts, commit } = await memory.merge('side');
    expect(conflicts).toEqual([]);
    expect(await told(memory, { superseded: true })).toEqual([
      'evt-001 shared',
      'evt-002 ours early',
      'evt-003 ours late, see evt-002 evt-002 evt-001',
      'evt-004 theirs',
      'evt-005 theirs again evt-004',
    ]);
    expect(await memory.read(file)).toContain('- supersedes: evt-004');
    expect(await memory.read('TODO.md')).toContain('Do it (evt-004)');
    expect(await memory.ledger.check()).toMatchObject({ ok: true, changes: 5 });
    expect((await memory.project.changes()).bent).toEqual([]);
    if (hasGit)
      expect(git(directory, 'show', '-s', '--format=%B', commit!)).toContain('evt-002 of side is evt-004 now');
    expect((await memory.project.change(decide('after'))).id).toBe('evt-006');
  });

  it('within one minute keep cause and effect in order', async () => {
    const { memory } = await newTestMemory();
    const side = await memory.branches.open('side', { create: true });
    await memory.project.change(decide('a cause', { agent: 'zoe' }));
    await memory.project.change(decide('its effect', { agent: 'ada', refs: ['evt-001'] }));
    await side.project.change(decide('another cause', { agent: 'yan' }));
    await side.project.change(decide('another effect', { agent: 'bob', refs: ['evt-001'] }));
    await memory.merge('side');
    expect(await told(memory)).toEqual([
      'evt-001 a cause',
      'evt-002 its effect evt-001',
      'evt-003 another cause',
      'evt-004 another effect evt-003',
    ]);
    expect(await memory.ledger.check()).toMatchObject({ ok: true });
    await side.close();
  });
});

describe('a changelog that has grown long', () => {
  async function longMemory(count: number) {
    const made = await newTestMemory();
    const { memory, clock } = made;
    await memory.project.change({
      type: 'create',
      scope: 'old',
      summary: 'Something that is over',
      details: { entity: 'old' },
    });
    await memory.project.change({ type: 'delete', scope: 'old', summary: 'It is over', details: { entity: 'old' } });
    for (let number = 3; number <= count; number++) {
      clock.advance({ minutes: 1 });
      const more = number === 10 ? { type: 'milestone' as const, details: { name: 'Beta -->' } } : {};
      // What nobody may refer to any more: an escalation brings no node.
      await memory.project.change({
        type: 'escalation',
        scope: 'all',
        summary: `number ${number}`,
        details: { reason: 'x' },
        ...more,
      });
    }
    return made;
  }
  const archive = { tasks: ['changelog-archive'] };

  it('is archived down to the last 20, word for word, in one commit that a dry run shows and undo takes back', async () => {
    const { memory, directory } = await longMemory(51);
    const before = await memory.read(file);
    const { tip } = memory;
    const shown = await memory.maintenance.run({ ...archive, dryRun: true });
    expect(shown.runs[0]!.result?.items).toMatchObject([
      { action: 'archive', why: 'Archived 31 events, evt-001 through evt-031' },
    ]);
    expect(memory.tip).toBe(tip);
    await memory.maintenance.run(archive);
    const archival = memory.tip!;
    const [preamble, events] = before.split('## Event Log\n') as [string, string];
    const cut = events.indexOf('\n### evt-032');
    const present = await memory.read(file);
    expect(
      present.startsWith(
        `${preamble}## Event Log\n\n<!-- Archived: all before and evt-031, in CHANGELOG-archive.md -->\n`,
      ),
    ).toBe(true);
    expect(present).toContain(events.slice(cut));
    expect(present).toMatch(/### evt-052 \| .* \| git-memory \| archive\n/);
    const archived = await memory.read('CHANGELOG-archive.md');
    expect(archived).toContain(
      '\n---\n## Archive: evt-001 through evt-031 | Archived 2026-02-16\n<!-- Archived at milestone: Beta -->\n---\n',
    );
    expect(archived.endsWith(events.slice(0, cut))).toBe(true);
    expect(await memory.ledger.check()).toMatchObject({ ok: true, changes: 21, archivedChanges: 31 });
    expect(await told(memory, { archived: true })).toHaveLength(52);
    expect((await memory.project.change(decide('refers', { refs: ['evt-002'] }))).id).toBe('evt-053');
    expect((await memory.maintenance.run(archive)).runs[0]!.result?.items).toEqual([]);
    await memory.undo('HEAD');
    await memory.undo(archival);
    expect(await memory.read(file)).toBe(before);
    await expect(memory.read('CHANGELOG-archive.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    if (hasGit) expect(fsck(directory)).toBe('');
  });

  it('brings its events back also when others came since; the event that told of it is taken back by another', async () => {
    const { memory } = await longMemory(52);
    await memory.maintenance.run(archive);
    const commit = memory.tip!;
    await memory.project.change(decide('since then', { refs: ['evt-053'] }));
    await memory.undo(commit);
    expect(await memory.ledger.check()).toMatchObject({ ok: true, changes: 55, archivedChanges: 0 });
    const { events } = await memory.project.changes({ superseded: true });
    expect(events.map(({ number }) => number)).toEqual(Array.from({ length: 55 }, (_, at) => at + 1));
    expect(events.at(-1)).toMatchObject({ type: 'archive', refs: ['evt-053'], tags: ['retracted'] });
  });

  it('keeps what blocks and what is to be done, and no more than half of what is too long, and the graph is the same', async () => {
    const { memory } = await newTestMemory();
    const add = async (from: number, to: number) => {
      for (let number = from; number <= to; number++) {
        const name = `thing ${number}`;
        const about = { scope: name, summary: `about ${name}` };
        const details = { entity: name, type: 'task', status: number % 9 === 0 ? 'completed' : 'active' };
        if (number % 13 === 7) {
          const ends = { blocked_entity: `thing ${number - 4}`, blocking_entity: `licence ${number}` };
          await memory.project.change({ ...about, type: 'blocker', details: ends });
        } else if (number % 3 === 0) await memory.project.change({ ...about, type: 'create', details });
        else if (number % 3 === 1) await memory.project.change({ ...about, type: 'create', details: { entity: name } });
        else await memory.project.change(decide('so it is', { ...about, details: { entity: name, rationale: 'x' } }));
      }
    };
    await add(1, 60);
    const graph = (await memory.project.graph()).nodes;
    await memory.maintenance.run(archive);
    const staying = (await memory.project.changes()).events.map(({ number }) => number);
    // Three things block, and of the tasks the newest stay.
    expect(staying).toHaveLength(26);
    expect(staying.slice(-21)).toEqual(Array.from({ length: 21 }, (_, at) => 41 + at));
    expect(staying).toEqual(expect.arrayContaining([7, 20, 33]));
    expect(await memory.ledger.check()).toMatchObject({ ok: true, changes: 26, archivedChanges: 35 });
    expect((await memory.project.graph()).nodes).toEqual(graph);
    expect((await memory.project.graph()).problems).toEqual([]);
    expect(await memory.read(file)).toMatch(
      /<!-- Archived: all before and evt-040, .*, but for evt-007, evt-020, evt-030, evt-033, evt-039 -->/,
    );
    const [first, before] = [memory.tip!, await memory.read(file)];
    // What was held leaves when it is over, behind later ones.
    const over = {
      scope: 'x',
      summary: 'x',
      details: { entity: 'thing 7', resolves: 'licence 7' },
      type: 'fix',
    } as const;
    await memory.project.change(over);
    await add(63, 90);
    const later = (await memory.project.graph()).nodes;
    await memory.maintenance.run(archive);
    expect((await memory.project.changes()).events.map(({ number }) => number)).not.toContain(7);
    expect((await memory.ledger.check()).checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect((await memory.project.graph()).nodes).toEqual(later);
    await memory.undo('HEAD');
    expect(await memory.read(file)).toContain(before.slice(before.indexOf('### evt-041')));
    await memory.undo(first);
    const all = (await memory.project.changes({ superseded: true })).events.map(({ number }) => number);
    expect(all).toEqual([...all].sort((a, b) => a - b));
    expect((await memory.ledger.check()).checks.flatMap(({ problems }) => problems)).toEqual([]);
  });

  it('is merged with one to which others appended, or that was archived, too', async () => {
    const { memory, clock } = await longMemory(51);
    const side = await memory.branches.open('side', { create: true });
    const third = await memory.branches.open('third', { create: true });
    await memory.maintenance.run(archive);
    clock.advance({ minutes: 5 });
    await side.project.change(decide('meanwhile', { refs: ['evt-003'] }));
    await third.maintenance.run(archive);
    await memory.merge('side');
    await memory.merge('third');
    const { ok, changes, archivedChanges, checks } = await memory.ledger.check();
    expect(checks.flatMap(({ problems }) => problems)).toEqual([]);
    expect([ok, changes, archivedChanges]).toEqual([true, 22, 31]);
    expect((await memory.read('CHANGELOG-archive.md')).match(/^## Archive/gm)).toHaveLength(1);
    await side.close();
    await third.close();
  });
});

it('an event that is taken back goes if it is the last and nobody refers to it, and else is superseded by another', async () => {
  const { memory } = await newTestMemory();
  await memory.project.change(decide('one'));
  const text = await memory.read(file);
  await memory.project.change(decide('two'));
  await memory.undo('HEAD');
  expect(await memory.read(file)).toBe(text);
  const { commit } = await memory.project.change(decide('two again'));
  const correcting = await memory.project.change(decide('better', { supersedes: 'evt-002' }));
  await memory.project.change(decide('four'));
  await memory.undo(commit!);
  expect(await told(memory, { superseded: true })).toEqual([
    'evt-001 one',
    'evt-002 two again',
    'evt-003 better evt-002',
    'evt-004 four',
    'evt-005 Taken back: two again evt-002',
  ]);
  expect(await told(memory)).toEqual(['evt-001 one', 'evt-003 better evt-002', 'evt-004 four']);
  // What it had replaced is said again.
  await memory.undo(correcting.commit!);
  expect((await memory.project.changes()).events.at(-1)).toMatchObject({ id: 'evt-006', summary: 'two again' });
  expect(await memory.ledger.check()).toMatchObject({ ok: true });
});

it.skipIf(!hasGit)('a doctor names the commit by which somebody changed an event past the rules', async () => {
  const { memory, directory } = await newTestMemory();
  await memory.project.change(decide('one'));
  await memory.project.change(decide('two'));
  await memory.close();
  const target = path.join(directory, file);
  fs.writeFileSync(target, fs.readFileSync(target, 'utf8').replace(': one\n', ': other\n'));
  git(directory, 'commit', '-qam', 'quietly', '--no-verify');
  const { findings } = await doctor({ dir: directory });
  expect(findings.filter(({ code }) => code === 'EVENT_CHANGED')).toMatchObject([
    { where: file, what: expect.stringMatching(/^evt-001 was changed or taken away by [0-9a-f]{10} of Person, 20/) },
  ]);
});
