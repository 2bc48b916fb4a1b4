// What a sentence is that somebody asks to keep without a word of its kind.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { standingOf } from '../../../src/core/extract/rules.ts';
import { newTestMemory } from '../../helpers/memories.ts';

const rows: readonly { turn: { text: string }; keep: { category: string }[] }[] = readFileSync(
  new URL('../../../scripts/train/sets/own/turns.jsonl', import.meta.url),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

const now = Date.parse('2026-03-04T12:00:00Z');

describe('what is remembered without a category', () => {
  it('is what its label says', () => {
    expect(standingOf('Decision: Postgres it is for the ledger', now, 'UTC')).toEqual({ category: 'decision' });
    expect(standingOf('Todo: send Ole the papers by Friday', now, 'UTC')).toEqual({
      category: 'commitment',
      due: '2026-03-06',
    });
  });

  it('is what the scorers are sure of, and their sureness is right', () => {
    const said = rows.flatMap(({ turn, keep }) => {
      const read = standingOf(turn.text, now, 'UTC');
      return read === undefined || keep.length === 0 ? [] : [{ read, is: keep.map(({ category }) => category) }];
    });
    const right = said.filter(({ read, is }) =>
      is.some((one) => (one === 'constraint' ? 'principle' : one) === read.category),
    );
    expect(said.length).toBeGreaterThan(20);
    expect(right.length / said.length).toBeGreaterThan(0.85);
  });

  it.each([
    'Do we ever deploy on Fridays?',
    'Never deploy on Fridays. The build host is slow then.',
    `Never ${'deploy '.repeat(90)}on Fridays`,
  ])('stays without where they are not sure, or it says several things: %s', (text) => {
    expect(standingOf(text, now, 'UTC')).toBeUndefined();
  });

  it('is handed out with what always holds, and a promise among those that are open', async () => {
    const { memory } = await newTestMemory();
    expect(await memory.remember('Rule: never deploy on Fridays')).toMatchObject({ category: 'principle' });
    const { id } = await memory.remember('Todo: send Ole the papers by 20 March');
    expect(await memory.get(id!)).toMatchObject({ category: 'commitment', due: '2026-03-20' });
    await memory.commit();
    const { text } = await memory.context('What is the weather like?');
    expect(text).toMatch(/never deploy on Fridays/);
    expect(text).toMatch(/papers by 20 March/);
    // Somebody's own word counts, and what says the same is the same under another kind.
    expect(await memory.remember({ content: 'Always knock twice at the shed', category: 'fact' })).toMatchObject({
      category: 'fact',
    });
    expect(await memory.remember('always knock twice at the shed!')).toMatchObject({ isDuplicate: true });
  });
});
