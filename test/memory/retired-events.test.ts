// What the ledger is told when a pass puts a memory aside: an event in the same commit, so that no dead promise stays an open loop.

import { describe, expect, it } from 'vitest';

import { formatMemory, memoryPath, newMemory } from '../../src/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';

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
const loopsOf = async (memory: TestMemory) => (await memory.loops()).loops.map(({ content }) => content);
const eventsOf = async (memory: TestMemory) => (await memory.events()).events;

describe('a memory that is put aside takes its event along', () => {
  it('when a promise expires: it is no open loop, the pack has it no more, and its words stay in the ledger', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, [
      'I will write the announcement.',
      'I will send the invoice to the printer.',
      'We decided to use Redis.',
    ]);
    expect(await loopsOf(memory)).toHaveLength(2);
    clock.advance({ days: 120 });
    await memory.maintain({ tasks: ['commitments'] });
    const [newest] = (await memory.log({ limit: 1 })).commits;
    expect(newest).toMatchObject({
      operation: 'commitments',
      paths: expect.arrayContaining(['ledger/2026/06/2026-06-16.jsonl']),
    });
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.pack()).text).not.toContain('announcement');
    const events = await memory.events({ superseded: true });
    expect(events.events.map(({ content }) => content)).toContain('I will write the announcement.');
    expect((await memory.integrity()).ok).toBe(true);
    // Told once.
    await memory.maintain({ tasks: ['commitments'] });
    expect((await memory.events({ superseded: true })).events).toHaveLength(events.events.length);
    await memory.close();
  });

  it('also when it was made decades ago, in a conversation that was read today', async () => {
    const { memory } = await newTestMemory();
    await say(memory, ['I will write the report of the flight.'], '1970-04-13T20:00:00Z');
    expect(await memory.files('ledger/1970/')).toEqual(['ledger/1970/04/1970-04-13.jsonl']);
    expect(await loopsOf(memory)).toHaveLength(1);
    await memory.maintain({ tasks: ['commitments'] });
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.integrity()).ok).toBe(true);
    await memory.close();
  });

  it('until that is taken back: the promise is open again, and can expire again', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, ['I will write the announcement.']);
    clock.advance({ days: 120 });
    await memory.maintain({ tasks: ['commitments'] });
    const [pass] = (await memory.log({ limit: 1 })).commits;
    await memory.event({ content: 'Something else happened.' });
    await memory.undo(pass!.oid);
    expect(await loopsOf(memory)).toEqual(['I will write the announcement.']);
    clock.advance({ days: 90 });
    await memory.maintain({ tasks: ['commitments'] });
    expect(await loopsOf(memory)).toEqual([]);
    await memory.close();
  });

  it('but what was fulfilled or said otherwise already is left alone', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, ['I will write the announcement.']);
    const [loop] = (await memory.loops()).loops;
    await memory.event({ content: 'The announcement is out.', closes: loop!.id });
    const before = (await eventsOf(memory)).length;
    clock.advance({ days: 120 });
    await memory.maintain({ tasks: ['commitments'] });
    expect(await eventsOf(memory)).toHaveLength(before);
    await memory.close();
  });

  it('when a later note says otherwise: the event of the earlier one holds no more', async () => {
    const { memory, clock } = await newTestMemory();
    const note = (id: string, content: string, turn: number) => {
      const sources = [{ path: `raw/conversations/x${turn}.md`, turn, role: 'user' }];
      const more = { category: 'fact', confidence: 0.95, sources } as const;
      return memory.write(memoryPath(id), formatMemory(newMemory({ id, content, now: clock.now(), ...more })));
    };
    await note('old', 'The port is 8000.', 1);
    await memory.event({ content: 'The port is 8000.', memory: 'old' });
    clock.advance({ days: 1 });
    await note('new', 'The port is 8080.', 2);
    await memory.event({ content: 'The port is 8080.', memory: 'new' });
    await memory.maintain({ tasks: ['reconcile'] });
    expect(await memory.get('old')).toMatchObject({ status: 'superseded' });
    expect((await eventsOf(memory)).map(({ memory: id }) => id)).toEqual(['new']);
    await memory.close();
  });

  it('in a dry run nothing is told', async () => {
    const { memory, clock } = await newTestMemory();
    await say(memory, ['I will write the announcement.']);
    clock.advance({ days: 120 });
    const tip = memory.tip;
    await memory.maintain({ tasks: ['commitments'], dryRun: true });
    expect(memory.tip).toBe(tip);
    expect(await loopsOf(memory)).toHaveLength(1);
    await memory.close();
  });
});

describe('memories that become one', () => {
  it('are one event, in the commit that merges them', async () => {
    const { memory } = await newTestMemory();
    const [first] = await say(memory, ['We decided to use Redis for sessions.']);
    const [second] = await say(memory, ['We decided to ship on Tuesday.'], '2026-02-12T10:00:00Z');
    const result = await memory.consolidate({ ids: [first!.id, second!.id] });
    const [item] = result.items;
    const held = (await eventsOf(memory)).filter(({ tags = [] }) => !tags.includes('retracted'));
    expect(held.map(({ memory: id }) => id)).toEqual([item!.into]);
    expect(held[0]!.content).toBe(item!.content);
    expect((await memory.integrity()).ok).toBe(true);
    // As if nothing had been.
    await memory.undo(result.commits[0]!);
    expect((await eventsOf(memory)).map(({ memory: id }) => id).sort()).toEqual([first!.id, second!.id].sort());
    await memory.close();
  });
});
