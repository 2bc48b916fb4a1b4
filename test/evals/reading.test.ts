// What the evaluation counts as handed, and how it takes a part of the questions.

import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const scripts = path.join(path.dirname(fileURLToPath(import.meta.url)), '../../scripts/eval');
const { readerOf } = (await import(path.join(scripts, 'reading.mjs'))) as {
  readerOf(context: string, message: string): (turn: string) => boolean;
};
const { sampler } = (await import(path.join(scripts, 'metrics.mjs'))) as {
  sampler(options: { every?: number; offset?: number }): <Item>(items: readonly Item[]) => Item[];
};

it('counts a turn whose words all stand, whatever marks stand within', () => {
  const isHanded = readerOf(
    '- 2026-03-02 Ruth: "The bakery opens at 7 &amp; closes at two (until 2026-04-01), I think."',
    '',
  );
  expect(isHanded('The bakery opens at 7 & closes at two, I think.')).toBe(true);
  expect(isHanded('The bakery opens at 7 & closes at three, I think.')).toBe(false);
});

it('counts a turn whose sentences stand apart, not one that is cut within a sentence', () => {
  const isHanded = readerOf('Ruth: The oven is new. … Ask Ida first.\nRuth: Bread is out by', '');
  expect(isHanded('The oven is new. Ask Ida first.')).toBe(true);
  expect(isHanded('Bread is out by six.')).toBe(false);
});

it('does not count the words of the message that a context answers', () => {
  const isHanded = readerOf(
    'Ruth: It is noon.\n<message>\nThe bakery opens at seven.\n</message>\n',
    'The bakery opens at seven.',
  );
  expect(isHanded('The bakery opens at seven.')).toBe(false);
  expect(isHanded('It is noon.')).toBe(true);
});

it('takes every nth, counted on from call to call', () => {
  const pick = sampler({ every: 3, offset: 1 });
  expect([pick([0, 1]), pick([2, 3, 4]), pick([5])]).toEqual([[1], [4], []]);
});
