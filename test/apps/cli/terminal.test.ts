import { describe, expect, it } from 'vitest';
import { cleaned, escapedJson, ProgressLine, styleFor } from '../../../src/apps/cli/terminal.ts';

describe('what is shown on a terminal', () => {
  it('holds no sequence that could command it', () => {
    const output = {
      hits: [{ snippet: '\u001b]0;title\u0007red \u001b[31mtext\u009b1m', lines: ['a\tb\nc\r\u202ed'] }],
      score: 1,
      id: null,
    };
    expect(cleaned(output)).toEqual({
      hits: [{ snippet: ']0;titlered [31mtext1m', lines: ['a\tb\ncd'] }],
      score: 1,
      id: null,
    });
  });

  it('is the same value when it is JSON', () => {
    const value = { snippet: 'red \u009b31m and \u202eback' };
    const shown = escapedJson(JSON.stringify(value, null, 2));
    expect(shown).toBe('{\n  "snippet": "red \\u009b31m and \\u202eback"\n}');
    expect(JSON.parse(shown)).toEqual(value);
  });

  it('keeps letters, joined emoji and other scripts as they are', () => {
    const text = 'Grüße, 世界, שלום, 👩‍💻';
    expect(cleaned(text)).toBe(text);
  });
});

describe('a style', () => {
  it('has no colours and 80 columns where there is no terminal', () => {
    const style = styleFor({ write: () => {} });
    expect(style.width).toBe(80);
    expect(style.bad('text')).toBe('text');
  });

  it('stays readable on very wide and very narrow terminals', () => {
    expect(styleFor({ isTTY: true, columns: 300, write: () => {} })).toMatchObject({ width: 100, rowWidth: 300 });
    expect(styleFor({ isTTY: true, columns: 20, write: () => {} }).width).toBe(40);
  });
});

describe('progress', () => {
  it('is silent unless someone can watch it', () => {
    const written: string[] = [];
    const line = new ProgressLine({ write: (text) => written.push(text) });
    line.show('Extracting', 1, 10);
    line.clear();
    expect(written).toEqual([]);
  });

  it('rewrites one line and leaves none behind', () => {
    const written: string[] = [];
    const line = new ProgressLine({ isTTY: true, write: (text) => written.push(text) });
    line.show('Extracting', 1, 10);
    line.show('Extracting', 2, 10);
    line.clear();
    line.clear();
    expect(written).toEqual(['\r\u001b[2KExtracting 1 of 10 …', '\r\u001b[2K']);
  });
});
