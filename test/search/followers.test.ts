import { describe, expect, it } from 'vitest';
import { miniSearchIndex } from '../../src/adapters/mini-search-index.ts';
import type { Follower, FollowingOptions } from '../../src/search/followers.ts';
import type { LexicalIndex } from '../../src/search/lexical-index.ts';
import type { SearchDocument } from '../../src/search/search-document.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const dayMs = 86_400_000;
const files = [
  transcriptFile('roof', [
    { text: 'The plumber comes on Tuesday at nine.' },
    { text: 'Which plumber?' },
    { text: 'Plumber Ortega, the one with the red van, comes at nine.' },
  ]),
  transcriptFile(
    'news',
    [{ text: 'Ortega called: the plumber has a broken van and comes a day later.' }],
    noon + dayMs,
  ),
  transcriptFile('tea', [{ text: 'We are out of green tea.' }], noon + dayMs),
  transcriptFile('before', [{ text: 'Plumber Ortega drives a red van.' }], noon - dayMs),
  memoryFile('m1', 'Plumber Ortega comes at nine.'),
] as const;

const indexOf = (small?: () => LexicalIndex): SearchIndex => {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read, { smallIndex: small });
  index.moveTo(shelf.listing(files));
  return index;
};

describe.each([
  ['typed arrays', undefined],
  ['MiniSearch', miniSearchIndex],
])('what was said after a hit, by %s', (_, small) => {
  const index = indexOf(small);
  const hit = index.turnAt(files[0][0], 3)!;
  const options = { most: 3, least: 0.1 };
  const followersOf = (hit: SearchDocument, query: string, how: FollowingOptions) =>
    index.followersOf([hit], query, how)[0]!;
  const sessions = (found: readonly Follower[]) => found.map(({ document }) => document.session);

  it('is nearest to it by words, and never what was said before or is no turn', () => {
    const found = followersOf(hit, 'plumber', options);
    expect(sessions(found)).toEqual(['news']);
    expect(found[0]!.link).toBeGreaterThan(0.1);
    expect(found[0]!.link).toBeLessThan(1);
  });

  it('may be a later turn of the same conversation', () => {
    const first = index.turnAt(files[0][0], 1)!;
    expect(followersOf(first, 'plumber', options).map(({ document: { turn } }) => turn)).toContain(3);
    expect(followersOf(first, 'plumber', { ...options, most: 1 })).toHaveLength(1);
  });

  it('is nothing where the link is weak, or nothing has its words', () => {
    expect(followersOf(hit, 'plumber', { ...options, least: 0.9 })).toEqual([]);
    expect(followersOf(index.turnAt(files[2][0], 1)!, 'tea', options)).toEqual([]);
  });

  it('is ordered by single words, too, where vectors say so', () => {
    const first = index.turnAt(files[0][0], 1)!;
    const wanted = ['Plumber Ortega, the one', 'Ortega called'];
    for (const texts of [wanted, wanted.toReversed()]) {
      const compared: string[] = [];
      const likeness = {
        of: () => [{ rows: new Int32Array(100), scores: new Float64Array(1).fill(Number.NaN) }],
        byWords: (text: string, others: readonly string[]) => {
          compared.push(text);
          return others.map((other) => (other.startsWith(texts[0]!) ? 1 : 0));
        },
      };
      const found = followersOf(first, 'plumber', { ...options, most: 2, likeness });
      expect(found.map(({ document: { text } }) => texts.findIndex((start) => text.startsWith(start)))).toEqual([0, 1]);
      expect(found[0]!.link).toBeGreaterThan(2 / 3);
      expect(compared).toEqual([first.text]);
    }
  });

  it('follows a memory from when it was made', () => {
    const [memory] = index.recall('plumber Ortega', { now: noon, category: 'memory' });
    expect(sessions(followersOf(memory!.document, 'plumber', options))).toEqual(
      expect.arrayContaining(['roof', 'news']),
    );
  });

  it('is what filters and hidden turns let through', () => {
    expect(followersOf(hit, 'plumber until:2026-02-16', options)).toEqual([]);
    expect(followersOf(hit, 'plumber', { ...options, paths: ['knowledge'] })).toEqual([]);
    const turns = new Map([[files[1][0], new Set([1])]]);
    expect(followersOf(hit, 'plumber', { ...options, hidden: { turns, events: new Set() } })).toEqual([]);
  });
});

describe('a turn by its number', () => {
  it('is its document, and none where nobody speaks', () => {
    const index = indexOf();
    expect(index.turnAt(files[0][0], 2)?.text).toBe('Which plumber?');
    for (const [path, turn] of [
      [files[0][0], 4],
      [files[0][0], 0],
      [files[4][0], 1],
      ['raw/none.md', 1],
    ] as const)
      expect(index.turnAt(path, turn)).toBeUndefined();
  });
});
