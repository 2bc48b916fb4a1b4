// What people append by hand to logs and notes, beside what the engine appends: two appends are never a conflict.

import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ChangelogEvent } from '../../src/base/types/changelog-types.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { formatChangelogEvent } from '../../src/store/records/changelog.ts';
import { formatEvent } from '../../src/store/records/ledger-event.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { commitAll, fsck, git, hasGit } from '../helpers/native-git.ts';
import { buildProgram } from '../helpers/program.ts';
import { temporaryFolder, writeDeep } from '../helpers/temporary.ts';

const log = 'CHANGELOG.md';
const segment = 'ledger/2026/02/2026-02-16.jsonl';
const note = 'raw/daily/2026-02-16.md';

const change = (summary: string, more: { refs?: string[] } = {}) =>
  ({ type: 'fix', agent: 'ada', scope: 'x', summary, details: { entity: 'x' }, ...more }) as const;

/** An event as a person types it. */
function typed(number: number, summary: string, refs: string[] = [], time = '2026-02-16 09:00'): string {
  const id = `evt-${String(number).padStart(3, '0')}`;
  const event: Omit<ChangelogEvent, 'line'> = {
    ...{ id, number, time, agent: 'eve', type: 'fix', scope: 'x', summary, refs },
    ...{ details: [{ key: 'entity', value: 'x' }], tags: [] },
  };
  return formatChangelogEvent(event);
}

const line = (number: number, content: string, related: string[] = []) =>
  formatEvent({
    ts: '2026-02-16T09:00:00Z',
    id: `EVT-20260216-${String(number).padStart(3, '0')}`,
    ...{ type: 'fact', priority: 'P2', content, source: 'live', related },
  });

const told = async (memory: Memory) =>
  (await memory.project.changes()).events.map(({ id, summary }) => `${id} ${summary}`);
const said = async (memory: Memory) => (await memory.ledger.list()).events.map(({ id, content }) => `${id} ${content}`);
const committed = (directory: string, file = log) => git(directory, 'show', `HEAD:${file}`);

async function inProject() {
  const directory = temporaryFolder();
  git(directory, 'init', '-qb', 'main');
  git(directory, 'config', 'user.name', 'Person');
  git(directory, 'config', 'user.email', 'person@example.org');
  const made = await newTestMemory({ dir: directory, placement: 'project' });
  await made.memory.project.deploy(5);
  await made.memory.project.change(change('first'));
  await made.memory.ledger.add({ content: 'first' });
  await made.memory.commit();
  const again = async () => {
    await made.memory.close();
    return (await newTestMemory({ dir: directory, placement: 'project', create: false })).memory;
  };
  return { ...made, again, file: (name: string) => path.join(directory, name) };
}

