// Events: appended one by one, never changed, found again at any time, reconciled when branches meet.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

const segment = 'ledger/2026/02/2026-02-16.jsonl';
const idsIn = (text: string) => [...text.matchAll(/"id":"(EVT-\d{8}-\d+)"/g)].map(([, id]) => id);

describe('an event', () => {
  it('is one line of its day and one commit, with every field of the ledger', async () => {
    const { memory, directory } = await newTestMemory({ configuration: { timezone: 'America/New_York' } });
    const first = await memory.ledger.add({
      type: 'commitment',
      priority: 'P0',
      content: 'Follow up Client X by Feb 1',
      entity: 'Client X',
      tags: ['sales', 'deadline'],
      source: 'raw/daily/2026-02-16.md',
      session: 'main',
      due: '2026-03-01',
    });
    expect(first).toMatchObject({ id: 'EVT-20260216-001', path: segment, commit: memory.tip });
    const closing = await memory.ledger.add({ content: 'Sent the letter', closes: first.id });
    expect(await memory.read(segment)).toBe(
      '{"ts":"2026-02-16T04:00:00-05:00","id":"EVT-20260216-001","type":"commitment","priority":"P0","content":"Follow up Client X by Feb 1",' +
        '"entity":"client_x","tags":["sales","deadline"],"source":"raw/daily/2026-02-16.md","session":"main","status":"open","due":"2026-03-01"}\n' +
        '{"ts":"2026-02-16T04:00:00-05:00","id":"EVT-20260216-002","type":"commitment","priority":"P0","content":"Sent the letter",' +
        '"entity":"client_x","source":"live","related":["EVT-20260216-001"],"status":"closed"}\n',
    );
    expect(closing.event.status).toBe('closed');
    const [commit] = (await memory.log({ limit: 1 })).commits;
    expect(commit).toMatchObject({ subject: 'event: EVT-20260216-002 commitment "Sent the letter"', paths: [segment] });
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it('belongs to the day of its time, which is where its id counts', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.ledger.add({ content: 'today' });
    expect((await memory.ledger.add({ content: 'long ago', time: '2025-12-31T23:59:59Z' })).id).toBe(
      'EVT-20251231-001',
    );
    clock.advance({ days: 1 });
    expect((await memory.ledger.add({ content: 'the day after' })).id).toBe('EVT-20260217-001');
    expect((await memory.ledger.add({ content: 'late for yesterday', time: '2026-02-16T20:00:00Z' })).id).toBe(
      'EVT-20260216-002',
    );
  });

  it('sorts as a number behind the 999th', async () => {
    const { memory, clock } = await newTestMemory();
    const lines = Array.from({ length: 999 }, (_, at) =>
      JSON.stringify({
        ts: '2026-02-16T08:00:00Z',
        id: `EVT-20260216-${String(at + 1).padStart(3, '0')}`,
        type: 'fact',
        priority: 'P2',
        content: `number ${at}`,
        source: 'live',
      }),
    );
    await memory.write(segment, `${lines.join('\n')}\n`);
    await memory.commit();
    expect((await memory.ledger.add({ content: 'the thousandth' })).id).toBe('EVT-20260216-1000');
    expect((await memory.ledger.add({ content: 'and one' })).id).toBe('EVT-20260216-1001');
    expect(clock.now()).toBe(Date.parse('2026-02-16T09:00:00Z'));
  });

  it.each([
    [{ content: ' ' }, 'INVALID_ARGUMENT', 'content'],
    [{ content: 'x', type: 'insight' }, 'INVALID_ARGUMENT', 'type'],
    [{ content: 'x', priority: 'P9' }, 'INVALID_ARGUMENT', 'priority'],
    [{ content: 'x', colour: 'red' }, 'INVALID_ARGUMENT', 'colour'],
    [{ content: 'x', due: 'soon' }, 'INVALID_DATE', 'soon'],
    [{ content: 'x', status: 'open' }, 'INVALID_ARGUMENT', 'neither open nor closed'],
    [{ content: 'x', related: ['EVT-20260101-001'] }, 'NOT_FOUND', 'EVT-20260101-001'],
    [{ content: 'x', supersedes: 'EVT-20260101-001' }, 'NOT_FOUND', 'EVT-20260101-001'],
    [{ content: 'x', closes: 'EVT-20260216-001' }, 'INVALID_ARGUMENT', 'not an open commitment'],
    [{ content: 'x', time: 'noon' }, 'INVALID_DATE', 'noon'],
    [null, 'INVALID_ARGUMENT', 'null'],
  ])('that says %o is answered with %s and writes nothing', async (input, code, what) => {
    const { memory } = await newTestMemory();
    await memory.ledger.add({ content: 'a fact' });
    const { tip } = memory;
    await expect(memory.ledger.add(input as never)).rejects.toMatchObject({
      code,
      message: expect.stringContaining(what),
    });
    expect(memory.tip).toBe(tip);
    expect((await memory.status()).pending).toEqual([]);
  });

  it('cannot be changed or taken away by writes and edits', async () => {
    const { memory } = await newTestMemory();
    await memory.ledger.add({ content: 'one' });
    await memory.ledger.add({ content: 'two' });
    await expect(memory.edit(segment, 'one', 'three')).rejects.toMatchObject({ code: 'IMMUTABLE' });
    await expect(memory.remove(segment)).rejects.toMatchObject({ code: 'IMMUTABLE' });
    const text = await memory.read(segment);
    await expect(memory.write(segment, `${text}{"id":"EVT-20260216-003"}\n`)).rejects.toMatchObject({
      code: 'INVALID_RECORD',
      message: expect.stringContaining(`${segment}:3`),
    });
    expect(await memory.read(segment)).toBe(text);
  });

  it('goes on behind a line that broke off, which stays as it is', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.ledger.add({ content: 'one' });
    await memory.close();
    const file = path.join(directory, segment);
    const broken = `${fs.readFileSync(file, 'utf8')}{"ts":"2026-02-16T0`;
    fs.writeFileSync(file, broken);
    if (!hasGit) return;
    git(directory, 'commit', '-qam', 'torn', '--no-verify');
    const { memory: again } = await newTestMemory({ dir: directory });
    expect((await again.ledger.add({ content: 'two' })).id).toBe('EVT-20260216-002');
    const text = await again.read(segment);
    expect(text.startsWith(`${broken}\n`)).toBe(true);
    expect(idsIn(text)).toEqual(['EVT-20260216-001', 'EVT-20260216-002']);
  });

  it.skipIf(!hasGit)('waits in the journal inside a project, under an id that nobody takes', async () => {
    const dir = temporaryFolder();
    git(dir, 'init', '-qb', 'main');
    const { memory } = await newTestMemory({ dir, placement: 'project' });
    expect(await memory.ledger.add({ content: 'one' })).toMatchObject({ id: 'EVT-20260216-001', commit: null });
    expect((await memory.ledger.add({ content: 'two', related: ['EVT-20260216-001'] })).id).toBe('EVT-20260216-002');
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(2);
    expect(idsIn(await memory.read(segment))).toEqual(['EVT-20260216-001', 'EVT-20260216-002']);
  });
});

