// Each thing once among hits: pages and boxes that the engine wrote of claims give their place to the claims.

import { expect, it } from 'vitest';
import { newTestMemory } from '../../helpers/memories.ts';

async function harbourMemory() {
  const { memory, clock } = await newTestMemory();
  await memory.capture({
    session: 'ses_harbour',
    messages: [
      { role: 'user', speaker: 'Ines', text: 'My boat lies at berth 14 of the old harbour.' },
      { role: 'user', speaker: 'Ines', text: 'The harbour master is called Olsen.' },
      { role: 'user', speaker: 'Ines', text: 'The berth costs 240 euros a month.' },
    ],
  });
  await memory.extract();
  clock.advance({ minutes: 1 });
  return memory;
}

it('a claim comes once, and tells which pages and boxes have it, too', async () => {
  const memory = await harbourMemory();
  const { hits } = await memory.recall('what does the berth cost');
  expect(hits[0]!.snippet).toContain('240 euros');
  expect(hits.filter(({ snippet }) => snippet.includes('240 euros'))).toHaveLength(1);
  const categories = hits.flatMap(({ also = [] }) => also.map(({ category }) => category));
  expect(categories).toContain('box');
  const ranks = hits.map(({ score }) => score);
  expect(ranks).toEqual([...ranks].sort((one, other) => other - one));
  await memory.close();
});

it('what a person wrote on a page is found there', async () => {
  const memory = await harbourMemory();
  const page = 'knowledge/harbour.md';
  await memory.write(page, '# Harbour\n\n- The berth costs 240 euros a month, water included\n');
  await memory.commit();
  const { hits } = await memory.recall('is water included at the berth');
  expect(hits.map(({ path }) => path)).toContain(page);
  await memory.close();
});

it('a page is found where only pages are asked for', async () => {
  const memory = await harbourMemory();
  const { hits } = await memory.recall('what does the berth cost', { category: 'box' });
  expect(hits.length).toBeGreaterThan(0);
  expect(hits.every(({ category }) => category === 'box')).toBe(true);
  await memory.close();
});

it('a page that repeats a claim lends it no score', async () => {
  const { memory } = await newTestMemory();
  await memory.capture({
    topic: 'What a sourdough loaf costs',
    messages: [
      { role: 'user', text: 'Note: a sourdough loaf costs 4.50, baguette 2.20, croissant 2.60.' },
      { role: 'agent', text: 'OK.' },
      { role: 'user', text: 'Todo: the council inspection is on 28 April at 11am.' },
    ],
  });
  await memory.extract();
  const { hits } = await memory.recall('What does sourdough cost?');
  const inspection = hits.find(({ snippet }) => snippet.includes('inspection'))!;
  // Its page is headed by what was said first in the same talk, and scores more than its own words.
  expect(inspection.also!.some(({ category }) => category === 'journal' || category === 'knowledge')).toBe(true);
  expect(inspection.score).toBeLessThanOrEqual(inspection.parts.lexical!);
});
