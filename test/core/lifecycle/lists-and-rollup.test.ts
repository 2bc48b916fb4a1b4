// What MEMORY.md and the list of projects say by themselves.

import { expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';

it('says in a line what a project is, and another one when that changes, but keeps a line that somebody wrote', async () => {
  const { memory, clock } = await newTestMemory();
  const context = (state: string) =>
    `# Kiln\n\n## Current State\n${state}\n\n## Key Decisions\n- 2026-02-01: Buy bricks.\n`;
  await memory.write('knowledge/projects/kiln/context.md', context('A wood kiln for the yard.'));
  await memory.write(
    'knowledge/projects/shop/context.md',
    '# Shop\n\n## Key Decisions\n- 2026-02-01: Open on Saturdays.\n',
  );
  await memory.write('knowledge/projects/van/context.md', '# Van\n\n## Current State\nIn repair.\n');
  await memory.commit();
  const lists = () => memory.maintenance.run({ tasks: ['lists'] });
  await lists();
  const active = 'knowledge/projects/_active.md';
  expect(await memory.read(active)).toContain('- **kiln** — A wood kiln for the yard.\n');
  expect(await memory.read(active)).toContain('- **shop** — Open on Saturdays.\n');
  await memory.edit(active, '**van** — In repair.', '**van** — the old van');
  await memory.write('knowledge/projects/kiln/context.md', context('Built; the first firing is in May.'));
  await memory.write('knowledge/projects/van/context.md', '# Van\n\n## Current State\nSold.\n');
  await memory.commit();
  clock.advance({ days: 1 });
  await lists();
  const text = await memory.read(active);
  expect(text).toContain('- **kiln** — Built; the first firing is in May.\n');
  expect(text).not.toContain('A wood kiln');
  expect(text).toContain('- **van** — the old van\n');
  const tip = memory.tip;
  await lists();
  expect(memory.tip).toBe(tip);
});

it('brings decisions and rules of the ledger into MEMORY.md once, and lets them go when they end', async () => {
  const { memory, clock } = await newTestMemory();
  const first = await memory.ledger.add({ type: 'decision', priority: 'P1', content: 'Fire at night' });
  await memory.ledger.add({ type: 'constraint', priority: 'P0', content: 'Never open the kiln above 200 degrees' });
  await memory.ledger.add({ type: 'decision', priority: 'P2', content: 'Paint the gate' });
  const rollup = () => memory.maintenance.run({ tasks: ['rollup'] });
  await rollup();
  const core = () => memory.read('knowledge/memory/MEMORY.md');
  expect(await core()).toContain(`## Key Decisions\n\n- 2026-02-16: Fire at night [source: ${first.id}]`);
  expect(await core()).toContain('## Lessons Learned\n\n- 2026-02-16: Never open the kiln above 200 degrees');
  expect(await core()).not.toContain('gate');
  const text = await core();
  await rollup();
  expect(await core()).toBe(text);
  clock.advance({ days: 1 });
  await memory.ledger.add({ type: 'decision', priority: 'P1', content: 'Fire at dawn', supersedes: first.id });
  await rollup();
  expect(await core()).toContain('Fire at dawn');
  expect(await core()).not.toContain('Fire at night');
});

it('brings more than decisions from the journals of a week', async () => {
  const { memory } = await newTestMemory({}, 'owner: Odile Brandt\n');
  await memory.capture({
    session: 's1',
    topic: 'kiln',
    messages: [
      { role: 'user', text: 'We decided to build the kiln behind the shed.' },
      { role: 'user', text: 'I prefer invoices as plain text without any logo.' },
      { role: 'user', text: 'I learned that wet bricks crack when they are fired too early.' },
    ],
  });
  await memory.extract();
  await memory.maintenance.run({ tasks: ['condense', 'rollup'] });
  const core = await memory.read('knowledge/memory/MEMORY.md');
  expect(core).toContain('behind the shed');
  expect(core).toContain('plain text without any logo');
  expect(await memory.read('knowledge/people/odile-brandt.md')).toContain('plain text without any logo');
});

it.each([
  [
    'a decision and its correction',
    ['Decision: the stall opens at nine.', 'Decision: no wait, the stall opens at ten.'],
  ],
  ['a quarrel and its end', ['Nadia and I had a row about the rent, so never mention it to her', "we're good now btw"]],
  [
    'what weighs less before what weighs more',
    [
      'My sister will sell her harp in June, and I prefer the cello.',
      'We decided to move to Bergen in May.',
      'I must always remember: my sister is allergic to nuts and to shellfish.',
    ],
  ],
])('reads %s in the order of speech, in journal and MEMORY.md, over two conversations', async (_, said) => {
  const { memory, clock } = await newTestMemory();
  for (const texts of [
    said,
    ['We decided to buy the red lamps.', 'Decision: no lamps in the hall, the red ones go back.'],
  ]) {
    await memory.capture({ messages: texts.map((text) => ({ role: 'user' as const, text })) });
    clock.advance({ hours: 1 });
  }
  await memory.extract();
  await memory.maintenance.run({ tasks: ['condense', 'rollup'] });
  const turnsIn = (text: string) =>
    [...text.matchAll(/\[source: ([^\]]+)#(\d+)\]/g)].map(([, from, turn]) => `${from}${turn}`);
  const journal = (await memory.read('knowledge/journal/2026-02-16.md')) ?? '';
  // A conversation has one heading there.
  for (const at of ['0900', '1000']) {
    const turns = turnsIn(journal).filter((turn) => turn.includes(`/${at}-`));
    expect(turns).toEqual([...turns].sort());
    expect(turns.length).toBeGreaterThan(1);
  }
  for (const section of ((await memory.read('knowledge/memory/MEMORY.md')) ?? '').split(/^#.*$/m))
    expect(turnsIn(section)).toEqual(turnsIn(section).sort());
});

it('lets a promise leave MEMORY.md when its day has passed', async () => {
  const { memory, clock } = await newTestMemory();
  await memory.remember({ content: 'We fire the kiln on Mondays.', category: 'decision' });
  const day = new Date(clock.now() + 4 * 86_400_000).toISOString().slice(0, 10);
  await memory.capture({ messages: [{ role: 'user', text: `I will send the berth plan to Marek Dvorak by ${day}.` }] });
  await memory.extract();
  const core = async () => {
    await memory.maintenance.run({ tasks: ['condense', 'rollup'] });
    return memory.read('knowledge/memory/MEMORY.md');
  };
  expect(await core()).toContain('I will send the berth plan');
  clock.advance({ days: 6 });
  expect(await core()).not.toContain('I will send the berth plan');
  expect(await memory.read('archive/knowledge/memory/MEMORY.md')).toContain('I will send the berth plan');
});

it('keeps the journal of a day when what it tells has faded, and moves it to the archive after 90 days', async () => {
  const { memory, clock } = await newTestMemory();
  const said = [
    'The blue boat needs a new rope as well, the old one is torn.',
    'I think the tower is from about 1650, made in Ghent.',
  ];
  await memory.capture({ messages: said.map((text) => ({ role: 'user' as const, text })) });
  await memory.extract();
  await memory.maintenance.run({ tasks: ['condense'] });
  const day = 'knowledge/journal/2026-02-16.md';
  const lines = async (path: string) =>
    ((await memory.read(path)) ?? '').split('\n').filter((one) => one.startsWith('- '));
  const before = await lines(day);
  expect(before.length).toBeGreaterThan(0);
  for (const days of [60, 20]) {
    clock.advance({ days });
    await memory.maintenance.run({ tasks: ['expire', 'gc', 'journals', 'fold'] });
  }
  expect((await memory.list()).memories).toEqual([]);
  // A line whose memory is gone is that of its turn.
  const bare = before.map((line) => line.replace(/ \[memory: [^\]]+\]/g, ''));
  expect(await lines(day)).toEqual(bare);
  clock.advance({ days: 40 });
  await memory.maintenance.run({ tasks: ['expire', 'gc', 'journals', 'fold'] });
  expect(await lines(`archive/${day}`)).toEqual(bare);
});

it('joins the page of a thing with that of the person of this name', async () => {
  const { memory } = await newTestMemory();
  const page = (line: string) => `---\nname: Marek Dvorak\n---\n\n# Marek Dvorak\n\n## Active Context\n\n- ${line}\n`;
  await memory.write('knowledge/entities/marek-dvorak.md', page('Waits for the berth plan'));
  await memory.write('knowledge/people/marek-dvorak.md', page('Leads the harbour of Ystad'));
  await memory.maintenance.run({ tasks: ['entities'] });
  expect(await memory.files('knowledge')).toEqual(['knowledge/people/marek-dvorak.md']);
  const joined = await memory.read('knowledge/people/marek-dvorak.md');
  expect(joined).toMatch(/Leads the harbour of Ystad\n- Waits for the berth plan\n$/);
});

it.each([
  ['joins', [], ''],
  ['leaves apart, of two persons who have it,', ['Odile Marchand'], ''],
  ['leaves apart, where a person wrote a line,', [], '\n- My brother\n'],
])('%s the page of a first name and that of the full name', async (what, others, written) => {
  const { memory } = await newTestMemory();
  const say = async (speaker: string, texts: readonly string[]) => {
    await memory.capture({ messages: texts.map((text) => ({ role: 'user', speaker, text })) });
    await memory.extract();
  };
  await say('Odile', ['I prefer invoices as plain text without any logo.']);
  await say('Odile Brandt', ['I prefer trains to planes for any journey in Europe.']);
  for (const name of others) await say(name, ['I prefer to be called after ten in the morning.']);
  const [short, full] = ['knowledge/people/odile.md', 'knowledge/people/odile-brandt.md'] as const;
  if (written !== '') await memory.write(short, `${await memory.read(short)}${written}`);
  const before = await Promise.all([short, full].map((path) => memory.read(path)));
  await memory.maintenance.run({ tasks: ['entities', 'profiles', 'entities'] });
  if (what !== 'joins')
    return expect(await Promise.all([short, full].map((path) => memory.read(path)))).toEqual(before);
  expect(await memory.files('knowledge/people')).not.toContain(short);
  expect(await memory.read(full)).toMatch(/^---\ntype: person\nname: Odile Brandt\nupdated: \S+\n---\n/);
  for (const words of ['without any logo', 'trains to planes']) expect(await memory.read(full)).toContain(words);
  // What he says later stands there, too.
  await say('Odile', ['I prefer letters to calls, whoever it is.']);
  expect(await memory.read(full)).toContain('letters to calls');
  expect((await memory.list({})).memories.filter(({ subject }) => subject === 'Odile').length).toBeGreaterThan(1);
});

it.each([
  ['leaves no page of a thing', ''],
  ['leaves a page of a thing on which somebody wrote', '\nAsk Bo.\n'],
])('%s that too few memories name', async (_, written) => {
  const { memory } = await newTestMemory();
  const page = 'knowledge/entities/kiln.md';
  const ids = ['is from 1962', 'needs new bricks', 'was cold in May'].map((does) => ({
    does,
    id: does.replaceAll(' ', '-'),
  }));
  for (const { does, id } of ids) await memory.remember({ id, content: `The Kiln ${does}`, entities: ['Kiln'] });
  await memory.maintenance.run({ tasks: ['profiles'] });
  expect(await memory.read(page)).toContain('needs new bricks');
  if (written !== '') await memory.write(page, `${await memory.read(page)}${written}`);
  await memory.records.archive(ids[0]!.id);
  await memory.maintenance.run({ tasks: ['profiles'] });
  const left = (await memory.files('knowledge/entities')).includes(page) ? await memory.read(page) : '';
  expect({ left: left?.includes('Ask Bo.'), known: left?.includes('bricks') }).toEqual({
    left: written !== '',
    known: false,
  });
});

it('puts what lasts below headings of its own on the page of a thing, and it does not age', async () => {
  const { memory, clock } = await newTestMemory();
  const claims = [
    ['fact', 'The Kiln is from 1962'],
    ['fact', 'The Kiln needs new bricks'],
    ['relationship', 'The Kiln belongs to Bo'],
    ['preference', 'I prefer the Kiln to the oven'],
    ['principle', 'Never open the Kiln hot'],
  ] as const;
  for (const [category, content] of claims) await memory.remember({ category, content, entities: ['Kiln'] });
  await memory.maintenance.run({ tasks: ['profiles'] });
  clock.advance({ days: 70 });
  const { facts } = await memory.knowledge.list({ path: 'knowledge/entities/kiln.md', states: ['stale', 'lasting'] });
  expect(facts.map(({ text, state }) => `${state} ${text.replace(/^\S+: /, '')}`).sort()).toEqual(
    claims.map(([category, content]) => `${category === 'fact' ? 'stale' : 'lasting'} ${content}`).sort(),
  );
});

it('makes no page of the full name of somebody who speaks by the first', async () => {
  const { memory } = await newTestMemory();
  const text = 'I prefer invoices as plain text without any logo.';
  await memory.capture({ messages: [{ role: 'user', speaker: 'Odile', text }] });
  await memory.extract();
  for (const does of ['orders the clay', 'pays the invoices', 'is off on Fridays'])
    await memory.remember({ content: `Odile Brandt ${does}`, entities: ['Odile Brandt'] });
  await memory.maintenance.run({ tasks: ['profiles'] });
  expect(await memory.files('knowledge/entities')).toEqual([]);
});
