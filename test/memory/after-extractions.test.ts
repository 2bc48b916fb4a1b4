// The passes that follow extractions by themselves, and what they make of a few days of talk.

import { describe, expect, it } from 'vitest';
import { formatMemory, memoryPath, type NewMemory, newMemory } from '../../src/store/records/memory-record.ts';
import { parseRecentExtractions, recentExtractionsPath } from '../../src/store/records/recent-extractions.ts';
import { newTestMemory } from '../helpers/memories.ts';

type TestMemory = Awaited<ReturnType<typeof newTestMemory>>['memory'];

const say = (memory: TestMemory, ...words: string[]) =>
  memory.capture({ messages: words.map((text) => ({ role: 'user', text })) });
const recentOf = ({ store }: TestMemory) => parseRecentExtractions(store.snapshot().readText(recentExtractionsPath));

describe('the passes after extractions', () => {
  it('run after every third, as one commit that can be taken back, and count again from there', async () => {
    const { memory, clock, directory } = await newTestMemory({}, 'auto_extract: true\n');
    await memory.commit();
    await say(memory, 'The database of the shop is Postgres. We decided to deploy Postgres on Mondays.');
    clock.advance({ hours: 3 });
    await say(memory, 'We agreed that Postgres runs in Frankfurt. I prefer tabs over spaces.');
    clock.advance({ hours: 3 });
    expect(recentOf(memory)).toHaveLength(2);
    expect((await memory.log()).commits.some(({ operation }) => operation === 'topics')).toBe(false);
    await say(memory, 'We decided that Postgres gets backups at night. I prefer spaces over tabs.');
    await memory.close();

    const { memory: again } = await newTestMemory({ dir: directory, clock });
    expect(recentOf(again)).toEqual([]);
    const operations = (await again.log({ limit: 50 })).commits.map(({ operation }) => operation);
    expect(operations.filter((one) => one === 'upkeep')).toHaveLength(1);
    const profile = again.store.snapshot().readText('knowledge/people/profile.md')!;
    // Nobody ended the first: both stand there, each with its day and who said it.
    expect(profile).toMatch(/- \d{4}-\d\d-\d\d the user: I prefer tabs over spaces\. \[memory/);
    expect(profile).toMatch(/- \d{4}-\d\d-\d\d the user: I prefer spaces over tabs\. \[memory/);
    expect(again.store.snapshot().readText('knowledge/entities/postgres.md')).toContain('# Postgres');
    expect((await again.list({ status: 'superseded' })).memories).toEqual([]);
    const tip = again.tip;
    const dry = await again.maintenance.run({
      dryRun: true,
      tasks: ['topics', 'boxes', 'profile', 'profiles', 'entities'],
    });
    expect(dry.runs.flatMap(({ result }) => result?.items ?? [])).toEqual([]);
    expect(again.tip).toBe(tip);
    const passes = (await again.log({ limit: 50 })).commits.filter(({ operation }) => operation === 'upkeep');
    await again.undo(passes[0]!.oid);
    expect(again.store.snapshot().readText('knowledge/people/profile.md')).toBeNull();
  });

  it('do not run where the count is 0, and run with maintain when they are due by count', async () => {
    const { memory } = await newTestMemory({}, 'maintain:\n  every_extractions: 2\n');
    await memory.maintenance.run();
    for (const words of ['We decided to use Redis.', 'We decided to use Postgres.']) {
      await say(memory, words);
      await memory.extract();
    }
    const { runs } = await memory.maintenance.run();
    const stateOf = (name: string) => runs.find(({ task }) => task === name)!.state;
    expect([stateOf('topics'), stateOf('gc')]).toEqual(['done', 'not due']);
    expect(recentOf(memory)).toEqual([]);
    expect((await memory.maintenance.run()).runs.every(({ state }) => state === 'not due')).toBe(true);
  });

  it('put aside old promises and facts of little importance, and end nothing that only sounds otherwise', async () => {
    const { memory, clock } = await newTestMemory();
    const sources = (turn: number) => [{ path: `raw/conversations/x${turn}.md`, turn, role: 'user' }];
    const remember = (id: string, content: string, more: Partial<NewMemory>) =>
      memory.write(
        memoryPath(id),
        formatMemory(newMemory({ id, content, now: clock.now(), confidence: 0.95, ...more })),
      );
    await remember('promise', 'I will send the invoice.', { category: 'commitment' });
    await remember('later', 'I will pay the rent.', { category: 'commitment', due: '2026-12-01' });
    await remember('trivia', 'It rained a little there.', { category: 'fact', importance: 0.2 });
    await remember('old', 'The port is 8000.', { category: 'fact', sources: sources(1) });
    clock.advance({ days: 91 });
    await remember('new', 'The port is 8080.', { category: 'fact', sources: sources(2) });
    await memory.maintenance.run({ tasks: ['expire', 'reconcile'] });
    const statuses = Object.fromEntries((await memory.list()).memories.map(({ id, status }) => [id, status]));
    expect(statuses).toEqual({
      promise: 'archived',
      later: 'active',
      trivia: 'archived',
      old: 'active',
      new: 'active',
    });
  });
});
