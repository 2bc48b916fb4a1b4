import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normaliseForHash, oneLine, slugOf, splitKeepingEnds, splitLines } from '../../src/base/text.ts';

const anyText = fc.string({ unit: 'binary', maxLength: 300 });

describe('slugOf', () => {
  test.each([
    ['Äpfel & Birnen — „Größe"', 'apfel-birnen-grosse'],
    ["Don't panic", 'dont-panic'],
    ['日本語', 'untitled'],
    ['', 'untitled'],
    ['../../etc/passwd', 'etc-passwd'],
  ])('makes %j %j', (text, slug) => {
    expect(slugOf(text)).toBe(slug);
  });

  test('cuts at a word', () => {
    expect(slugOf('the quick brown fox jumps over the lazy dog and more', 20)).toBe('the-quick-brown-fox');
  });

  test('is always a clean path segment of the length asked for', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, length) => {
        const slug = slugOf(text, length);
        expect(slug).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
        expect(slug.length).toBeLessThanOrEqual(length);
      }),
    );
  });
});

test('lines are split on LF alone', () => {
  expect(splitLines('a\r\nb\rc\u2028d\n')).toEqual(['a\r', 'b\rc\u2028d']);
  expect(splitLines('')).toEqual([]);
  expect(splitLines('\n\na')).toEqual(['', '', 'a']);
});

describe('oneLine', () => {
  test('drops what steers a terminal or hides, and keeps words', () => {
    expect(oneLine('a\u001b[31mb\n\tc\u202e d\u200b\u0085e\ufeff', 50)).toBe('a [31mb c d e');
  });

  test('never exceeds the length, never splits a pair, has no control characters', () => {
    fc.assert(
      fc.property(anyText, fc.integer({ min: 1, max: 40 }), (text, length) => {
        const line = oneLine(text, length);
        expect(line.length).toBeLessThanOrEqual(length);
        expect(line).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
      }),
    );
  });

  test('marks a cut', () => {
    expect(oneLine('abcdef', 4)).toBe('abc…');
    expect(oneLine(`${'x'.repeat(10)}\n${'y'.repeat(10_000)}`, 12)).toBe('xxxxxxxxxx…');
    expect(oneLine('😀😀😀', 4)).toBe('😀…');
  });
});

test('texts that differ in case, punctuation and white space are duplicates', () => {
  const forms = ['I prefer  Tabs!', 'i prefer tabs', ' I prefer, tabs… ', 'I\tprefer\n"tabs"'];
  expect(new Set(forms.map(normaliseForHash))).toEqual(new Set(['i prefer tabs']));
  expect(normaliseForHash('I prefer spaces')).not.toBe(normaliseForHash('I prefer tabs'));
});

test('plain text has the same form alone as beside other letters', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (text) => {
      expect(`${normaliseForHash(text)} é`.trim()).toBe(normaliseForHash(`${text} é`));
    }),
  );
});

test('splitKeepingEnds keeps every character', () => {
  fc.assert(fc.property(anyText, (text) => splitKeepingEnds(text).join('') === text));
  expect(splitKeepingEnds('a\n\nb\r')).toEqual(['a\n', '\n', 'b\r']);
});
