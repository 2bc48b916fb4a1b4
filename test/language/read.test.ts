// What the scorers say of single texts is data and is judged by rate (scripts/train/scorers); here stands what holds of any text.

import { describe, expect, it } from 'vitest';
import { featuresOf } from '../../src/language/features.ts';
import { categories, read, sentencesOf, textKinds } from '../../src/language/index.ts';
import { readWeights } from '../../src/language/weights.ts';

const texts = [
  '',
  ' \n',
  '?!',
  'I am allergic to peanuts.',
  'The depot closes at 17:00. Ask Ines for the key, she has two.',
  '```\nconst a = 1;\n```\n- one\n- two',
  '\ud800 broken \u0000 signs 🙂',
  'long '.repeat(5000),
];

describe('reading a text', () => {
  it('gives probabilities, a category and a kind for any text', () => {
    for (const text of texts) {
      const { sentences, ...whole } = read(text, { role: 'user', before: { role: 'agent', text: 'Where?' } });
      for (const { worth, standing, change, categoryProbability, kindProbability, category, kind } of [
        whole,
        ...sentences,
      ]) {
        for (const value of [worth, standing, change, categoryProbability, kindProbability]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThanOrEqual(1);
        }
        expect(categories).toContain(category);
        expect(textKinds).toContain(kind);
      }
    }
  });

  it('gives the same for the same, whatever was read before', () => {
    const first = read(texts[4]!, { speaker: 'Ines' });
    for (const text of texts) read(text);
    expect(read(texts[4]!, { speaker: 'Ines' })).toEqual(first);
  });

  it('gives each sentence as it stands in the turn, and none of code and quotations', () => {
    const turn =
      '1. The depot closes at 17:00.\n2. Ask Ines!\n\n> somebody else\n\n```\ncode\n```\n| a | b |\nThe rest';
    expect(sentencesOf(turn)).toEqual(['The depot closes at 17:00.', 'Ask Ines!', 'The rest']);
    expect(read(turn).sentences.map(({ text }) => text)).toEqual(sentencesOf(turn));
  });

  it('gives more to what people tell than to what they greet with', () => {
    const told = [
      'My sister Ana lives in Porto now.',
      'We never deploy on Fridays.',
      'I promised Lea the draft by Monday.',
    ];
    const said = ['Good morning, how are you?', 'See you tomorrow, then!', 'Thanks a lot!'];
    const mean = (list: string[]) => list.reduce((sum, text) => sum + read(text).worth, 0) / list.length;
    expect(mean(told) - mean(said)).toBeGreaterThan(0.3);
  });

  it('sees what stands before', () => {
    const answer = { before: { role: 'agent', text: 'Which one?' } };
    expect([...featuresOf('The red one', answer)]).toEqual(expect.arrayContaining(['a assistant', 'a asked', 'w red']));
    expect(featuresOf('The red one').has('a asked')).toBe(false);
  });

  it('names the file that cannot be read, and one that is damaged', () => {
    expect(() => readWeights(new URL('file:///nowhere/english.bin'))).toThrow(
      expect.objectContaining({ code: 'IO', where: 'file:///nowhere/english.bin' }),
    );
    expect(() => readWeights(new URL('../../package.json', import.meta.url))).toThrow(
      expect.objectContaining({ code: 'IO' }),
    );
  });

  it('fits into 750 KB', () => {
    const { rows, hashes, scales } = readWeights();
    expect(rows.length).toBe((hashes.length * scales.length) / 2);
    expect(rows.length + 4 * hashes.length).toBeLessThan(750_000);
  });
});
