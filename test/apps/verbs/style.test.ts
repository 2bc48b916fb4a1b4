import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, hang, paintWords, pairs, plainStyle, shortDay, shortTime, wrap } from '../../../src/apps/verbs/style.ts';

describe('wrapping', () => {
  it('breaks at spaces and leaves a long word whole', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrap('a raw/conversations/2026/x.md b', 10)).toEqual(['a', 'raw/conversations/2026/x.md', 'b']);
    expect(wrap('', 10)).toEqual(['']);
  });

  it('never makes a line that is too long of words that fit, and keeps all words', () => {
    const words = fc.array(
      fc.string({ minLength: 1, maxLength: 12 }).filter((word) => /^\S+$/.test(word)),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(words, fc.integer({ min: 12, max: 60 }), (parts, width) => {
        const lines = wrap(parts.join('  '), width);
        expect(lines.every((line) => [...line].length <= width)).toBe(true);
        expect(lines.join(' ')).toBe(parts.join(' '));
      }),
    );
  });

  it('says with an ellipsis that there was more', () => {
    expect(wrap('one two three four', 8, 2)).toEqual(['one two', 'three …']);
    expect(wrap('aaaa bbbb cccc', 4, 1)).toEqual(['aaa…']);
  });

  it('indents all lines but the first, which follows its label', () => {
    expect(hang('1.', 'one two three', { ...plainStyle, width: 11 }, 4)).toEqual(['1.  one two', '    three']);
    const green = '\u001b[32m+\u001b[39m';
    expect(hang(green, 'one two', plainStyle, 4)).toEqual([`${green}   one two`]);
  });
});

describe('small texts', () => {
  it('have marked words coloured, also over the end of a line', () => {
    const style = { ...plainStyle, good: (text: string) => `<g>${text}</g>`, bad: (text: string) => `<b>${text}</b>` };
    expect(paintWords(['on [-11', 'or 12-]{+13+} May'], style)).toEqual([
      'on <b>[-11</b>',
      '<b>or 12-]</b><g>{+13+}</g> May',
    ]);
  });

  it('are cut by characters, not by halves of them', () => {
    expect(cut('tea 🍵🍵🍵', 6)).toBe('tea 🍵…');
    expect(cut('tea', 3)).toBe('tea');
  });

  it.each([
    ['2026-11-18T14:21:07Z', 'UTC', '2026-11-18 14:21'],
    ['2026-11-18T03:21:07Z', 'America/Lima', '2026-11-17 22:21'],
    ['2026-11-17T22:21:07-05:00', 'America/Lima', '2026-11-17 22:21'],
    ['2026-07-31T22:05:00Z', 'Europe/Oslo', '2026-08-01 00:05'],
    ['2026-11-18T00:00:00Z', 'America/Lima', '2026-11-18 00:00'],
    ['2026-11-18', 'America/Lima', '2026-11-18'],
    ['+3170843-11-07T09:46:39Z', 'America/Lima', '+3170843-11-07 09:46'],
  ])('show %s to the minute in %s', (iso, timeZone, shown) => {
    expect(shortTime(iso, { timeZone })).toBe(shown);
    expect(shortDay(iso, { timeZone })).toBe(shown.split(' ')[0]);
  });

  it('leave out pairs without a value', () => {
    expect(
      pairs(
        [
          ['id', 'x'],
          ['due', undefined],
          ['path', ''],
        ],
        plainStyle,
      ),
    ).toEqual(['id  x']);
  });
});
