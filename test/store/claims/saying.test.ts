import { describe, expect, it } from 'vitest';
import { sayingOf } from '../../../src/store/claims/saying.ts';

describe('the same words', () => {
  it.each([
    ['The office, at last!', 'office at last'],
    ['Die Kasse schließt der Zug um 8', 'die kasse schließt zug um 8.'],
    ['We  host on Hetzner', 'we host on a HETZNER.'],
  ])('are one, but for case, spaces, punctuation and articles: %s', (one, other) => {
    expect(sayingOf(one)).toBe(sayingOf(other));
  });

  it.each([
    ['Ana beat Rui', 'Rui beat Ana'],
    ['The shop shuts at 6 pm', 'The shop shuts at 18:00'],
    ['We host on Hetzner', 'We do not host on Hetzner'],
  ])('are others in another order, form or number: %s', (one, other) => {
    expect(sayingOf(one)).not.toBe(sayingOf(other));
  });

  it('are never empty for an article alone', () => {
    expect([sayingOf('The'), sayingOf('…')]).toEqual(['the', '']);
  });
});
