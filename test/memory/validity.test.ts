// What recall, context and the beginning of a session make of claims that ended: what holds comes first, what is over says so, and a question
// for the past finds it.

import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import { closed, type Ending } from '../../src/store/claims/claim.ts';
import { formatMemory, memoryPath, type NewMemory, newMemory } from '../../src/store/records/memory-record.ts';
import { type ManualClock, newTestMemory } from '../helpers/memories.ts';

const secondsOf = (time: string): number => Date.parse(time) / 1000;

/** Writes a memory as extraction would have. */
async function put(
  memory: Memory,
  clock: ManualClock,
  { id, content, closing, ...more }: Partial<NewMemory> & { id: string; content: string; closing?: Partial<Ending> },
): Promise<void> {
  const record = newMemory({ id, content, now: clock.now(), ...more });
  const now = clock.now() / 1000;
  const over = closing === undefined ? record : closed(record, { by: '', from: now, now, ...closing });
  await memory.write(memoryPath(id), formatMemory(over));
}

/** A talk in February about a ladder and a cat, and one in May, after which the ladder is elsewhere. */
async function twoTalks(): Promise<{ memory: Memory; clock: ManualClock; first: string; second: string }> {
  const { memory, clock } = await newTestMemory();
  const first = await memory.capture({
    session: 'winter',
    started: '2026-02-16T08:00:00Z',
    messages: [
      { role: 'user', text: 'The ladder hangs in the cellar. Our cat is called Pim.', time: '2026-02-16T08:00:00Z' },
      { role: 'agent', text: 'The ladder hangs in the cellar, noted.', time: '2026-02-16T08:01:00Z' },
    ],
  });
  clock.set('2026-05-04T09:00:00Z');
  const second = await memory.capture({
    session: 'spring',
    started: '2026-05-04T08:00:00Z',
    messages: [{ role: 'user', text: 'Otto took it up into the attic on Sunday.', time: '2026-05-04T08:00:00Z' }],
  });
  await put(memory, clock, {
    id: 'attic',
    content: 'Otto took it up into the attic on Sunday.',
    statement: 'Otto took the ladder up into the attic on 2026-05-03.',
    sources: [{ path: second.path, turn: 1 }],
  });
  for (const turn of [1, 2]) {
    await put(memory, clock, {
      id: `cellar${turn}`,
      content: 'The ladder hangs in the cellar.',
      sources: [{ path: first.path, turn }],
      closing: { by: 'attic', from: secondsOf('2026-05-03T00:00:00Z') },
    });
  }
  await put(memory, clock, { id: 'cat', content: 'Our cat is called Pim.', sources: [{ path: first.path, turn: 1 }] });
  await memory.commit();
  return { memory, clock, first: first.path, second: second.path };
}

describe('recall', () => {
  it('brings what holds in the place of what is over, and marks what is', async () => {
    const { memory } = await twoTalks();
    const { hits } = await memory.recall('Where is the ladder?');
    expect(hits[0]).toMatchObject({ id: 'attic', snippet: 'Otto took the ladder up into the attic on 2026-05-03.' });
    expect(hits[0]).not.toHaveProperty('until');
    const over = hits.filter(({ replacedBy }) => replacedBy === 'attic');
    expect(over.length).toBeGreaterThan(0);
    for (const hit of over) expect(hit.until).toBe('2026-05-03');
    expect(hits.slice(-over.length)).toEqual(over);
    const scores = hits.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((one, other) => other - one));
  });

  it('leaves a turn in its place of which something holds', async () => {
    const { memory, first } = await twoTalks();
    const { hits } = await memory.recall('cat called Pim', { category: 'conversation' });
    expect(hits[0]).toMatchObject({ path: first, turn: 1 });
    expect(hits[0]).not.toHaveProperty('until');
  });

  it('brings nothing in the place of what a question does not ask of', async () => {
    const { memory } = await twoTalks();
    const [first] = (await memory.recall('What is our cat called?')).hits;
    expect(first!.snippet).toMatch(/Pim/);
    expect((await memory.recall('Where is our ladder?')).hits[0]).toMatchObject({ id: 'attic' });
  });

  it('leads with what held at the time that a question asks of', async () => {
    const { memory } = await twoTalks();
    for (const question of ['Where was the ladder before?', 'Where did the ladder hang in March?']) {
      const [hit] = (await memory.recall(question)).hits;
      expect(hit, question).toMatchObject({ snippet: expect.stringMatching(/cellar/) });
    }
    expect((await memory.recall('Where was the ladder in May?')).hits[0]).toMatchObject({ id: 'attic' });
  });

  it('brings nothing that a filter keeps out', async () => {
    const { memory } = await twoTalks();
    const { hits } = await memory.recall('Where is the ladder?', { session: 'winter' });
    expect(hits.map(({ session }) => session)).toEqual(hits.map(() => 'winter'));
  });

  it('judges an end to come at the day that is asked', async () => {
    const { memory, clock } = await newTestMemory();
    await put(memory, clock, {
      id: 'old',
      content: 'The desk costs 180 a month.',
      closing: { by: 'new', from: secondsOf('2026-06-01T00:00:00Z') },
    });
    await put(memory, clock, {
      id: 'new',
      content: 'The desk costs 210 a month from June.',
      validFrom: secondsOf('2026-06-01T00:00:00Z'),
    });
    await memory.commit();
    const idsAt = async (query: string): Promise<unknown[]> => (await memory.recall(query)).hits.map(({ id }) => id);
    expect(await idsAt('What does the desk cost a month?')).toEqual(['old', 'new']);
    expect((await memory.recall('desk')).hits[0]).toMatchObject({ id: 'old', until: '2026-06-01', replacedBy: 'new' });
    expect(await idsAt('What will the desk cost next year?')).toEqual(['new', 'old']);
    clock.set('2026-06-02T09:00:00Z');
    expect(await idsAt('What does the desk cost a month?')).toEqual(['new', 'old']);
    expect((await (await memory.at('2026-02-17')).recall('desk')).hits[0]).toMatchObject({ id: 'old' });
  });

  it('follows a row of replacements to what holds', async () => {
    const { memory, clock } = await newTestMemory();
    const day = secondsOf('2026-02-16T00:00:00Z');
    await put(memory, clock, {
      id: 'one',
      content: 'The badge opens gate one.',
      closing: { by: 'two', from: day - 9 },
    });
    await put(memory, clock, { id: 'two', content: 'Use the east side.', closing: { by: 'three', from: day - 5 } });
    await put(memory, clock, { id: 'three', content: 'Use the roof.' });
    await memory.commit();
    expect((await memory.recall('Which gate does the badge open?')).hits.map(({ id }) => id)).toEqual(['three', 'one']);
  });
});

