// What the ledger is told when a memory is put aside, taken away, said otherwise or brought back, whoever does it: an event in the same
// commit, so that no dead promise stays an open loop.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

import { memoryPath } from '../../src/store/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { fsck, git, hasGit } from '../helpers/native-git.ts';
import { temporaryFolder } from '../helpers/temporary.ts';

type TestMemory = Awaited<ReturnType<typeof newTestMemory>>['memory'];

const say = async (memory: TestMemory, words: readonly string[], started = '2026-02-10T10:00:00Z') => {
  const messages = words.map((text, at) => ({
    role: 'user' as const,
    text,
    time: new Date(Date.parse(started) + at * 60_000).toISOString(),
  }));
  await memory.capture({ messages });
  const { transcripts } = await memory.extract();
  return transcripts[0]!.created;
};
const loopsOf = async (memory: TestMemory) => (await memory.ledger.loops()).loops.map(({ content }) => content);
const eventsOf = async (memory: TestMemory) => (await memory.ledger.list()).events;

const promise = 'I will write the announcement.';
const heldOf = async (memory: TestMemory) => (await eventsOf(memory)).map(({ content }) => content);
const retractionsOf = async (memory: TestMemory) =>
  (await memory.ledger.list({ superseded: true })).events.filter(({ tags = [] }) => tags.includes('retracted'));
const commitsWith = async (memory: TestMemory, file: string) => (await memory.log({ path: file })).commits.length;

