// The ledger as it is asked: of now, of any earlier state, and by whoever wants to know what is wrong with it.

import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeSummary, summaryOf } from '../../src/apps/memory-summary.ts';
import { loops as loopsVerb } from '../../src/apps/verbs/ledger.ts';
import { plainStyle } from '../../src/apps/verbs/style.ts';
import type { Questions } from '../../src/memory/view.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { git, hasGit } from '../helpers/native-git.ts';

const segment = 'ledger/2026/02/2026-02-16.jsonl';

async function someEvents() {
  const { memory, clock, directory } = await newTestMemory();
  const promise = await memory.ledger.add({
    type: 'commitment',
    priority: 'P1',
    content: 'Send the keys',
    entity: 'Ada',
    due: '2026-02-17',
  });
  clock.advance({ days: 1 });
  const first = await memory.ledger.add({ type: 'decision', content: 'The office moves to Porto', tags: ['office'] });
  const second = await memory.ledger.add({
    type: 'decision',
    content: 'The office moves to Braga',
    supersedes: first.id,
    tags: ['office'],
  });
  clock.advance({ days: 1 });
  const wait = await memory.ledger.add({ type: 'commitment', content: 'Rui sends the contract', tags: ['waiting'] });
  return { memory, clock, directory, promise, first, second, wait };
}

