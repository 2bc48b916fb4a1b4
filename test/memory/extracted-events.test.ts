// What an extraction tells the ledger: one event for each decision, commitment, preference and constraint, in the commit of the memories.

import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

import type { Extractor } from '../../src/core/extract/extractor.ts';
import { ruleExtractor } from '../../src/core/extract/rules.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { blemishes, hasGit } from '../helpers/native-git.ts';
import { buildProgram, projectRoot } from '../helpers/program.ts';

type TestMemory = Awaited<ReturnType<typeof newTestMemory>>['memory'];

const day = '2026-02-10';
const say = (memory: TestMemory, words: readonly string[], started = `${day}T10:00:00Z`) =>
  memory.capture({
    messages: words.map((text, at) => ({
      role: 'user',
      text,
      time: new Date(Date.parse(started) + at * 60_000).toISOString(),
    })),
  });
const segment = `ledger/2026/02/${day}.jsonl`;
const linesOf = async (memory: TestMemory, path = segment) =>
  ((await memory.read(path)) ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const eventsOf = async (memory: TestMemory) => (await memory.ledger.list()).events;

/** Gives subject and attribute of what is said of sessions, as a model would: so each such claim is the one value. */
const acts: Extractor = {
  name: 'acts',
  version: '1',
  extract: (transcript, context) =>
    ruleExtractor
      .extract(transcript, context)
      .map((item) =>
        item.content.includes('for sessions') ? { ...item, subject: 'sessions', attribute: 'store' } : item,
      ),
};
const withActs = () => newTestMemory({ extractors: { acts } });
const byActs = { extractors: ['acts'] };

describe('an extraction tells the ledger', () => {
  it('of what was decided, promised, preferred and demanded, when it was said, in the commit of the memories', async () => {
    const { memory, directory } = await newTestMemory();
    const { path } = await say(memory, [
      'Decision: we ship on Tuesday, because Monday is a holiday.',
      'I will write the announcement by 2026-02-20.',
      'I prefer tabs over spaces.',
      'Rule: never push to the main branch without a review.',
      'FYI: the database of the shop runs in Frankfurt.',
    ]);
    const { transcripts } = await memory.extract();
    const [{ created, events, commit }] = transcripts as [(typeof transcripts)[number]];
    expect(created.map(({ category }) => category)).toContain('fact');
    expect(events.map(({ id, type }) => `${id} ${type}`)).toEqual([
      'EVT-20260210-001 decision',
      'EVT-20260210-002 commitment',
      'EVT-20260210-003 preference',
      'EVT-20260210-004 constraint',
    ]);
    const lines = await linesOf(memory);
    const promise = created.find(({ category }) => category === 'commitment')!;
    expect(lines[1]).toEqual({
      ts: '2026-02-10T10:01:00Z',
      id: 'EVT-20260210-002',
      type: 'commitment',
      priority: 'P1',
      content: 'I will write the announcement by 2026-02-20.',
      tags: ['deadline'],
      source: `${path}#2`,
      session: expect.any(String),
      status: 'open',
      due: '2026-02-20',
      memory: promise.id,
    });
    const [newest] = (await memory.log({ limit: 1 })).commits;
    expect(newest!.oid).toBe(commit);
    expect(newest!.paths).toContain(segment);
    expect((await memory.ledger.check()).ok).toBe(true);
    expect((await memory.ledger.loops()).loops.map(({ memory: id }) => id)).toEqual([promise.id]);
    if (hasGit) expect(blemishes(directory)).toBe('');
  });

  it('shows the events in a dry run, and tells nothing', async () => {
    const { memory } = await newTestMemory();
    await say(memory, ['We decided to use Redis for sessions.']);
    const tip = memory.tip;
    const dry = await memory.extract({ dryRun: true });
    expect(dry.transcripts[0]!.events).toMatchObject([{ id: 'EVT-20260210-001', type: 'decision' }]);
    expect(memory.tip).toBe(tip);
    expect(await eventsOf(memory)).toEqual([]);
  });

  it('once: neither another extraction of the same words nor the same words said again make a second event', async () => {
    const { memory } = await newTestMemory();
    const { path } = await say(memory, ['We decided to use Redis for sessions.']);
    await memory.extract();
    await memory.extract({ from: path });
    await say(memory, ['We decided to use Redis for sessions.'], '2026-02-12T10:00:00Z');
    const again = await memory.extract();
    expect(again.transcripts[0]!.updated).toHaveLength(1);
    expect(again.transcripts[0]!.events).toEqual([]);
    expect(await eventsOf(memory)).toHaveLength(1);
  });

  it('that a later decision takes the place of an earlier one, where somebody said of what both are', async () => {
    const { memory } = await withActs();
    await say(memory, ['We decided to use Redis for sessions.']);
    await memory.extract(byActs);
    await say(memory, ['We decided to use Valkey for sessions instead of Redis.'], '2026-02-12T10:00:00Z');
    const { transcripts } = await memory.extract(byActs);
    const [{ events, updated }] = transcripts as [(typeof transcripts)[number]];
    expect(updated.length).toBeGreaterThan(0);
    const [told] = await linesOf(memory, 'ledger/2026/02/2026-02-12.jsonl');
    expect(told!.supersedes).toMatch(/^EVT-20260210-/);
    expect(events[0]!.id).toBe('EVT-20260212-001');
    const holds = (await eventsOf(memory)).filter(({ type }) => type === 'decision');
    expect(holds.map(({ content }) => content)).toEqual(['We decided to use Valkey for sessions instead of Redis.']);
    expect((await memory.ledger.check()).ok).toBe(true);
  });

  it('tells two decisions of one conversation, the second in the place of the first', async () => {
    const { memory } = await withActs();
    await say(memory, [
      'We decided to use Redis for sessions.',
      'We decided to use Valkey for sessions instead of Redis.',
    ]);
    await memory.extract(byActs);
    const [first, second] = await linesOf(memory);
    expect(second!.supersedes).toBe(first!.id);
  });

  it('makes none of what was taken back before it became known', async () => {
    const { memory } = await withActs();
    await say(memory, ['We decided to use Valkey for sessions instead of Redis.'], '2026-02-12T10:00:00Z');
    await memory.extract(byActs);
    await say(memory, ['We decided to use Redis for sessions.']);
    const { transcripts } = await memory.extract(byActs);
    expect(transcripts[0]!.created).toHaveLength(1);
    expect(transcripts[0]!.events).toEqual([]);
  });

  it('gives what somebody called P0 that priority, and none to words from outside', async () => {
    const { memory } = await newTestMemory();
    await memory.capture({
      messages: [
        {
          role: 'user',
          text: '## Priority Extracts\n- [P0] We decided to freeze the budget of the shop',
          time: `${day}T10:00:00Z`,
        },
      ],
    });
    await memory.capture({
      trust: 'low',
      messages: [{ role: 'user', text: 'We decided to move the office to Porto.', time: `${day}T11:00:00Z` }],
    });
    await memory.extract();
    expect(await linesOf(memory)).toMatchObject([{ priority: 'P0', type: 'decision' }]);
  });

  it('nothing where extract.events is false', async () => {
    const { memory } = await newTestMemory({}, 'extract:\n  events: false\n');
    await memory.commit();
    await say(memory, ['We decided to use Redis for sessions.']);
    expect((await memory.extract()).transcripts[0]!.events).toEqual([]);
    expect(await memory.read(segment).catch(() => null)).toBeNull();
  });

  it('and undo takes memories and events back together, to the byte', async () => {
    const { memory } = await newTestMemory();
    await say(memory, ['We decided to use Redis for sessions.', 'I prefer tabs over spaces.']);
    const before = memory.store.snapshot().tree;
    const { transcripts } = await memory.extract();
    await memory.undo(transcripts[0]!.commit!);
    expect(memory.store.snapshot().tree).toBe(before);
    await memory.undo('HEAD');
    expect(await linesOf(memory)).toHaveLength(2);
  });

  it('and undo appends what supersedes an event that is not the last any more; extracted again, it holds again', async () => {
    const { memory } = await newTestMemory();
    const { path } = await say(memory, ['We decided to use Redis for sessions.']);
    const { transcripts } = await memory.extract();
    await memory.ledger.add({ content: 'The cache was down', time: `${day}T12:00:00Z` });
    await memory.undo(transcripts[0]!.commit!);
    expect((await memory.list({ category: 'decision' })).memories).toEqual([]);
    expect((await eventsOf(memory)).map(({ content }) => content)).toEqual(['The cache was down']);
    const again = await memory.extract({ from: path });
    expect(again.transcripts[0]!.events).toHaveLength(1);
    expect((await eventsOf(memory)).map(({ content }) => content).sort()).toEqual([
      'The cache was down',
      'We decided to use Redis for sessions.',
    ]);
    expect((await memory.ledger.check()).ok).toBe(true);
    expect((await memory.extract({ from: path })).transcripts[0]!.events).toEqual([]);
  });

  it('goes on counting beside events of others, and a hand edit of the ledger comes first', async () => {
    const { memory, directory } = await newTestMemory();
    await memory.ledger.add({ content: 'first of the day', time: `${day}T08:00:00Z` });
    await say(memory, ['We decided to use Redis for sessions.']);
    const line = (await linesOf(memory))[0]!;
    appendFileSync(
      `${directory}/${segment}`,
      `${JSON.stringify({ ...line, id: 'EVT-20260210-002', content: 'by hand' })}\n`,
    );
    const { transcripts } = await memory.extract();
    expect(transcripts[0]!.events.map(({ id }) => id)).toEqual(['EVT-20260210-003']);
    expect((await linesOf(memory)).map(({ id, content }) => `${id} ${content}`)).toEqual([
      'EVT-20260210-001 first of the day',
      'EVT-20260210-002 by hand',
      'EVT-20260210-003 We decided to use Redis for sessions.',
    ]);
  });
});

it('two processes that extract at once give ids in a row, and tell of each memory once', async () => {
  await buildProgram();
  const { memory, directory } = await newTestMemory();
  for (let at = 0; at < 12; at++) {
    await say(memory, [`Decision: we use engine${at} for sessions of shop${at}.`], `${day}T${10 + at}:00:00Z`);
  }
  await memory.close();
  const script = `const { openMemory } = await import(${JSON.stringify(pathToFileURL(join(projectRoot, 'dist/library/index.js')).href)});
      const memory = await openMemory({ dir: ${JSON.stringify(directory)}, lockWaitMs: 60000 });
      await memory.extract();
      await memory.close();`;
  const run = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
  await Promise.all([run(), run()]);
  const { memory: after } = await newTestMemory({ dir: directory });
  const lines = await linesOf(after);
  expect(lines.map(({ id }) => id)).toEqual(
    Array.from({ length: 12 }, (_, at) => `EVT-20260210-${String(at + 1).padStart(3, '0')}`),
  );
  expect(new Set(lines.map(({ memory: id }) => id)).size).toBe(12);
  expect((await after.ledger.check()).ok).toBe(true);
}, 600_000);

it('two machines that extract the same have one event for each memory after they met', async () => {
  const { memory } = await newTestMemory();
  const { path } = await say(memory, ['We decided to use Redis for sessions.', 'I prefer tabs over spaces.']);
  const there = await memory.branches.open('explore/there', { create: true });
  await memory.ledger.add({ content: 'only here', time: `${day}T09:00:00Z` });
  await memory.extract({ from: path });
  await there.extract({ from: path });
  await there.ledger.add({ content: 'only there', time: `${day}T09:30:00Z` });
  await there.close();
  await memory.merge('explore/there');
  expect((await eventsOf(memory)).map(({ content }) => content).sort()).toEqual([
    'I prefer tabs over spaces.',
    'We decided to use Redis for sessions.',
    'only here',
    'only there',
  ]);
  expect((await memory.ledger.check()).ok).toBe(true);
  expect((await memory.extract({ from: path })).transcripts[0]!.events).toEqual([]);
});
