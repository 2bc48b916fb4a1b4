import { describe, expect, it } from 'vitest';
import { firstOfEach } from '../../src/search/folding.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

describe('the first of each group', () => {
  it('stands for all of it, in the order of the first', () => {
    const groups: Record<string, number> = { b1: 1, a1: 0, b2: 1, b3: 1, a2: 0 };
    expect(firstOfEach(['b1', 'lone', 'a1', 'b2', 'b3', 'other', 'a2'], (name) => groups[name])).toEqual([
      { item: 'b1', count: 3 },
      { item: 'lone' },
      { item: 'a1', count: 2 },
      { item: 'other' },
    ]);
    expect(firstOfEach([], () => 1)).toEqual([]);
  });
});

describe('hits of one session', () => {
  const shelf = new Shelf();
  const index = new SearchIndex(shelf.read);
  index.moveTo(
    shelf.listing([
      transcriptFile('stars', [
        { text: 'The telescope came' },
        { text: 'Its mirror is fine' },
        { text: 'We point the telescope at Saturn' },
      ]),
      transcriptFile('house', [{ text: 'The telescope stands in the hall' }, { text: 'So it does' }]),
      memoryFile('m1', 'The telescope has a mirror of 20 cm'),
      memoryFile('m2', 'The telescope is from Ada'),
    ]),
  );
  const placesOf = (options: { group?: 'session'; limit?: number }) =>
    index
      .recall('telescope', { now: noon, ...options })
      .map(({ document, turns }) => [document.session ?? document.id, turns]);

  it('come one by one', () => {
    const sessions = placesOf({}).map(([place]) => place);
    expect(sessions.filter((place) => place === 'stars').length).toBeGreaterThan(1);
    expect(placesOf({}).every(([, turns]) => turns === undefined)).toBe(true);
  });

  it('come as one where that is asked for, with their number; memories stay what they are', () => {
    const places = placesOf({ group: 'session' });
    expect(places).toHaveLength(4);
    expect(places).toEqual(
      expect.arrayContaining([
        ['stars', 3],
        ['house', 2],
        ['m1', undefined],
        ['m2', undefined],
      ]),
    );
  });

  it('leave room for others within the limit', () => {
    expect(placesOf({ group: 'session', limit: 3 })).toEqual(placesOf({ group: 'session' }).slice(0, 3));
  });

  it('cannot be grouped by anything else', () => {
    expect(() => placesOf({ group: 'speaker' as 'session' })).toThrow(/group/);
  });
});
