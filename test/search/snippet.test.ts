import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryTokensOf, tokensOf } from '../../src/base/tokenizer.ts';
import { snippetOf } from '../../src/search/snippet.ts';

const snippet = (text: string, query: string) => snippetOf(text, queryTokensOf(query));

describe('snippetOf', () => {
  it('shows a short text whole, on one line', () => {
    expect(snippet('\nA short\n\ntext.', 'text')).toEqual({ text: 'A short text.', line: 1, highlights: [[8, 12]] });
  });

  it('shows the sentence with most words of the question, and what follows it', () => {
    const text = `${'Nothing of interest here. '.repeat(20)}\nThe oxygen tank failed. It was cold.`;
    expect(snippet(text, 'oxygen tank')).toMatchObject({ text: 'The oxygen tank failed. It was cold.', line: 1 });
  });

  it('says where the words that were asked for stand', () => {
    const { text, highlights } = snippet('The tanks: src/oxygen-tank.ts, and Oxygen’s valve.', 'oxygen tanks');
    expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual([
      'tanks',
      'src/oxygen-tank.ts',
      'Oxygen’s',
    ]);
  });

  it('cuts a long sentence around the word that was asked for', () => {
    const text = `${'filler words go on and on '.repeat(40)}oxygen ${'and more of it '.repeat(40)}`;
    const { text: shown } = snippet(text, 'oxygen');
    expect(shown).toContain('oxygen');
    expect(shown).toMatch(/^… .* …$/);
    expect(shown.length).toBeLessThanOrEqual(240);
  });

  it('cuts a long sentence around the place that holds most of what was asked for', () => {
    const text = `oxygen ${'filler words go on and on '.repeat(40)}oxygen tank pressure ${'and more '.repeat(40)}`;
    expect(snippet(text, 'oxygen tank pressure').text).toContain('oxygen tank pressure');
  });

  it.each([
    ['code', `${'a=b;c(d);'.repeat(80)}x=fuelCell(1);${'e=f;g(h);'.repeat(80)}`, 'fuelCell'],
    ['what is joined', `${'a.b.c/'.repeat(80)}fuelCell${'/d.e.f'.repeat(80)}`, 'fuelCell'],
    ['Chinese', `${'今天天气很好我们去公园散步，'.repeat(40)}新的帆船到港${'，后来大家回家吃饭'.repeat(40)}`, '帆船'],
    ['Chinese sentences', `${'今天天气很好。'.repeat(60)}新的帆船到港。${'后来大家回家吃饭。'.repeat(40)}`, '帆船'],
    ['Chinese, one sign', `${'今天天气很好。'.repeat(60)}新的帆船到港。${'后来大家回家吃饭。'.repeat(40)}`, '船'],
    ['Thai', `${'วันนี้อากาศดีมาก'.repeat(40)}เรือใบลำใหม่${'พวกเรากลับบ้าน'.repeat(40)}`, 'เรือใบ'],
  ])('shows the place that matched in a long text without spaces: %s', (_, text, query) => {
    const { text: shown, highlights } = snippet(text, query);
    expect(shown.length).toBeLessThanOrEqual(240);
    expect(shown.length).toBeGreaterThan(150);
    expect(shown).toContain(query);
    expect(highlights.map(([start, end]) => shown.slice(start, end)).join(' ')).toContain(query);
    expect(highlights.every(([start, end]) => end - start < 12)).toBe(true);
  });

  it('marks the signs that were asked for, not the run that they stand in', () => {
    const { text, highlights } = snippet('我们的新帆船很快，旧帆船也快', '帆船');
    expect(highlights.map(([start, end]) => text.slice(start, end))).toEqual(['帆船', '帆船']);
    const long = snippet('我们的新帆船很快', '新帆船');
    expect(long.highlights.map(([start, end]) => long.text.slice(start, end))).toEqual(['新帆船']);
  });

  it('is one line of at most 240 characters without half characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 1500 }), fc.string({ maxLength: 10 }), (text, query) => {
        const { text: shown, line } = snippet(text, query);
        expect(shown.length).toBeLessThanOrEqual(240);
        expect(shown).not.toMatch(/[\n\r]/);
        expect(shown).not.toMatch(/\p{Cs}/u);
        expect(line).toBeLessThan(text.split('\n').length);
      }),
    );
    expect(snippet('😀'.repeat(500), 'x').text).not.toMatch(/\p{Cs}/u);
  });

  it('marks each word of a text that is asked for, whatever its stem', () => {
    const text = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const words = new Set([
      ...(text.match(/[\p{L}\d'’_./-]+/gu) ?? []),
      'Dying',
      'skies',
      'Ünder',
      'YEARS',
      'x',
      'iPhone',
      'U.S.',
    ]);
    const unmarked = [...words].filter((word) => {
      const terms = tokensOf(word);
      return terms.length > 0 && snippetOf(`zzz ${word} zzz`, terms).highlights.length === 0;
    });
    expect(unmarked).toEqual([]);
  });
});