describe('the ledger', () => {
  it('lists what holds, what was corrected, and what belongs together', async () => {
    const { memory, promise, first, second, wait } = await someEvents();
    const ids = async (filter = {}) => (await memory.ledger.list(filter)).events.map(({ id }) => id);
    expect(await ids()).toEqual([promise.id, second.id, wait.id]);
    expect(await ids({ superseded: true })).toEqual([promise.id, first.id, second.id, wait.id]);
    expect(await ids({ type: 'decision' })).toEqual([second.id]);
    expect(await ids({ entity: 'ada' })).toEqual([promise.id]);
    expect(await ids({ tag: 'waiting' })).toEqual([wait.id]);
    expect(await ids({ since: '2026-02-17', until: '2026-02-17' })).toEqual([second.id]);
    expect(await ids({ limit: 1 })).toEqual([wait.id]);
    const chain = await memory.ledger.list({ chain: second.id });
    expect(chain.events.map(({ id, supersededBy }) => [id, supersededBy])).toEqual([
      [first.id, second.id],
      [second.id, undefined],
    ]);
    await expect(memory.ledger.list({ chain: 'EVT-20200101-001' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(memory.ledger.list({ limit: 0 })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
  });

  it('tells what is open, how old and whether it is late, now and then', async () => {
    const { memory, clock, promise, wait } = await someEvents();
    const before = await memory.at('HEAD');
    const told = async (view: Pick<Questions, 'ledger'>) =>
      (await view.ledger.loops()).loops.map(({ id, ageDays, overdue, waiting }) => [id, ageDays, overdue, waiting]);
    expect(await told(memory)).toEqual([
      [wait.id, 0, false, true],
      [promise.id, 2, true, false],
    ]);
    await memory.ledger.add({ content: 'Keys sent', closes: promise.id });
    clock.advance({ days: 3 });
    expect(await told(memory)).toEqual([[wait.id, 3, false, true]]);
    expect((await told(before)).map(([id]) => id)).toEqual([wait.id, promise.id]);
  });

  it('says what is damaged, in its answer and in the status, and asks on', async () => {
    const { memory, directory, promise } = await someEvents();
    expect(await memory.ledger.check()).toMatchObject({ ok: true, events: 4, archived: 0 });
    expect((await memory.status()).warnings).toEqual([]);
    await memory.close();
    const file = path.join(directory, segment);
    fs.appendFileSync(file, '{"ts":"2026\n');
    const { memory: again } = await newTestMemory({ dir: directory });
    // By hand nothing damaged gets in: it stays a file of the person, and is named.
    const { skipped } = await again.commit();
    expect(skipped).toEqual([{ path: segment, why: expect.stringContaining(`${segment}:2 `) }]);
    expect((await again.status()).edited).toEqual(skipped);
    expect(await again.ledger.check()).toMatchObject({ ok: false, events: 4 });
    // What another program has committed is in history, and is told by its line.
    if (!hasGit) return;
    git(directory, 'commit', '-qam', 'torn', '--no-verify');
    expect((await again.ledger.check()).checks[0]).toEqual({
      name: 'lines',
      problems: [{ path: segment, line: 2, why: 'is not valid JSON' }],
    });
    expect((await again.status()).warnings).toEqual([`${segment}:2 is not valid JSON`]);
    expect((await again.ledger.list()).events[0]!.id).toBe(promise.id);
  });
});

it('shows promises with who made them, the next to be due first, at each door', async () => {
  const { memory, clock } = await newTestMemory();
  const say = (role: 'user' | 'assistant', text: string, speaker?: string) =>
    memory.capture({ messages: [{ role, text, ...(speaker === undefined ? {} : { speaker }) }] });
  await say('assistant', 'I will send you the floor plan by 20 February.');
  await say('user', 'I must return the drill to Oskar by 27 February.');
  await say('user', 'I will book the hall for the fair before 9 March.', 'Petra');
  await say('user', 'I will pay the joiner by 19 February.');
  await memory.extract();
  clock.set('2026-03-02T09:00:00Z');
  const shown = [
    'Petra: I will book the hall for the fair before 9 March.',
    'the user: I must return the drill to Oskar by 27 February.',
    'the assistant: I will send you the floor plan by 20 February.',
    'the user: I will pay the joiner by 19 February.',
  ];
  const among = (text: string, words = shown) =>
    [...text.matchAll(/^.*\b(?:book|return|send|pay)\b.*$/gm)].map(([line]) => words.find((one) => line.includes(one)));
  const { loops } = await memory.ledger.loops();
  expect(loops.map(({ speaker, content }) => `${speaker}: ${content}`)).toEqual(shown);
  const printed = loopsVerb.text({ loops }, plainStyle);
  expect(among(printed.replaceAll(/\n {3,}/g, ' '))).toEqual(shown);
  // The pack has the oldest first, of equals the one that was due first.
  expect(among((await memory.pack()).text).slice(0, 4)).toEqual([...shown].reverse());
  expect(among((await memory.context('good morning', { tokens: 4000 })).text)).toEqual(shown);
  expect(among((await memory.sessionStart()).text).slice(0, 4)).toEqual(shown);
  const summary = await summaryOf(memory);
  expect(among(describeSummary(summary, plainStyle))).toEqual(shown.slice(0, 3));
  expect(describeSummary(summary, plainStyle)).toContain('… and 1 more: 1 past due');
});

it('recall puts events that were corrected or taken back behind those that hold, and says so', async () => {
  const { memory } = await newTestMemory();
  const redis = await memory.ledger.add({
    type: 'decision',
    content: 'The cache of the shop runs on Redis, on one server',
  });
  const valkey = await memory.ledger.add({
    type: 'decision',
    content: 'The cache runs on Valkey',
    supersedes: redis.id,
  });
  const wrong = await memory.ledger.add({ content: 'The cache of the shop is empty on Redis' });
  const last = await memory.ledger.add({ content: 'Somebody asked about a cache', related: [wrong.id] });
  await memory.undo(wrong.commit!);
  const found = await memory.recall('cache of the shop on Redis');
  const places = found.hits.map(({ id, replacedBy }) => `${id} ${replacedBy ?? 'holds'}`);
  // The event that takes one back never held itself, and nothing took its place.
  const behind = [`${redis.id} ${valkey.id}`, `${wrong.id} EVT-20260216-005`, 'EVT-20260216-005 holds'];
  expect(places.slice(-3).sort()).toEqual(behind.sort());
  expect(found.hits.slice(-3).every(({ until }) => until !== undefined)).toBe(true);
  expect(places).toEqual(expect.arrayContaining([`${valkey.id} holds`, `${last.id} holds`]));
  const scores = found.hits.map(({ score }) => score);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  // What does not hold takes the place of nothing that does.
  const two = await memory.recall('cache of the shop on Redis', { limit: 2 });
  expect(two.hits.filter(({ replacedBy }) => replacedBy !== undefined)).toEqual([]);
  expect((await (await memory.at(redis.commit!)).recall('cache')).hits[0]!.replacedBy).toBeUndefined();
});

it('a line that somebody broke by hand is seen by the check, the pack and the night, until it is mended', async () => {
  const { memory, clock, directory } = await newTestMemory();
  const { path: place } = await memory.ledger.add({ content: 'The pump is green', priority: 'P1' });
  await memory.ledger.add({ content: 'The pump leaks', priority: 'P1' });
  await memory.commit();
  await memory.maintenance.runDue();
  const file = path.join(directory, place);
  const whole = fs.readFileSync(file, 'utf8');
  fs.writeFileSync(file, whole.replace('"The pump leaks"', '"The pump leaks'));
  const why = async () =>
    (await memory.ledger.check()).checks.flatMap(({ problems }) => problems.map((one) => `${one.line} ${one.why}`));
  expect(await why()).toContain('2 is not valid JSON');
  const flag = `⚠️ INTEGRITY: ${place}:2 is not valid JSON`;
  const flagged = async () => (await memory.pack()).text.includes(flag);
  const flaggedIn = async (read: () => Promise<string>) => (await read()).split(flag).length - 1;
  const page = () => memory.read('recall/pack.md');
  const start = async () => (await memory.sessionStart()).text;
  expect([await flagged(), await flaggedIn(start)]).toEqual([true, 1]);
  for (const reports of [1, 1]) {
    clock.advance({ days: 1 });
    const night = await memory.maintenance.night();
    expect([night.ok, await flaggedIn(page)]).toEqual([false, 1]);
    const told = (await memory.files('knowledge/consolidation-reports/')).filter((one) => one.endsWith('.md'));
    const texts = await Promise.all(told.map((one) => memory.read(one)));
    expect(texts.filter((text) => text!.includes('The ledger is not whole.'))).toHaveLength(reports);
  }
  // What was committed is there all the same.
  expect((await memory.ledger.list()).events).toHaveLength(2);
  fs.writeFileSync(file, whole);
  expect([await why(), await flagged(), (await memory.maintenance.night()).ok]).toEqual([[], false, true]);
  expect([await flaggedIn(page), await flaggedIn(start)]).toEqual([0, 0]);
});

it('more permanent events than the ledger should have are said by the check and by the night', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.configure({ 'ledger.compact_above': '10' });
  for (let number = 1; number <= 11; number++) {
    expect((await memory.ledger.check()).permanent).toBeUndefined();
    await memory.ledger.add({ content: `Rule ${number}`, type: 'constraint', priority: number % 2 ? 'P0' : 'P1' });
  }
  clock.advance({ days: 1 });
  expect(await memory.ledger.check()).toMatchObject({ ok: true, permanent: 11 });
  const { report } = await memory.maintenance.night();
  expect(await memory.read(report!)).toContain('11 events of P0 and P1 hold, more than 10: compaction keeps them');
});
