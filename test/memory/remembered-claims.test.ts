// What is remembered goes the way of what is extracted: it names who wrote it and where, reaches ledger, loops, pack and session start, and ends
// what it takes the place of.

import { describe, expect, it } from 'vitest';
import { memoryPath, parseMemory } from '../../src/store/records/memory-record.ts';
import { newTestMemory, writeConfiguration } from '../helpers/memories.ts';

type TestMemory = Awaited<ReturnType<typeof newTestMemory>>['memory'];

const recordOf = async (memory: TestMemory, id: string) => parseMemory((await memory.read(memoryPath(id)))!, id);
/** Those of the last commit that is no capture: a session says in its transcript what knowledge changed. */
const trailersOf = async (memory: TestMemory) =>
  (await memory.log({ limit: 5 })).commits
    .find(({ trailers }) => trailers.every(({ key, value }) => key !== 'Operation' || value !== 'capture'))!
    .trailers.map(({ key, value }) => `${key}: ${value}`);
const loopsOf = async (memory: TestMemory) => (await memory.ledger.loops()).loops.map(({ content }) => content);
const eventsOf = async (memory: TestMemory) => (await memory.ledger.list()).events;

describe('who writes', () => {
  it('is the open session, in commits and records; undo takes along all that was written in it', async () => {
    const { memory } = await newTestMemory();
    await memory.remember('The studio has two doors');
    const session = await memory.startSession({ session: 'ses_tea', agent: 'butler' });
    await session.message('user', 'We moved the kettle.');
    const { id } = await memory.remember({ content: 'The kettle stands by the window', source: 'the kitchen' });
    await memory.write('knowledge/kitchen.md', '# Kitchen\n\n- The kettle stands by the window\n');
    await memory.commit();
    expect(await trailersOf(memory)).toEqual(
      expect.arrayContaining([`Session: ${session.path}`, 'Agent: butler', `Memory: ${id}`]),
    );
    expect(await recordOf(memory, id!)).toMatchObject({
      sources: [{ path: session.path }],
      meta: { source: 'the kitchen', extra: { session: 'ses_tea', agent: 'butler' } },
    });
    expect(await memory.provenance(id!)).toMatchObject({
      agent: 'butler',
      source: 'the kitchen',
      sources: [{ path: session.path, session: 'ses_tea' }],
    });
    expect((await memory.list({ session: 'ses_tea' })).memories.map((one) => one.id)).toEqual([id]);
    await session.end();
    await memory.remember('The garden has one gate');
    await memory.undo({ session: 'ses_tea' });
    const left = (await memory.list()).memories.map(({ content }) => content).sort();
    expect(left).toEqual(['The garden has one gate', 'The studio has two doors']);
    await expect(memory.read('knowledge/kitchen.md')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('is nobody where two sessions are open, unless the call says which', async () => {
    const { memory } = await newTestMemory();
    const one = await memory.startSession({ session: 'ses_one', agent: 'clerk' });
    await memory.startSession({ session: 'ses_two' });
    await memory.remember('Nobody knows who said it');
    await memory.commit();
    expect((await trailersOf(memory)).filter((line) => /^(?:Session|Agent)/.test(line))).toEqual([]);
    await memory.remember({ content: 'The clerk keeps the stamps', session: 'ses_one' });
    await memory.commit();
    expect(await trailersOf(memory)).toEqual(expect.arrayContaining([`Session: ${one.path}`, 'Agent: clerk']));
  });

  it('is who the call names: each has commits of their own, so that undo takes back one and not the other', async () => {
    const { memory } = await newTestMemory();
    await memory.remember({ content: 'Ines waters the ferns', agent: 'ines-bot', session: 'talk-7' });
    const { id } = await memory.remember({ content: 'Omar feeds the fish', agent: 'omar-bot' });
    await memory.undo({ agent: 'ines-bot' });
    expect((await memory.list()).memories.map((one) => one.id)).toEqual([id]);
    expect(await memory.provenance(id!)).toMatchObject({ agent: 'omar-bot', sources: [] });
    for (const name of [' ', '\u200b', 'x'.repeat(300), 7 as unknown as string]) {
      await expect(memory.remember({ content: 'Something', agent: name })).rejects.toMatchObject({
        code: 'INVALID_ARGUMENT',
        where: 'agent',
      });
    }
  });
});

describe('a commitment, decision, preference or principle', () => {
  it('is in ledger, open loops, pack and session start, with who said it, and undo takes it back', async () => {
    const { memory } = await newTestMemory();
    const { id } = await memory.remember({
      content: 'I will send the floor plan to Noor',
      category: 'commitment',
      due: '2026-02-20',
      source: 'the site visit',
      session: 'visit-3',
      agent: 'planner',
    });
    await memory.remember({ content: 'Meetings end at noon', category: 'principle' });
    await memory.remember({ content: 'The roof is red', category: 'fact' });
    expect((await memory.ledger.loops()).loops).toMatchObject([{ memory: id, due: '2026-02-20' }]);
    expect(await eventsOf(memory)).toMatchObject([
      { type: 'commitment', session: 'visit-3', agent: 'planner', source: 'the site visit', status: 'open' },
      { type: 'constraint', content: 'Meetings end at noon', source: 'live' },
    ]);
    expect((await memory.pack()).text).toContain('floor plan');
    expect((await memory.sessionStart()).text).toContain('floor plan');
    await memory.commit();
    expect((await memory.ledger.check()).ok).toBe(true);
    await memory.undo({ session: 'visit-3' });
    expect(await loopsOf(memory)).toEqual([]);
    expect((await memory.ledger.check()).ok).toBe(true);
  });

  it('is told once, also when it is said again, and not where memory.yaml says so', async () => {
    const { memory } = await newTestMemory();
    for (const _ of [1, 2]) await memory.remember({ content: 'We decided to plant oaks', category: 'decision' });
    expect(await eventsOf(memory)).toHaveLength(1);
    await memory.remember('Kim will call the surveyor');
    await memory.remember({ content: 'Kim will call the surveyor', category: 'commitment' });
    expect(await loopsOf(memory)).toEqual(['Kim will call the surveyor']);
    await writeConfiguration(memory, 'extract:\n  events: false\n');
    await memory.remember({ content: 'We decided to plant elms', category: 'decision' });
    expect(await eventsOf(memory)).toHaveLength(2);
  });

  it('takes the place of the event of what it replaces', async () => {
    const { memory } = await newTestMemory();
    const old = await memory.remember({ content: 'I will paint the fence', category: 'commitment', due: '2026-03-01' });
    await memory.remember({ content: 'The fence needs no paint', replaces: old.id! });
    expect(await loopsOf(memory)).toEqual([]);
    const first = await memory.remember({ content: 'I will fix the gate', category: 'commitment' });
    await memory.remember({ content: 'I will replace the gate', category: 'commitment', replaces: [first.id!] });
    expect(await loopsOf(memory)).toEqual(['I will replace the gate']);
    await memory.commit();
    expect((await memory.ledger.check()).ok).toBe(true);
  });
});

describe('a claim that replaces another', () => {
  it('ends it in the same commit, and undo opens it again', async () => {
    const { memory, clock } = await newTestMemory();
    const old = await memory.remember('Ada lives in Porto');
    await memory.commit();
    clock.advance({ days: 3 });
    const made = await memory.remember({ content: 'Ada lives in Lyon', replaces: old.id! });
    expect(made).toMatchObject({ closed: [{ id: old.id, content: 'Ada lives in Porto' }] });
    const now = Math.floor(clock.now() / 1000);
    expect(await recordOf(memory, old.id!)).toMatchObject({
      status: 'superseded',
      validUntil: now,
      replacedBy: made.id,
    });
    const { commits } = await memory.commit();
    expect(commits).toHaveLength(1);
    expect(await trailersOf(memory)).toContain(`Closes: ${old.id}`);
    await memory.undo(commits[0]!);
    expect(await recordOf(memory, old.id!)).not.toHaveProperty('replacedBy');
    expect(await recordOf(memory, old.id!)).toMatchObject({ status: 'active' });
  });

  it('on a day to come, ends it from that day on in the zone of the memory', async () => {
    const { memory } = await newTestMemory({}, 'timezone: Europe/Berlin\n');
    const old = await memory.remember('The office is on the second floor');
    const made = await memory.remember({
      content: 'The office is on the fifth floor',
      validFrom: '2026-03-01',
      validUntil: '2026-12-31',
      replaces: old.id!,
    });
    const from = Date.parse('2026-02-28T23:00:00Z') / 1000;
    expect(await recordOf(memory, old.id!)).toMatchObject({ status: 'active', validUntil: from, replacedBy: made.id });
    const until = Date.parse('2026-12-31T22:59:59Z') / 1000;
    expect(await recordOf(memory, made.id!)).toMatchObject({ validFrom: from, validUntil: until });
    // Each door says so of what does not hold yet.
    const { hits } = await memory.recall('which floor is the office on');
    expect(hits.find(({ id }) => id === made.id)).toMatchObject({ from: '2026-03-01', until: '2026-12-31' });
    expect(hits.find(({ id }) => id === old.id)).not.toHaveProperty('from');
    expect((await memory.context('which floor is the office on')).text).toMatch(
      /on the fifth floor .*\(from 2026-03-01\)/,
    );
  });

  it('is refused, with nothing written, where there is none, it was replaced before, or the days contradict each other', async () => {
    const { memory } = await newTestMemory();
    const old = await memory.remember('The van is white');
    await memory.remember({ content: 'The van is green', replaces: old.id! });
    const before = JSON.stringify(memory.store.pending());
    const content = 'The van is blue';
    const cases = [
      [{ content, replaces: 'nobody' }, 'NOT_FOUND'],
      [{ content, replaces: old.id! }, 'CONFLICT'],
      [{ content, replaces: [7] as never }, 'INVALID_ARGUMENT'],
      [{ content, subject: ' ' }, 'INVALID_ARGUMENT'],
      [{ content, validFrom: 'soon' }, 'INVALID_DATE'],
      [{ content, validFrom: '2026-03-01', validUntil: '2026-02-01' }, 'INVALID_ARGUMENT'],
    ] as const;
    for (const [input, code] of cases) await expect(memory.remember(input)).rejects.toMatchObject({ code });
    await expect(memory.rememberAll([{ content }, { content, replaces: 'nobody' }])).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    await expect(memory.rememberAll([])).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' });
    expect(JSON.stringify(memory.store.pending())).toBe(before);
  });

  it('and says the same words takes its place all the same; without, what is known gets what it lacked', async () => {
    const { memory } = await newTestMemory();
    const { id } = await memory.remember('The choir meets on Mondays');
    const again = {
      content: 'The choir meets on Mondays',
      subject: 'choir',
      attribute: 'day',
      validFrom: '2026-01-05',
    };
    expect(await memory.remember(again)).toMatchObject({ id, isDuplicate: true });
    expect(await recordOf(memory, id!)).toMatchObject({ subject: 'choir', attribute: 'day', validFrom: 1767571200 });
    const next = await memory.remember({ ...again, subject: 'band', replaces: id! });
    expect(next).toMatchObject({ closed: [{ id }] });
    expect(next.id).not.toBe(id);
  });
});

it('a value of a subject ends the one before it, and no value of another subject, attribute or time', async () => {
  const { memory } = await newTestMemory();
  const say = async (content: string, subject: string, attribute: string, more = {}) =>
    (await memory.remember({ content, subject, attribute, ...more })).id!;
  const host = await say('The shop runs on host alder', 'shop', 'host');
  const others = [
    await say('The blog runs on host birch', 'blog', 'host'),
    await say('The shop has port 8080', 'shop', 'port'),
    await say('In 2020 the shop ran on host elm', 'shop', 'host', {
      validFrom: '2020-01-01',
      validUntil: '2020-12-31',
    }),
  ];
  for (const id of [host, ...others]) expect(await recordOf(memory, id)).toMatchObject({ status: 'active' });
  const next = await memory.remember({ content: 'It is on cedar now', subject: 'Shop', attribute: 'Host' });
  expect(next).toMatchObject({ closed: [{ id: host }] });
  expect(await recordOf(memory, host)).toMatchObject({ status: 'superseded', replacedBy: next.id });
  for (const id of others) expect(await recordOf(memory, id)).toMatchObject({ status: 'active' });
});

it('several claims of one call are one write: answers in their order, the same words once, one commit, which names all', async () => {
  const { memory } = await newTestMemory();
  const old = await memory.remember('The alarm code is on the fridge');
  await memory.commit();
  const [first, second, third] = await memory.rememberAll(
    [
      { content: 'Lena repairs clocks', subject: 'Lena', attribute: 'trade' },
      { content: 'lena repairs clocks.' },
      { content: 'The alarm code is in the safe', replaces: old.id! },
    ],
    { agent: 'warden', session: 'talk-1' },
  );
  expect([first!.isDuplicate, second!.isDuplicate, second!.id]).toEqual([undefined, true, first!.id]);
  expect(third).toMatchObject({ closed: [{ id: old.id }] });
  const { commits } = await memory.commit();
  expect(commits).toHaveLength(1);
  expect((await trailersOf(memory)).filter((line) => /^(?:Session|Agent|Memory|Closes)/.test(line))).toEqual([
    'Session: talk-1',
    'Agent: warden',
    `Memory: ${first!.id}`,
    `Memory: ${third!.id}`,
    `Closes: ${old.id}`,
  ]);
  await memory.undo({ session: 'talk-1' });
  expect((await memory.list()).memories).toMatchObject([{ id: old.id, status: 'active' }]);
});

it('the source of a claim is a turn where it names one by its file or its session, and words where it names none', async () => {
  const { memory } = await newTestMemory();
  const { path } = await memory.capture({
    session: 'ses_pier',
    messages: [
      { role: 'user', speaker: 'Ada', text: 'The ferry leaves at seven.' },
      { role: 'user', speaker: 'Ada', text: 'It leaves from pier four.' },
    ],
  });
  const sourcesOf = async (source: string) => {
    const { id } = await memory.remember({ content: `The ferry leaves at seven (${source})`, source });
    return (await memory.provenance(id as string)).sources.map((one) => [one.path, one.turn, one.text]);
  };
  expect(await sourcesOf(`${path}#2`)).toEqual([[path, 2, 'It leaves from pier four.']]);
  expect(await sourcesOf('ses_pier#1')).toEqual([[path, 1, 'The ferry leaves at seven.']]);
  expect((await sourcesOf(path)).map(([file]) => file)).toEqual([path]);
  for (const words of ['a leaflet', 'raw/nowhere.md#3', '../raw#1', 'ses_none#1'])
    expect(await sourcesOf(words)).toEqual([]);
  const [hit] = (await memory.recall('ferry leaves at seven', { limit: 20 })).hits.filter(({ turn }) => turn === 1);
  expect(hit?.also?.some(({ id }) => id !== undefined)).toBe(true);
});
