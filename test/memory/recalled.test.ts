// What of a memory a context brings for a message: hits, what was said after them, and all of a small memory.

import { describe, expect, it } from 'vitest';
import { ephemeralFileSystem } from '../../src/adapters/ephemeral.ts';
import type { ContextOptions } from '../../src/base/types.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { formatMemory, memoryPath, newMemory } from '../../src/store/records/memory-record.ts';
import { newTestMemory } from '../helpers/memories.ts';

type Said = readonly [time: string, text: string, speaker?: string];

async function talked(conversations: readonly (readonly Said[])[], timezone?: string): Promise<Memory> {
  const { memory, clock } = await newTestMemory({ dir: '/talked', fs: ephemeralFileSystem(), placement: 'bare' });
  if (timezone !== undefined) await memory.configure({ timezone });
  for (const [at, turns] of conversations.entries()) {
    const started = turns[0]![0];
    clock.set(turns.at(-1)![0]);
    const messages = turns.map(([time, text, speaker]) => ({
      role: 'user' as const,
      time,
      text,
      ...(speaker && { speaker }),
    }));
    await memory.capture({ session: `s${at}`, started, messages });
  }
  await memory.commit();
  return memory;
}

const recalledOf = async (memory: Memory, message: string, options?: ContextOptions): Promise<string> =>
  /<recalled[^>]*>\n([\s\S]*?)\n<\/recalled>/.exec((await memory.context(message, options)).text)?.[1] ?? '';

/** Days of talk that has nothing to do with what is asked, four turns a day. */
const others = (count: number): Said[][] =>
  Array.from({ length: count / 4 }, (_, day) =>
    [0, 1, 2, 3].map((turn) => [
      `2026-02-${String(1 + (day % 27)).padStart(2, '0')}T07:0${turn}:00Z`,
      `Choir practice number ${day * 4 + turn} went on until the lamps went out.`,
    ]),
  );

