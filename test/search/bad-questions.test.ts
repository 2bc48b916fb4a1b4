import { describe, expect, it } from 'vitest';
import { miniSearchIndex } from '../../src/adapters/mini-search-index.ts';
import { MemoryError } from '../../src/base/errors.ts';
import type { RankedHit } from '../../src/search/recall-options.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const files = [
  transcriptFile('talk', [
    { text: 'The valve (type A*) is stuck, see src/valve.ts' },
    { text: 'To be or not to be AND so on' },
    { text: 'Column text^2 NEAR the tank' },
  ]),
  memoryFile('m1', 'We use Postgres', { tags: ['database'] }),
];

/** Both kinds of index: MiniSearch, and typed arrays. */
const indexes = [Number.POSITIVE_INFINITY, 0].map((arraysFrom) => {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read, { smallIndex: miniSearchIndex, arraysFrom });
  index.moveTo(shelf.listing(files));
  return index;
});

/** Asks both, which have to agree. */
function ask(query: string): RankedHit[] {
  const [one, other] = indexes.map((index) => index.recall(query, { now: noon })) as [RankedHit[], RankedHit[]];
  expect(other).toEqual(one);
  return one;
}

const textsOf = (query: string): string[] => ask(query).map(({ document }) => document.text);

describe('a question that nobody would ask', () => {
  it.each(['', ' ', '\n\t', '\u3000'])('of nothing, %j, is refused with what to do', (query) => {
    expect(() => ask(query)).toThrow(MemoryError);
    expect(() => ask(query)).toThrow(/empty/);
  });

  it('of 100 kB is answered', () => {
    const words = Array.from({ length: 12_500 }, (_, at) => `word${at % 500}`).join(' ');
    expect(words.length).toBeGreaterThan(90_000);
    expect(ask(words)).toEqual([]);
    expect(textsOf(`${words} valve`)[0]).toMatch(/valve/);
    expect(ask('x'.repeat(100_000))).toEqual([]);
    expect(ask(`"${'y '.repeat(50_000)}"`)).toEqual([]);
    expect(ask('tag:'.repeat(25_000))).toEqual([]);
  });

  it('with control characters finds what the rest of it means', () => {
    expect(textsOf('\u0000valve\u0007\u001b[31m stuck')[0]).toMatch(/valve/);
    expect(ask('\u0000\u0001\u0002')).toEqual([]);
    expect(ask('\ud800 \udfff')).toEqual([]);
  });

  it('of stop words is looked up as it stands', () => {
    expect(textsOf('to be or not to be')).toEqual(['To be or not to be AND so on']);
    expect(textsOf('the of and')[0]).toMatch(/\bthe\b/i);
    expect(ask('whom ours')).toEqual([]);
  });

  it.each([
    '.*',
    '(',
    '[a-',
    '\\',
    '(a+)+$',
    '^valve$',
    '|',
    '?',
    '+valve',
    'valve.*stuck',
    '"',
    '""',
    '" "',
    'valve*',
    'valve AND tank',
    'NEAR(valve tank, 2)',
    'text:valve',
    '{a b}: valve',
    'NOT',
    '-valve',
    'text^2',
    "'; drop table turns; --",
    '%',
    '__proto__',
    'constructor',
  ])('that is a pattern or an operator elsewhere, %j, is words here', (query) => {
    expect(Array.isArray(ask(query))).toBe(true);
  });

  it('finds words that look like operators', () => {
    expect(textsOf('text^2 NEAR')[0]).toBe('Column text^2 NEAR the tank');
    expect(textsOf('valve.*stuck')[0]).toMatch(/stuck/);
  });

  it.each(['before:yesterdaz tank', 'after:2026-13-01', 'until:soon', 'since:2026-02-30'])(
    'with a time that is none, %j, is refused with how to write it',
    (query) => {
      expect(() => ask(query)).toThrow(expect.objectContaining({ code: 'INVALID_DATE' }));
    },
  );

  it('with a filter that fits nothing finds nothing, and with a misspelt name takes it for words', () => {
    expect(ask('tag:databaze postgres')).toEqual([]);
    expect(ask('category:nothing postgres')).toEqual([]);
    expect(textsOf('tga:database postgres')).toEqual(['We use Postgres']);
    expect(textsOf('tag: postgres')).toEqual(['We use Postgres']);
  });
});
