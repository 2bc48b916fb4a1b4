import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cut, hang, paintWords, pairs, plainStyle, shortTime, wrap } from '../../../src/apps/verbs/style.ts';

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

  it('show times to the minute', () => {
    expect(shortTime('2026-11-18T14:21:07Z')).toBe('2026-11-18 14:21');
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
