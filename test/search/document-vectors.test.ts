import { expect, it } from 'vitest';
import { Corpus } from '../../src/search/corpus.ts';
import { latentSpace } from '../../src/search/latent-space.ts';
import { type LearntSpace, meetDocuments } from '../../src/search/learnt-space.ts';
import { SearchIndex } from '../../src/search/search-index.ts';
import { memoryFile, Shelf, transcriptFile } from './corpus.ts';

const words = 'valve tank oxygen moon power battery antenna crew about one'.split(' ');
const terms = [...words.slice(0, 8), 'februari', 'jo'];

const learnt = (): LearntSpace => ({
  space: latentSpace(3, terms, Float32Array.from(terms.flatMap((_, at) => [1 / (at + 1), Math.sin(at), at / 7]))),
  from: [],
  generation: 0,
  vectors: new Map(),
});

it('documents met all at once have the same vectors, digit by digit, as those met one by one', () => {
  const shelf = new Shelf();
  const corpus = new Corpus();
  const index = new SearchIndex(shelf.read, { corpus });
  const files = [
    transcriptFile(
      'one',
      Array.from({ length: 90 }, (_, at) => ({
        text: Array.from({ length: 7 }, (_, word) => words[(at * 7 + word * word) % words.length]).join(' '),
      })),
    ),
    memoryFile('m1', 'The valve and the tank and the valve', { tags: ['crew'] }),
    ['knowledge/people/jo.md', '# Jo\n\nJo runs the tank.\n\n## Jo and the moon\n\nThe moon, and Jo.\n'] as [
      string,
      string,
    ],
  ];
  index.moveTo(shelf.listing(files));
  const { layout } = index;
  const slots = Array.from({ length: layout.count }, (_, slot) => slot);
  const [atOnce, oneByOne] = [learnt(), learnt()];
  meetDocuments(atOnce, layout, slots);
  // By now postings were turned around.
  for (const slot of slots) meetDocuments(oneByOne, layout, [slot]);
  expect([...oneByOne.vectors.keys()]).toEqual(slots);
  for (const slot of slots) expect(atOnce.vectors.get(slot)).toEqual(oneByOne.vectors.get(slot));

  // A turn says its own words; of another document those above it count, too, and a word of both once.
  const direct = (found: string[]) => atOnce.space!.vectorOf(found);
  const section = slots.find((slot) => layout.document(slot).title?.includes('Jo and the moon'))!;
  const { text, title } = layout.document(section).terms;
  const known = atOnce.vectors.get(section)!;
  for (const [at, value] of direct([...text, ...title]).entries()) expect(known[at]).toBeCloseTo(value, 12);
  for (const [at, value] of direct([...layout.document(0).terms.text]).entries()) {
    expect(atOnce.vectors.get(0)![at]).toBeCloseTo(value, 12);
  }
});