describe.runIf(hasGit)('an entry that a person appends', () => {
  it('stays in the file when the engine appends, and the next id is free of it', async () => {
    const { memory, file } = await inProject();
    fs.appendFileSync(file(log), typed(2, 'by hand'));
    fs.appendFileSync(file(segment), line(2, 'by hand'));
    expect((await memory.project.change(change('by the engine'))).id).toBe('evt-003');
    expect((await memory.ledger.add({ content: 'by the engine' })).id).toBe('EVT-20260216-003');
    expect(fs.readFileSync(file(log), 'utf8')).toMatch(/evt-002 .*eve[\s\S]*evt-003 .*ada/);
    expect(fs.readFileSync(file(segment), 'utf8')).toContain(line(2, 'by hand'));
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 by hand', 'evt-003 by the engine']);
  });

  it('moves where its id is taken by one that was answered, with what names it beside', async () => {
    const { memory, file, directory } = await inProject();
    expect((await memory.project.change(change('answered'))).id).toBe('evt-002');
    // Typed without a look at what had come, in one go: an event, one that goes back to it, and a task that names it.
    fs.appendFileSync(file(log), typed(2, 'typed') + typed(3, 'typed after', ['evt-002']));
    fs.appendFileSync(file('TODO.md'), '\n- [ ] Look into evt-002\n');
    expect((await memory.project.change(change('answered again', { refs: ['evt-002'] }))).id).toBe('evt-005');
    await memory.commit();
    const { events } = await memory.project.changes();
    expect(events.map(({ id, summary, refs }) => [id, summary, refs])).toEqual([
      ['evt-001', 'first', []],
      ['evt-002', 'answered', []],
      ['evt-003', 'typed', []],
      ['evt-004', 'typed after', ['evt-003']],
      ['evt-005', 'answered again', ['evt-002']],
    ]);
    expect(committed(directory, 'TODO.md')).toContain('Look into evt-003');
    expect(fs.readFileSync(file(log), 'utf8')).toBe(committed(directory));
    expect(fs.readFileSync(file('TODO.md'), 'utf8')).toBe(committed(directory, 'TODO.md'));
    expect((await memory.status()).edited).toEqual([]);
  });

  it('in an editor that still shows what is committed takes nothing back', async () => {
    const { memory, file, directory } = await inProject();
    const [shown, lines] = [fs.readFileSync(file(log), 'utf8'), fs.readFileSync(file(segment), 'utf8')];
    await memory.project.change(change('answered'));
    await memory.ledger.add({ content: 'answered' });
    fs.writeFileSync(file(log), shown + typed(2, 'typed'));
    fs.writeFileSync(file(segment), lines + line(2, 'typed'));
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 answered', 'evt-003 typed']);
    expect((await memory.commit()).skipped).toEqual([]);
    expect(await said(memory)).toEqual([
      'EVT-20260216-001 first',
      'EVT-20260216-002 answered',
      'EVT-20260216-003 typed',
    ]);
    expect(fs.readFileSync(file(log), 'utf8')).toBe(committed(directory));
    expect(fs.readFileSync(file(segment), 'utf8')).toBe(committed(directory, segment));
  });

  it('stays beside what an agent writes as a whole file', async () => {
    const { memory, file } = await inProject();
    const known = await memory.read(log);
    fs.appendFileSync(file(log), typed(2, 'by hand'));
    await memory.write(log, known + typed(2, 'by an agent'));
    await memory.commit();
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 by hand', 'evt-003 by an agent']);
  });

  it('holds up nothing where it breaks a rule: it stays as it is, and is named', async () => {
    const { memory, file, directory } = await inProject();
    fs.appendFileSync(file(log), '\n### evt-002 | 2026-02-16 25:99 | eve | fix\n\n**Scope**: x\n');
    expect((await memory.project.change(change('by the engine'))).id).toBe('evt-002');
    expect(fs.readFileSync(file(log), 'utf8')).toContain('25:99');
    expect((await memory.status()).edited).toMatchObject([{ path: log, why: expect.stringContaining('25:99') }]);
    expect((await memory.commit()).skipped).toMatchObject([{ path: log }]);
    expect(fs.readFileSync(file(log), 'utf8')).toContain('25:99');
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 by the engine']);
    // Put right it comes behind what was committed meanwhile.
    fs.writeFileSync(file(log), fs.readFileSync(file(log), 'utf8').replace('25:99', '09:30'));
    expect((await memory.commit()).skipped).toEqual([]);
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 by the engine', 'evt-003 ']);
    expect(fs.readFileSync(file(log), 'utf8')).toBe(committed(directory));
    // An entry that is changed where it stands is none that was added.
    const changed = committed(directory).replace('by the engine', 'by nobody');
    fs.writeFileSync(file(log), changed);
    expect((await memory.commit()).skipped).toMatchObject([{ path: log }]);
    expect(fs.readFileSync(file(log), 'utf8')).toBe(changed);
  });

  it('in a repository of its own comes before the commit of the engine, and waits with it while the index is busy', async () => {
    const { memory, directory } = await newTestMemory();
    const file = path.join(directory, segment);
    await memory.ledger.add({ content: 'first' });
    fs.writeFileSync(path.join(directory, '.git/index.lock'), '');
    expect((await memory.ledger.add({ content: 'answered' })).commit).toBeNull();
    fs.rmSync(path.join(directory, '.git/index.lock'));
    await memory.recall('answered');
    fs.writeFileSync(file, line(1, 'first') + line(2, 'typed'));
    const { id, commit } = await memory.ledger.add({ content: 'last' });
    expect([id, commit]).toEqual(['EVT-20260216-004', memory.tip]);
    expect(await said(memory)).toEqual([
      'EVT-20260216-001 first',
      'EVT-20260216-002 answered',
      'EVT-20260216-003 typed',
      'EVT-20260216-004 last',
    ]);
    expect(fs.readFileSync(file, 'utf8')).toBe(committed(directory, segment));
  });
});

