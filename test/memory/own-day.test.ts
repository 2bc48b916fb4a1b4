// What a memory keeps of small talk and of what holds for a day, and what 130 days without anybody leave of it.

import { describe, expect, it } from 'vitest';
import type { Memory } from '../../src/memory/open-memory.ts';
import type { ManualClock } from '../helpers/memories.ts';
import { newTestMemory } from '../helpers/memories.ts';

const filler = (
  'ok|sure thing|haha nice|thanks a lot!|sounds good to me|how is it going?|pretty good, you?|yeah same here|lol|what a week|nice weather, isn’t it?|' +
  'could use a coffee|hang on a second|back again|sorry, got distracted|no worries|that made me laugh|oh well|see you around|good morning!|slept well?|' +
  'not really|poor you|it is what it is|anyway|let me think|hmm|right, where were we|I forgot already|never mind|all good|can you hear me?|loud and clear|' +
  'that was quick|wow|amazing|cool cool|bless you|lunch soon?|yes please|enjoy!|thanks, you too|brb|okay I am back|did I miss something?|nothing at all|' +
  'again? typical|good plan|window open?|yeah, closing it|better|much better|so true|what a day|you always say that|never a dull moment|always a pleasure|' +
  'it is raining again|fair enough|got it'
).split('|');

const contentsOf = async (memory: Memory): Promise<string[]> =>
  (await memory.list()).memories.map(({ content }) => content).sort();

async function idle(memory: Memory, clock: ManualClock, days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    clock.advance({ days: 1 });
    await memory.maintenance.run();
  }
}

describe('what is of no weight', () => {
  it('is hardly kept: of 120 turns of small talk five at most, said again and again', async () => {
    const { memory } = await newTestMemory();
    const messages = Array.from({ length: 120 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'agent',
      text: filler[at % filler.length]!,
    }));
    await memory.capture({ messages });
    await memory.extract();
    expect((await contentsOf(memory)).length).toBeLessThanOrEqual(5);
  });

  it('is a moment where it is of its day only, and ends by nothing; other days and deeds are not', async () => {
    const { memory } = await newTestMemory();
    const said = ['Today we only take cash at the till.', 'Today, please answer in French only.'];
    const lasting = [
      'Today I signed the lease for the flat in Hilltown.',
      'From now on, answer in French only, please.',
    ];
    await memory.capture({ messages: [...said, ...lasting].map((text) => ({ role: 'user', text })) });
    await memory.extract();
    const records = (await memory.list()).memories;
    const passing = records.filter(({ category, importance = 0.5 }) => category === 'moment' && importance <= 0.3);
    expect(passing.map(({ content }) => content).sort()).toEqual(said.sort());
    expect(records.map(({ content }) => content)).toEqual(expect.arrayContaining(lasting));
    expect(records.filter(({ validUntil }) => validUntil !== undefined)).toEqual([]);
  });

  it('is gone after 130 days without anybody, and all else is as it was', async () => {
    const { memory, clock } = await newTestMemory({}, 'version: 1\nauto_extract: true\n');
    const lasting = [
      'Decision: the choir of Hilltown rehearses in the old dairy.',
      'I never eat walnuts, I am allergic to them.',
      'My sister Rosalind lives in Trondheim.',
      'The code of the shed in the garden is 4471.',
    ];
    const passing = ['The lift is broken today, take the stairs.', 'Today, please answer in French only.'];
    await memory.capture({
      messages: [...lasting, ...passing, lasting[0]!].map((text) => ({ role: 'user', text })),
    });
    await memory.extract();
    await memory.remember({ content: 'The blue mug is a bit chipped.', category: 'fact', importance: 0.2 });
    await memory.write('knowledge/reference/kiln.md', '# Kiln\n\n- The kiln takes six hours to cool.\n');
    await memory.commit();
    const before = await contentsOf(memory);
    // Equal lines of one session are one.
    expect(before.filter((one) => one === lasting[0])).toHaveLength(1);
    const counts: number[] = [];
    for (const days of [70, 50, 10]) {
      await idle(memory, clock, days);
      counts.push((await memory.log({ limit: 500 })).commits.length);
    }
    expect(await contentsOf(memory)).toEqual(before.filter((one) => lasting.includes(one)));
    const found = await memory.recall('where does the choir rehearse?');
    expect(found.hits[0]!.snippet).toContain('dairy');
    // What eviction put aside the ledger does not write again: in the last ten days nothing is done any more.
    expect(counts[2]! - counts[1]!).toBeLessThanOrEqual(2);
  }, 300_000);
});