describe('a memory that is put aside takes its event along', () => {
  it('when somebody archives it: at once, in the commit that archives, until it is restored or that is undone', async () => {
    const { memory, directory } = await newTestMemory();
    const [made] = await say(memory, [promise]);
    await memory.records.archive(made!.id);
    // What waits for its commit is answered already.
    expect(await loopsOf(memory)).toEqual([]);
    const { commits } = await memory.commit();
    expect([...(await memory.log({ limit: 1 })).commits[0]!.paths].sort()).toEqual(
      ['ledger/2026/02/2026-02-16.jsonl', memoryPath(made!.id)].sort(),
    );
    const [told] = await retractionsOf(memory);
    expect(told).toMatchObject({ content: `Put aside: ${promise}`, status: 'closed', source: 'archive' });
    await memory.undo(commits[0]!);
    expect(await loopsOf(memory)).toEqual([promise]);
    await memory.records.archive(made!.id);
    await memory.commit();
    await memory.records.restore(made!.id);
    expect(await loopsOf(memory)).toEqual([promise]);
    await memory.commit();
    // A second time as the first, by the event that said it again.
    await memory.records.archive(made!.id);
    await memory.commit();
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.ledger.check()).ok).toBe(true);
    await memory.close();
    if (hasGit) expect([fsck(directory), git(directory, 'status', '--porcelain')]).toEqual(['', '']);
  });

  it('when somebody forgets it, and its words are not said again; brought back from history it holds again', async () => {
    const { memory } = await newTestMemory();
    const [made] = await say(memory, ['We decided to meet at the old mill.']);
    await memory.forget(made!.id);
    await memory.commit();
    const [told] = await retractionsOf(memory);
    expect(told!.content).not.toContain('mill');
    expect(await heldOf(memory)).toEqual([]);
    await memory.records.restore(made!.id);
    await memory.commit();
    expect(await heldOf(memory)).toEqual(['We decided to meet at the old mill.']);
    // By hand, as if it had never been said: what history brought back is undone in one commit.
    await memory.undo(memory.tip!);
    expect(await heldOf(memory)).toEqual([]);
  });

  it('when it is split: each part is an event, the first in the place of the whole', async () => {
    const { memory } = await newTestMemory();
    const [made] = await say(memory, ['I will write the announcement and send the invoice to the printer.']);
    const parts = ['I will write the announcement.', 'I will send the invoice to the printer.'];
    const { commits } = await memory.records.split(made!.id, parts);
    expect((await loopsOf(memory)).sort()).toEqual([...parts].sort());
    const ids = (await memory.list()).memories.map(({ id }) => id).sort();
    expect((await memory.ledger.loops()).loops.map(({ memory: id }) => id).sort()).toEqual(ids);
    expect((await memory.ledger.check()).ok).toBe(true);
    await memory.undo(commits[0]!);
    expect(await loopsOf(memory)).toEqual(['I will write the announcement and send the invoice to the printer.']);
  });

  it('when a person edits or removes its file: in the commit of the edit', async () => {
    const { memory, directory } = await newTestMemory();
    const [made] = await say(memory, [promise]);
    await memory.records.archive((await say(memory, ['We decided to use Redis.'], '2026-02-11T10:00:00Z'))[0]!.id);
    // The files follow the pending writes a moment later.
    await memory.store.settle();
    const file = path.join(directory, memoryPath(made!.id));
    const edited = 'I will write the announcement of the fair.';
    fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace(promise, edited));
    // The archive waits with an event of its own, whose id stays what it is.
    const [waiting] = await retractionsOf(memory);
    const { commits } = await memory.commit();
    expect((await retractionsOf(memory)).filter(({ id }) => id === waiting!.id)).toEqual([waiting]);
    expect((await memory.ledger.loops()).loops).toMatchObject([{ content: edited, memory: made!.id }]);
    const paths = (await memory.log({ limit: commits.length })).commits.map((commit) => commit.paths.join(' '));
    expect(paths.find((one) => one.includes(made!.id))).toContain('ledger/2026/02/2026-02-16.jsonl');
    fs.rmSync(file);
    await memory.commit();
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.ledger.check()).ok).toBe(true);
    await memory.close();
    if (hasGit) expect([fsck(directory), git(directory, 'status', '--porcelain')]).toEqual(['', '']);
  });

  it('inside a project with the write that waits, and events after it keep their ids', async () => {
    const directory = temporaryFolder();
    if (!hasGit) return;
    git(directory, 'init', '-q');
    const { memory } = await newTestMemory({ dir: directory, placement: 'project' });
    await memory.remember({ id: 'one', content: promise, category: 'fact' });
    await memory.ledger.add({ type: 'commitment', content: promise, memory: 'one' });
    await memory.records.archive('one');
    const { id } = await memory.ledger.add({ content: 'Something else happened.' });
    expect(id).toBe('EVT-20260216-003');
    expect(await loopsOf(memory)).toEqual([]);
    await memory.commit();
    expect((await eventsOf(memory)).find((event) => event.id === id)?.content).toBe('Something else happened.');
    expect((await memory.ledger.check()).ok).toBe(true);
  });

  it('but no private word comes into a ledger that lies open', async () => {
    const texts: string[] = [];
    const keys = { place: '/elsewhere/keys', texts, read: () => texts, add: (text: string) => void texts.push(text) };
    const { memory } = await newTestMemory({ keys });
    await memory.keys.new({ paths: ['memories/**', 'relations/**'] });
    await memory.remember({ id: 'one', content: 'The wedding is planned.' });
    await memory.ledger.add({ content: 'Something is planned.', memory: 'one' });
    await memory.edit(memoryPath('one'), 'The wedding is planned.', 'The wedding is in June.');
    await memory.commit();
    await memory.records.split('one', ['The wedding is in June.', 'The wedding is in Porto.']);
    const segment = await memory.read('ledger/2026/02/2026-02-16.jsonl');
    expect(segment).not.toMatch(/wedding/);
    expect(await heldOf(memory)).toEqual([]);
  });

  it('and what the ledger knows nothing of, or what is only used, leaves it alone', async () => {
    const { memory } = await newTestMemory();
    const [made] = await say(memory, [promise]);
    const before = await commitsWith(memory, 'ledger');
    await memory.remember({ id: 'other', content: 'The archive has forty boxes.' });
    await memory.records.touch(made!.id);
    await memory.records.touch('other');
    await memory.records.archive('other');
    await memory.commit();
    await memory.forget('other');
    await memory.commit();
    await memory.records.restore('other');
    await memory.commit();
    expect(await commitsWith(memory, 'ledger')).toBe(before);
  });

  it('when a promise expires: it is no open loop, the pack has it no more, and its words stay in the ledger', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, [
      'I will write the announcement.',
      'I will send the invoice to the printer.',
      'We decided to use Redis.',
    ]);
    expect(await loopsOf(memory)).toHaveLength(2);
    clock.advance({ days: 120 });
    await memory.maintenance.run({ tasks: ['expire'] });
    const [newest] = (await memory.log({ limit: 1 })).commits;
    expect(newest).toMatchObject({
      operation: 'expire',
      paths: expect.arrayContaining(['ledger/2026/06/2026-06-16.jsonl']),
    });
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.pack()).text).not.toContain('announcement');
    const events = await memory.ledger.list({ superseded: true });
    expect(events.events.map(({ content }) => content)).toContain(promise);
    expect((await memory.ledger.check()).ok).toBe(true);
    // Told once.
    await memory.maintenance.run({ tasks: ['expire'] });
    expect((await memory.ledger.list({ superseded: true })).events).toHaveLength(events.events.length);
  });

  it('also when it was made decades ago, in a conversation that was read today', async () => {
    const { memory } = await newTestMemory();
    await say(memory, ['Todo: write the report of the flight.'], '1970-04-13T20:00:00Z');
    expect(await memory.files('ledger/1970/')).toEqual(['ledger/1970/04/1970-04-13.jsonl']);
    expect(await loopsOf(memory)).toHaveLength(1);
    await memory.maintenance.run({ tasks: ['expire'] });
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.ledger.check()).ok).toBe(true);
  });

  it('until that is taken back: the promise is open again, and can expire again', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, ['I will write the announcement.']);
    clock.advance({ days: 120 });
    await memory.maintenance.run({ tasks: ['expire'] });
    const [pass] = (await memory.log({ limit: 1 })).commits;
    await memory.ledger.add({ content: 'Something else happened.' });
    await memory.undo(pass!.oid);
    expect(await loopsOf(memory)).toEqual([promise]);
    clock.advance({ days: 90 });
    await memory.maintenance.run({ tasks: ['expire'] });
    expect(await loopsOf(memory)).toEqual([]);
  });

  it('but what was fulfilled or said otherwise already is left alone', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, ['I will write the announcement.']);
    const [loop] = (await memory.ledger.loops()).loops;
    await memory.ledger.add({ content: 'The announcement is out.', closes: loop!.id });
    const before = (await eventsOf(memory)).length;
    clock.advance({ days: 120 });
    await memory.maintenance.run({ tasks: ['expire'] });
    expect(await eventsOf(memory)).toHaveLength(before);
  });

  it('when somebody replaces it: the event of the earlier one holds no more', async () => {
    const { memory, clock } = await newTestMemory();
    await memory.remember({ id: 'old', content: 'We ship on Monday.', category: 'decision' });
    clock.advance({ days: 1 });
    await memory.remember({ id: 'new', content: 'We ship on Tuesday.', category: 'decision', replaces: 'old' });
    expect(await memory.get('old')).toMatchObject({ status: 'superseded' });
    expect((await eventsOf(memory)).map(({ memory: id }) => id)).toEqual(['new']);
  });

  it('in a dry run nothing is told', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, ['I will write the announcement.']);
    clock.advance({ days: 120 });
    const tip = memory.tip;
    await memory.maintenance.run({ tasks: ['expire'], dryRun: true });
    expect(memory.tip).toBe(tip);
    expect(await loopsOf(memory)).toHaveLength(1);
  });
});

it('memories that become one are one event, in the commit that merges them', async () => {
  const { memory } = await newTestMemory();
  const [first] = await say(memory, ['We decided to use Redis for sessions.']);
  const [second] = await say(memory, ['We decided to use Postgres for the reports.'], '2026-02-12T10:00:00Z');
  const result = await memory.records.consolidate({ ids: [first!.id, second!.id] });
  const [item] = result.items;
  const held = (await eventsOf(memory)).filter(({ tags = [] }) => !tags.includes('retracted'));
  expect(held.map(({ memory: id }) => id)).toEqual([item!.into]);
  expect(held[0]!.content).toBe((await memory.get(item!.into)).content);
  expect((await memory.ledger.check()).ok).toBe(true);
  // As if nothing had been.
  await memory.undo(result.commits[0]!);
  expect((await eventsOf(memory)).map(({ memory: id }) => id).sort()).toEqual([first!.id, second!.id].sort());
});