describe.runIf(hasGit)('a commit by hand while entries wait', () => {
  it('takes out of the journal what it holds; the rest waits upon it, and no answer is older than it', async () => {
    const { memory, file, directory } = await inProject();
    await memory.project.change(change('one'));
    git(directory, 'add', log);
    await memory.project.change(change('two'));
    await memory.write('knowledge/page.md', '# Page\n');
    const waiting = async () => (await memory.status()).pending.filter((one) => one.path === log).length;
    expect(await waiting()).toBe(2);
    git(directory, 'commit', '-qm', 'the first of them');
    // Reading tells it, and writes nothing.
    const journals = () =>
      fs.readdirSync(path.join(directory, '.git/git-memory/journal')).map((name) => {
        return fs.readFileSync(path.join(directory, '.git/git-memory/journal', name), 'latin1');
      });
    const before = journals();
    expect(await waiting()).toBe(1);
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 one', 'evt-003 two']);
    expect(journals()).toEqual(before);
    fs.appendFileSync(file(log), typed(4, 'by hand'));
    commitAll(directory, 'the rest, and more');
    expect((await memory.status()).pending).toEqual([]);
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 one', 'evt-003 two', 'evt-004 by hand']);
    const tip = git(directory, 'rev-parse', 'HEAD').trim();
    await memory.commit();
    expect(committed(directory)).toBe(fs.readFileSync(file(log), 'utf8'));
    // What is derived may be made anew; the log is as the person committed it.
    expect(git(directory, 'diff', '--name-only', tip, 'HEAD', '--', log)).toBe('');
    expect((await memory.project.change(change('three'))).id).toBe('evt-005');
  });

  it('that took an id keeps it, and what was answered under it goes on under the next, with what names it', async () => {
    const { memory, file, directory } = await inProject();
    const shown = fs.readFileSync(file(log), 'utf8');
    await memory.project.change(change('answered'));
    await memory.project.change(change('answered after', { refs: ['evt-002'] }));
    await memory.write('TODO.md', `${await memory.read('TODO.md')}\n- [ ] Look into evt-003\n`);
    fs.writeFileSync(file(log), shown + typed(2, 'committed by hand', [], '2026-02-16 11:00'));
    git(directory, 'commit', '-qm', 'by hand', '--', log);
    const entries = [
      ['evt-001', 'first', []],
      ['evt-002', 'committed by hand', []],
      ['evt-003', 'answered', []],
      ['evt-004', 'answered after', ['evt-003']],
    ];
    const read = async () =>
      (await memory.project.changes()).events.map(({ id, summary, refs }) => [id, summary, refs]);
    expect(await read()).toEqual(entries);
    expect((await memory.project.change(change('last', { refs: ['evt-002'] }))).id).toBe('evt-005');
    expect((await memory.commit()).skipped).toEqual([]);
    expect(await read()).toEqual([...entries, ['evt-005', 'last', ['evt-002']]]);
    expect(committed(directory, 'TODO.md')).toContain('Look into evt-004');
    expect(await memory.read('.memory/graph.md')).toContain('evt-005');
    expect(git(directory, 'log', '--format=%s')).toContain('evt-003 fix "answered"');
    expect(fs.readFileSync(file(log), 'utf8')).toBe(committed(directory));
    await memory.close();
    expect(fsck(directory)).toBe('');
  });

  it('is followed by what was acknowledged, and never taken back', async () => {
    const { memory, file, directory, again } = await inProject();
    const shown = fs.readFileSync(file(segment), 'utf8');
    await memory.ledger.add({ content: 'answered' });
    fs.writeFileSync(file(segment), shown + line(2, 'committed by hand'));
    git(directory, 'commit', '-qam', 'by hand');
    const next = await again();
    await next.commit();
    expect(await said(next)).toEqual([
      'EVT-20260216-001 first',
      'EVT-20260216-002 committed by hand',
      'EVT-20260216-003 answered',
    ]);
    expect((await next.status()).pending).toEqual([]);
  });

  it('of a page that waits leaves nothing to commit, and what is written then is upon it', async () => {
    const { memory, file, directory } = await inProject();
    await memory.write('knowledge/page.md', '# Page\n\n- one\n');
    await memory.write('knowledge/page.md', '# Page\n\n- one\n- two\n');
    commitAll(directory, 'by hand');
    const tip = git(directory, 'rev-parse', 'HEAD').trim();
    expect((await memory.status()).pending).toEqual([]);
    expect((await memory.commit()).commits).toEqual([]);
    expect(git(directory, 'rev-parse', 'HEAD').trim()).toBe(tip);
    fs.appendFileSync(file('knowledge/page.md'), '- three\n');
    git(directory, 'commit', '-qam', 'more');
    expect(await memory.read('knowledge/page.md')).toBe('# Page\n\n- one\n- two\n- three\n');
  });
});

