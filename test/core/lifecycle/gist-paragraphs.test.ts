// Seventy paragraphs in many registers. What denies, forbids, limits, dates or sets a condition stands behind a star.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/base/token-estimate.ts';
import { gistOf } from '../../../src/core/lifecycle/gist/gist.ts';

const paragraphs = readFileSync(new URL('./gist-paragraphs.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n\n')
  .map((paragraph) => {
    const lines = paragraph.split('\n');
    const sentences = lines.map((line) => line.replace(/^\* /, ''));
    return { sentences, text: sentences.join(' '), binding: sentences.filter((_, at) => lines[at]!.startsWith('* ')) };
  });

describe('gists of paragraphs', () => {
  it('keep every prohibition, deadline and condition', () => {
    const lost = paragraphs.flatMap(({ text, binding }) => {
      const gist = gistOf(text) ?? text;
      return binding.filter((sentence) => !gist.includes(sentence));
    });
    expect(paragraphs).toHaveLength(70);
    expect(lost).toEqual([]);
  });

  it('save 20 to 40 % of all of them, and are whole sentences in their order', () => {
    let [full, short, made] = [0, 0, 0];
    for (const { text, sentences } of paragraphs) {
      const gist = gistOf(text);
      full += estimateTokens(text);
      short += estimateTokens(gist ?? text);
      if (gist === null) continue;
      made += 1;
      const kept = sentences.filter((sentence) => gist.includes(sentence));
      expect(kept.join(' ')).toBe(gist);
    }
    expect(1 - short / full).toBeGreaterThan(0.2);
    expect(1 - short / full).toBeLessThan(0.4);
    expect(made).toBeGreaterThan(55);
  });

  it('keep what is told, forbidden, dated or conditional between talk, and save as much', () => {
    const [firm = [], plain = []] = readFileSync(new URL('./gist-sentences.txt', import.meta.url), 'utf8')
      .trim()
      .split('\n\n')
      .map((block) => block.split('\n'));
    let [full, short] = [0, 0];
    const lost = firm.filter((sentence, at) => {
      const talk = [0, 1, 2, 3, 4].map((step) => plain[(at * 7 + step * 11) % plain.length]!);
      const text = [...talk.slice(0, 2), sentence, ...talk.slice(2)].join(' ');
      const gist = gistOf(text);
      full += estimateTokens(text);
      short += estimateTokens(gist ?? text);
      return !(gist ?? text).includes(sentence);
    });
    // A rule that no word gives away, and that reads like what happens.
    expect(lost).toEqual(['Trucks take the ring road.']);
    expect(1 - short / full).toBeGreaterThan(0.2);
    expect(1 - short / full).toBeLessThan(0.4);
  });
});