describe('events of two branches', () => {
  it('keep all that was said, ours under the ids that were answered, and take along whoever cites theirs', async () => {
    const { memory, clock, directory } = await newTestMemory();
    await memory.ledger.add({ content: 'shared' });
    const side = await memory.branches.open('side', { create: true });
    clock.advance({ minutes: 1 });
    await memory.ledger.add({ content: 'ours early' });
    clock.advance({ minutes: 1 });
    const theirs = await side.ledger.add({ content: 'theirs' });
    await side.write('knowledge/projects/atlas.md', `# Atlas\n\n- see ${theirs.id} and EVT-20260216-001\n`);
    await side.remember({ id: 'cites', content: `As ${theirs.id} says.` });
    await side.capture({ session: 'said', messages: [{ role: 'user', text: `About ${theirs.id}.` }] });
    clock.advance({ minutes: 1 });
    const late = await memory.ledger.add({ content: 'ours late', supersedes: 'EVT-20260216-002' });
    await memory.write('knowledge/projects/own.md', `# Own\n\n- ${late.id}, not EVT-20260216-009\n`);
    await side.close();

    const { commit, conflicts } = await memory.merge('side');
    expect(conflicts).toEqual([]);
    const events = (await memory.read(segment))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events.map(({ id, content, supersedes }) => [id.slice(-3), content, supersedes])).toEqual([
      ['001', 'shared', undefined],
      ['002', 'ours early', undefined],
      ['003', 'ours late', 'EVT-20260216-002'],
      ['004', 'theirs', undefined],
    ]);
    expect(await memory.read('knowledge/projects/atlas.md')).toContain('see EVT-20260216-004 and EVT-20260216-001');
    expect((await memory.get('cites')).content).toBe('As EVT-20260216-004 says.');
    expect(await memory.read('knowledge/projects/own.md')).toContain('- EVT-20260216-003, not EVT-20260216-009');
    // What was said stays what was said.
    const [said] = (await memory.files('raw/conversations')).filter((file) => file.includes('said'));
    expect(await memory.read(said!)).toContain('About EVT-20260216-002.');
    if (hasGit) {
      const message = git(directory, 'show', '-s', '--format=%B', commit!);
      expect(message).toContain('EVT-20260216-002 of side is EVT-20260216-004 now');
      expect(git(directory, 'status', '--porcelain')).toBe('');
    }
    expect((await memory.ledger.add({ content: 'after' })).id).toBe('EVT-20260216-005');
  });

  it('are each there once, under ids in a row, in a merge of merges', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.ledger.add({ content: 'shared' });
    const side = await memory.branches.open('side', { create: true });
    const third = await memory.branches.open('third', { create: true });
    for (const [at, branch] of [memory, side, third, side, memory].entries()) {
      clock.advance({ minutes: 1 });
      await branch.ledger.add({ content: `number ${at}` });
    }
    const [main, other, last] = ['main', 'side', 'third'];
    const mainTip = memory.tip!;
    await memory.merge(other!);
    await side.merge(mainTip);
    // Each has kept its own ids, until they come together.
    expect(await side.read(segment)).not.toBe(await memory.read(segment));
    await memory.merge(other!);
    await side.merge(main!);
    expect(await side.read(segment)).toBe(await memory.read(segment));
    await third.merge(other!);
    await memory.merge(last!);
    const contents = (await memory.read(segment))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).content);
    expect(contents.sort()).toEqual(['number 0', 'number 1', 'number 2', 'number 3', 'number 4', 'shared']);
    expect(idsIn(await memory.read(segment))).toEqual([1, 2, 3, 4, 5, 6].map((n) => `EVT-20260216-00${n}`));
    await side.close();
    await third.close();
  });
});
