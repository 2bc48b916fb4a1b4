// What somebody says of an event of the ledger: it stands beside it and is a question, until somebody acts.

import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';

it('what is said of a decision, a limit or a promise stands beside its event as a proposal, and ends nothing', async () => {
  const { memory, clock } = await newTestMemory();
  const add = async (type: 'decision' | 'constraint' | 'commitment', content: string) =>
    (await memory.ledger.add({ type, content, priority: 'P1' })).id;
  const given = [
    await add('decision', 'The choir rehearses in the old mill on Mondays'),
    await add('constraint', 'No order above 300 euros without the treasurer'),
    await add('commitment', 'I owe the treasurer the seating plan of the mill'),
  ];
  clock.advance({ days: 9 });
  const said = [
    'From now on the choir rehearses in the school, not in the old mill on Mondays.',
    'Now it is 200 euros: no order above that without the treasurer.',
    'Here is the seating plan of the mill that I owed the treasurer.',
    'The train to the coast takes two hours and leaves at nine.',
  ];
  await memory.capture({ session: 'talk', messages: said.map((text) => ({ role: 'user' as const, text })) });
  await memory.commit();
  await memory.maintenance.run({ tasks: ['extract'] });
  const { events } = await memory.ledger.list();
  const beside = events.filter(({ tags }) => tags?.includes('proposal'));
  expect(beside.map(({ content, related }) => [content, related])).toEqual(given.map((id, at) => [said[at], [id]]));
  expect(events.map(({ id }) => id)).toEqual(expect.arrayContaining(given));
  expect((await memory.ledger.loops()).loops.map(({ id }) => id)).toEqual([given[2]]);
  const { text } = await memory.pack();
  for (const at of [0, 1]) expect(text).toContain(`said beside ${given[at]}: does it replace it?) ${beside[at]!.id}`);
  expect(text).toContain(`"Here is the seating plan of the mill that I owed the treasurer." ${beside[2]!.id} — done?`);
  // An act ends it, and the question with it.
  await memory.ledger.add({ content: 'The plan is there', closes: given[2]! });
  await memory.ledger.add({ type: 'decision', content: 'The choir rehearses in the school', supersedes: given[0]! });
  expect((await memory.pack()).text).not.toContain('done?');
  expect((await memory.ledger.loops()).loops).toEqual([]);
});

it('what somebody else promises waits on them, and a word that only begins sentences is nobody', async () => {
  const { memory, directory } = await newTestMemory();
  const said = [
    'Bexley Roofing promised to send us the estimate by 20 June.',
    "Oskar's going to send me the photos by 21 June.",
    "I'll send Oskar the deposit on 22 June.",
    "Oskar, I'll ring you on 23 June about the lease.",
    'Dinner will be ready by seven on 24 June.',
    'Nadia loves her quiet mornings and hates phone calls before ten.',
    'Named after his aunt, he prefers tea in the afternoon.',
    'Every Tuesday at noon Yusuf likes to eat dumplings.',
    'Painted Julia, who likes to sit by the window in the morning.',
  ];
  await memory.capture({ session: 'talk', messages: said.map((text) => ({ role: 'user' as const, text })) });
  await memory.commit();
  await memory.maintenance.run({ tasks: ['extract'] });
  const { loops } = await memory.ledger.loops();
  const owners = loops.filter(({ waiting }) => waiting).map(({ content, entity }) => [said.indexOf(content), entity]);
  expect(owners).toEqual([
    [0, 'bexley_roofing'],
    [1, 'oskar'],
  ]);
  expect(loops.length).toBeGreaterThan(2);
  const { lines } = await memory.pack();
  const of = (name: string) => lines.filter(({ section }) => section === name).flatMap(({ events }) => events);
  const waiting = loops.filter((loop) => loop.waiting).map(({ id }) => id);
  expect(of('waiting').sort()).toEqual(waiting.sort());
  expect(of('focus').filter((id) => waiting.includes(id))).toEqual([]);
  expect(readdirSync(`${directory}/knowledge/people`)).toEqual(['nadia.md']);
});

it('a promise that leaves open what is promised has the sentence before it, of its turn or the one before', async () => {
  const { memory } = await newTestMemory();
  const said = [
    ['assistant', 'The van has to be seen before 30 July.'],
    ['user', "I'll see to that on 4 July."],
    [
      'user',
      "The old kiln needs two elements and a thermocouple, and the shop in Sheffield has them in stock this month. I'll fetch them on 5 July.",
    ],
    ['user', "I'll pay the rent for the cottage on 6 July."],
    ['user', 'Who asks the glazier about the shop window? I have lost my voice.'],
    ['user', "I'll ask him on 7 July."],
    ['user', "I'll mend the hinge of the garden gate on 8 July, remind me of it."],
  ] as const;
  await memory.capture({ session: 'talk', messages: said.map(([role, text]) => ({ role, text })) });
  await memory.commit();
  await memory.maintenance.run({ tasks: ['extract'] });
  const { loops } = await memory.ledger.loops();
  expect(loops.map(({ content, before }) => [content, before])).toEqual([
    [said[1][1], `the assistant: ${said[0][1]}`],
    [said[2][1], undefined],
    [said[3][1], undefined],
    [said[5][1], `the user: ${said[4][1]}`],
    [said[6][1], undefined],
  ]);
  const { text } = await memory.sessionStart();
  expect(text).toContain(`(the assistant: ${said[0][1]}) ${said[1][1]}`);
  const kept = (await memory.list()).memories.find(({ content }) => content === said[0][1]);
  await memory.forget(kept!.id);
  expect((await memory.ledger.loops()).loops[0]?.before).toBeUndefined();
});
