// What somebody says of an event of the ledger: it stands beside it and is a question, until somebody acts.

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
