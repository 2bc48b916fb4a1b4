import { describe, expect, test } from 'vitest';
import { leansBack } from '../../src/language/index.ts';

describe('leansBack', () => {
  test.each([
    'That rule has no exceptions.',
    "It's due in May.",
    'They moved to the harbour.',
    '“She wants it printed.”',
    '… and on Fridays at noon',
    '...but never alone',
    'These two stay.',
  ])('is so of what points at what was said before: %s', (text) => {
    expect(leansBack(text)).toBe(true);
  });

  test.each([
    'Itinerary: Oslo, Bergen, Tromsø.',
    'Heron is the smaller one of the two.',
    'This week the printer is in repair.',
    'this morning I fed the cat',
    'Never ship a sample without a label, it would spoil.',
    'The rule has no exceptions.',
    'Hersbruck is near.',
    '',
  ])('is not so of what can be read alone: %s', (text) => {
    expect(leansBack(text)).toBe(false);
  });
});
