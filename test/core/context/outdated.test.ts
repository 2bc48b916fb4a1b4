import { expect, it } from 'vitest';
import { markedText } from '../../../src/core/context/compile/outdated.ts';

it('marks a passage of any length behind its last word, whatever its white space and letter case', () => {
  const marks = { timeZone: 'UTC', now: 0 };
  const log = Array.from({ length: 8000 }, (_, at) => `😀 lamp ${at} (on)`).join(', ');
  for (const words of ['The lamp is on', log, `${'x'.repeat(50_000)} ${log}`]) {
    const written = words.replaceAll(' ', ' \n ').toUpperCase();
    const passages = [{ words: `${words}.`, until: 0 }];
    expect(markedText(`Once ${written}! And so on.`, { passages }, marks)).toEqual({
      text: `Once ${written}! (until 1970-01-01) And so on.`,
    });
    expect(markedText(`Once ${written.slice(0, -4)}.`, { passages }, marks).text).not.toContain('(until');
  }
});

it('finds a long passage where its beginning stands alone before', () => {
  const marks = { timeZone: 'UTC', now: 0 };
  const words = Array.from({ length: 400 }, (_, at) => `lamp ${at}`).join(', ');
  const text = `${words.slice(0, 600)}. ${words}.`;
  expect(markedText(text, { passages: [{ words, until: 0 }] }, marks).text).toBe(`${text} (until 1970-01-01)`);
});