describe('a turn', () => {
  it('is never over, nor behind what holds, because what was taken from it ended', async () => {
    const { memory, first } = await twoTalks();
    const turns = (await memory.recall('Where does the ladder hang?')).hits.filter(({ path }) => path === first);
    expect(turns.map(({ turn }) => turn)).toEqual(expect.arrayContaining([1, 2]));
    for (const hit of turns) expect(hit).not.toHaveProperty('until');
  });

  it('is not judged by what was said after it', async () => {
    const { memory, clock } = await newTestMemory();
    for (const [session, text, time] of [
      ['older', 'The choir rehearsal is at 18:30 in the gym hall.', '2026-02-16T08:00:00Z'],
      ['newer', 'Choir rehearsal has moved to 19:45.', '2026-03-24T08:00:00Z'],
    ] as const) {
      clock.set(time);
      await memory.capture({ session, started: time, messages: [{ role: 'user', text, time }] });
    }
    const { hits } = await memory.recall('What time is the choir rehearsal?');
    expect(hits.map(({ session }) => session).sort()).toEqual(['newer', 'older']);
    for (const hit of hits) expect(hit).not.toHaveProperty('until');
    const { text } = await memory.context('What time is the choir rehearsal?');
    expect(text).toMatch(/18:30 in the gym hall\.$/m);
    expect(text).toContain('19:45');
  });
});

describe('a context', () => {
  it('says what holds, and leaves what was said as it is', async () => {
    const { memory } = await twoTalks();
    const { text } = await memory.context('Where is the ladder?', { tokens: 1500 });
    expect(text).toContain('user: The ladder hangs in the cellar. Our cat is called Pim.');
    expect(text).toContain('[2026-05-04]\nuser: Otto took it up into the attic on Sunday.');
  });

  it('marks lines of core memory, and so does the beginning of a session', async () => {
    const { memory, clock } = await twoTalks();
    await memory.write(
      'knowledge/memory/MEMORY.md',
      '# Core Memory\n\n- The ladder hangs in the cellar [memory: cellar1]\n- Pim is a cat [memory: cat]\n',
    );
    clock.set('2026-05-05T09:00:00Z');
    const context = (await memory.context('Good morning, dear!')).text;
    const start = (await memory.sessionStart()).text;
    for (const text of [context, start])
      expect(text).toMatch(/^- The ladder hangs in the cellar \(until 2026-05-03, now: "Otto took the ladder .*"\)$/m);
    expect(context).toMatch(/^- Pim is a cat$/m);
    // Where the words themselves are quoted, the line that was made of them is left out.
    expect(start).toMatch(/the user: Our cat is called Pim\.$/m);
    expect(start).not.toContain('Pim is a cat');
  });

  it('marks lines of knowledge and boxes that name what is over', async () => {
    const { memory, first } = await twoTalks();
    await memory.write(
      'knowledge/projects/house.md',
      `# House\n\n- The ladder hangs in the cellar [source: ${first}#2]\n- The roof leaks at the ladder [source: x.md#1]\n`,
    );
    const { text } = await memory.context('ladder in the house');
    expect(text).toMatch(/^- The ladder hangs in the cellar \(until 2026-05-03, now: ".*"\)$/m);
    expect(text).toMatch(/^- The roof leaks at the ladder$/m);
    const hit = (await memory.recall('The roof leaks at the ladder')).hits.find(
      ({ category }) => category === 'project',
    );
    expect(hit).not.toHaveProperty('until');
  });
});
