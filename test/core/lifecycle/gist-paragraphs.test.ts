// Paragraphs in many registers. What denies, forbids, limits, dates or sets a condition stands behind a star.

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../src/base/token-estimate.ts';
import { gistOf } from '../../../src/core/lifecycle/gist/gist.ts';

/** Reads paragraphs, a sentence on each line. */
const read = (name: string) =>
  readFileSync(new URL(`./${name}.txt`, import.meta.url), 'utf8')
    .trim()
    .split('\n\n')
    .map((paragraph) => {
      const lines = paragraph.split('\n');
      const sentences = lines.map((line) => line.replace(/^\* /, ''));
      return {
        sentences,
        text: sentences.join(' '),
        binding: sentences.filter((_, at) => lines[at]!.startsWith('* ')),
      };
    });
const paragraphs = read('gist-paragraphs');

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
    expect(made).toBeGreaterThan(50);
  });

  // Some rules no word gives away, and they read like what happened: scorers choose, and another training chooses others.
  it.each([
    ['gist-registers', 130, 2],
    ['gist-rooms', 91, 4],
  ])('keep it in %s, written without the words in view, but for few', (name, count, most) => {
    const texts = read(name).map((one) => ({ ...one, gist: gistOf(one.text) ?? one.text }));
    const lost = texts.flatMap(({ binding, gist }) => binding.filter((sentence) => !gist.includes(sentence)));
    expect(lost.length, lost.join('\n')).toBeLessThanOrEqual(most);
    const tokensOf = (all: readonly string[]) => all.reduce((sum, text) => sum + estimateTokens(text), 0);
    const saved = 1 - tokensOf(texts.map(({ gist }) => gist)) / tokensOf(texts.map(({ text }) => text));
    expect(texts).toHaveLength(count);
    expect(saved).toBeGreaterThan(0.2);
    expect(saved).toBeLessThan(0.4);
  });
});
