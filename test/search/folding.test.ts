import { describe, expect, it } from 'vitest';
import { foldSources, type Told } from '../../src/search/folding.ts';
import type { RankedHit } from '../../src/search/recall-options.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, noon, Shelf, transcriptFile } from './corpus.ts';

const told: Record<string, Told> = {
  turn1: { turn: 'a.md#1' },
  turn2: { turn: 'a.md#2' },
  one: { sources: ['a.md#1'] },
  two: { sources: ['a.md#1', 'b.md#9'] },
  memory: { memory: 'm', sources: ['a.md#1'] },
  event: { memory: 'm', sources: ['a.md#1'] },
  bare: { memory: 'm' },
  note: {},
};
const fold = (ranked: string[], limit = 9) =>
  foldSources(ranked, (name) => told[name]!, limit).map(({ item, also }) => [item, ...also].join('+'));

describe('what says the same', () => {
  it('stands with the better of the two', () => {
    expect(fold(['one', 'note', 'turn1', 'turn2'])).toEqual(['one+turn1', 'note', 'turn2']);
    expect(fold(['turn1', 'note', 'one', 'two'])).toEqual(['turn1+one+two', 'note']);
  });

  it('is not two memories of one turn, which both say something else', () => {
    expect(fold(['one', 'two', 'turn1'])).toEqual(['one+turn1', 'two']);
  });

  it('is an event and the memory that it tells of, whichever comes first, with their turn', () => {
    expect(fold(['event', 'memory', 'turn1'])).toEqual(['event+memory+turn1']);
    expect(fold(['turn1', 'memory', 'note', 'bare'])).toEqual(['turn1+memory+bare', 'note']);
    expect(fold(['memory', 'one', 'event'])).toEqual(['memory+event', 'one']);
  });

  it('takes no place among the first', () => {
    expect(fold(['one', 'turn1', 'note', 'turn2'], 2)).toEqual(['one+turn1', 'note']);
    expect(fold(['one', 'note', 'turn1'], 1)).toEqual(['one']);
  });
});

describe('recall', () => {
  const shelf = new Shelf();
  const talk = transcriptFile('ses_talk', [
    { text: 'We decided to keep the antenna on the mast.' },
    { text: 'Good, the antenna stays, and I will paint the mast by Friday.' },
    ...Array.from({ length: 30 }, (_, at) => ({ text: `The mast is ${at} metres from the antenna.` })),
  ]);
  const taken = Array.from({ length: 30 }, (_, at) =>
    memoryFile(`m${at}`, `The mast is ${at} metres from the antenna.`, { sources: [{ path: talk[0], turn: at + 3 }] }),
  );
  const ask = (files: [string, string][], limit: number, query = 'antenna on the mast'): RankedHit[] => {
    const index = new SearchIndex(shelf.read);
    index.moveTo(shelf.listing(files));
    return index.recall(query, { now: noon, limit });
  };
  const placesOf = (hits: RankedHit[]): string[] =>
    hits.flatMap(({ document, also = [] }) =>
      [document, ...also.map((other) => other.document)].map(({ path, turn }) => `${path}#${turn ?? ''}`),
    );

  it('shows a memory and its turn once, and fills the list with others', () => {
    const hits = ask([talk, ...taken], 32);
    expect(hits).toHaveLength(32);
    expect(hits.filter(({ also }) => also !== undefined).length).toBeGreaterThan(10);
    const places = placesOf(hits);
    expect(new Set(places).size).toBe(places.length);
    for (const { document, also = [] } of hits) {
      for (const { document: other } of also) expect(other.turn === undefined).toBe(document.turn !== undefined);
    }
  });

  it('loses nothing: all that was found is a hit or stands with one', () => {
    const apart = taken.map(([path, text]): [string, string] => [
      path,
      text.replaceAll(talk[0], 'raw/conversations/other.md'),
    ]);
    expect(placesOf(ask([talk, ...taken], 1000)).sort()).toEqual(placesOf(ask([talk, ...apart], 1000)).sort());
    expect(ask([talk, ...apart], 1000).some(({ also }) => also !== undefined)).toBe(false);
  });
});
