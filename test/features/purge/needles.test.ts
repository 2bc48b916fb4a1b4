// The forms in which a text is found, and what is left alone; and by what a receipt knows it again.

import { describe, expect, it } from 'vitest';
import { checkNeedle, Needles } from '../../../src/features/purge/needles.ts';
import { holdsPurged, isPrintOf, printOfPath, printOfText } from '../../../src/store/records/purge-receipt.ts';

const text = 'the "blue heron" of Açude';
const needles = new Needles({ texts: [text], literals: new Map([['raw/a-b.md', 'raw/purged-x.md']]), id: '1a2b' });
const replaced = (given: string, form: 'text' | 'plain' = 'text') =>
  needles.replace(Buffer.from(given), form).toString('utf8');

describe('a text to purge', () => {
  it.each([
    ['as it is', `I say ${text}.`, 'I say [purged 1a2b].'],
    ['in JSON', JSON.stringify({ content: text }), '{"content":"[purged 1a2b]"}'],
    ['in JSON in JSON', JSON.stringify(JSON.stringify(text)), '"\\"[purged 1a2b]\\""'],
    ['in JSON of other programs', '{"a":"the \\"blue heron\\" of A\\u00e7ude"}', '{"a":"[purged 1a2b]"}'],
    ['decomposed', text.normalize('NFD'), '[purged 1a2b]'],
    ['over lines and quoted', '> the "blue\n> heron" of\n> Açude, so', '> [purged 1a2b], so'],
    ['with other letters large', 'The "Blue Heron" of Açude', '[purged 1a2b]'],
    ['in an address', `https://example.org/?q=${encodeURIComponent(text)}&x=1`, 'https://example.org/?q=purged&x=1'],
    ['as a slug', 'see the-blue-heron-of-acude.md', 'see purged-1a2b.md'],
    ['cut off in a subject', 'memory: the "blue her…\n', 'memory: [purged 1a2b]…\n'],
    ['its first words, as a topic', 'topic of: the "blue heron" of\nnext', 'topic of: [purged 1a2b]\nnext'],
    ['in front matter', `---\ntitle: ${text}\n---\n\n${text}\n`, '---\ntitle: purged-1a2b\n---\n\n[purged 1a2b]\n'],
    ['the path of a file that goes', 'source: raw/a-b.md#3', 'source: raw/purged-x.md#3'],
  ])('is found %s', (_, given, expected) => {
    expect(replaced(given)).toBe(expected);
    expect(needles.isIn(Buffer.from(expected))).toBe(false);
  });

  it('is found in base64 at each alignment, and the rest can still be decoded', () => {
    for (const before of ['', 'x', 'xy', 'xyz']) {
      const encoded = Buffer.from(`${before}${text} stays`).toString('base64');
      const after = Buffer.from(replaced(encoded), 'base64').toString('latin1');
      expect(after).toContain('tays');
      expect(after).not.toContain('heron');
    }
  });

  it('leaves bytes alone that do not hold it, and those are the same buffer', () => {
    for (const given of ['the blue heron of Açude', 'heron', '{"a":"the \\"blue\\" heron"}', '']) {
      const bytes = Buffer.from(given);
      expect(needles.replace(bytes, 'text')).toBe(bytes);
    }
    const binary = Buffer.from([0, 255, 254, 116, 104, 101, 0, 34]);
    expect(needles.replace(binary, 'text')).toBe(binary);
  });

  it('is no word of the layout, and not too short', () => {
    for (const bad of ['', ' a ', 'raw', 'memories', 'Operation', 7 as never]) {
      expect(() => checkNeedle(bad)).toThrow(expect.objectContaining({ code: 'INVALID_ARGUMENT' }));
    }
    expect(() => checkNeedle('x'.repeat(20_001))).toThrow(expect.objectContaining({ code: 'TOO_LARGE' }));
    expect(checkNeedle('  Ann ')).toBe('Ann');
  });
});

it('a receipt knows a text and a path again, and holds neither', () => {
  const prints = [printOfText(text, 'salt')];
  expect(JSON.stringify(prints)).not.toMatch(/heron/i);
  expect(holdsPurged(JSON.stringify(`So THE "blue\nheron" of Açude!`), prints)).toBe(true);
  expect(holdsPurged('the "blue heron" of Acude', prints)).toBe(false);
  expect(holdsPurged('', prints)).toBe(false);
  const paths = [printOfPath('knowledge/people', 'salt')];
  expect(paths.some((print) => isPrintOf(print, 'knowledge/people'))).toBe(true);
  expect(paths.some((print) => isPrintOf(print, 'knowledge/peoples'))).toBe(false);
});
