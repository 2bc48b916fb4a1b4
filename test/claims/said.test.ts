import { describe, expect, test } from 'vitest';
import { saidIn, speakerOf } from '../../src/claims/said.ts';
import type { Turn } from '../../src/records/types.ts';

const turns: Turn[] = [
  { role: 'agent', time: 1_000, text: 'Where should the\ncrate go?' },
  { role: 'user', time: 2_000, text: 'Well, to the shed. It stands behind the **barn**. Thanks!' },
];

describe('a sentence where it was said', () => {
  test('has its speaker, the turns before, and what else the turn says', () => {
    expect(saidIn('It stands behind the barn.', turns, 2, { owner: 'Ingeborg', timeZone: 'Europe/Oslo' })).toEqual({
      text: 'It stands behind the barn.',
      speaker: 'Ingeborg',
      role: 'user',
      time: 2_000,
      timeZone: 'Europe/Oslo',
      before: [
        { role: 'agent', speaker: 'the assistant', text: 'Where should the crate go?' },
        { role: 'user', speaker: 'Ingeborg', text: 'Well, to the shed.' },
      ],
      after: 'Thanks!',
    });
  });

  test('is found without its opening', () => {
    const said = saidIn('To the shed.', turns, 2)!;
    expect([said.before.at(-1)!.text, said.after]).toEqual(['Well,', 'It stands behind the barn. Thanks!']);
    expect(saidIn('nothing', turns, 3)).toBeUndefined();
  });

  test('keeps the label that takes something back', () => {
    const corrected = { role: 'user', time: 3_000, text: 'Hm. Correction: the crate goes to the loft.' };
    const said = saidIn('The crate goes to the loft.', [...turns, corrected], 3)!;
    expect([said.text, said.before.at(-1)!.text]).toEqual(['Correction: The crate goes to the loft.', 'Hm.']);
  });

  test('is by whoever spoke', () => {
    expect(speakerOf({ role: 'user' })).toBe('the user');
    expect(speakerOf({ role: 'user', speaker: 'Ola' }, 'Ingeborg')).toBe('Ola');
    expect(speakerOf({ role: 'assistant' })).toBe('the assistant');
    expect(speakerOf({ role: 'tool' })).toBe('tool');
  });
});