describe('what is recalled', () => {
  it('is all that was said where that is little, the newest day first, below the day it is seen from', async () => {
    const memory = await talked([
      [
        ['2026-01-05T10:00:00Z', 'We host on Hetzner.', 'Jonas'],
        ['2026-01-05T10:01:00Z', 'Noted, thanks.', 'Ada'],
      ],
      [['2026-01-09T10:00:00Z', 'The cat is called Pim.', 'Jonas']],
      [['2026-01-20T10:00:00Z', 'We host on Hetzner.', 'Jonas']],
    ]);
    expect(await recalledOf(memory, 'Who pays for the servers?')).toBe(
      [
        'today: 2026-01-20 (Tuesday)',
        '[2026-01-20]',
        'Jonas: We host on Hetzner.',
        '[2026-01-09]',
        'Jonas: The cat is called Pim.',
        '[2026-01-05]',
        'Jonas: We host on Hetzner.',
        'Ada: Noted, thanks.',
      ].join('\n'),
    );
  });

  it('has what was said again below the last day on which it was, also where all of it became one memory', async () => {
    const memory = await talked([
      [['2026-01-05T10:00:00Z', 'We decided to host on Hetzner.', 'Jonas']],
      [['2026-01-09T10:00:00Z', 'We decided to move to Scaleway.', 'Jonas']],
      [['2026-01-20T10:00:00Z', 'We decided to host on Hetzner!', 'Jonas']],
      ...others(40),
    ]);
    await memory.configure({ extract: { knowledge: false, events: false } });
    await memory.extract();
    const { memories } = await memory.list({ category: 'decision' });
    expect(memories.find(({ content }) => content.includes('Hetzner'))!.sources).toHaveLength(2);
    for (const tokens of [300, 4000]) {
      const text = await recalledOf(memory, 'Where do we host?', { tokens });
      expect(text).toContain('[2026-01-20]\nJonas: We decided to host on Hetzner!');
      expect(text).not.toContain('[2026-01-05]');
    }
  });

  it('finds a page of a day by that day in the zone of the memory', async () => {
    const memory = await talked([[['2026-11-01T05:30:00Z', 'I flew to Reno today.']]], 'America/New_York');
    await memory.write('knowledge/journal/2026-11-01.md', '---\ndate: 2026-11-01\n---\n\n- Reno, by plane\n');
    const found = async (options: object) => (await memory.recall('Reno', options)).hits.length;
    expect(await found({ until: '2026-10-31' })).toBe(0);
    expect(await found({ since: '2026-11-01', until: '2026-11-01' })).toBe(2);
    expect(await found({ since: '2026-11-02' })).toBe(0);
    const { hits } = await memory.recall('Reno');
    expect(hits.map(({ time }) => time).sort()).toEqual(['2026-11-01T00:00:00Z', '2026-11-01T01:30:00-04:00']);
  });

  it('has each turn under its own day in the zone of the memory, also where a conversation goes past midnight', async () => {
    const memory = await talked(
      [
        [
          ['2026-01-05T22:50:00Z', 'The boiler hums.', 'Ada'],
          ['2026-01-05T23:10:00Z', 'The boiler leaks, too.', 'Ada'],
        ],
      ],
      'Europe/Berlin',
    );
    const text = await recalledOf(memory, 'boiler');
    expect(text).toContain('[2026-01-06]\nAda: The boiler leaks, too.\n[2026-01-05]\nAda: The boiler hums.');
  });

  it('brings what was said after a hit and has none of the words asked for', async () => {
    const memory = await talked([
      [['2026-01-05T10:00:00Z', 'Our landlord is Mr Okafor, he holds the garden key.', 'Ada']],
      ...others(60),
      [['2026-03-02T10:00:00Z', 'Mr Okafor sold the house, the garden key went to Lena.', 'Ada']],
    ]);
    const few = { tokens: 300 };
    const text = await recalledOf(memory, 'Who is our landlord?', few);
    expect(text).toContain('[2026-03-02]\nAda: Mr Okafor sold the house');
    expect(text.indexOf('sold the house')).toBeLessThan(text.indexOf('Our landlord is'));
    const { slots } = await memory.context('Who is our landlord?', few);
    const blocks = slots.find(({ slot }) => slot === 'knowledge')!.blocks;
    expect(blocks.some(({ why }) => /said after what fits/.test(why))).toBe(true);
  });

  it.each([
    ['sounds like news', 'Ada', '08', 'Mr Okafor is no longer here, from now on Lena has the garden key instead.'],
    ['the same speaker says', 'Ben', '01', 'Mr Okafor has a garden key, number 9.'],
  ])('brings what %s before what is as near', async (_, speaker, day, said) => {
    const memory = await talked([
      [['2026-01-05T10:00:00Z', 'Our landlord is Mr Okafor, he holds the garden key.', 'Ada']],
      ...others(60),
      [[`2026-03-${day}T10:00:00Z`, said, 'Ada']],
      ...[2, 3, 4, 5, 6, 7].map((at): Said[] => [
        [`2026-03-0${at}T10:00:00Z`, `Mr Okafor has a garden key, number ${at}.`, speaker],
      ]),
    ]);
    expect(await recalledOf(memory, 'Who is our landlord?', { tokens: 200 })).toContain(said);
  });

  it('shows a turn whole, and a very long one by the sentences that fit', async () => {
    const usual = `The kiln is fired on Fridays. ${'It takes a while to cool. '.repeat(40)}Mind the door.`;
    const long = `${'We talked about glazes for hours. '.repeat(90)}The kiln needs a new thermostat. ${'Then we had tea. '.repeat(40)}`;
    const memory = await talked([
      [['2026-01-05T10:00:00Z', usual, 'Ada']],
      [['2026-01-06T10:00:00Z', long, 'Ada']],
      ...others(300),
    ]);
    const text = await recalledOf(memory, 'What about the kiln?', { tokens: 2000 });
    expect(text).toContain(usual.replaceAll('  ', ' '));
    expect(text).toContain('The kiln needs a new thermostat.');
    expect(text).not.toContain(long.slice(0, 1000));
  });

  it('shows a memory that quotes a turn as that turn, once', async () => {
    const memory = await talked([
      [['2026-01-05T10:00:00Z', 'Good that you ask. The alarm code is 4711. Tell nobody.', 'Ada']],
      ...others(300),
    ]);
    const path = (await memory.files()).find((file) => file.endsWith('s0.md') || file.includes('2026/01/05'))!;
    const sources = [{ path, turn: 1 }];
    const claim = newMemory({ id: 'code00000001', content: 'The alarm code is 4711.', now: 0, sources });
    await memory.write(memoryPath(claim.id), formatMemory(claim));
    await memory.commit();
    const text = await recalledOf(memory, 'alarm code', { tokens: 1000 });
    expect(text).toContain('[2026-01-05]\nAda: Good that you ask. The alarm code is 4711. Tell nobody.');
    expect(text.match(/4711/g)).toHaveLength(1);
  });

  it('shows a short answer with the question before it', async () => {
    const memory = await talked([
      [
        ['2026-01-05T10:00:00Z', 'Where does the spare wheel live?', 'Ada'],
        ['2026-01-05T10:01:00Z', 'In the shed, under the tarpaulin.', 'Ben'],
      ],
      ...others(300),
    ]);
    expect(await recalledOf(memory, 'What is under the tarpaulin?', { tokens: 200 })).toContain(
      'Ada: Where does the spare wheel live?\nBen: In the shed, under the tarpaulin.',
    );
  });

  it('has nothing of a turn that was forgotten, whatever is asked', async () => {
    const memory = await talked([
      [
        [
          '2026-01-05T10:00:00Z',
          'Our landlord is Mr Okafor. I will bring Mr Okafor the drawings by 2026-02-27.',
          'Ada',
        ],
      ],
    ]);
    await memory.extract();
    const { memories } = await memory.list();
    for (const { id } of memories) await memory.forget(id, { allowRemovals: true });
    await memory.commit();
    expect(memories.length).toBeGreaterThan(0);
    expect((await memory.context('Who is our landlord?')).text).not.toContain('drawings');
  });
});
