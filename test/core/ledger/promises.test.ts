// Sixty promises of five months, each opened, updated and closed by events: what is open on each morning, and what the ledger keeps of them.

import { expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck } from '../../helpers/native-git.ts';
import { random } from '../../helpers/random.ts';

const mornings = 153;
const promises = 60;

interface Promised {
  readonly words: string;
  readonly opened: number;
  readonly updated: number;
  readonly closed: number;
  ids: string[];
  due?: string;
}

it('sixty promises that are opened, updated and closed are open in between alone, and are sixty lines in the end', async () => {
  const { memory, clock, directory } = await newTestMemory();
  const draw = random(19);
  const dayOf = (morning: number) => new Date(Date.UTC(2026, 0, 5 + morning)).toISOString().slice(0, 10);
  const plan = Array.from({ length: promises }, (_, at): Promised => {
    const opened = 2 * at;
    const updated = opened + 1 + draw(8);
    return {
      words: `Deliver crate ${at} to pier ${draw(90)}`,
      opened,
      updated,
      closed: updated + 1 + draw(9),
      ids: [],
    };
  });
  for (let morning = 0; morning < mornings; morning++) {
    clock.set(new Date(Date.UTC(2026, 0, 5 + morning, 6)).toISOString());
    await memory.maintenance.runDue();
    clock.advance({ hours: 3 });
    for (const [at, one] of plan.entries()) {
      const add = async (event: object) => {
        const { id } = await memory.ledger.add({ type: 'commitment', content: one.words, ...event });
        one.ids.push(id);
      };
      const priority = at % 3 === 0 ? 'P1' : 'P2';
      if (one.opened === morning) {
        one.due = dayOf(morning + 5);
        await add({ entity: 'harbour', priority, due: one.due });
      } else if (one.updated === morning) {
        // Some are put off by an update, some are worded anew, of most only something is told.
        if (at % 4 === 0) one.due = dayOf(morning + 9);
        if (at % 4 === 1) await add({ content: `${one.words}, by night`, supersedes: one.ids[0], due: one.due });
        else await add({ content: 'Half of it is done', related: [one.ids[0]!], ...(at % 4 ? {} : { due: one.due }) });
      } else if (one.closed === morning) {
        const named = one.ids[draw(2) === 0 || at % 4 === 1 ? 1 : 0]!;
        await add({
          content: `Done with crate ${at}`,
          ...(draw(2) === 0 ? { closes: named } : { status: 'closed', related: [named] }),
        });
      }
    }
    const ahead = ({ due }: Promised) => Date.parse(due!) - Date.parse(dayOf(morning));
    const placeOf = (one: Promised) => (ahead(one) >= 0 ? ahead(one) : 1e15 - ahead(one));
    const open = plan
      .filter(({ opened, closed }) => opened <= morning && morning < closed)
      .sort((a, b) => placeOf(a) - placeOf(b));
    const { loops } = await memory.ledger.loops();
    expect(loops.map(({ content }) => content.replace(', by night', ''))).toEqual(open.map(({ words }) => words));
    expect(loops.map(({ due }) => due)).toEqual(open.map(({ due }) => due));
    expect(loops.map(({ since }) => since.slice(0, 10))).toEqual(open.map(({ opened }) => dayOf(opened)));
    expect(loops.map(({ overdue }) => overdue)).toEqual(open.map(({ due }) => due! < dayOf(morning)));
    const told = (await memory.pack()).lines.filter(({ section }) => section === 'commitments');
    const byAge = [...loops].sort((a, b) => (a.since < b.since ? -1 : 1));
    expect(told.map(({ events: [id] }) => id)).toEqual(byAge.map(({ id }) => id));
  }
  clock.advance({ days: 40 });
  await memory.maintenance.runDue();
  expect((await memory.ledger.loops()).loops).toEqual([]);
  expect((await memory.pack()).lines.filter(({ section }) => section === 'commitments')).toEqual([]);
  const { events } = await memory.ledger.list({ archived: true });
  const all = await memory.ledger.list({ archived: true, superseded: true });
  const aside = all.events.filter(({ archived }) => archived).map(({ id }) => id);
  expect(aside.filter((id) => plan.some(({ ids }) => ids.includes(id)))).toHaveLength(3 * promises);
  const sums = events.filter(({ compacts }) => compacts !== undefined);
  expect(sums.flatMap(({ compacts }) => compacts).sort()).toEqual(plan.flatMap(({ ids }) => ids).sort());
  expect((await memory.ledger.check()).checks.flatMap(({ problems }) => problems)).toEqual([]);
  await memory.close();
  expect(fsck(directory)).toBe('');
}, 240_000);
