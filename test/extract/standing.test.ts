// What a sentence is that somebody asks to keep without a word of its kind.

import { describe, expect, it } from 'vitest';
import { standingOf } from '../../src/extract/rules.ts';
import { newTestMemory } from '../helpers/memories.ts';

const now = Date.parse('2026-03-04T12:00:00Z');

describe('what is remembered without a category', () => {
  it.each([
    ['Never deploy on Fridays', { category: 'principle' }],
    ['All commits must be signed.', { category: 'principle' }],
    ['Answer me in French from now on', { category: 'principle' }],
    ['Anna prefers tea', { category: 'preference' }],
    ['Use pnpm, not npm', { category: 'correction' }],
    ['I will send Ole the papers by Friday', { category: 'commitment', due: '2026-03-06' }],
    ['Remember to call the dentist', { category: 'commitment' }],
    ['Decision: Postgres it is for the ledger', { category: 'decision' }],
  ])('is what the rules surely read: %s', (text, said) => {
    expect(standingOf(text, now, 'UTC')).toEqual(said);
  });

  it.each([
    'The staging host is staging.example.com',
    'The cat is called Miso',
    'I think we prefer tea',
    'Do we ever deploy on Fridays?',
    'Never deploy on Fridays. The build host is slow then.',
    `Never ${'deploy '.repeat(80)}on Fridays`,
  ])('stays without where they are not sure, or it says several things: %s', (text) => {
    expect(standingOf(text, now, 'UTC')).toBeUndefined();
  });

  it('is handed out with what always holds, and a promise among those that are open', async () => {
    const { memory } = await newTestMemory();
    expect(await memory.remember('Never deploy on Fridays')).toMatchObject({ category: 'principle' });
    const { id } = await memory.remember('I will send Ole the papers by 20 March');
    expect(await memory.get(id!)).toMatchObject({ category: 'commitment', due: '2026-03-20' });
    await memory.commit();
    const { text } = await memory.context('What is the weather like?');
    expect(text).toMatch(/Never deploy on Fridays/);
    expect(text).toMatch(/papers by 20 March/);
    // Somebody's own word counts, and what says the same is the same under another kind.
    expect(await memory.remember({ content: 'Always knock twice at the shed', category: 'fact' })).toMatchObject({
      category: 'fact',
    });
    expect(await memory.remember('always knock twice at the shed!')).toMatchObject({ isDuplicate: true });
  });
});
