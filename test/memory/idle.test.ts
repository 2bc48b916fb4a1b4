// A memory in which nothing happens: days pass, everything that has a time runs, and git does not grow.

import { describe, expect, it } from 'vitest';
import { MemoryError } from '../../src/base/errors.ts';
import { nightly } from '../../src/core/maintain/nightly.ts';
import { listTags } from '../../src/history/tags.ts';
import type { Memory } from '../../src/memory/open-memory.ts';
import { newTestMemory } from '../helpers/memories.ts';
import { runPortsOf } from '../helpers/passes.ts';

/** Somebody's day, with something of every kind that the passes of a night look at. */
async function lived() {
  const opened = await newTestMemory();
  const { memory } = opened;
  await memory.capture({
    session: 'kitchen',
    messages: [
      { role: 'user', speaker: 'Ines', text: 'Decision: the oven is replaced before the wedding.' },
      { role: 'user', speaker: 'Ines', text: 'I will call the electrician by February 27.' },
      { role: 'user', speaker: 'Ines', text: 'I prefer lists without numbers.' },
      { role: 'agent', text: 'Noted.' },
    ],
  });
  await memory.extract();
  await memory.remember({ content: 'The key of the cellar hangs behind the door.', category: 'fact' });
  await memory.ledger.add({ type: 'commitment', content: 'Order the cake', due: '2026-03-01' });
  await memory.ledger.add({ type: 'fact', entity: 'bakery', content: 'The bakery closes at noon' });
  await memory.write(
    'knowledge/people/ines.md',
    '# Ines\n\n## Key Facts\n\n- Plays the viola [verified: 2026-02-10]\n',
  );
  await memory.commit();
  return opened;
}

async function oneDay(memory: Memory): Promise<void> {
  const { runs } = await memory.maintenance.run();
  expect(runs.filter(({ state }) => state === 'failed')).toEqual([]);
  await memory.maintenance.night();
  await memory.sessionStart();
}

const sizeOf = (memory: Memory) => ({
  tip: memory.tip,
  tags: listTags(memory.store.repository, 'refs/tags/').map(({ tag }) => tag),
});

describe('a memory in which nothing happens', () => {
  it('has no commit, no tag and no file more after four weeks', async () => {
    const { memory, clock } = await lived();
    await oneDay(memory);
    // The first week is named once it is over, for something happened in it. A promise leaves MEMORY.md when its day has passed.
    for (let day = 0; day < 14; day += 1) {
      clock.advance({ days: 1 });
      await oneDay(memory);
    }
    const before = sizeOf(memory);
    const files = await memory.files('');
    expect(before.tags).toEqual(expect.arrayContaining(['memory/daily/2026-02-17', 'memory/weekly/2026-W08']));
    for (let day = 0; day < 28; day += 1) {
      clock.advance({ days: 1 });
      await oneDay(memory);
    }
    // Names that the engine gave for two weeks are over; the last day that changed something keeps its own.
    expect(sizeOf(memory)).toEqual({
      ...before,
      tags: ['memory/weekly/2026-W08', 'memory/daily/2026-03-02', 'memory/weekly/2026-W10'],
    });
    expect(await memory.files('')).toEqual(files);
  }, 600_000);

  it('says all the same what is late by now, and writes the page anew as soon as it says something else', async () => {
    const { memory, clock } = await lived();
    await oneDay(memory);
    const page = await memory.read('recall/pack.md');
    expect(page).toContain('Order the cake (open, 0 days, due 2026-03-01)');
    clock.advance({ days: 20 });
    await oneDay(memory);
    expect(await memory.read('recall/pack.md')).toBe(page);
    expect((await memory.pack()).text).toContain('past due since 2026-03-01: done, moved or dropped?');
    expect((await memory.sessionStart()).text).toContain(
      'Order the cake (past due since 2026-03-01: done, moved or dropped?)',
    );
    await memory.ledger.add({ type: 'commitment', content: 'Invite the neighbours' });
    await memory.maintenance.night();
    const anew = await memory.read('recall/pack.md');
    expect(anew).toBe((await memory.pack()).text);
    expect(anew).toContain('Recall Pack — 2026-03-08');
  }, 600_000);

  it('is told once of what fails night after night, and of another failure again', async () => {
    const { memory, clock } = await lived();
    await oneDay(memory);
    const reportsAfterNight = async (reason: string): Promise<number> => {
      clock.advance({ days: 1 });
      const extract = () => Promise.reject(new MemoryError('MODEL_FAILED', reason));
      const { steps } = await nightly({ ...runPortsOf(memory, clock), extract });
      expect(steps.find(({ step }) => step === 'extract')).toMatchObject({ state: 'failed', why: reason });
      return (await memory.files('knowledge/consolidation-reports/')).length;
    };
    const first = await reportsAfterNight('the model does not answer');
    expect(await reportsAfterNight('the model does not answer')).toBe(first);
    expect(await reportsAfterNight('the model has no credit left')).toBe(first + 1);
    expect(await reportsAfterNight('the model does not answer')).toBe(first + 2);
  });
});
