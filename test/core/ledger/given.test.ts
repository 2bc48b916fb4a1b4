// What somebody gave, and what rules only read: priorities, categories, attributes.

import { describe, expect, it } from 'vitest';
import { eventTypeOf } from '../../../src/core/extract/events.ts';
import { formatMemory, memoryPath, newMemory } from '../../../src/store/records/memory-record.ts';
import { newTestMemory } from '../../helpers/memories.ts';
import { fsck, hasGit } from '../../helpers/native-git.ts';

const conflictsOf = (text: string) => text.match(/⚠️ CONFLICT: .*/g) ?? [];

describe('an event of the ledger', () => {
  it.each([
    [{ confidence: 0.79 }, undefined],
    [{ confidence: 0.8 }, 'commitment'],
    [{ confidence: 0.5, statement: 'Mats sends the keys.' }, 'commitment'],
    [{ confidence: 0.5, attribute: 'keys' }, 'commitment'],
    [{}, 'commitment'],
  ])('comes of a category that is given, or read with four fifths: %o', (given, type) => {
    expect(eventTypeOf({ category: 'commitment', ...given })).toBe(type);
    expect(eventTypeOf({ category: 'fact', ...given })).toBeUndefined();
  });
});

describe('P0', () => {
  it('is made of no sentence, and handed for no other question', async () => {
    const { memory } = await newTestMemory();
    await memory.remember('The clinic opens at nine.');
    await memory.remember('Mats has coeliac disease.');
    await memory.remember('Ylva must never eat walnuts, it is life-threatening.');
    await memory.commit();
    const { text } = await memory.context('When does the clinic open?');
    expect(text).toContain('The clinic opens at nine.');
    expect(text).not.toMatch(/Mats|P0/);
    expect((await memory.ledger.list({ priority: 'P0' })).events).toEqual([]);
    expect((await memory.pack()).lines.filter(({ section }) => section === 'p0')).toEqual([]);
    // Somebody says so: an act.
    await memory.remember({ content: 'Mats cannot eat wheat.', tags: ['P0'] });
    expect((await memory.context('When does the clinic open?')).text).toContain(
      '- [P0] 2026-02-16: Mats cannot eat wheat.',
    );
  });
});

describe('what always holds', () => {
  it('has the day and the speaker of a quote, in the zone of the memory', async () => {
    const { memory, clock } = await newTestMemory();
    const quote = newMemory({
      ...{ id: 'quote', content: 'I want metric units.', now: clock.now(), category: 'preference', confidence: 0.9 },
      ...{ subject: 'Jonas', sources: [{ path: 'raw/2026/02/talk.md', turn: 3, role: 'user' }] },
    });
    await memory.write(memoryPath('quote'), formatMemory(quote));
    await memory.write(
      memoryPath('guess'),
      formatMemory({ ...quote, id: 'guess', content: 'I guess I like inches.', confidence: 0.7 }),
    );
    await memory.remember({ content: 'Prices include tax.', category: 'principle' });
    const { text } = await memory.context('Nothing of that kind');
    expect(text).toContain('- 2026-02-16 Jonas: I want metric units.');
    expect(text).toContain('\n- 2026-02-16: Prices include tax.');
    expect(text).not.toMatch(/What always holds:[^<]*inches/);
  });
});

describe.runIf(hasGit)('a conflict', () => {
  it('stays on the page while both sides are open, and goes with either', async () => {
    const { memory, directory } = await newTestMemory();
    const given = { subject: 'gate', attribute: 'code owner' };
    const ada = await memory.remember({ content: 'Ada keeps the code of the gate', ...given });
    const ole = await memory.remember({ content: 'Ole keeps the code of the gate', ...given, validFrom: '2025-01-01' });
    const bench = await memory.remember({ content: 'We decided that the bench stays green', category: 'decision' });
    await memory.commit();
    await memory.maintenance.run({ tasks: ['pack'] });
    const page = async () => conflictsOf((await memory.read('recall/pack.md'))!);
    const line = `⚠️ CONFLICT: ${ole.id} says "Ole keeps the code of the gate", ${ada.id} says "Ada keeps the code of the gate" — needs resolution`;
    expect(await page()).toEqual([line]);
    expect(conflictsOf((await memory.sessionStart()).text)).toEqual([line]);
    await memory.forget(bench.id!);
    await memory.commit();
    expect(await page()).toEqual([line]);
    await memory.forget(ole.id!);
    await memory.commit();
    expect(await page()).toEqual([]);
    expect(conflictsOf((await memory.pack()).text)).toEqual([]);
    await memory.close();
    expect(fsck(directory)).toBe('');
  });
});