it.runIf(hasGit)(
  "the end of an agent's work commits what it was told and what a person typed meanwhile, and answers with the events as they are",
  async () => {
    const { memory, file, directory } = await inProject();
    await memory.project.change(change('answered'));
    fs.appendFileSync(file(log), typed(2, 'typed'));
    const { events, horizon } = await memory.project.shutdown([change('the end')]);
    expect(events.map(({ id, summary }) => [id, summary])).toEqual([['evt-004', 'the end']]);
    expect(horizon).toBe('evt-004');
    expect(committed(directory)).toBe(fs.readFileSync(file(log), 'utf8'));
    expect(await told(memory)).toEqual(['evt-001 first', 'evt-002 answered', 'evt-003 typed', 'evt-004 the end']);
  },
);

describe.runIf(hasGit)('a daily note', () => {
  it.each(['repository', 'project'])(
    'keeps what was typed and what was noted, whichever came first (%s)',
    async (place) => {
      const { memory, directory } = place === 'project' ? await inProject() : await newTestMemory();
      const file = path.join(directory, note);
      await memory.note('noted first');
      fs.appendFileSync(file, '\ntyped after\n');
      await memory.note('noted after');
      await memory.commit();
      fs.appendFileSync(file, '\ntyped last\n');
      await memory.commit();
      const text = committed(directory, note);
      expect(text).toBe(fs.readFileSync(file, 'utf8'));
      expect(text).toMatch(/noted first[\s\S]*typed after[\s\S]*noted after[\s\S]*typed last/);
      await memory.close();
    },
  );

  it('that a person began is gone on with, and one that both began has one title', async () => {
    const { memory, directory } = await inProject();
    const file = path.join(directory, note);
    writeDeep(file, '# 2026-02-16\n\ntyped first\n');
    await memory.note('noted');
    await memory.commit();
    expect(committed(directory, note)).toBe('# 2026-02-16\n\ntyped first\n\n## 09:00\n\nnoted\n');
  });
});

describe.runIf(hasGit)('a process that is killed', () => {
  beforeAll(buildProgram);
  const program = fileURLToPath(new URL('../concurrency/appender.mjs', import.meta.url));

  it('between appends by hand, commits by hand and its own loses nothing of either', async () => {
    const { memory, directory, file } = await inProject();
    await memory.close();
    const all: string[] = ['first'];
    for (let round = 0; round < 4; round++) {
      const child = spawn(process.execPath, [program, directory, String(round)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const closed = new Promise((resolve) => child.once('close', resolve));
      for await (const chunk of child.stdout) {
        for (const words of String(chunk).trim().split('\n')) all.push(words);
        if (all.length < 3 * (round + 1)) continue;
        child.kill('SIGKILL');
        break;
      }
      await closed;
      const numbers = [...fs.readFileSync(file(log), 'utf8').matchAll(/^### evt-(\d+)/gm)].map(([, digits]) =>
        Number(digits),
      );
      const words = `typed ${round}`;
      // Every other time without a look at what is the last.
      fs.appendFileSync(
        file(log),
        typed(Math.max(...numbers) + (round % 2 === 0 ? 1 : 0), words, [], '2026-02-16 23:00'),
      );
      all.push(words);
      if (round % 2 === 0) git(directory, 'commit', '-qam', 'by hand');
    }
    const { memory: next } = await newTestMemory({ dir: directory, placement: 'project', create: false });
    expect((await next.commit()).skipped).toEqual([]);
    const { events } = await next.project.changes();
    for (const words of all)
      expect([words, events.filter(({ summary }) => summary === words).length]).toEqual([words, 1]);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
    expect(committed(directory)).toBe(fs.readFileSync(file(log), 'utf8'));
    await next.close();
    expect(fsck(directory)).toBe('');
  });
});
